/** The appointment that an event fulfils: an open one of the same car and event type. */
import type { Client } from '../../../client/client.ts';
import { isSameId } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { Car } from '../../../facility/car-names.ts';
import { type DayRange, dueOn, isWithin, recentTo, timeOf } from '../../../facility/day.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { clockTime, dayOf } from '../../input/day.ts';
import { localTime } from '../../input/when.ts';
import type { Row } from '../../output/view.ts';
import { askOption } from '../../prompts/prompts.ts';
import { resolveRecord, shortestUniqueRef } from '../../resources/lookup.ts';
import { gather } from '../../resources/methods.ts';
import { sanitize } from '../../terminal/text.ts';
import { orAskInstead } from './action.ts';
import { plateOf } from './car.ts';
import { refusal } from './refusal.ts';

type Appointment = RecordFor<'appointments'>;

interface AppointmentQuery {
  readonly car: Car;
  readonly eventType: RecordFor<'eventTypes'>;
  /** --appointment: an id, or `today`; false for --no-appointment. */
  readonly flag: string | false | undefined;
}

/** The appointment that the flag names. Several of today are a prompt in a terminal, exit 14 in a script. */
export async function findAppointment(
  context: Context,
  { car, eventType, flag }: AppointmentQuery,
): Promise<Appointment | undefined> {
  if (flag === undefined || flag === false) return undefined;
  const list = nextCommand(['appointments', 'list', '--car', car.id], connectionFlags(context));
  const [hint, names] = [`the car's appointments: \`${list}\``, plateOf(car)];
  if (flag !== 'today') {
    const wanted = { resource: 'appointments', text: flag } as const;
    const { carId, ...named } = (await resolveRecord(context, wanted)) as Appointment;
    if (isSameId(carId, car.id)) return { carId, ...named };
    // Our service refuses it too. Another server may store the event, and complete another car's appointment.
    throw refusal('session_mismatch', `The appointment ${named.id} isn't for this car.`, hint, {
      details: { appointmentId: named.id, carId },
      names,
    });
  }
  const open = await openAppointments(await context.client(), car, dayOf(context.io.now()));
  const matching = open.filter((one) => isSameId(one.appointmentTypeId, eventType.id));
  const [first, second] = matching;
  if (!first)
    throw refusal(
      'not_found',
      open.length > 0
        ? `No open appointment of today is for ${eventType.value}; the car has others.`
        : `No open appointment for ${eventType.value} today.`,
      hint,
      { names },
    );
  if (!second) return first;
  if (context.interactive) return choose(context, matching);
  throw new CliError({
    code: 'ambiguous_name',
    message: `The car has ${matching.length} open appointments for ${eventType.value} today. Nothing was stored.`,
    hint: 'use --appointment with the id of one of them',
    details: {
      candidates: matching.map((one) => ({
        id: one.id,
        name: describeAppointment(one, context.io.now()),
      })),
    },
  });
}

interface Asking extends AppointmentQuery {
  readonly earlier: Appointment | undefined;
  readonly isCorrection: boolean;
  /** Those of the car that are open, if already read. */
  readonly open: readonly Appointment[] | undefined;
}

/** The one that the flag names, or today's, which the summary shows. Several, a late one of an earlier day, and a change are a choice. */
export async function askFulfilled(
  context: Context,
  { earlier, isCorrection, open, ...query }: Asking,
): Promise<Appointment | undefined> {
  const { car, eventType, flag } = query;
  if (!isCorrection) {
    if (flag === false || (flag === undefined && context.settings.yes)) return undefined;
    const named = await orAskInstead(context)('appointment', () => findAppointment(context, query));
    if (named) return named;
  }
  const all = open ?? (await readOpen(context, car));
  const isEarlier = ({ id }: Appointment) => isSameId(id, earlier?.id);
  const ofToday = (one: Appointment) => dueOn(dayOf(context.io.now()), one) === 'today';
  const matching = all
    .filter((one) => isSameId(one.appointmentTypeId, eventType.id) || isEarlier(one))
    .sort((a, b) => Number(ofToday(b)) - Number(ofToday(a)));
  // A flag may have named one of another day.
  if (earlier && !matching.some(isEarlier)) matching.unshift(earlier);
  const [first, second] = matching;
  const isOnly = !second && !isCorrection && flag === undefined;
  if (!first || (isOnly && ofToday(first))) return first;
  return choose(context, matching, isCorrection ? (earlier ?? 'none') : undefined);
}

async function choose(
  context: Context,
  appointments: readonly Appointment[],
  first?: Appointment | 'none',
): Promise<Appointment | undefined> {
  const options = appointments.map((value) => ({
    name: sanitize(describeAppointment(value, context.io.now())),
    value,
  }));
  const chosen = await askOption<Appointment | 'none'>(context, {
    label: 'Fulfils',
    options: [...options, { name: 'None of them', short: 'none', value: 'none' }],
    ...(first !== undefined && { first }),
  });
  return chosen === 'none' ? undefined : chosen;
}

/** The car's open appointments of today, and late ones of the days before, by start. Empty without the scope, and on a server that can't list them. */
export async function readOpen(context: Context, car: Car): Promise<Appointment[]> {
  const day = dayOf(context.io.now());
  try {
    const open = await openAppointments(await context.client(), car, recentTo(day));
    return open.filter((one) => dueOn(day, one));
  } catch (error) {
    if (isUnreadable(error)) return [];
    throw error;
  }
}

/** The open ones that start in the range, by start. */
export async function openAppointments(
  client: Client,
  car: Car,
  range: DayRange,
): Promise<Appointment[]> {
  const all = await gather(
    client.appointments.all({ carId: car.id, startFrom: range.from, startTo: range.to }),
  );
  return all
    .filter((one) => dueOn(range, one))
    .sort((a, b) => timeOf(a.startAt) - timeOf(b.startAt));
}

/** What to type for the appointment in a next command, which prefers appointments of today. */
export function appointmentRef(context: Context, appointment: Appointment): Promise<string> {
  const day = dayOf(context.io.now());
  const isToday = ({ startAt }: Row) => isWithin(day, startAt);
  return shortestUniqueRef(context, 'appointments', appointment, { prefer: [isToday] });
}

/** `today 09:00–09:45 · Winter pick-up` */
export function describeAppointment({ startAt, endAt, title }: Appointment, now: Date): string {
  const start = isWithin(dayOf(now), startAt) ? `today ${clockTime(startAt)}` : localTime(startAt);
  return [`${start}${endAt === null ? '' : `–${clockTime(endAt)}`}`, title]
    .filter(Boolean)
    .join(' · ');
}
