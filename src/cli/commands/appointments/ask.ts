/** The questions of `cs appointments create` for missing values, and their summary. */

import { isSameId } from '../../../client/ids.ts';
import { type Car, describeCar } from '../../../facility/car-names.ts';
import { gather } from '../../crud/methods.ts';
import { addOneWith, askRecord, otherRows, type SummaryRow, storeOrCorrect, tryAgain } from '../../crud/record-form.ts';
import { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { clockTime } from '../../input/day.ts';
import { localTimeWithDay, parseSpan, parseWhen, timeExamples } from '../../input/when.ts';
import { labelled } from '../../output/labelled.ts';
import { askFound } from '../../prompts/ask-found.ts';
import { type Asked, askForm, type Question } from '../../prompts/form.ts';
import type { Option } from '../../prompts/options.ts';
import { askLine, askOption, validationMessage } from '../../prompts/prompts.ts';
import { pluralize, sanitize, stateWords } from '../../terminal/text.ts';
import { carOptions, carSearchHint, carTexts, findCarsAndOwners, listCars, searchLimit, withoutArchived } from '../counter/ask-car.ts';
import { type Customer, customerName, customerSearchHint } from '../counter/ask-owner.ts';
import { typeName } from '../counter/event.ts';
import { flagLine } from '../counter/flag-line.ts';
import { type AppointmentFlags, type AppointmentPlan, completeBody, defaultDuration, type EventType } from './plan.ts';
import { startAtLocation } from './view.ts';

const shownCars = 9;

interface Start {
  readonly startAt: string;
  readonly typed: string;
}

/** By the fields that a refusal names. */
interface Answers {
  /** Undefined for no type. */
  readonly type: EventType | undefined;
  readonly optionId: string | undefined;
  readonly carId: Car;
  readonly customerId: Customer;
  readonly startAt: Start;
  /** The duration in milliseconds. */
  readonly endAt: number;
}

/** What the questions need of the command. */
interface Creating {
  /** As they were typed. */
  readonly flags: AppointmentFlags;
  readonly isDryRun: boolean;
  /** Checks the approved appointment and stores it. */
  readonly store: (plan: AppointmentPlan, idempotencyKey: string) => Promise<void>;
}

/** Adds the answers to the plan, and stores it once it is approved. With --yes and --dry-run nothing is approved or stored. */
export async function askMissing(context: Context, plan: AppointmentPlan, { flags, isDryRun, store }: Creating): Promise<void> {
  const { body } = plan;
  const types = plan.typeGiven ? [] : await readTypes(context);
  const typeOf = ({ type }: Partial<Answers>) => (plan.typeGiven ? plan.type : type);
  const questions: Question<Answers>[] = [
    { name: 'type', part: 'Event', applies: () => !plan.typeGiven, ask: (asking, asked) => askType(asking, types, asked) },
    {
      name: 'optionId',
      part: 'Option',
      dependsOn: ['type'],
      applies: (answers) => body.optionId === undefined && (typeOf(answers)?.options ?? []).length > 0,
      ask: (asking, { answers, earlier, isCorrection }) =>
        askTypeOption(asking, typeOf(answers) as EventType, isCorrection ? (earlier ?? 'none') : undefined),
    },
    {
      name: 'carId',
      part: 'Car',
      applies: (answers) => body.carId === undefined && typeOf(answers)?.scope === 'vehicle',
      ask: (asking, { earlier }) => askCar(asking, earlier),
    },
    {
      name: 'customerId',
      part: 'Customer',
      applies: (answers) => body.customerId === undefined && typeOf(answers)?.scope === 'customer',
      ask: (asking, { earlier }) => askCustomer(asking, earlier),
    },
    {
      name: 'startAt',
      part: 'Start',
      applies: () => body.startAt === undefined,
      ask: (asking, { earlier }) => askStart(asking, earlier),
    },
    {
      name: 'endAt',
      part: 'Duration',
      dependsOn: ['type', 'optionId'],
      applies: () => body.endAt === undefined && plan.duration === undefined,
      // Whoever needs another one changes it at the summary.
      preset(answers) {
        const usual = defaultDuration(planWith(plan, answers));
        return usual === undefined ? undefined : { answer: usual };
      },
      ask: (asking, { answers, earlier }) => askDuration(asking, earlier ?? defaultDuration(planWith(plan, answers))),
    },
  ];
  const lineOf = (answers: Partial<Answers>) => flagLine(context, ['appointments', 'create'], typedFlags(flags, answers));
  const questionOf = (field: string) => (['eventTypeId', 'eventType', 'appointmentTypeId'].includes(field) ? 'type' : field);
  const answers = await askForm<Answers>(context, {
    questions,
    given: {},
    recover: tryAgain(context, lineOf),
    review:
      context.settings.yes || isDryRun
        ? undefined
        : {
            summary: (all) => appointmentSummary(context, planWith(plan, all), all),
            question: 'Store this appointment?',
            store: (all) =>
              storeOrCorrect(context, {
                line: () => lineOf(all),
                questionOf,
                store: (idempotencyKey) => store(planWith(plan, all), idempotencyKey),
              }),
          },
  });
  Object.assign(plan, planWith(plan, answers), { typeGiven: true });
}

/** The plan with the answers so far. */
function planWith(plan: AppointmentPlan, { type, optionId, carId, customerId, startAt, endAt }: Partial<Answers>): AppointmentPlan {
  return {
    ...plan,
    ...(type && { type }),
    ...(startAt && { at: startAt.typed }),
    ...(endAt !== undefined && { duration: endAt }),
    body: {
      ...plan.body,
      ...(type && { eventTypeId: type.id }),
      ...(optionId !== undefined && { optionId }),
      ...(carId && { carId: carId.id }),
      ...(customerId && { customerId: customerId.id }),
      ...(startAt && { startAt: startAt.startAt }),
    },
  };
}

/** The answers as flags. Times stand as they were understood: "tomorrow" is another day later. */
function typedFlags(flags: AppointmentFlags, answers: Partial<Answers>): object {
  const { type, optionId, carId, customerId, startAt, endAt } = answers;
  return {
    ...flags,
    ...('type' in answers && { type: type?.value ?? false }),
    ...(optionId !== undefined && { option: optionId }),
    ...(carId && { car: carId.id }),
    ...(customerId && { customer: customerId.id }),
    ...(startAt && { at: startAt.startAt }),
    ...(endAt !== undefined && { for: `${endAt / 60_000}m` }),
  };
}

async function appointmentSummary(context: Context, plan: AppointmentPlan, { carId: car, customerId: customer }: Answers): Promise<string> {
  const body = completeBody(plan);
  const { startAt, endAt } = body;
  const from = typeof startAt === 'string' ? localTimeWithDay(startAt) : undefined;
  const option = plan.type?.options?.find(({ id }) => isSameId(id, plan.body.optionId));
  const there = await startAtLocation(context, body);
  const isTyped = ['eventTypeId', 'appointmentTypeId', 'eventType'].some((name) => body[name] !== undefined);
  const shown: SummaryRow[] = [
    ...(plan.type || !isTyped
      ? [
          [
            'Event',
            plan.type ? [typeName(plan.type), option?.name].filter(Boolean).join(' · ') : 'no type',
            ['eventTypeId', 'optionId'],
          ] as const,
        ]
      : []),
    ...(car ? [['Car', describeCar(car), ['carId']] as const] : []),
    ...(customer ? [['Customer', customerName(customer), ['customerId']] as const] : []),
    ['Time', from && [from, typeof endAt === 'string' && clockTime(endAt)].filter(Boolean).join('–'), ['startAt', 'endAt']],
    // As the people there say it: the machine has another zone.
    ...(there ? [['Time there', `${there.time} (${there.timezone})`, []] as const] : []),
  ];
  return `\n${labelled(context, [...shown, ...(await otherRows(context, { resource: 'appointments', body, shown }))])}\n`;
}

const readTypes = async (context: Context): Promise<EventType[]> =>
  (await gather((await context.client()).eventTypes.all({ isActive: true }))).sort((a, b) => typeName(a).localeCompare(typeName(b)));

async function askType(
  context: Context,
  types: readonly EventType[],
  { earlier, isCorrection }: Pick<Asked<Answers, 'type'>, 'earlier' | 'isCorrection'>,
): Promise<EventType | undefined> {
  const options: Option<EventType | 'none'>[] = types.map((type) => {
    const name = sanitize(typeName(type));
    return { name, short: name, value: type, about: sanitize(type.description ?? '') || undefined };
  });
  const chosen = await askOption<EventType | 'none'>(context, {
    label: 'Event',
    ...(isCorrection && { first: earlier ?? 'none' }),
    options: [...options, { name: 'Something else', short: 'no type', value: 'none', about: 'No event type' }],
  });
  return chosen === 'none' ? undefined : chosen;
}

async function askTypeOption(context: Context, { options }: EventType, first: string | undefined): Promise<string | undefined> {
  const choices: Option<string>[] = options.map(({ id, name }) => ({ name: sanitize(name), value: id }));
  const chosen = await askOption(context, {
    label: 'Option',
    options: [...choices, { name: 'None of them', short: 'none', value: 'none' }],
    ...(first !== undefined && { first }),
  });
  return chosen === 'none' ? undefined : chosen;
}

async function askCar(context: Context, earlier: Car | undefined): Promise<Car> {
  const client = await context.client();
  // Before the prompt: a wrong key or a broken network ends the command, not a search.
  const { data, total } = await client.cars.list({ limit: searchLimit });
  const latest = withoutArchived(data);
  const addCar = nextCommand(['cars', 'create'], connectionFlags(context));
  if (latest.length === 0) throw noneExist('car', addCar);
  return askFound<Car>(context, {
    label: 'Car',
    hint: carSearchHint,
    otherwise: addOneWith(addCar),
    earlier,
    latest: { records: latest, total: total ?? data.length },
    find: (typed, signal) => findCarsAndOwners(client, typed, { signal }),
    listed: () => listCars(client),
    textsOf: carTexts,
    shown: shownCars,
    optionsOf: (cars) => carOptions(context, cars, ({ status }) => stateWords(status)),
  });
}

const noneExist = (one: string, command: string): CliError =>
  new CliError({
    code: 'not_found',
    message: `No ${one}s exist yet. Nothing was stored.`,
    hint: addOneWith(command),
  });

async function askCustomer(context: Context, earlier: Customer | undefined): Promise<Customer> {
  const customers = await (await context.client()).customers.list({ limit: 1 });
  if (customers.data.length === 0) throw noneExist('customer', 'cs customers create');
  return (await askRecord(context, { resource: 'customers', label: 'Customer', hint: customerSearchHint, earlier })) as Customer;
}

async function askStart(context: Context, earlier: Start | undefined): Promise<Start> {
  const read = (text: string) => parseWhen(text, context.io.now(), 'start');
  const typed = await askLine(context, {
    label: 'Start',
    hint: timeExamples,
    required: true,
    initial: earlier?.typed,
    check: (text) => validationMessage(() => read(text)),
  });
  return { startAt: read(typed), typed };
}

/** Enter accepts the default. */
async function askDuration(context: Context, byDefault: number | undefined): Promise<number> {
  const read = (text: string) => (text === '' && byDefault !== undefined ? byDefault : parseSpan(text, 'duration'));
  const blank = byDefault === undefined ? undefined : pluralize(byDefault / 60_000, 'minute', 'minutes');
  const hint = blank === undefined ? '45m, 1h 30m' : `Enter for ${blank}`;
  return read(
    await askLine(context, {
      label: 'Duration',
      hint,
      blank,
      required: byDefault === undefined,
      check: (text) => validationMessage(() => read(text)),
    }),
  );
}
