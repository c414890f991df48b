/** The appointment that an event fulfils: of the same car and type, and not over. */

import { ApiError } from '../../../client/errors.ts';
import type { AppointmentStatus } from '../../../contract/appointments.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { gather } from '../../crud/methods.ts';
import { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { clockTime, dayOf } from '../../input/day.ts';
import { localTime } from '../../input/when.ts';
import type { Car } from '../../lookup/car.ts';
import { resolveRecord, shortestUniqueRef } from '../../lookup/lookup.ts';
import type { Row } from '../../output/view.ts';
import { askOption } from '../../prompts/prompts.ts';
import { sanitize } from '../../terminal/text.ts';

type Appointment = RecordFor<'appointments'>;
type EventType = RecordFor<'eventTypes'>;

/** Those that still wait for their event, or are in the middle of it. One that waits for approval was not agreed on. */
const awaited: ReadonlySet<AppointmentStatus> = new Set(['scheduled', 'accepted', 'checked_in', 'in_progress']);

/** What `--appointment` and `--no-appointment` say: an id, `today` for the one of today, false for none. */
export type AppointmentFlag = string | false | undefined;

interface Sought {
  readonly car: Car;
  readonly eventType: EventType;
  readonly flag: AppointmentFlag;
  /** What is open today for the car, where it has been read already. */
  readonly open?: readonly Appointment[];
}

/**
 * The appointment that a flag names. Without the flag, on a terminal where a summary is confirmed, that of today; a script and
 * --yes link nothing that was not asked for. Several of today are a choice on a terminal, and exit 14 in a script.
 */
export async function findAppointment(context: Context, { car, eventType, flag, open }: Sought): Promise<Appointment | undefined> {
  if (flag === false) return undefined;
  if (flag !== undefined && flag !== 'today')
    return (await resolveRecord(context, { resource: 'appointments', text: flag })) as Appointment;
  const asked = flag === 'today';
  if (!asked && (!context.interactive || context.settings.yes)) return undefined;
  const known = open ?? (await (asked ? readOpen(context, car) : openToday(context, car)));
  const found = known.filter(({ appointmentTypeId }) => appointmentTypeId === eventType.id);
  const [first, second] = found;
  if (!first && asked)
    throw new CliError({
      code: 'not_found',
      message: `The car has no open appointment of today for ${eventType.value}. Nothing was stored.`,
      hint: `its appointments: \`${nextCommand(['appointments', 'list', '--car', await shortestUniqueRef(context, 'cars', car)], connectionFlags(context))}\``,
    });
  if (!second) return first;
  if (context.interactive) return chooseAppointment(context, found);
  throw new CliError({
    code: 'ambiguous_name',
    message: `The car has ${found.length} open appointments of today for ${eventType.value}. Nothing was stored.`,
    hint: 'give the id of the one that is meant with --appointment',
    details: { candidates: found.map((one) => ({ id: one.id, name: describeAppointment(one, context.io.now()) })) },
  });
}

function chooseAppointment(context: Context, found: readonly Appointment[]): Promise<Appointment | undefined> {
  const options = found.map((value) => {
    const name = sanitize(describeAppointment(value, context.io.now()));
    return { name, short: name, value };
  });
  return askOption<Appointment | undefined>(context, {
    label: 'Fulfils',
    options: [...options, { name: 'None of them', short: 'none', value: undefined }],
  });
}

/** The appointments of today that a car has and that are not over, earliest first. None, for who may not read them. */
export async function openToday(context: Context, car: Car): Promise<Appointment[]> {
  return readOpen(context, car).catch((error) => {
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  });
}

async function readOpen(context: Context, car: Car): Promise<Appointment[]> {
  const client = await context.client();
  const { from, to } = dayOf(context.io.now());
  const all = await gather(client.appointments.all({ carId: car.id, startFrom: from, startTo: to }));
  return all.filter(({ status }) => awaited.has(status)).sort((a, b) => String(a.startAt).localeCompare(String(b.startAt)));
}

/** What an appointment is called for a verb that takes it further, which prefers those of today. */
export function appointmentHandle(context: Context, appointment: Appointment): Promise<string> {
  const { from, to } = dayOf(context.io.now());
  const today = ({ startAt }: Row) => startAt >= from && startAt <= to;
  return shortestUniqueRef(context, 'appointments', appointment, { prefer: [today] });
}

/** `today 09:00–09:45 · Winter pick-up`; `type` stands where there is no title. */
export function describeAppointment({ startAt, endAt, title }: Appointment, now: Date, type?: string): string {
  const { from, to } = dayOf(now);
  const today = startAt !== null && startAt >= from && startAt <= to;
  const start = today ? `today ${clockTime(startAt)}` : localTime(startAt);
  return [`${start}${endAt === null ? '' : `–${clockTime(endAt)}`}`, title ?? type].filter(Boolean).join(' · ');
}
