import { z } from 'zod';
import {
  createOnly,
  defaulted,
  equals,
  from,
  optional,
  readOnly,
  required,
  to,
  writeOnly,
} from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource, spec } from './resource.ts';

/** The states of an appointment (specification, section 3). */
export const appointmentStatuses = [
  'scheduled',
  'pending_approval',
  'accepted',
  'declined',
  'checked_in',
  'in_progress',
  'completed',
  'cancelled',
  'no_show',
] as const;
export type AppointmentStatus = (typeof appointmentStatuses)[number];

export const recurrenceFrequencies = [
  'daily',
  'weekly',
  'biweekly',
  'monthly',
  'quarterly',
  'yearly',
] as const;
export type RecurrenceFrequency = (typeof recurrenceFrequencies)[number];

/** The largest number of appointments in a series (decision). */
export const recurrenceLimit = 366;

/** In the specification a record may lack its times, a body may not. */
const time = (about: string) => ({
  ...required(spec, fields.timestamp.nullable(), about),
  given: fields.timestamp,
});
const stamp = (about: string) => readOnly(spec, fields.timestamp.nullable(), about);

export const appointments = resource({
  name: 'appointments',
  singular: 'appointment',
  plural: 'appointments',
  path: '/appointments',
  param: 'id',
  about:
    'An event scheduled for later. An appointment never moves a car: parking changes when the event is performed.',
  recordSource: spec,
  get fields() {
    return {
      locationId: optional(
        spec,
        fields.id,
        'The location. A series keeps the local time of its time zone.',
        { references: 'locations' },
      ),
      appointmentTypeId: optional(spec, fields.id, 'The event type.', {
        references: 'eventTypes',
      }),
      optionId: optional(spec, fields.id, 'A variant of the event type, from its options.'),
      status: defaulted(spec, z.enum(appointmentStatuses), 'scheduled', 'Status.'),
      carId: optional(spec, fields.id, 'The car. Required by event types with the scope vehicle.', {
        references: 'cars',
      }),
      secondaryCarId: optional(spec, fields.id, 'A second car.', { references: 'cars' }),
      customerId: optional(
        spec,
        fields.id,
        'The customer. Required by event types with the scope customer.',
        { references: 'customers' },
      ),
      startAt: time('Start.'),
      endAt: time('End; must be after the start.'),
      title: optional(spec, fields.text(255), 'Title on the schedule.'),
      notes: optional(spec, fields.notes, 'Free text.'),
      recurrenceFrequency: createOnly(
        spec,
        z.enum(recurrenceFrequencies),
        'How often it repeats. Creates a series, except with recurrenceSeriesId.',
      ),
      recurrenceInterval: createOnly(
        spec,
        z.int().min(1),
        'Interval: 2 with weekly means every second week.',
        { initialText: '1' },
      ),
      recurrenceDaysOfWeek: createOnly(
        spec,
        // Duplicate days are dropped, since every appointment of the series stores the list.
        z.array(z.int().min(0).max(6)).overwrite((days) => [...new Set(days)]),
        'Days of the week, from 0 (Sunday) to 6 (Saturday), for weekly and biweekly. Duplicates are dropped.',
      ),
      recurrenceDayOfMonth: createOnly(
        spec,
        z.int().min(1).max(31),
        'Day of the month, for monthly, quarterly and yearly. Shorter months use their last day.',
      ),
      recurrenceEndDate: createOnly(spec, fields.timestamp, 'Last day of the series (inclusive).'),
      recurrenceCount: createOnly(
        spec,
        z.int().min(1),
        'Number of appointments in the series, including the first.',
      ),
      recurrenceSeriesId: createOnly(
        spec,
        fields.id,
        'Id shared by the appointments of a series. With it, only this appointment is created.',
      ),
      eventTypeId: {
        ...writeOnly(spec, fields.id, 'The event type by id, in place of appointmentTypeId.'),
        schema: fields.id,
        references: 'eventTypes',
      },
      eventType: {
        ...writeOnly(
          spec,
          fields.text(255).min(1),
          'The event type by value, in place of eventTypeId.',
        ),
        schema: fields.text(255).min(1),
      },
      createdAt: stamp('When the record was created. Always set by this service.'),
      updatedAt: stamp('When it was last changed. Always set by this service.'),
    };
  },
  get filters() {
    return {
      status: equals(spec, z.enum(appointmentStatuses), 'status', 'Appointments with this status.'),
      customerId: equals(spec, fields.id, 'customerId', 'Appointments of this customer.'),
      carId: equals(decision, fields.id, 'carId', 'Appointments of this car.'),
      locationId: equals(decision, fields.id, 'locationId', 'Appointments at this location.'),
      appointmentTypeId: equals(
        decision,
        fields.id,
        'appointmentTypeId',
        'Appointments of this event type.',
      ),
      recurrenceSeriesId: equals(
        decision,
        fields.id,
        'recurrenceSeriesId',
        'Appointments of this series.',
      ),
      startFrom: from(decision, 'startAt', 'Appointments that start at or after this time.'),
      startTo: to(decision, 'startAt', 'Appointments that start at or before this time.'),
    };
  },
  // A create may give any status (specification).
  transitions: {
    field: 'status',
    source: decision,
    to: {
      pending_approval: ['scheduled', 'accepted', 'declined', 'cancelled'],
      scheduled: ['accepted', 'checked_in', 'in_progress', 'completed', 'cancelled', 'no_show'],
      accepted: ['scheduled', 'checked_in', 'in_progress', 'completed', 'cancelled', 'no_show'],
      checked_in: ['in_progress', 'completed', 'cancelled'],
      in_progress: ['completed', 'cancelled'],
      declined: ['scheduled'],
      cancelled: ['scheduled'],
      no_show: ['scheduled'],
      completed: ['in_progress'],
    },
  },
  operations: {
    list: { source: decision, scope: { all: ['read:appointments'] }, about: 'List appointments.' },
    get: { source: decision, scope: { all: ['read:appointments'] }, about: 'Read an appointment.' },
    create: {
      source: spec,
      scope: { all: ['write:appointments'] },
      about: 'Schedule an event for later, or a series. Returns the first appointment.',
      problems: [
        'conflicting_fields',
        'car_required',
        'customer_required',
        'event_type_inactive',
        'option_mismatch',
        'location_inactive',
        'recurrence_too_long',
      ],
    },
    update: {
      source: decision,
      scope: { all: ['write:appointments'] },
      about: 'Change one appointment. Others of its series stay the same.',
      problems: [
        'invalid_transition',
        'car_required',
        'customer_required',
        'event_type_inactive',
        'option_mismatch',
        'location_inactive',
        'session_mismatch',
      ],
    },
  },
});
