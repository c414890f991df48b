import { z } from 'zod';
import { createOnly, defaulted, equals, from, optional, readOnly, required, to, writeOnly } from './declare.ts';
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

export const recurrenceFrequencies = ['daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'yearly'] as const;
export type RecurrenceFrequency = (typeof recurrenceFrequencies)[number];

/** The largest number of appointments in a series (decision). */
export const recurrenceLimit = 366;

/** In the specification a record may lack its times, a body may not. */
const time = (about: string) => ({ ...required(spec, fields.timestamp.nullable(), about), given: fields.timestamp });
const stamp = (about: string) => readOnly(spec, fields.timestamp.nullable(), about);

export const appointments = resource({
  name: 'appointments',
  singular: 'appointment',
  plural: 'appointments',
  path: '/appointments',
  param: 'id',
  about: 'An event that is scheduled for later. It never moves a car: parking changes when the event is performed.',
  storedSource: spec,
  get fields() {
    return {
      locationId: optional(spec, fields.id, 'Where it takes place; a series keeps the wall time of its zone.', { references: 'locations' }),
      appointmentTypeId: optional(spec, fields.id, 'The event type; in an answer always the one that was found, however it was given.', {
        references: 'eventTypes',
      }),
      optionId: optional(spec, fields.id, 'A variant of the event type, out of its options.'),
      status: defaulted(spec, z.enum(appointmentStatuses), 'scheduled', 'The state; scheduled when left out.'),
      carId: optional(spec, fields.id, 'The car; needed by types with the scope vehicle.', { references: 'cars' }),
      secondaryCarId: optional(spec, fields.id, 'Another car that takes part.', { references: 'cars' }),
      customerId: optional(spec, fields.id, 'The customer; needed by types with the scope customer.', { references: 'customers' }),
      startAt: time('When it begins.'),
      endAt: time('When it ends, after it begins.'),
      title: optional(spec, fields.text(255), 'What it is called on the schedule.'),
      notes: optional(spec, fields.notes, 'Free text.'),
      recurrenceFrequency: createOnly(
        spec,
        z.enum(recurrenceFrequencies),
        'How often it repeats; makes a series unless recurrenceSeriesId is given.',
      ),
      recurrenceInterval: createOnly(spec, z.int().min(1), 'Every how many days, weeks, months or years; 1 when left out.'),
      recurrenceDaysOfWeek: createOnly(
        spec,
        // Duplicate days are dropped, since every appointment of the series stores the list.
        z.array(z.int().min(0).max(6)).overwrite((days) => [...new Set(days)]),
        'On which days, 0 for Sunday to 6 for Saturday, each kept once; weekly and biweekly use it.',
      ),
      recurrenceDayOfMonth: createOnly(
        spec,
        z.int().min(1).max(31),
        'On which day; monthly, quarterly and yearly use it, and short months take their last day.',
      ),
      recurrenceEndDate: createOnly(spec, fields.timestamp, 'The last day of the series, that day included.'),
      recurrenceCount: createOnly(spec, z.int().min(1), 'How many appointments the series has, the first included.'),
      recurrenceSeriesId: createOnly(spec, fields.id, 'What the appointments of a series share; given, nothing more is made.'),
      eventTypeId: {
        ...writeOnly(spec, fields.id, 'The event type, by its id; instead of appointmentTypeId.'),
        schema: fields.id,
        references: 'eventTypes',
      },
      eventType: {
        ...writeOnly(spec, fields.text(255).min(1), 'The event type, by its value; instead of eventTypeId.'),
        schema: fields.text(255).min(1),
      },
      createdAt: stamp('When the record was made; this service always says.'),
      updatedAt: stamp('When it last changed; this service always says.'),
    };
  },
  get filters() {
    return {
      status: equals(spec, z.enum(appointmentStatuses), 'status', 'Appointments in this state.'),
      customerId: equals(spec, fields.id, 'customerId', 'Appointments of this customer.'),
      carId: equals(decision, fields.id, 'carId', 'Appointments of this car.'),
      locationId: equals(decision, fields.id, 'locationId', 'Appointments at this location.'),
      appointmentTypeId: equals(decision, fields.id, 'appointmentTypeId', 'Appointments of this event type.'),
      recurrenceSeriesId: equals(decision, fields.id, 'recurrenceSeriesId', 'Appointments of this series.'),
      startFrom: from(decision, 'startAt', 'Appointments that begin at or after this time.'),
      startTo: to(decision, 'startAt', 'Appointments that begin at or before this time.'),
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
      about: 'Schedule an event for later, or a series of them. Answers the first.',
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
      about: 'Change one appointment; others of its series stay.',
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
