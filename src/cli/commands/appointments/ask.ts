/** The questions of `cs appointments create` for missing values, and their summary. */
import { isSameId } from '../../../client/ids.ts';
import { contract, type RecordFor } from '../../../contract/contract.ts';
import { type Car, describeCar } from '../../../facility/car-names.ts';
import { customerName } from '../../../facility/customer-name.ts';
import type { Context } from '../../context.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import { clockTime } from '../../input/day.ts';
import { localTimeWithDay } from '../../input/when.ts';
import type { Question } from '../../prompts/form.ts';
import { methodsOf } from '../../resources/methods.ts';
import {
  askRecord,
  askRecordForm,
  type Creating,
  fieldQuestion,
  isNew,
  type SummaryRow,
} from '../../resources/record-form.ts';
import { readScopes, typeName } from '../counter/event.ts';
import { flagLine } from '../counter/facility.ts';
import {
  type Customer,
  customerBody,
  customerQuestions,
  type OwnerAnswers,
  ownerText,
} from '../counter/new-car.ts';
import {
  askCar,
  askCustomer,
  askDuration,
  askStart,
  askType,
  askTypeOption,
  readTypes,
  type Start,
} from './ask-parts.ts';
import {
  type AppointmentFlags,
  type AppointmentPlan,
  completeBody,
  defaultDuration,
  type EventType,
} from './plan.ts';
import { startAtLocation } from './view.ts';

/** By the fields that a refusal names. */
type Answers = OwnerAnswers & {
  /** Undefined for no type. */
  readonly type: EventType | undefined;
  readonly optionId: string | undefined;
  readonly carId: Car;
  readonly secondaryCarId?: Car;
  readonly startAt: Start;
  /** The duration in milliseconds. */
  readonly endAt: number;
  readonly locationId?: RecordFor<'locations'>;
  readonly title?: string | undefined;
  readonly notes?: string | undefined;
  readonly status?: string | undefined;
};

/** The records that the flags name, to be changed at the summary. Undefined where none is named, or it can't be read. */
interface Given {
  readonly carId: Car | undefined;
  readonly secondaryCarId: Car | undefined;
  readonly customerId: Customer | undefined;
  readonly locationId: RecordFor<'locations'> | undefined;
}

interface Options extends Creating {
  /** As they were typed. */
  readonly flags: AppointmentFlags;
  readonly check: (body: Record<string, unknown>, typed: string | undefined) => Promise<void>;
}

/** Asks for what the plan leaves open. Returns the whole body. */
export async function askMissing(
  context: Context,
  plan: AppointmentPlan,
  { flags, check, ...creating }: Options,
): Promise<Record<string, unknown>> {
  const { isDryRun, isApproved } = creating;
  const scopes = await readScopes(context, 'appointment');
  scopes.require('write:appointments');
  return askRecordForm<Answers>(context, {
    resource: 'appointments',
    questions: questionsFor(plan, {
      flags,
      mayAddCustomer: !isDryRun && scopes.allow('write:customers'),
      given: isApproved ? undefined : await readGiven(context, plan),
      types: plan.typeGiven ? undefined : await readTypes(context),
    }),
    given: {},
    // The plan has it.
    body: {},
    bodyOf: (answers) => completeBody(planWith(plan, answers)),
    rows: (answers) => summaryRows(context, planWith(plan, answers), answers),
    creating,
    check: (body, answers) => check(body, planWith(plan, answers).at),
    storeBefore: (answers, storing) => storeCustomer(context, answers, storing),
    questionOf,
    lineOf: (answers) => flagLine(context, ['appointments', 'create'], typedFlags(flags, answers)),
  });
}

const typeFields = ['eventTypeId', 'eventType', 'appointmentTypeId'];
const questionOf: Readonly<Record<string, keyof Answers>> = {
  ...Object.fromEntries(typeFields.map((name) => [name, 'type' as const])),
  customerId: 'owner',
};

interface Asking {
  readonly flags: AppointmentFlags;
  /** In a dry run nothing is sent, so the appointment would have a customer that doesn't exist. */
  readonly mayAddCustomer: boolean;
  readonly given: Given | undefined;
  /** Read where the type is asked for anyway. */
  readonly types: readonly EventType[] | undefined;
}

