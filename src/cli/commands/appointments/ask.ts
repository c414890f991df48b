/** The questions of `cs appointments create` for missing values, and their summary. Nothing is stored. */

import { setTimeout as delay } from 'node:timers/promises';
import { gather } from '../../crud/methods.ts';
import { askRecord, tryAgain } from '../../crud/record-form.ts';
import { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { clockTime } from '../../input/day.ts';
import { localTimeWithDay, parseSpan, parseWhen, timeExamples } from '../../input/when.ts';
import { type Car, describeCar } from '../../lookup/car.ts';
import { labelled } from '../../output/labelled.ts';
import { askForm, type Question } from '../../prompts/form.ts';
import { askLine, askOption, askSearch, moreHeading, type Option, validationMessage } from '../../prompts/prompts.ts';
import { pluralize, sanitize, stateWords } from '../../terminal/text.ts';
import { carOptions, findCarsAndOwners, searchLimit, typingPause, withoutArchived } from '../counter/ask-car.ts';
import { type Customer, customerName } from '../counter/ask-owner.ts';
import { typeName } from '../counter/event.ts';
import { type AppointmentPlan, completeBody, defaultDuration, type EventType } from './plan.ts';

const shown = 9;

interface Start {
  readonly startAt: string;
  readonly typed: string;
}

interface Answers {
  /** Undefined for no type. */
  readonly type: EventType | undefined;
  readonly optionId: string | undefined;
  readonly car: Car;
  readonly customer: Customer;
  readonly start: Start;
  /** Milliseconds. */
  readonly duration: number;
}

/** Adds the answers to the plan. With --yes and --dry-run without a summary to approve. */
export async function askMissing(context: Context, plan: AppointmentPlan, { isDryRun }: { readonly isDryRun: boolean }): Promise<void> {
  const { body } = plan;
  const types = plan.typeGiven ? [] : await readTypes(context);
  const typeOf = ({ type }: Partial<Answers>) => (plan.typeGiven ? plan.type : type);
  const questions: Question<Answers>[] = [
    { name: 'type', part: 'Event', applies: () => !plan.typeGiven, ask: (asking, { earlier }) => askType(asking, types, earlier) },
    {
      name: 'optionId',
      part: 'Option',
      dependsOn: ['type'],
      applies: (answers) => body.optionId === undefined && (typeOf(answers)?.options ?? []).length > 0,
      ask: (asking, { answers }) => askTypeOption(asking, typeOf(answers) as EventType),
    },
    {
      name: 'car',
      part: 'Car',
      applies: (answers) => body.carId === undefined && typeOf(answers)?.scope === 'vehicle',
      ask: (asking) => askCar(asking),
    },
    {
      name: 'customer',
      part: 'Customer',
      applies: (answers) => body.customerId === undefined && typeOf(answers)?.scope === 'customer',
      ask: (asking, { earlier }) => askCustomer(asking, earlier),
    },
    {
      name: 'start',
      part: 'Start',
      applies: () => body.startAt === undefined,
      ask: (asking, { earlier }) => askStart(asking, earlier),
    },
    {
      name: 'duration',
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
  const summary = (answers: Answers) => appointmentSummary(context, planWith(plan, answers), answers);
  const answers = await askForm<Answers>(context, {
    questions,
    given: {},
    recover: tryAgain(context),
    review: context.settings.yes || isDryRun ? undefined : { summary, question: 'Store this appointment?' },
  });
  Object.assign(plan, planWith(plan, answers), { typeGiven: true });
}

/** The plan with the answers so far. */
function planWith(plan: AppointmentPlan, { type, optionId, car, customer, start, duration }: Partial<Answers>): AppointmentPlan {
  return {
    ...plan,
    ...(type && { type }),
    ...(start && { at: start.typed }),
    ...(duration !== undefined && { duration }),
    body: {
      ...plan.body,
      ...(type && { eventTypeId: type.id }),
      ...(optionId !== undefined && { optionId }),
      ...(car && { carId: car.id }),
      ...(customer && { customerId: customer.id }),
      ...(start && { startAt: start.startAt }),
    },
  };
}

function appointmentSummary(context: Context, plan: AppointmentPlan, { car, customer }: Answers): string {
  const { startAt, endAt } = completeBody(plan);
  const from = typeof startAt === 'string' ? localTimeWithDay(startAt) : undefined;
  const option = plan.type?.options?.find(({ id }) => id === plan.body.optionId);
  return `\n${labelled(context, [
    ['Event', plan.type ? [typeName(plan.type), option?.name].filter(Boolean).join(' · ') : 'no type'],
    ['Car', car && describeCar(car)],
    ['Customer', customer && customerName(customer)],
    ['Time', from && [from, typeof endAt === 'string' && clockTime(endAt)].filter(Boolean).join('–')],
    ['Title', plan.body.title as string | undefined],
    ['Notes', plan.body.notes as string | undefined],
  ])}\n`;
}

const readTypes = async (context: Context): Promise<EventType[]> =>
  (await gather((await context.client()).eventTypes.all({ isActive: true }))).sort((a, b) => typeName(a).localeCompare(typeName(b)));

async function askType(context: Context, types: readonly EventType[], earlier: EventType | undefined): Promise<EventType | undefined> {
  const options: Option<EventType | undefined>[] = types.map((type) => {
    const name = sanitize(typeName(type));
    return { name, short: name, value: type, about: sanitize(type.description ?? '') || undefined };
  });
  return askOption(context, {
    label: 'Event',
    first: earlier,
    options: [...options, { name: 'Something else', short: 'no type', value: undefined, about: 'No event type' }],
  });
}

async function askTypeOption(context: Context, { options }: EventType): Promise<string | undefined> {
  const choices: Option<string | undefined>[] = options.map(({ id, name }) => ({
    name: sanitize(name),
    short: sanitize(name),
    value: id,
  }));
  return askOption(context, { label: 'Option', options: [...choices, { name: 'None of them', short: 'none', value: undefined }] });
}

async function askCar(context: Context): Promise<Car> {
  const client = await context.client();
  // Before the prompt: a wrong key or a broken network ends the command, not a search.
  const { data, total } = await client.cars.list({ limit: searchLimit });
  const latest = withoutArchived(data);
  if (latest.length === 0) throw noneExist('car', 'cs cars create');
  return askSearch<Car>(context, {
    label: 'Car',
    hint: 'plate, VIN, make, model, nickname or owner, or a part of it',
    find: async (term, signal) => {
      if (term !== '') await delay(typingPause, undefined, { signal });
      const found = term === '' ? { cars: latest, total: total ?? data.length } : await findCarsAndOwners(client, term, { signal });
      const options = carOptions(context, found.cars.slice(0, shown), ({ status }) => stateWords(status));
      return [...options, ...moreHeading(found.total - options.length)];
    },
  });
}

const noneExist = (one: string, command: string): CliError =>
  new CliError({
    code: 'not_found',
    message: `No ${one}s exist yet. Nothing was stored.`,
    hint: `add one with \`${command}\``,
  });

async function askCustomer(context: Context, earlier: Customer | undefined): Promise<Customer> {
  const customers = await (await context.client()).customers.list({ limit: 1 });
  if (customers.data.length === 0) throw noneExist('customer', 'cs customers create');
  const hint = 'name, company, e-mail or phone, or a part of it';
  return (await askRecord(context, { resource: 'customers', label: 'Customer', hint, earlier })) as Customer;
}

async function askStart(context: Context, earlier: Start | undefined): Promise<Start> {
  const read = (text: string) => parseWhen(text, context.io.now(), 'start');
  const typed = await askLine(context, {
    label: 'Start',
    hint: timeExamples,
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
  return read(await askLine(context, { label: 'Duration', hint, blank, check: (text) => validationMessage(() => read(text)) }));
}
