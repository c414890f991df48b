/** An event on a car as it was asked for: everything looked up, nothing stored yet. */
import type { CreateFor, RecordFor } from '../../../contract/contract.ts';
import { localTime } from '../../input/when.ts';
import type { PhotoFacts } from '../photos/facts.ts';

export interface EventPlan {
  readonly eventType: RecordFor<'eventTypes'>;
  /** The appointment that the event fulfils. */
  readonly appointment?: RecordFor<'appointments'>;
  readonly notes?: string;
  /** ISO 8601; now when left out. */
  readonly at?: string;
  readonly photos: readonly PhotoFacts[];
}

export const typeName = ({ name, value }: Pick<RecordFor<'eventTypes'>, 'name' | 'value'>): string => name ?? value;

/** `Drop-off · now` or `Drop-off · 2026-03-01 14:30` */
export const describeEvent = ({ eventType, at }: Pick<EventPlan, 'eventType' | 'at'>): string =>
  [typeName(eventType), at ? localTime(at) : 'now'].join(' · ');

/** What every event has in the body that logs it. */
export const eventFields = ({ eventType, appointment, notes, at }: EventPlan): CreateFor<'carEvents'> => ({
  activityType: eventType.value,
  ...(appointment && { appointmentId: appointment.id }),
  ...(notes && { notes }),
  ...(at && { occurredAt: at }),
});
