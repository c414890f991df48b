import { z } from 'zod';
import {
  createOnly,
  defaulted,
  equals,
  from,
  immutable,
  optional,
  readOnly,
  required,
  search,
  to,
  writeOnly,
} from './declare.ts';
import * as fields from './fields.ts';
import { aboutMegabytes, photoLimit } from './limits.ts';
import { ifParkedIn } from './preconditions.ts';
import { decision, resource, spec } from './resource.ts';

/** Media types of photos. SVG is excluded on purpose: it can contain scripts. */
export const photoTypes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/heif',
  'image/avif',
  'image/gif',
] as const;
export type PhotoType = (typeof photoTypes)[number];

const vin = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9-]{1,25}$/, 'must be 1 to 25 of A-Z, 0-9 and -');
const plate = fields.capitals(32);
const statuses = ['expected', 'stored', 'checked_out', 'archived'] as const;

export const cars = resource({
  name: 'cars',
  singular: 'car',
  plural: 'cars',
  path: '/cars',
  param: 'id',
  about: 'A car that the facility expects, stores or has stored before.',
  get fields() {
    return {
      year: required(spec, z.int().min(1886), 'Model year, at most next year.'),
      make: required(spec, fields.line(100), 'Maker, such as Porsche.'),
      model: required(spec, fields.line(100), 'Model, such as 911 Carrera.'),
      trim: optional(decision, fields.line(100), 'Trim level.'),
      color: optional(decision, fields.line(100), 'Colour.'),
      vin: optional(
        decision,
        vin,
        'Vehicle identification number (VIN), converted to upper case. Older cars have fewer than 17 characters.',
      ),
      licensePlate: optional(decision, plate, 'Licence plate, converted to upper case.'),
      licensePlateRegion: optional(
        decision,
        plate,
        'Region of the licence plate, converted to upper case.',
      ),
      nickname: optional(decision, fields.line(100), 'Nickname.'),
      mileage: optional(decision, fields.count, 'Odometer reading.'),
      customerId: optional(decision, fields.id, 'The owner.', { references: 'customers' }),
      locationId: optional(decision, fields.id, 'Home location of the car.', {
        references: 'locations',
      }),
      status: defaulted(
        decision,
        z.enum(statuses),
        'expected',
        'Status. Events set stored and checked_out; archived is set by hand.',
      ),
      parkingSpotId: readOnly(decision, fields.id.nullable(), 'The spot where the car is parked.', {
        references: 'parkingSpots',
      }),
      parkingZoneId: readOnly(decision, fields.id.nullable(), 'The zone where the car is parked.', {
        references: 'parkingZones',
      }),
      notes: optional(decision, fields.notes, 'Free text.'),
    };
  },
  get filters() {
    return {
      customerId: equals(spec, fields.id, 'customerId', 'Cars of this customer.'),
      status: equals(spec, z.enum(statuses), 'status', 'Cars with this status.'),
      locationId: equals(decision, fields.id, 'locationId', 'Cars with this home location.'),
      vin: {
        ...equals(decision, vin, 'vin', 'The car with this VIN.'),
        lettersOnly: true as const,
      },
      licensePlate: {
        ...equals(decision, plate, 'licensePlate', 'Cars with this licence plate.'),
        lettersOnly: true as const,
      },
      q: search(
        decision,
        ['licensePlate', 'vin', 'make', 'model', 'nickname', 'color'],
        ['licensePlate', 'vin', 'nickname'],
        {
          fields: 'licence plate, VIN, make, model, nickname or colour',
          keys: 'the licence plate, VIN or nickname',
        },
      ),
    };
  },
  unique: [{ field: 'vin', unless: { field: 'status', is: 'archived' } }],
  // Only events and assignments set `stored`, so that a stored car always has a place.
  transitions: {
    field: 'status',
    source: decision,
    first: ['expected', 'checked_out', 'archived'],
    to: {
      expected: ['archived'],
      stored: [],
      checked_out: ['archived'],
      archived: ['checked_out'],
    },
  },
  operations: {
    list: { source: spec, scope: { all: ['read:cars'] }, about: 'List cars.' },
    get: { source: spec, scope: { all: ['read:cars'] }, about: 'Read a car.' },
    create: {
      source: decision,
      scope: { all: ['read:cars', 'write:cars'] },
      scopeSource: spec,
      about: 'Create a car.',
      problems: ['duplicate', 'invalid_transition', 'location_inactive'],
    },
    update: {
      source: decision,
      scope: { all: ['read:cars', 'write:cars'] },
      scopeSource: spec,
      about: 'Change a car.',
      problems: ['duplicate', 'invalid_transition', 'car_parked', 'location_inactive'],
    },
  },
});

