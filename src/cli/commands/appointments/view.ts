import { carColumn, reference, state, viewOf } from '../../crud/view.ts';
import { clockTime, dayOf } from '../../input/day.ts';
import { type CellContext, idColumn, type Row } from '../../output/view.ts';

export const appointmentView = viewOf('appointments', {
  columns: [
    { header: 'when', cell: whenOf, whole: true },
    {
      header: 'what',
      cell: (row, { label }) => [label('eventTypes', row.appointmentTypeId), row.title].filter(Boolean).join(' · '),
      names: { appointmentTypeId: 'eventTypes' },
    },
    carColumn,
    state(),
    reference('customer', 'customerId', 'customers'),
    reference('location', 'locationId', 'locations'),
    idColumn,
  ],
  emptyHint: 'Make one with `cs appointments create`.',
});

/** `2026-03-01 09:00–09:45`; the day of its end too, where that is another. */
function whenOf({ startAt, endAt }: Row, { time }: CellContext): string {
  const sameDay = dateOf(startAt) !== undefined && dateOf(startAt) === dateOf(endAt);
  return sameDay ? `${time(startAt)}–${clockTime(endAt)}` : [time(startAt), time(endAt)].filter(Boolean).join(' – ');
}

function dateOf(iso: unknown): string | undefined {
  const time = new Date(typeof iso === 'string' ? iso : Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : dayOf(time).date;
}
