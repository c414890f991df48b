import { z } from 'zod';
import { defaulted, equals, from, once, optional, required, sent, shown, to } from './declare.ts';
import * as fields from './fields.ts';
import { D, resource, S } from './resource.ts';

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

/** Most appointments that one series may have (decision). */
export const recurrenceLimit = 366;

/** The specification lets a record lack its times, and a body never. */
const time = (about: string) => ({ ...required(S, fields.timestamp.nullable(), about), given: fields.timestamp });
const stamp = (about: string) => shown(S, fields.timestamp.nullable(), about);

export const appointments = resource({
  name: 'appointments',
  singular: 'appointment',
  plural: 'appointments',
  path: '/appointments',
  param: 'id',
  about: 'An event that is scheduled for later. It never moves a car: parking changes when the event is performed.',
  storedSource: S,
  get fields() {
    return {
      locationId: optional(S, fields.id, 'Where it takes place; a series keeps the wall time of its zone.', { references: 'locations' }),
      appointmentTypeId: optional(S, fields.id, 'The event type; in an answer always the one that was found, however it was given.', {
        references: 'eventTypes',
      }),
      optionId: optional(S, fields.id, 'A variant of the event type, out of its options.'),
      status: defaulted(S, z.enum(appointmentStatuses), 'scheduled', 'The state; scheduled when left out.'),
      carId: optional(S, fields.id, 'The car; needed by types with the scope vehicle.', { references: 'cars' }),
      secondaryCarId: optional(S, fields.id, 'Another car that takes part.', { references: 'cars' }),
      customerId: optional(S, fields.id, 'The customer; needed by types with the scope customer.', { references: 'customers' }),
      startAt: time('When it begins.'),
      endAt: time('When it ends, after it begins.'),
      title: optional(S, fields.text(255), 'What it is called on the schedule.'),
      notes: optional(S, fields.notes, 'Free text.'),
      recurrenceFrequency: once(
        S,
        z.enum(recurrenceFrequencies),
        'How often it repeats; makes a series unless recurrenceSeriesId is given.',
      ),
      recurrenceInterval: once(S, z.int().min(1), 'Every how many days, weeks, months or years; 1 when left out.'),
      recurrenceDaysOfWeek: once(
        S,
        // A day that is named again says nothing more, and every appointment of the series keeps the list.
        z.array(z.int().min(0).max(6)).overwrite((days) => [...new Set(days)]),
        'On which days, 0 for Sunday to 6 for Saturday, each kept once; weekly and biweekly use it.',
      ),
      recurrenceDayOfMonth: once(
        S,
        z.int().min(1).max(31),
        'On which day; monthly, quarterly and yearly use it, and short months take their last day.',
      ),
      recurrenceEndDate: once(S, fields.timestamp, 'The last day of the series, that day included.'),
      recurrenceCount: once(S, z.int().min(1), 'How many appointments the series has, the first included.'),
      recurrenceSeriesId: once(S, fields.id, 'What the appointments of a series share; given, nothing more is made.'),
      eventTypeId: {
        ...sent(S, fields.id, 'The event type, by its id; instead of appointmentTypeId.'),
        schema: fields.id,
        references: 'eventTypes',
      },
      eventType: {
        ...sent(S, fields.text(255).min(1), 'The event type, by its value; instead of eventTypeId.'),
        schema: fields.text(255).min(1),
      },
      createdAt: stamp('When the record was made; this service always says.'),
      updatedAt: stamp('When it last changed; this service always says.'),
    };
  },
  get filters() {
    return {
      status: equals(S, z.enum(appointmentStatuses), 'status', 'Appointments in this state.'),
      customerId: equals(S, fields.id, 'customerId', 'Appointments of this customer.'),
      carId: equals(D, fields.id, 'carId', 'Appointments of this car.'),
      locationId: equals(D, fields.id, 'locationId', 'Appointments at this location.'),
      appointmentTypeId: equals(D, fields.id, 'appointmentTypeId', 'Appointments of this event type.'),
      recurrenceSeriesId: equals(D, fields.id, 'recurrenceSeriesId', 'Appointments of this series.'),
      startFrom: from(D, 'startAt', 'Appointments that begin at or after this time.'),
      startTo: to(D, 'startAt', 'Appointments that begin at or before this time.'),
    };
  },
  // A create may give any state (specification).
  transitions: {
    field: 'status',
    source: D,
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
    list: { source: D, scope: { all: ['read:appointments'] }, about: 'List appointments.' },
    get: { source: D, scope: { all: ['read:appointments'] }, about: 'Read an appointment.' },
    create: {
      source: S,
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
      source: D,
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
