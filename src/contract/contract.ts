import { carEvents, carPhotos, cars, eventSessions } from './cars.ts';
import { customers } from './customers.ts';
import { eventTypes } from './event-types.ts';
import { locations } from './locations.ts';
import { parkingAssignments, parkingSpots, parkingZones } from './parking.ts';
import type { CreateOf, FiltersOf, RecordOf, UpdateOf } from './resource.ts';
import { me } from './team.ts';

/** The whole interface: every resource, in the order in which people meet them. */
export const contract = {
  me,
  cars,
  carEvents,
  carPhotos,
  eventTypes,
  eventSessions,
  customers,
  locations,
  parkingZones,
  parkingSpots,
  parkingAssignments,
} as const;

export type Contract = typeof contract;
export type ResourceName = keyof Contract;

type Stored = {
  id: string;
  teamId: string;
  createdAt: string;
  updatedAt: string;
};
/** A record of a resource, with the four fields that every stored one has. */
export type RecordFor<N extends ResourceName> = (Contract[N] extends {
  singleton: true;
}
  ? unknown
  : Stored) &
  RecordOf<Contract[N]>;
export type CreateFor<N extends ResourceName> = CreateOf<Contract[N]>;
export type UpdateFor<N extends ResourceName> = UpdateOf<Contract[N]>;
export type FiltersFor<N extends ResourceName> = FiltersOf<Contract[N]>;
