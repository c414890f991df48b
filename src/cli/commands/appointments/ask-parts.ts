/** The single questions of `cs appointments create`. */
import type { Client } from '../../../client/client.ts';
import type { Car } from '../../../facility/car-names.ts';
import { freesPlace, requiresPlace } from '../../../facility/event-type.ts';
import { compareNaturally } from '../../../facility/natural.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { parseSpan, parseWhen, timeExamples } from '../../input/when.ts';
import { askFound, type Found } from '../../prompts/ask-found.ts';
import type { Asked } from '../../prompts/form.ts';
import type { Option } from '../../prompts/options.ts';
import { askLine, askOption, recordsShown, validationMessage } from '../../prompts/prompts.ts';
import { gather } from '../../resources/methods.ts';
import { addOneWith } from '../../resources/record-form.ts';
import { pluralize, sanitize, stateWords } from '../../terminal/text.ts';
import {
  carOptions,
  carSearchHint,
  carsByState,
  carTexts,
  findCarsAndOwners,
  listCars,
  searchLimit,
  withoutArchived,
} from '../counter/ask-car.ts';
import {
  askOwner,
  type Customer,
  type OwnerAnswers,
  type UnknownCustomer,
} from '../counter/ask-owner.ts';
import { typeName } from '../counter/event.ts';
import type { EventType } from './plan.ts';

export interface Start {
  readonly startAt: string;
  readonly typed: string;
}

export const readTypes = async (context: Context): Promise<EventType[]> =>
  (await gather((await context.client()).eventTypes.all({ isActive: true }))).sort((a, b) =>
    compareNaturally(typeName(a), typeName(b)),
  );

export async function askType(
  context: Context,
  types: readonly EventType[],
  {
    earlier,
    isCorrection,
  }: Pick<Asked<{ type: EventType | undefined }, 'type'>, 'earlier' | 'isCorrection'>,
): Promise<EventType | undefined> {
  const options: Option<EventType | 'none'>[] = types.map((type) => {
    const name = sanitize(typeName(type));
    return { name, short: name, value: type, about: sanitize(type.description ?? '') || undefined };
  });
  const chosen = await askOption<EventType | 'none'>(context, {
    label: 'Event',
    ...(isCorrection && { first: earlier ?? 'none' }),
    options: [
      ...options,
      { name: 'Something else', short: 'no type', value: 'none', about: 'No event type' },
    ],
  });
  return chosen === 'none' ? undefined : chosen;
}

export async function askTypeOption(
  context: Context,
  { options }: EventType,
  first: string | undefined,
): Promise<string | undefined> {
  const choices: Option<string>[] = options.map(({ id, name }) => ({
    name: sanitize(name),
    value: id,
  }));
  const chosen = await askOption(context, {
    label: 'Option',
    options: [...choices, { name: 'None of them', short: 'none', value: 'none' }],
    ...(first !== undefined && { first }),
  });
  return chosen === 'none' ? undefined : chosen;
}

interface CarQuestion {
  /** (default: Car) */
  readonly label?: string;
  readonly type: EventType | undefined;
  readonly earlier: Car | undefined;
}

export async function askCar(
  context: Context,
  { label = 'Car', type, earlier }: CarQuestion,
): Promise<Car> {
  const client = await context.client();
  // Before the prompt: a wrong key or a broken network ends the command, not a search.
  const latest = await readLikelyCars(client, type);
  const addCar = nextCommand(['cars', 'create'], connectionFlags(context));
  if (latest.records.length === 0) throw noneExist('car', addCar);
  return askFound<Car>(context, {
    label,
    hint: carSearchHint,
    otherwise: addOneWith(addCar),
    earlier,
    latest,
    find: (typed, signal) => findCarsAndOwners(client, typed, { signal }),
    listed: () => listCars(client),
    textsOf: carTexts,
    shown: recordsShown(context.io),
    optionsOf: (cars) => carOptions(context, cars, ({ status }) => stateWords(status)),
  });
}

/** First those that the event is likely about: who arrives is away, and who leaves is here. */
async function readLikelyCars(client: Client, type: EventType | undefined): Promise<Found<Car>> {
  const order: readonly Car['status'][] | undefined =
    type && requiresPlace(type)
      ? ['expected', 'checked_out', 'stored']
      : type && freesPlace(type)
        ? ['stored', 'expected', 'checked_out']
        : undefined;
  const likely = order && (await carsByState(client, order));
  if (likely) return likely;
  const { data, total } = await client.cars.list({ limit: searchLimit });
  return { records: withoutArchived(data), total: total ?? data.length };
}

const noneExist = (one: string, command: string): CliError =>
  new CliError({
    code: 'not_found',
    message: `No ${one}s exist yet. Nothing was stored.`,
    hint: addOneWith(command),
  });

interface CustomerQuestion {
  readonly mayAdd: boolean;
  readonly earlier: OwnerAnswers['owner'];
}

export async function askCustomer(
  context: Context,
  { mayAdd, earlier }: CustomerQuestion,
): Promise<Customer | UnknownCustomer> {
  const customer = await askOwner(context, {
    label: 'Customer',
    isRequired: true,
    mayAdd,
    earlier,
  });
  if (!customer)
    throw noneExist('customer', nextCommand(['customers', 'create'], connectionFlags(context)));
  return customer;
}

export async function askStart(context: Context, earlier: Start | undefined): Promise<Start> {
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
export async function askDuration(
  context: Context,
  byDefault: number | undefined,
): Promise<number> {
  const read = (text: string) =>
    text === '' && byDefault !== undefined ? byDefault : parseSpan(text, 'duration');
  const blank =
    byDefault === undefined ? undefined : pluralize(byDefault / 60_000, 'minute', 'minutes');
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
