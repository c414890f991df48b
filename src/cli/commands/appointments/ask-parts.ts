/** The single questions of `cs appointments create`. */
import { isSameId } from '../../../client/ids.ts';
import type { Car } from '../../../facility/car-names.ts';
import { freesPlace, requiresPlace } from '../../../facility/event-type.ts';
import { compareNaturally } from '../../../facility/natural.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { parseSpan, parseWhen, timeExamples } from '../../input/when.ts';
import type { Asked } from '../../prompts/form.ts';
import type { Option } from '../../prompts/options.ts';
import { askLine, askOption, validationMessage } from '../../prompts/prompts.ts';
import { gather } from '../../resources/methods.ts';
import { addOneWith, type NewRecord } from '../../resources/record-form.ts';
import { pluralize, sanitize } from '../../terminal/text.ts';
import { askCar as askCounterCar, carsByState } from '../counter/ask-car.ts';
import { typeName } from '../counter/event.ts';
import { askOwner, type Customer, type OwnerAnswers } from '../counter/new-car.ts';
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
  // Inactive meanwhile, it isn't offered any more.
  const first = earlier ? types.find(({ id }) => isSameId(id, earlier.id)) : 'none';
  const chosen = await askOption<EventType | 'none'>(context, {
    label: 'Event',
    ...(isCorrection && first && { first }),
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
  readonly type: EventType;
  readonly earlier: Car | undefined;
}

/** First those that the event is likely about: who arrives is away, and who leaves is here. */
export async function askCar(context: Context, { type, ...question }: CarQuestion): Promise<Car> {
  const client = await context.client();
  const order: readonly Car['status'][] | undefined = requiresPlace(type)
    ? ['expected', 'checked_out', 'stored']
    : freesPlace(type)
      ? ['stored', 'expected', 'checked_out']
      : undefined;
  const first = order && (await carsByState(client, order));
  const isAny = first?.records.length || (await client.cars.list({ limit: 1 })).data.length;
  if (!isAny) throw noneExist('car', ['cars', 'create'], context);
  return (await askCounterCar(context, {
    ...question,
    ...(first && first.records.length > 0 && { first }),
  })) as Car;
}

const noneExist = (one: string, create: readonly string[], context: Context): CliError =>
  new CliError({
    code: 'not_found',
    message: `No ${one}s exist yet. Nothing was stored.`,
    hint: addOneWith(nextCommand(create, connectionFlags(context))),
  });

interface CustomerQuestion {
  readonly mayAdd: boolean;
  readonly earlier: OwnerAnswers['owner'];
}

export async function askCustomer(
  context: Context,
  question: CustomerQuestion,
): Promise<Customer | NewRecord> {
  const client = await context.client();
  if (!question.mayAdd && (await client.customers.list({ limit: 1 })).data.length === 0)
    throw noneExist('customer', ['customers', 'create'], context);
  return (await askOwner(context, { label: 'Customer', ...question })) as Customer | NewRecord;
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