export const carEvents = resource({
  name: 'carEvents',
  singular: 'car event',
  plural: 'car events',
  path: '/cars/{id}/events',
  parent: { resource: 'cars', field: 'carId' },
  param: 'eventId',
  about:
    'Something done with a car, such as a drop-off, a pick-up or a cleaning. Events never change.',
  get fields() {
    return {
      activityType: immutable(spec, fields.slug, 'Value of the event type, such as drop_off.'),
      parkingSpotId: createOnly(spec, fields.id, 'The spot where the car is parked.', {
        references: 'parkingSpots',
      }),
      parkingZoneId: createOnly(spec, fields.id, 'The zone where the car is parked.', {
        references: 'parkingZones',
      }),
      notes: createOnly(spec, fields.notes, 'Free text.'),
      occurredAt: {
        ...createOnly(spec, fields.timestamp, 'When it happened.', { initialText: 'now' }),
        schema: fields.timestamp,
      },
      appointmentId: createOnly(
        decision,
        fields.id,
        'The appointment that the event fulfils. Must be for the same car and event type, and not finished.',
        { references: 'appointments' },
      ),
      carId: readOnly(decision, fields.id, 'The car.', { references: 'cars' }),
      eventTypeId: readOnly(decision, fields.id, 'The event type.', {
        references: 'eventTypes',
      }),
      sessionId: readOnly(
        spec,
        fields.id,
        'The photo session of the event. Photos are attached to it.',
        { references: 'eventSessions' },
      ),
      parkingAssignmentId: readOnly(
        decision,
        fields.id.nullable(),
        'The parking assignment that the event started or ended.',
        {
          references: 'parkingAssignments',
        },
      ),
    };
  },
  get filters() {
    return {
      activityType: equals(decision, fields.slug, 'activityType', 'Events of this type.'),
      appointmentId: equals(decision, fields.id, 'appointmentId', 'Events of this appointment.'),
      occurredFrom: from(decision, 'occurredAt', 'Events at or after this time.'),
      occurredTo: to(decision, 'occurredAt', 'Events at or before this time.'),
    };
  },
  operations: {
    list: {
      source: decision,
      scope: { all: ['read:cars'] },
      about: 'List the events of a car.',
    },
    get: {
      source: decision,
      scope: { all: ['read:cars'] },
      about: 'Read an event of a car.',
    },
    create: {
      source: spec,
      scope: { all: ['write:cars'] },
      bodyScope: {
        fields: ['parkingSpotId', 'parkingZoneId'],
        scope: 'write:parking',
      },
      preconditions: { ifParkedIn },
      about:
        'Log an event of a car. Its type decides whether it parks the car or ends its parking.',
      problems: [
        'event_type_scope_mismatch',
        'event_type_inactive',
        'conflicting_fields',
        'parking_required',
        'parking_not_allowed',
        'parking_spot_occupied',
        'parking_zone_full',
        'parking_inactive',
        'parking_changed',
        'occurred_at_in_future',
        'occurred_at_conflict',
        'car_archived',
        'session_mismatch',
        'invalid_transition',
      ],
    },
  },
});

