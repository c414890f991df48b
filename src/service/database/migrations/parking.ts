import { computed, maybe, recordTable, type TableSpec } from '../create-tables.ts';

/** Zones and spots, and which car was parked where. */
export const parkingTables: readonly TableSpec[] = [
  recordTable({
    name: 'parkingZones',
    columns: {
      locationId: 'id',
      name: 'text',
      capacity: maybe('integer'),
      isActive: 'boolean',
      notes: maybe('text'),
      occupied: 'integer',
      available: computed(
        'integer',
        `case when "occupied" > "capacity" then 0 else "capacity" - "occupied" end`,
      ),
    },
    references: { locationId: 'locations' },
    checks: { occupied_counts: `"occupied" >= 0` },
    orderAndFilters: ['updatedAt'],
    indexes: { name: { columns: ['locationId', 'name'], unique: true } },
  }),
  recordTable({
    name: 'parkingSpots',
    columns: {
      locationId: 'id',
      zoneId: maybe('id'),
      name: 'text',
      kind: 'text',
      isActive: 'boolean',
      notes: maybe('text'),
      occupiedByCarId: maybe('id'),
    },
    references: { locationId: 'locations', zoneId: 'parkingZones', occupiedByCarId: 'cars' },
    orderAndFilters: ['updatedAt', 'zoneId'],
    indexes: { name: { columns: ['locationId', 'name'], unique: true } },
  }),
  recordTable({
    name: 'parkingAssignments',
    columns: {
      carId: 'id',
      parkingSpotId: maybe('id'),
      parkingZoneId: maybe('id'),
      startedAt: 'timestamp',
      endedAt: maybe('timestamp'),
      startedByEventId: maybe('id'),
      endedByEventId: maybe('id'),
      startedByKey: maybe('text'),
      endedByKey: maybe('text'),
      notes: maybe('text'),
    },
    references: {
      carId: 'cars',
      parkingSpotId: 'parkingSpots',
      parkingZoneId: 'parkingZones',
      startedByEventId: 'carEvents',
      endedByEventId: 'carEvents',
    },
    checks: {
      one_target: `("parkingSpotId" is null) <> ("parkingZoneId" is null)`,
      ends_after_start: `"endedAt" is null or "endedAt" >= "startedAt"`,
    },
    orderAndFilters: ['updatedAt', 'carId', 'parkingSpotId', 'parkingZoneId'],
    indexes: {
      // Two cars can't have one spot, nor one car two places, whatever the rules above allow.
      open_spot: {
        columns: ['parkingSpotId'],
        unique: true,
        where: `"endedAt" is null and "parkingSpotId" is not null`,
      },
      open_car: { columns: ['carId'], unique: true, where: `"endedAt" is null` },
      // The occupancy of a range of days, and what came in and went out.
      startedAt: { columns: ['startedAt'] },
      endedAt: { columns: ['endedAt'], where: '"endedAt" is not null' },
    },
  }),
];
