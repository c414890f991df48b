/** The questions of `cs appointments create` for missing values, and their summary. */
import { isSameId } from '../../../client/ids.ts';
import { type Car, describeCar } from '../../../facility/car-names.ts';
import { customerName } from '../../../facility/customer-name.ts';
import type { Context } from '../../context.ts';
import { clockTime } from '../../input/day.ts';
import { localTimeWithDay } from '../../input/when.ts';
import type { Question } from '../../prompts/form.ts';
import {
  askRecordForm,
  type Creating,
  isNew,
  type SummaryRow,
} from '../../resources/record-form.ts';
import { readScopes, typeName } from '../counter/event.ts';
import { flagLine } from '../counter/facility.ts';
import {
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
  readonly startAt: Start;
  /** The duration in milliseconds. */
  readonly endAt: number;
};

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
  const scopes = await readScopes(context, 'appointment');
  scopes.require('write:appointments');
  return askRecordForm<Answers>(context, {
    resource: 'appointments',
    questions: questionsFor(plan, {
      mayAddCustomer: !creating.isDryRun && scopes.allow('write:customers'),
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
  /** In a dry run nothing is sent, so the appointment would have a customer that doesn't exist. */
  readonly mayAddCustomer: boolean;
  /** Read where the type is asked for anyway. */
  readonly types: readonly EventType[] | undefined;
}

/** What a flag gives isn't asked for. */
function questionsFor(
  plan: AppointmentPlan,
  { mayAddCustomer, types }: Asking,
): Question<Answers>[] {
  const { body } = plan;
  const typeOf = (answers: Partial<Answers>) => answers.type ?? plan.type;
  return [
    {
      name: 'type',
      part: 'Event',
      applies: () => !plan.typeGiven,
      // One that was refused may have become inactive since they were read.
      ask: async (asking, asked) =>
        askType(asking, asked.isCorrection || !types ? await readTypes(asking) : types, asked),
    },
    {
      name: 'optionId',
      part: 'Option',
      dependsOn: ['type'],
      applies: (answers) =>
        body.optionId === undefined && (typeOf(answers)?.options ?? []).length > 0,
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
      applies: (answers) => body.carId === undefined && typeOf(answers)?.scope === 'vehicle',
      ask: (asking, { answers, earlier }) =>
        askCar(asking, { type: typeOf(answers) as EventType, earlier }),
    },
    {
      name: 'owner',
      part: 'Customer',
      applies: (answers) => body.customerId === undefined && typeOf(answers)?.scope === 'customer',
      ask: (asking, { earlier }) => askCustomer(asking, { mayAdd: mayAddCustomer, earlier }),
    },
    ...customerQuestions({ part: 'Customer', applies: ({ owner }) => isNew(owner) }),
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
      ask: (asking, { answers, earlier }) =>
        askDuration(asking, earlier ?? defaultDuration(planWith(plan, answers))),
    },
  ];
}

interface StoringCustomer {
  readonly keepStored: (stored: Partial<Answers>) => void;
  readonly idempotencyKey: string;
}

/** Before the appointment. From here on it is a known customer, whatever happens to the appointment. */
async function storeCustomer(
  context: Context,
  answers: Partial<Answers>,
  { keepStored, idempotencyKey }: StoringCustomer,
): Promise<void> {
  if (!isNew(answers.owner)) return;
  const owner = await (await context.client()).customers.create(customerBody(answers), {
    idempotencyKey,
  });
  keepStored({ owner });
  context.note(`The customer is stored: ${customerName(owner)}`);
}

/** The plan with the answers so far. */
function planWith(plan: AppointmentPlan, answers: Partial<Answers>): AppointmentPlan {
  const { type, optionId, carId, owner, startAt, endAt } = answers;
  return {
    ...plan,
    type: type ?? plan.type,
    ...(startAt && { at: startAt.typed }),
    ...(endAt !== undefined && { duration: endAt }),
    body: {
      ...plan.body,
      ...(type && { eventTypeId: type.id }),
      ...(optionId !== undefined && { optionId }),
      ...(carId && { carId: carId.id }),
      ...(owner && !isNew(owner) && { customerId: owner.id }),
      ...(startAt && { startAt: startAt.startAt }),
    },
  };
}

/** The answers as flags. Times stand as they were understood: "tomorrow" is another day later. */
function typedFlags(flags: AppointmentFlags, answers: Partial<Answers>): object {
  const { type, optionId, carId, owner, startAt, endAt } = answers;
  return {
    ...flags,
    ...('type' in answers && { type: type?.value ?? false }),
    ...(optionId !== undefined && { option: optionId }),
    ...(carId && { car: carId.id }),
    ...(owner && !isNew(owner) && { customer: owner.id }),
    ...(startAt && { at: startAt.startAt }),
    ...(endAt !== undefined && { for: `${endAt / 60_000}m` }),
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
  const atLocation = await startAtLocation(context, body);
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
    ...(atLocation
      ? [['Time there', `${atLocation.time} (${atLocation.timezone})`, []] as const]
      : []),
  ];
}
