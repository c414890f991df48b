/** The question for the appointment that a verb such as `cancel` is about, where no argument names it. */
import { appointments } from '../../../contract/appointments.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { lateForDays, timeOf } from '../../../facility/day.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { dayOf } from '../../input/day.ts';
import { holdsSearch } from '../../input/matching.ts';
import { askFound } from '../../prompts/ask-found.ts';
import type { Option } from '../../prompts/options.ts';
import { recordsShown } from '../../prompts/prompts.ts';
import { findLabels } from '../../resources/find-labels.ts';
import { gather } from '../../resources/methods.ts';
import type { StatusVerb } from '../../resources/verbs.ts';
import { sanitize, stateWords } from '../../terminal/text.ts';
import { fill, widest } from '../../terminal/width.ts';
import { describeAppointment } from '../counter/appointment.ts';
import { findCarsAndOwners } from '../counter/ask-car.ts';

type Appointment = RecordFor<'appointments'>;

/** What people call an appointment by. */
interface Named {
  readonly time: string;
  readonly who: string;
  readonly what: string;
}

/** Later ones are found by their car. */
const daysAhead = 60;
/** Cars whose appointments a search shows. */
const carLimit = 5;

/** Those whose status the verb can change: the next ones first, then those of the last days. */
export async function chooseAppointment(context: Context, verb: StatusVerb): Promise<string> {
  const client = await context.client();
  const now = context.io.now();
  const isPossible = ({ status }: Appointment) => canChange(status, verb);
  // Before the prompt: a wrong key or a broken network ends the command, not a search.
  const [startFrom, startTo] = [dayOf(now, -lateForDays).from, dayOf(now, daysAhead).to];
  const near = (await gather(client.appointments.all({ startFrom, startTo }))).filter(isPossible);
  const records = near.sort(byNearness(now));
  const names = new Map<string, Named>();
  await addNames(context, names, records);
  const ofCar = (carId: string, signal: AbortSignal) =>
    gather(client.appointments.all({ carId }, { signal })).catch((error: unknown) => {
      if (isUnreadable(error)) return [];
      throw error;
    });
  const find = async (typed: string, signal: AbortSignal) => {
    const textsOf = ({ id }: Appointment) => Object.values(names.get(id) ?? {});
    const here = records.filter((one) => holdsSearch(textsOf(one), typed));
    const cars = (await findCarsAndOwners(client, typed, { signal })).records.slice(0, carLimit);
    const others = (await Promise.all(cars.map(({ id }) => ofCar(id, signal))))
      .flat()
      .filter(isPossible);
    const found = [...new Map([...here, ...others].map((one) => [one.id, one])).values()];
    await addNames(context, names, found);
    return { records: found, total: found.length };
  };
  if (records.length === 0 && (await client.appointments.list({ limit: 1 })).data.length === 0)
    throw none(context, verb);
  const { id } = await askFound<Appointment>(context, {
    label: 'Appointment',
    hint: 'plate, customer or title, or a part of it',
    one: `appointment that can be ${verb.pastTense}`,
    latest: { records, total: records.length },
    find,
    listed: async () => ({ records, isWhole: true }),
    textsOf: ({ id }) => Object.values(names.get(id) ?? {}),
    shown: recordsShown(context.io),
    optionsOf: (shown) => optionsOf(context, shown, names),
  });
  return id;
}

/** Of a status that another server has, nothing tells. */
function canChange(status: string, { to, from }: StatusVerb): boolean {
  if (from !== undefined) return status === from;
  const next: Readonly<Record<string, readonly string[]>> = appointments.transitions.to;
  return next[status]?.includes(to) ?? status !== to;
}

const none = (context: Context, { pastTense }: StatusVerb): CliError =>
  new CliError({
    code: 'not_found',
    message: `No appointments exist that can be ${pastTense}.`,
    hint: `create one with \`${nextCommand(['appointments', 'create'], connectionFlags(context))}\``,
  });

const byNearness = (now: Date) => {
  const today = timeOf(dayOf(now).from);
  const isPast = ({ startAt }: Appointment) => (timeOf(startAt) < today ? 1 : 0);
  return (a: Appointment, b: Appointment) => {
    const past = isPast(a) - isPast(b);
    return past !== 0 ? past : (timeOf(a.startAt) - timeOf(b.startAt)) * (isPast(a) ? -1 : 1);
  };
};

/** Reads what the ids stand for, once for each appointment. */
async function addNames(
  context: Context,
  names: Map<string, Named>,
  records: readonly Appointment[],
): Promise<void> {
  const unnamed = records.filter(({ id }) => !names.has(id));
  if (unnamed.length === 0) return;
  const ids = (field: 'carId' | 'customerId' | 'appointmentTypeId') =>
    new Set(unnamed.flatMap((one) => one[field] ?? []));
  const labels = await findLabels(
    context,
    new Map([
      ['cars', ids('carId')],
      ['customers', ids('customerId')],
      ['eventTypes', ids('appointmentTypeId')],
    ]),
  );
  const label = (resource: string, id: string | null) => labels.get(resource)?.get(id ?? '') ?? '';
  for (const one of unnamed) {
    const time = describeAppointment({ ...one, title: null }, context.io.now());
    const who = label('cars', one.carId) || label('customers', one.customerId) || '–';
    const what = [
      label('eventTypes', one.appointmentTypeId),
      one.title,
      one.status === 'scheduled' ? '' : stateWords(one.status),
    ];
    names.set(one.id, { time, who, what: what.filter(Boolean).join(' · ') });
  }
}

/** In columns: when, whose, and what. */
function optionsOf(
  { io, styles }: Context,
  shown: readonly Appointment[],
  names: ReadonlyMap<string, Named>,
): Option<Appointment>[] {
  const named = shown.map(({ id }) => names.get(id) as Named);
  const [times, whos, whats] = (['time', 'who', 'what'] as const).map((part) =>
    named.map((one) => sanitize(one[part])),
  ) as [string[], string[], string[]];
  const [timeWidth, whoWidth] = [widest(times, 24), widest(whos, 20)];
  const room = Math.max(8, (io.columns ?? 80) - timeWidth - whoWidth - 8);
  return shown.map((value, index) => {
    const [time, who, what] = [
      times[index] as string,
      whos[index] as string,
      whats[index] as string,
    ];
    return {
      name: `${fill(time, timeWidth)}  ${fill(who, whoWidth)}  ${styles.dim(fill(what, room).trimEnd())}`.trimEnd(),
      short: [who, time, what].filter(Boolean).join(' · '),
      value,
    };
  });
}
