import type { ResourceName } from '../../contract/contract.ts';
import { cars } from './cars.ts';
import { customers } from './customers.ts';
import { carEvents } from './events.ts';
import { locations } from './locations.ts';
import { me } from './me.ts';
import { parkingAssignments, parkingSpots, parkingZones } from './parking.ts';
import { carPhotos } from './photos.ts';
import type { RulesOf } from './rule.ts';

/** The behaviour that no declaration states, by resource. What generic code cannot do must stand here: the type says so. */
export const rules: { [N in ResourceName]: RulesOf<N> } = {
  me,
  cars,
  carEvents,
  carPhotos,
  eventTypes: {},
  eventSessions: {},
  customers,
  locations,
  parkingZones,
  parkingSpots,
  parkingAssignments,
};
