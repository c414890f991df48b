/** The appointment that an event fulfils: an open one of the same car and event type. */
import type { Client } from '../../../client/client.ts';
import { isSameId } from '../../../client/ids.ts';
import type { AppointmentStatus } from '../../../contract/appointments.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { Car } from '../../../facility/car-names.ts';
import { isWithin, timeOf } from '../../../facility/day.ts';
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
import { pluralize, sanitize } from '../../terminal/text.ts';
import { orAskInstead } from './ask-instead.ts';
import { refusal } from './refusal.ts';

type Appointment = RecordFor<'appointments'>;

/** Without those that wait for approval. */
const openStatuses: ReadonlySet<AppointmentStatus> = new Set([
  'scheduled',
  'accepted',
  'checked_in',
  'in_progress',
]);

/** --appointment: an id, or `today`; false for --no-appointment. */
export type AppointmentFlag = string | false | undefined;

interface AppointmentQuery {
  readonly car: Car;
  readonly eventType: RecordFor<'eventTypes'>;
  readonly flag: AppointmentFlag;
  /** Whether the person wants another one than `earlier`, or none. */
  readonly isChange?: boolean;
  readonly earlier?: Appointment | undefined;
  /** The car's open appointments of today, if already read. */
  readonly openToday?: readonly Appointment[];
}

/**
 * The appointment that the flag names. Without the flag, a terminal uses today's, which the summary shows; a script and --yes use none.
 * Several of today are a prompt in a terminal, exit 14 in a script.
 */
export async function findAppointment(
  context: Context,
  { car, eventType, flag: typed, isChange = false, earlier, openToday }: AppointmentQuery,
): Promise<Appointment | undefined> {
  const flag = isChange ? undefined : typed;
  if (flag === false) return undefined;
  if (typeof flag === 'string' && flag !== 'today') {
    const named = (await resolveRecord(context, {
      resource: 'appointments',
      text: flag,
    })) as Appointment;
    await requireOfCar(context, named, car);
    return named;
  }
  const required = flag === 'today';
  if (!required && (!context.interactive || context.settings.yes)) return undefined;
  const open =
    openToday ??
    (await (required ? readOpenToday(context, car) : readOpenTodayIfAllowed(context, car)));
  const isEarlier = ({ id }: Appointment) => earlier !== undefined && isSameId(id, earlier.id);
  const matching = open.filter(
    (one) => isSameId(one.appointmentTypeId, eventType.id) || isEarlier(one),
  );
  // A flag may have named one of another day.
  if (earlier && !matching.some(isEarlier)) matching.unshift(earlier);
  const [first, second] = matching;
  if (!first && required) await requireKnownTypes(context, open);
  if (!first && required)
    throw new CliError({
      code: 'not_found',
      message: `No open appointment for ${eventType.value} today. Nothing was stored.`,
      hint: `the car's appointments: \`${await listCommand(context, car)}\``,
    });
  if (!first || (!second && !isChange)) return first;
  if (context.interactive)
    return askAppointment(context, matching, isChange ? (earlier ?? 'none') : undefined);
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

/** The same for a question: an appointment of the flag that is refused becomes a choice among those of today. */
export async function askFulfilled(
  context: Context,
  query: AppointmentQuery,
): Promise<Appointment | undefined> {
  const found = await orAskInstead(context)('appointment', async () => ({
    appointment: await findAppointment(context, query),
  }));
  return found ? found.appointment : findAppointment(context, { ...query, isChange: true });
}

/** Our service refuses it too. Another server may store the event, and complete another car's appointment. */
async function requireOfCar(context: Context, { id, carId }: Appointment, car: Car): Promise<void> {
  if (isSameId(carId, car.id)) return;
  throw refusal(
    'session_mismatch',
    `The appointment ${id} is ${carId ? 'for another car' : 'for no car'}.`,
    `the car's appointments: \`${await listCommand(context, car)}\``,
    { details: { appointmentId: id, carId } },
  );
}

const listCommand = async (context: Context, car: Car) =>
  nextCommand(
    ['appointments', 'list', '--car', await shortestUniqueRef(context, 'cars', car)],
    connectionFlags(context),
  );

/**
 * Refuses to choose among appointments of unknown types: the specification doesn't say that `appointmentTypeId` names an event type, so
 * it may name something else on another server.
 */
async function requireKnownTypes(context: Context, open: readonly Appointment[]): Promise<void> {
  const typed = open.filter(({ appointmentTypeId }) => appointmentTypeId !== null);
  if (typed.length === 0) return;
  const types = await gather((await context.client()).eventTypes.all());
  const unknown = typed.filter(
    ({ appointmentTypeId }) => !types.some(({ id }) => isSameId(id, appointmentTypeId)),
  );
  if (unknown.length === 0) return;
  throw new CliError({
    code: 'ambiguous_name',
    message: `This server doesn't tell the event type of ${pluralize(unknown.length, 'open appointment', 'open appointments')} of today: appointmentTypeId names no event type. Nothing was stored.`,
    hint: 'use --appointment with the id of one of them',
    details: {
      candidates: unknown.map((one) => ({
        id: one.id,
        name: describeAppointment(one, context.io.now()),
      })),
    },
  });
}

async function askAppointment(
  context: Context,
  appointments: readonly Appointment[],
  earlier: Appointment | 'none' | undefined,
): Promise<Appointment | undefined> {
  const options = appointments.map((value) => ({
    name: sanitize(describeAppointment(value, context.io.now())),
    value,
  }));
  const chosen = await askOption<Appointment | 'none'>(context, {
    label: 'Fulfils',
    options: [...options, { name: 'None of them', short: 'none', value: 'none' }],
    ...(earlier !== undefined && { first: earlier }),
  });
  return chosen === 'none' ? undefined : chosen;
}

/** The car's open appointments of today, by start. Empty without the scope, and on a server that can't list them. */
export async function readOpenTodayIfAllowed(context: Context, car: Car): Promise<Appointment[]> {
  return readOpenToday(context, car).catch((error) => {
    if (isUnreadable(error)) return [];
    throw error;
  });
}

const readOpenToday = async (context: Context, car: Car): Promise<Appointment[]> =>
  openAppointmentsOfDay(await context.client(), car, context.io.now());

export async function openAppointmentsOfDay(
  client: Client,
  car: Car,
  time: Date,
): Promise<Appointment[]> {
  const { from, to } = dayOf(time);
  const all = await gather(
    client.appointments.all({ carId: car.id, startFrom: from, startTo: to }),
  );
  return all
    .filter(({ status }) => openStatuses.has(status))
    .sort((a, b) => timeOf(a.startAt) - timeOf(b.startAt));
}

/** What to type for the appointment in a next command, which prefers appointments of today. */
export function appointmentRef(context: Context, appointment: Appointment): Promise<string> {
  const day = dayOf(context.io.now());
  const isToday = ({ startAt }: Row) => isWithin(day, startAt);
  return shortestUniqueRef(context, 'appointments', appointment, { prefer: [isToday] });
}

/** `today 09:00–09:45 · Winter pick-up`, with the name of the event type in place of a missing title. */
export function describeAppointment(
  { startAt, endAt, title }: Appointment,
  now: Date,
  typeName?: string,
): string {
  const start = isWithin(dayOf(now), startAt) ? `today ${clockTime(startAt)}` : localTime(startAt);
  return [`${start}${endAt === null ? '' : `–${clockTime(endAt)}`}`, title ?? typeName]
    .filter(Boolean)
    .join(' · ');
}
