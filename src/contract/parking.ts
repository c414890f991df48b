import { z } from 'zod';
import {
  byRule,
  createOnly,
  defaulted,
  equals,
  immutable,
  optional,
  readOnly,
  required,
  updateOnly,
  whether,
} from './declare.ts';
import * as fields from './fields.ts';
import { ifParkedIn } from './preconditions.ts';
import { decision, resource } from './resource.ts';

const read = { all: ['read:parking'] } as const;
const write = { all: ['write:parking'] } as const;
const isActive = (one: string, many: string) =>
  whether(decision, 'isActive', `Whether the ${one} is active.`, {
    true: `Active ${many}.`,
    false: `Inactive ${many}.`,
  });
const atLocation = (records: string) =>
  equals(decision, fields.id, 'locationId', `${records} at this location.`);

/** Whether a place meets `available`: active, and with room. */
const isFree = (
  { isActive }: Readonly<Record<string, unknown>>,
  occupancy: unknown,
  hasRoom: (occupancy: unknown) => boolean,
  wanted: unknown,
): boolean | undefined =>
  isActive === undefined || occupancy === undefined
    ? undefined
    : (isActive === true && hasRoom(occupancy)) === wanted;

export const parkingZones = resource({
  name: 'parkingZones',
  singular: 'parking zone',
  plural: 'parking zones',
  path: '/parking/zones',
  param: 'id',
  about:
    'A part of a location, such as a hall, a floor or a yard. Cars can be parked in a zone without a spot.',
  get fields() {
    return {
      locationId: immutable(decision, fields.id, "The location. Can't be changed.", {
        references: 'locations',
      }),
      name: required(decision, fields.name, 'Name, unique in the location.'),
      capacity: optional(
        decision,
        z.int().min(1),
        'Number of cars that fit into the zone without a spot; null for no limit.',
      ),
      isActive: defaulted(decision, z.boolean(), true, 'Whether the zone is active.', {
        meanings: { true: 'The zone is active.', false: 'The zone is inactive.' },
      }),
      notes: optional(decision, fields.notes, 'Free text.'),
      occupied: readOnly(
        decision,
        fields.count,
        'Number of cars parked in the zone without a spot.',
        { initial: 0 },
      ),
      available: readOnly(
        decision,
        z.int().nullable(),
        'Free places: capacity minus occupied, never below 0; null for no limit.',
      ),
    };
  },
  get filters() {
    return {
      locationId: atLocation('Zones'),
      isActive: isActive('zone', 'zones'),
      available: {
        ...byRule(
          decision,
          z.boolean(),
          'Whether the zone is active and has a free place.',
          (zone, free) =>
            isFree(zone, zone.available, (left) => left === null || Number(left) > 0, free),
        ),
        meanings: { true: 'Active zones with a free place.', false: 'Full or inactive zones.' },
      },
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
      locationId: immutable(decision, fields.id, "The location. Can't be changed.", {
        references: 'locations',
      }),
      zoneId: optional(decision, fields.id, 'The zone of the spot, in the same location.', {
        references: 'parkingZones',
      }),
      name: required(decision, fields.name, 'Name, unique in the location.'),
      kind: defaulted(decision, z.enum(['standard', 'lift']), 'standard', 'Kind of spot.'),
      isActive: defaulted(decision, z.boolean(), true, 'Whether the spot is active.', {
        meanings: { true: 'The spot is active.', false: 'The spot is inactive.' },
      }),
      notes: optional(decision, fields.notes, 'Free text.'),
      occupiedByCarId: readOnly(decision, fields.id.nullable(), 'The car parked in the spot.', {
        references: 'cars',
      }),
    };
  },
  get filters() {
    return {
      locationId: atLocation('Spots'),
      zoneId: equals(decision, fields.id, 'zoneId', 'Spots in this zone.'),
      isActive: isActive('spot', 'spots'),
      available: {
        ...byRule(decision, z.boolean(), 'Whether the spot is active and free.', (spot, free) =>
          isFree(spot, spot.occupiedByCarId, (carId) => carId === null, free),
        ),
        meanings: { true: 'Free active spots.', false: 'Occupied or inactive spots.' },
      },
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

/** An assignment that a server has just ended may end in the future of a clock that runs behind. */
const clocksDifferMs = 5 * 60_000;

/**
 * Whether a car is parked by an assignment: it has no end, or one that a server plans ahead. Undefined where the record doesn't tell; a
 * car must not be taken for gone. An end in a form that isn't a moment counts as past.
 */
export const isOpenAssignment = (
  { endedAt }: { readonly endedAt?: unknown },
  now: number,
): boolean | undefined =>
  endedAt === undefined ? undefined : endedAt === null || Date.parse(String(endedAt)) > now;

export const parkingAssignments = resource({
  name: 'parkingAssignments',
  singular: 'parking assignment',
  plural: 'parking assignments',
  path: '/parking/assignments',
  param: 'id',
  about:
    "A car in a spot or a zone, with start and end. Creating one parks or moves the car. An ended one can't be reopened.",
  get fields() {
    return {
      carId: immutable(decision, fields.id, 'The car.', { references: 'cars' }),
      parkingSpotId: createOnly(
        decision,
        fields.id,
        'The spot. Exactly one of parkingSpotId and parkingZoneId is required.',
        {
          references: 'parkingSpots',
        },
      ),
      parkingZoneId: createOnly(
        decision,
        fields.id,
        'The zone. Exactly one of parkingSpotId and parkingZoneId is required.',
        {
          references: 'parkingZones',
        },
      ),
      startedAt: {
        ...createOnly(decision, fields.timestamp, 'Start.', { initialText: 'now' }),
        schema: fields.timestamp,
      },
      endedAt: updateOnly(
        decision,
        fields.timestamp,
        'End; null while the car is parked there. Setting it ends the parking.',
      ),
      startedByEventId: readOnly(
        decision,
        fields.id.nullable(),
        'The event that started the parking.',
        { references: 'carEvents' },
      ),
      endedByEventId: readOnly(
        decision,
        fields.id.nullable(),
        'The event that ended the parking.',
        {
          references: 'carEvents',
        },
      ),
      startedByKey: readOnly(
        decision,
        fields.name.nullable(),
        'Name of the API key that started the parking; null if unknown.',
      ),
      endedByKey: readOnly(
        decision,
        fields.name.nullable(),
        'Name of the API key that ended the parking; null if unknown.',
      ),
      notes: optional(decision, fields.notes, 'Free text.'),
    };
  },
  get filters() {
    return {
      carId: equals(decision, fields.id, 'carId', 'Assignments of this car.'),
      parkingSpotId: equals(decision, fields.id, 'parkingSpotId', 'Assignments of this spot.'),
      parkingZoneId: equals(decision, fields.id, 'parkingZoneId', 'Assignments of this zone.'),
      active: {
        ...byRule(
          decision,
          z.boolean(),
          'Whether the assignment is open.',
          (assignment, active, now) => {
            const isOpen = isOpenAssignment(assignment, active ? now : now + clocksDifferMs);
            return isOpen === undefined ? undefined : isOpen === active;
          },
        ),
        meanings: { true: 'Open assignments.', false: 'Ended assignments.' },
      },
    };
  },
  atLeastOne: ['parkingSpotId', 'parkingZoneId'],
  operations: {
    list: { source: decision, scope: read, about: 'List parking assignments.' },
    get: { source: decision, scope: read, about: 'Read a parking assignment.' },
    create: {
      source: decision,
      scope: write,
      about: 'Park a car, or move it. Its open assignment ends automatically.',
      existing: 'The car is already parked there. Its open assignment is returned.',
      preconditions: { ifParkedIn },
      problems: [
        'parking_required',
        'conflicting_fields',
        'parking_spot_occupied',
        'parking_zone_full',
        'parking_inactive',
        'parking_changed',
        'occurred_at_in_future',
        'occurred_at_conflict',
        'car_archived',
      ],
    },
    update: {
      source: decision,
      scope: write,
      about: 'End the parking, or change its notes.',
      problems: ['not_parked', 'occurred_at_in_future', 'occurred_at_conflict'],
    },
  },
});