export const eventSessions = resource({
  name: 'eventSessions',
  singular: 'event session',
  plural: 'event sessions',
  path: '/event-sessions',
  param: 'id',
  about: 'The photo session of an event or of an appointment.',
  get fields() {
    return {
      eventTypeId: readOnly(decision, fields.id, 'The type of the event.', {
        references: 'eventTypes',
      }),
      carId: readOnly(decision, fields.id.nullable(), 'The car.', { references: 'cars' }),
      customerId: readOnly(decision, fields.id.nullable(), 'The customer.', {
        references: 'customers',
      }),
      appointmentId: readOnly(decision, fields.id.nullable(), 'The appointment of the session.', {
        references: 'appointments',
      }),
      carEventId: readOnly(decision, fields.id.nullable(), 'The event that opened the session.', {
        references: 'carEvents',
      }),
      status: readOnly(
        decision,
        z.enum(['ready', 'open', 'cancelled']),
        "ready: the work hasn't started. open: it has. cancelled: the appointment was cancelled.",
      ),
      startedAt: readOnly(decision, fields.timestamp.nullable(), 'When the work started.'),
      photoCount: readOnly(decision, fields.count, 'Number of photos.', { initial: 0 }),
    };
  },
  get filters() {
    return {
      appointmentId: equals(
        decision,
        fields.id,
        'appointmentId',
        'The session of this appointment.',
      ),
      carId: equals(decision, fields.id, 'carId', 'Sessions of this car.'),
      status: equals(
        decision,
        z.enum(['ready', 'open', 'cancelled']),
        'status',
        'Sessions with this status.',
      ),
    };
  },
  operations: {
    list: {
      source: decision,
      scope: { any: ['read:appointments', 'read:cars'] },
      about: 'List event sessions.',
    },
    get: {
      source: decision,
      scope: { any: ['read:appointments', 'read:cars'] },
      about: 'Read an event session.',
    },
  },
});

export const carPhotos = resource({
  name: 'carPhotos',
  singular: 'photo',
  plural: 'photos',
  path: '/cars/{id}/photos',
  parent: { resource: 'cars', field: 'carId' },
  param: 'photoId',
  about: `A photo of a car, up to ${aboutMegabytes(photoLimit)}.`,
  get fields() {
    return {
      carId: readOnly(decision, fields.id, 'The car.', { references: 'cars' }),
      sessionId: createOnly(spec, fields.id, 'The photo session of an event.', {
        references: 'eventSessions',
      }),
      filename: {
        ...createOnly(
          spec,
          fields.line(255),
          'File name. Separators and control characters are replaced.',
          {
            initialText: 'made from the media type',
            adjusts: 'on_create',
          },
        ),
        schema: fields.line(255),
      },
      contentType: {
        ...createOnly(spec, z.enum(photoTypes), 'Media type. Must match the bytes.', {
          initialText: 'detected from the bytes',
          adjusts: 'on_create',
        }),
        schema: z.enum(photoTypes),
      },
      sourceUrl: writeOnly(
        spec,
        fields.url,
        'Public https address from which the service downloads the photo. Exactly one of sourceUrl and base64 is required.',
      ),
      base64: writeOnly(
        decision,
        z.string().min(1),
        'The bytes as base64, with or without a data: prefix. Exactly one of sourceUrl and base64 is required.',
      ),
      sizeBytes: readOnly(decision, fields.count, 'Size in bytes.'),
      sha256: readOnly(decision, fields.sha256, 'SHA-256 of the bytes in hexadecimal.'),
      width: readOnly(decision, fields.count.nullable(), 'Width in pixels; null if unknown.'),
      height: readOnly(decision, fields.count.nullable(), 'Height in pixels; null if unknown.'),
      url: readOnly(decision, z.string(), 'Path of the bytes, relative to the base address.'),
    };
  },
  get filters() {
    return {
      sessionId: equals(decision, fields.id, 'sessionId', 'Photos of this session.'),
    };
  },
  operations: {
    list: {
      source: decision,
      scope: { all: ['read:cars'] },
      about: 'List the photos of a car.',
    },
    get: {
      source: decision,
      scope: { all: ['read:cars'] },
      about: "Read a photo's metadata.",
    },
    create: {
      source: spec,
      scope: { all: ['write:cars'] },
      about: 'Add one photo to a car.',
      existing: 'The session already has a photo with the same bytes. It is returned.',
      problems: [
        'conflicting_fields',
        'photo_too_large',
        'photo_type_unsupported',
        'photo_type_mismatch',
        'quota_exceeded',
        'session_mismatch',
        'session_closed',
        'source_url_blocked',
        'source_url_failed',
      ],
      upload: true,
      // More than base64 of the limit: a larger body is still read, so that the answer is photo_too_large.
      bodyLimit: 8 * 1024 * 1024,
    },
    delete: {
      source: decision,
      scope: { all: ['write:cars'] },
      about: 'Delete a photo.',
    },
    content: {
      source: decision,
      scope: { all: ['read:cars'] },
      about: 'Download the bytes of a photo.',
    },
  },
});