/** What a flag gives isn't asked for. It can be changed at the summary. */
function questionsFor(
  plan: AppointmentPlan,
  { flags, mayAddCustomer, given, types }: Asking,
): Question<Answers>[] {
  const { body } = plan;
  const { fields } = contract.appointments;
  const typeOf = (answers: Partial<Answers>) => ('type' in answers ? answers.type : plan.type);
  const span = spanOf(body);
  const recordOf = <K extends keyof Given>(name: K) => {
    const record = given?.[name];
    return record === undefined ? undefined : { answer: record as NonNullable<Given[K]> };
  };
  const textQuestion = (name: 'title' | 'notes' | 'status', label: string): Question<Answers> => ({
    ...fieldQuestion<Answers>({ fields, name, label, preset: () => ({ answer: body[name] }) }),
    applies: () => body[name] !== undefined,
  });
  return [
    {
      name: 'type',
      part: 'Event',
      applies: () => !plan.typeGiven || flags.type !== undefined,
      preset: () => (plan.typeGiven ? { answer: plan.type } : undefined),
      ask: async (asking, asked) => askType(asking, types ?? (await readTypes(asking)), asked),
    },
    {
      name: 'optionId',
      part: 'Option',
      dependsOn: ['type'],
      applies: (answers) => (typeOf(answers)?.options ?? []).length > 0,
      preset: (answers) =>
        body.optionId !== undefined && typeOf(answers) === plan.type
          ? { answer: body.optionId as string }
          : undefined,
      ask: (asking, { answers, earlier, isCorrection }) =>
        askTypeOption(
          asking,
          typeOf(answers) as EventType,
          isCorrection ? (earlier ?? 'none') : undefined,
        ),
    },
    {
      name: 'carId',
      part: 'Car',
      applies: (answers) =>
        body.carId === undefined
          ? typeOf(answers)?.scope === 'vehicle'
          : given?.carId !== undefined,
      preset: () => recordOf('carId'),
      ask: (asking, { answers, earlier }) => askCar(asking, { type: typeOf(answers), earlier }),
    },
    {
      name: 'secondaryCarId',
      part: 'Second car',
      applies: () => given?.secondaryCarId !== undefined,
      preset: () => recordOf('secondaryCarId'),
      ask: (asking, { earlier }) =>
        askCar(asking, { label: 'Second car', type: undefined, earlier }),
    },
    {
      name: 'owner',
      part: 'Customer',
      applies: (answers) =>
        body.customerId === undefined
          ? typeOf(answers)?.scope === 'customer'
          : given?.customerId !== undefined,
      preset: () => recordOf('customerId'),
      ask: (asking, { earlier }) => askCustomer(asking, { mayAdd: mayAddCustomer, earlier }),
    },
    ...customerQuestions({ part: 'Customer', applies: ({ owner }) => isNew(owner) }),
    {
      name: 'startAt',
      part: 'Start',
      preset: () =>
        typeof body.startAt === 'string'
          ? { answer: { startAt: body.startAt, typed: plan.at ?? body.startAt } }
          : undefined,
      ask: (asking, { earlier }) => askStart(asking, earlier),
    },
    {
      name: 'endAt',
      part: 'Duration',
      dependsOn: ['type', 'optionId'],
      applies: () => body.endAt === undefined || span !== undefined,
      // Whoever needs another one changes it at the summary.
      preset(answers) {
        const usual = plan.duration ?? span ?? defaultDuration(planWith(plan, answers));
        return usual === undefined ? undefined : { answer: usual };
      },
      ask: (asking, { answers, earlier }) =>
        askDuration(asking, earlier ?? defaultDuration(planWith(plan, answers))),
    },
    {
      name: 'locationId',
      part: 'Location',
      // A series keeps the local time of its location.
      applies: () => given?.locationId !== undefined && body.recurrenceFrequency === undefined,
      preset: () => recordOf('locationId'),
      ask: async (asking, { earlier }) =>
        (await askRecord(asking, {
          resource: 'locations',
          label: 'Location',
          earlier,
        })) as RecordFor<'locations'>,
    },
    textQuestion('title', 'Title'),
    textQuestion('notes', 'Notes'),
    textQuestion('status', 'Status'),
  ];
}

/** From start to end in milliseconds, where flags give both. */
function spanOf({ startAt, endAt }: AppointmentPlan['body']): number | undefined {
  const [start, end] = [startAt, endAt].map((time) =>
    typeof time === 'string' ? Date.parse(time) : Number.NaN,
  ) as [number, number];
  return end > start ? end - start : undefined;
}

