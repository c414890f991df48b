import type { RecordFor, ResourceName } from '../contract.ts';

type WallLists = {
  readonly [N in ResourceName]?: {
    readonly fields: readonly (keyof RecordFor<N>)[];
    /** Besides pages, ids and what has changed. */
    readonly filters: readonly string[];
  };
};

/** All that a screen reads of the public interface: what a wall shows, and what keeps it up to date. */
export const wallLists: WallLists = {
  locations: { fields: ['id', 'name', 'isActive', 'updatedAt'], filters: [] },
  parkingZones: {
    fields: ['id', 'locationId', 'name', 'isActive', 'capacity', 'occupied', 'updatedAt'],
    filters: [],
  },
  parkingSpots: {
    fields: [
      'id',
      'locationId',
      'zoneId',
      'name',
      'kind',
      'isActive',
      'occupiedByCarId',
      'updatedAt',
    ],
    filters: [],
  },
  cars: {
    fields: [
      'id',
      'licensePlate',
      'nickname',
      'year',
      'make',
      'model',
      'status',
      'parkingSpotId',
      'parkingZoneId',
      'updatedAt',
    ],
    filters: ['status'],
  },
  eventTypes: { fields: ['id', 'name', 'value'], filters: [] },
  appointments: {
    fields: [
      'id',
      'appointmentTypeId',
      'carId',
      'locationId',
      'title',
      'status',
      'startAt',
      'endAt',
    ],
    filters: ['startFrom', 'startTo'],
  },
};
