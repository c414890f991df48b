/** Care: series of appointments of stored cars. */
import type { RecordFor } from '../contract/contract.ts';
import { timeOf } from './day.ts';
import { freesPlace, requiresPlace } from './event-type.ts';

type Appointment = RecordFor<'appointments'>;

/** Whether it is work on a car that stays where it is. */
export const isCare = (type: RecordFor<'eventTypes'>): boolean =>
  type.scope === 'vehicle' && !requiresPlace(type) && !freesPlace(type);

const ended: ReadonlySet<string> = new Set(['declined', 'completed', 'cancelled', 'no_show']);
export const isOpen = ({ status }: Pick<Appointment, 'status'>): boolean => !ended.has(status);

/**
 * The appointments of the series that still run. One runs while an open appointment of it is ahead; kept as a single record, as
 * a server may do it, while that one is open.
 */
export const running = (appointments: readonly Appointment[], now: Date): Appointment[] =>
  [...Map.groupBy(appointments, ({ id, recurrenceSeriesId }) => recurrenceSeriesId ?? id).values()]
    .filter((all) =>
      all.some((one) => isOpen(one) && (all.length === 1 || timeOf(one.startAt) > now.getTime())),
    )
    .flat();