async function readGiven(context: Context, { body }: AppointmentPlan): Promise<Given> {
  const client = await context.client();
  const read = async <R>(
    resource: 'cars' | 'customers' | 'locations',
    id: unknown,
  ): Promise<R | undefined> => {
    if (typeof id !== 'string') return undefined;
    const reading = methodsOf(client, resource).get(id) as Promise<unknown>;
    return reading.catch((error: unknown) => {
      // What can't be shown can't be changed either.
      if (isUnreadable(error)) return undefined;
      throw error;
    }) as Promise<R | undefined>;
  };
  const [carId, secondaryCarId, customerId, locationId] = await Promise.all([
    read<Car>('cars', body.carId),
    read<Car>('cars', body.secondaryCarId),
    read<Customer>('customers', body.customerId),
    read<RecordFor<'locations'>>('locations', body.locationId),
  ]);
  return { carId, secondaryCarId, customerId, locationId };
}

interface StoringCustomer {
  readonly settle: (stored: Partial<Answers>) => void;
  readonly idempotencyKey: string;
}

/** Before the appointment. From here on it is a known customer, whatever happens to the appointment. */
async function storeCustomer(
  context: Context,
  answers: Partial<Answers>,
  { settle, idempotencyKey }: StoringCustomer,
): Promise<void> {
  if (!isNew(answers.owner)) return;
  const owner = await (await context.client()).customers.create(customerBody(answers), {
    idempotencyKey,
  });
  settle({ owner });
  context.note(`The customer is stored: ${customerName(owner)}`);
}

/** The plan with the answers so far. */
function planWith(plan: AppointmentPlan, answers: Partial<Answers>): AppointmentPlan {
  const { carId, secondaryCarId, owner, startAt, endAt, locationId } = answers;
  const isOtherType = 'type' in answers && answers.type !== plan.type;
  const left = [
    ...(isOtherType ? [...typeFields, 'optionId'] : []),
    ...(endAt === undefined ? [] : ['endAt']),
  ];
  const texts = ['optionId', 'title', 'notes', 'status'] as const;
  const body = {
    ...Object.fromEntries(Object.entries(plan.body).filter(([name]) => !left.includes(name))),
    ...(answers.type && { eventTypeId: answers.type.id }),
    ...Object.fromEntries(
      texts.flatMap((name) => (name in answers ? [[name, answers[name]]] : [])),
    ),
    ...(carId && { carId: carId.id }),
    ...(secondaryCarId && { secondaryCarId: secondaryCarId.id }),
    ...(owner && !isNew(owner) && { customerId: owner.id }),
    ...(startAt && { startAt: startAt.startAt }),
    ...(locationId && { locationId: locationId.id }),
  };
  return {
    ...plan,
    type: 'type' in answers ? answers.type : plan.type,
    ...(startAt && { at: startAt.typed }),
    ...(endAt !== undefined && { duration: endAt }),
    body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
  };
}

/** The answers as flags. Times stand as they were understood: "tomorrow" is another day later. */
function typedFlags(flags: AppointmentFlags, answers: Partial<Answers>): object {
  const { type, optionId, carId, secondaryCarId, owner, startAt, endAt, locationId } = answers;
  const texts = ['title', 'notes', 'status'] as const;
  return {
    ...flags,
    ...('type' in answers && { type: type?.value ?? false }),
    ...('optionId' in answers && { option: optionId }),
    ...(carId && { car: carId.id }),
    ...(secondaryCarId && { secondCar: secondaryCarId.id }),
    ...(owner && !isNew(owner) && { customer: owner.id }),
    ...(startAt && { at: startAt.startAt }),
    ...(endAt !== undefined && { for: `${endAt / 60_000}m`, until: undefined }),
    ...(locationId && { location: locationId.id }),
    ...Object.fromEntries(
      texts.flatMap((name) => (name in answers ? [[name, answers[name]]] : [])),
    ),
  };
}

/** What flags give besides stands below them. */
async function summaryRows(
  context: Context,
  plan: AppointmentPlan,
  answers: Answers,
): Promise<SummaryRow[]> {
  const { carId: car } = answers;
  const body = completeBody(plan);
  const { startAt, endAt } = body;
  const from = typeof startAt === 'string' ? localTimeWithDay(startAt) : undefined;
  const option = plan.type?.options?.find(({ id }) => isSameId(id, plan.body.optionId));
  const there = await startAtLocation(context, body);
  const isTyped = ['eventTypeId', 'appointmentTypeId', 'eventType'].some(
    (name) => body[name] !== undefined,
  );
  const customer = ownerText(answers);
  return [
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
    ...(customer ? [['Customer', customer, ['customerId']] as const] : []),
    [
      'Time',
      from && [from, typeof endAt === 'string' && clockTime(endAt)].filter(Boolean).join('–'),
      ['startAt', 'endAt'],
    ],
    // As the people there say it: the machine has another zone.
    ...(there ? [['Time there', `${there.time} (${there.timezone})`, []] as const] : []),
  ];
}
