/** The question for the appointment that a verb such as `cancel` is about, where no argument names it. */
import { appointments } from '../../../contract/appointments.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { lateForDays, timeOf } from '../../../facility/day.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
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

type Appointment = RecordFor<'appointments'>;

/** What people call an appointment by. */
interface Named {
  readonly time: string;
  readonly who: string;
  readonly what: string;
}

/** Later ones are named by their car. */
const daysAhead = 60;

/** Those whose status the verb can change: the next ones first, then those of the last days. */
export async function chooseAppointment(context: Context, verb: StatusVerb): Promise<string> {
  const client = await context.client();
  const now = context.io.now();
  const [startFrom, startTo] = [dayOf(now, -lateForDays).from, dayOf(now, daysAhead).to];
  const near = await gather(client.appointments.all({ startFrom, startTo }));
  const records = near.filter(({ status }) => canChange(status, verb)).sort(byNearness(now));
  if (records.length === 0) throw none(context, verb);
  const names = await namesOf(context, records);
  const textsOf = ({ id }: Appointment) => Object.values(names.get(id) ?? {});
  const { id } = await askFound<Appointment>(context, {
    label: 'Appointment',
    hint: 'plate, customer or title, or a part of it',
    one: `appointment that can be ${verb.pastTense}`,
    latest: { records, total: records.length },
    async find(typed) {
      const found = records.filter((one) => holdsSearch(textsOf(one), typed));
      return { records: found, total: found.length };
    },
    listed: async () => ({ records, isWhole: true }),
    textsOf,
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

const none = (context: Context, { name, pastTense }: StatusVerb): CliError =>
  new CliError({
    code: 'not_found',
    message: `No appointment of the next ${daysAhead} days can be ${pastTense}.`,
    hint: `name a later one by its car: \`${nextCommand(['appointments', name, 'PLATE'], connectionFlags(context))}\``,
  });

const byNearness = (now: Date) => {
  const today = timeOf(dayOf(now).from);
  const isPast = ({ startAt }: Appointment) => (timeOf(startAt) < today ? 1 : 0);
  return (a: Appointment, b: Appointment) => {
    const past = isPast(a) - isPast(b);
    return past !== 0 ? past : (timeOf(a.startAt) - timeOf(b.startAt)) * (isPast(a) ? -1 : 1);
  };
};

/** What the ids stand for, by the id of the appointment. */
async function namesOf(
  context: Context,
  records: readonly Appointment[],
): Promise<ReadonlyMap<string, Named>> {
  const ids = (field: 'carId' | 'customerId' | 'appointmentTypeId') =>
    new Set(records.flatMap((one) => one[field] ?? []));
  const labels = await findLabels(
    context,
    new Map([
      ['cars', ids('carId')],
      ['customers', ids('customerId')],
      ['eventTypes', ids('appointmentTypeId')],
    ]),
  );
  const label = (resource: string, id: string | null) => labels.get(resource)?.get(id ?? '') ?? '';
  return new Map(
    records.map((one) => {
      const time = describeAppointment({ ...one, title: null }, context.io.now());
      const who = label('cars', one.carId) || label('customers', one.customerId) || '–';
      const what = [
        label('eventTypes', one.appointmentTypeId),
        one.title,
        one.status === 'scheduled' ? '' : stateWords(one.status),
      ];
      return [one.id, { time, who, what: what.filter(Boolean).join(' · ') }];
    }),
  );
}

/** In columns: when, whose, and what. */
function optionsOf(
  { io, styles }: Context,
  shown: readonly Appointment[],
  names: ReadonlyMap<string, Named>,
): Option<Appointment>[] {
  const named = shown.map((value) => {
    const { time, who, what } = names.get(value.id) as Named;
    return { value, time: sanitize(time), who: sanitize(who), what: sanitize(what) };
  });
  const timeWidth = widest(
    named.map(({ time }) => time),
    24,
  );
  const whoWidth = widest(
    named.map(({ who }) => who),
    20,
  );
  const room = Math.max(8, (io.columns ?? 80) - timeWidth - whoWidth - 8);
  return named.map(({ value, time, who, what }) => ({
    name: `${fill(time, timeWidth)}  ${fill(who, whoWidth)}  ${styles.dim(fill(what, room).trimEnd())}`.trimEnd(),
    short: [who, time, what].filter(Boolean).join(' · '),
    value,
  }));
}
