/** Appointments as a table, and their times at the location. */
import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import { clockTime, dayOf } from '../../input/day.ts';
import { type CellContext, idColumn, type Row, timeColumn } from '../../output/view.ts';
import { carColumn, reference, state, viewOf } from '../../resources/view.ts';
import { differsInZone, localTimeZone, timeInZone } from '../counter/time-zones.ts';

export const appointmentView = viewOf('appointments', {
  columns: [
    { ...timeColumn('when', 'startAt'), cell: whenOf, droppable: undefined },
    {
      header: 'what',
      cell: (row, { label }) =>
        [label('eventTypes', row.appointmentTypeId), row.title].filter(Boolean).join(' · '),
      names: { appointmentTypeId: 'eventTypes' },
    },
    carColumn,
    state(),
    reference('customer', 'customerId', 'customers'),
    reference('location', 'locationId', 'locations'),
    idColumn,
  ],
  emptyHint: 'Create an appointment with `cs appointments create`.',
});

/** `2026-03-01 09:00–09:45`, with the date of the end if it differs. */
function whenOf({ startAt, endAt }: Row, { time }: CellContext): string {
  const sameDay = dateOf(startAt) !== undefined && dateOf(startAt) === dateOf(endAt);
  return sameDay
    ? `${time(startAt)}–${clockTime(endAt)}`
    : [time(startAt), time(endAt)].filter(Boolean).join(' – ');
}

function dateOf(iso: unknown): string | undefined {
  const time = new Date(typeof iso === 'string' ? iso : Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : dayOf(time).date;
}

type Placed = Partial<Pick<RecordFor<'appointments'>, 'locationId' | 'startAt'>>;

/** Notes the start in the location's time zone if it differs from this machine's. */
export async function noteLocationTime(context: Context, appointment: Placed): Promise<void> {
  if (!context.output.forPeople || context.settings.quiet) return;
  const atLocation = await startAtLocation(context, appointment);
  if (!atLocation) return;
  const { name, timezone, time } = atLocation;
  context.note(
    `Times are in this machine's zone (${localTimeZone()}); at ${name} (${timezone}) it starts at ${time}.`,
  );
}

/** The start in the location's time zone; undefined where it is that of this machine, or isn't known. */
export async function startAtLocation(
  context: Context,
  { locationId, startAt }: Placed,
): Promise<
  { readonly name: string; readonly timezone: string; readonly time: string } | undefined
> {
  if (!locationId || !startAt) return undefined;
  const client = await context.client();
  // Best effort: the appointment can be told, and stored, without it.
  const location = await client.locations.get(locationId, { retries: 0 }).catch(() => undefined);
  if (!location || !differsInZone(location.timezone, startAt)) return undefined;
  const { name, timezone } = location;
  return { name, timezone, time: timeInZone(timezone, startAt) as string };
}
