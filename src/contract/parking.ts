import { z } from 'zod';
import { byRule, createOnly, defaulted, equals, immutable, optional, readOnly, required, updateOnly } from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource } from './resource.ts';

const read = { all: ['read:parking'] } as const;
const write = { all: ['write:parking'] } as const;
const isActive = equals(decision, z.boolean(), 'isActive', 'Those in use.');
const locationId = equals(decision, fields.id, 'locationId', 'Those of this location.');

/** Whether a place meets `available`: in use, and with room. */
const isFree = (
  { isActive }: Readonly<Record<string, unknown>>,
  occupancy: unknown,
  hasRoom: (occupancy: unknown) => boolean,
  wanted: unknown,
): boolean | undefined =>
  isActive === undefined || occupancy === undefined ? undefined : (isActive === true && hasRoom(occupancy)) === wanted;

export const parkingZones = resource({
  name: 'parkingZones',
  singular: 'parking zone',
  plural: 'parking zones',
  path: '/parking/zones',
  param: 'id',
  about: 'A part of a location: a hall, a floor, a yard. Cars can be put in it without naming a spot.',
  get fields() {
    return {
      locationId: immutable(decision, fields.id, 'The location; never changes.', {
        references: 'locations',
      }),
      name: required(decision, fields.name, 'Name; unique in the location.'),
      capacity: optional(decision, z.int().min(1), 'How many cars may stand in it without a spot; null for no limit.'),
      isActive: defaulted(decision, z.boolean(), true, 'Whether the zone is in use.'),
      notes: optional(decision, fields.notes, 'Free text.'),
      occupied: readOnly(decision, fields.count, 'How many cars stand in it without a spot.', { initial: 0 }),
      available: readOnly(decision, z.int().nullable(), 'Places left: capacity less occupied, never below 0; null for no limit.'),
    };
  },
  get filters() {
    return {
      locationId,
      isActive,
      available: byRule(decision, z.boolean(), 'Those in use with a place left, or the others.', (zone, free) =>
        isFree(zone, zone.available, (left) => left === null || Number(left) > 0, free),
      ),
    };
  },
  unique: [{ field: 'name', within: 'locationId' }],
  operations: {
    list: { source: decision, scope: read, about: 'List parking zones.' },
    get: { source: decision, scope: read, about: 'Read a parking zone.' },
    create: {
      source: decision,
      scope: write,
      about: 'Create a parking zone.',
      problems: ['duplicate', 'location_inactive'],
    },
    update: {
      source: decision,
      scope: write,
      about: 'Change a parking zone.',
      problems: ['duplicate'],
    },
  },
});

export const parkingSpots = resource({
  name: 'parkingSpots',
  singular: 'parking spot',
  plural: 'parking spots',
  path: '/parking/spots',
  param: 'id',
  about: 'A marked place for one car.',
  get fields() {
    return {
      locationId: immutable(decision, fields.id, 'The location; never changes.', {
        references: 'locations',
      }),
      zoneId: optional(decision, fields.id, 'The zone that the spot lies in; of the same location.', { references: 'parkingZones' }),
      name: required(decision, fields.name, 'Name; unique in the location.'),
      kind: defaulted(decision, z.enum(['standard', 'lift']), 'standard', 'On the floor, or on a lift.'),
      isActive: defaulted(decision, z.boolean(), true, 'Whether the spot is in use.'),
      notes: optional(decision, fields.notes, 'Free text.'),
      occupiedByCarId: readOnly(decision, fields.id.nullable(), 'The car that stands on it.', { references: 'cars' }),
    };
  },
  get filters() {
    return {
      locationId,
      zoneId: equals(decision, fields.id, 'zoneId', 'Spots of this zone.'),
      isActive,
      available: byRule(decision, z.boolean(), 'Spots in use that are free, or the others.', (spot, free) =>
        isFree(spot, spot.occupiedByCarId, (carId) => carId === null, free),
      ),
    };
  },
  unique: [{ field: 'name', within: 'locationId' }],
  operations: {
    list: { source: decision, scope: read, about: 'List parking spots.' },
    get: { source: decision, scope: read, about: 'Read a parking spot.' },
    create: {
      source: decision,
      scope: write,
      about: 'Create a parking spot.',
      problems: ['duplicate', 'location_inactive'],
    },
    update: {
      source: decision,
      scope: write,
      about: 'Change a parking spot.',
      problems: ['duplicate'],
    },
  },
});

export const parkingAssignments = resource({
  name: 'parkingAssignments',
  singular: 'parking assignment',
  plural: 'parking assignments',
  path: '/parking/assignments',
  param: 'id',
  about: 'A car on a spot or in a zone, from a time until a time. Made here it parks or moves the car; ended it is never reopened.',
  get fields() {
    return {
      carId: immutable(decision, fields.id, 'The car.', { references: 'cars' }),
      parkingSpotId: createOnly(decision, fields.id, 'The spot; exactly one of spot and zone.', { references: 'parkingSpots' }),
      parkingZoneId: createOnly(decision, fields.id, 'The zone; exactly one of spot and zone.', { references: 'parkingZones' }),
      startedAt: {
        ...createOnly(decision, fields.timestamp, 'Since when; the time of the request when left out.'),
        schema: fields.timestamp,
      },
      endedAt: updateOnly(decision, fields.timestamp, 'Until when; null while the car stands there. Setting it releases the car.'),
      startedByEventId: readOnly(decision, fields.id.nullable(), 'The event that began it.', { references: 'carEvents' }),
      endedByEventId: readOnly(decision, fields.id.nullable(), 'The event that ended it.', {
        references: 'carEvents',
      }),
      notes: optional(decision, fields.notes, 'Free text.'),
    };
  },
  get filters() {
    return {
      carId: equals(decision, fields.id, 'carId', 'Assignments of this car.'),
      parkingSpotId: equals(decision, fields.id, 'parkingSpotId', 'Assignments of this spot.'),
      parkingZoneId: equals(decision, fields.id, 'parkingZoneId', 'Assignments of this zone.'),
      active: byRule(decision, z.boolean(), 'Those that have not ended, or those that have.', ({ endedAt }, active) =>
        endedAt === undefined ? undefined : (endedAt === null) === active,
      ),
    };
  },
  atLeastOne: ['parkingSpotId', 'parkingZoneId'],
  operations: {
    list: { source: decision, scope: read, about: 'List parking assignments.' },
    get: { source: decision, scope: read, about: 'Read a parking assignment.' },
    create: {
      source: decision,
      scope: write,
      about: 'Park a car, or move it: an assignment that is open ends by itself.',
      existing: 'The car stands there already: its open assignment.',
      problems: [
        'parking_required',
        'conflicting_fields',
        'parking_spot_occupied',
        'parking_zone_full',
        'parking_inactive',
        'occurred_at_in_future',
        'occurred_at_conflict',
        'car_archived',
      ],
    },
    update: {
      source: decision,
      scope: write,
      about: 'Release the car by setting endedAt, or change the notes.',
      problems: ['not_parked', 'occurred_at_in_future', 'occurred_at_conflict'],
    },
  },
});
