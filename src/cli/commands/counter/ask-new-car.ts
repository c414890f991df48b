/** The questions about a car that isn't known yet, with its owner. */
import { type CreateFor, contract } from '../../../contract/contract.ts';
import type { Car } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import type { Asked, Question } from '../../prompts/form.ts';
import { askField } from '../../resources/ask-field.ts';
import {
  askOwner,
  type Customer,
  customerBody,
  customerName,
  customerQuestions,
  describeCustomer,
  isUnknownCustomer,
  type NewCustomer,
  type OwnerAnswers,
} from './ask-owner.ts';

/** The choice of a car that isn't known yet. */
export interface UnknownCar {
  readonly kind: 'new';
  /** What was typed to find it, which may be its plate. */
  readonly searched: string;
}

export interface NewCarAnswers extends OwnerAnswers {
  /** Where a known car can be chosen instead. */
  readonly car?: Car | UnknownCar;
  readonly licensePlate?: string | undefined;
  readonly make?: string;
  readonly model?: string;
  readonly year?: number;
  readonly color?: string | undefined;
  /** Of a car without a plate, so that it has a name. */
  readonly nickname?: string | undefined;
}

/** A car that isn't stored yet. */
export interface NewCar {
  readonly kind: 'new';
  readonly values: CreateFor<'cars'>;
  readonly owner?: Customer;
  /** The owner, stored before the car. */
  readonly newOwner?: NewCustomer;
}

export const isUnknown = (car: NewCarAnswers['car']): car is UnknownCar =>
  car !== undefined && 'searched' in car;

interface NewCarOptions {
  /** What people change to correct the car (default: each answer by its name). */
  readonly part?: string;
  /** Whether the key may store a customer. */
  readonly mayAddOwner: boolean;
  /** Whether an owner is asked for (default: yes). */
  readonly asksOwner?: boolean;
  /** Whether optional values are left out (default: no). */
  readonly onlyRequired?: boolean;
}

type LineName = 'licensePlate' | 'make' | 'model' | 'year' | 'color' | 'nickname';

interface LineOptions {
  readonly applies?: (answers: Partial<NewCarAnswers>) => boolean;
  readonly dependsOn?: readonly (keyof NewCarAnswers)[];
  readonly initial?: (answers: Partial<NewCarAnswers>) => string | undefined;
  readonly refuse?: (context: Context) => (value: unknown) => string | undefined;
}

/** Without that for the car itself, where a known one can be chosen. */
type NewCarQuestion = Exclude<Question<NewCarAnswers>, { readonly name: 'car' }>;

export function newCarQuestions({
  part,
  mayAddOwner,
  asksOwner = true,
  onlyRequired = false,
}: NewCarOptions): NewCarQuestion[] {
  const { fields } = contract.cars;
  const isAsked = ({ car }: Partial<NewCarAnswers>) => car === undefined || isUnknown(car);
  const line = (name: LineName, label: string, more: LineOptions = {}): NewCarQuestion => {
    const { schema, create } = fields[name];
    const required = create === 'required';
    const ask = async (
      context: Context,
      { answers, earlier, isCorrection }: Asked<NewCarAnswers, LineName>,
    ) => {
      const refuse = more.refuse?.(context);
      const known = isCorrection ? earlier : more.initial?.(answers);
      const value = await askField(context, {
        schema,
        label,
        required,
        earlier: known,
        ...(refuse && { refuse }),
      });
      return name === 'licensePlate' && typeof value === 'string' ? value.toUpperCase() : value;
    };
    const preset = (answers: Partial<NewCarAnswers>) =>
      onlyRequired && !required ? { answer: more.initial?.(answers) } : undefined;
    const applies = (answers: Partial<NewCarAnswers>) =>
      isAsked(answers) && more.applies?.(answers) !== false;
    return {
      name,
      part: part ?? label,
      applies,
      preset,
      dependsOn: more.dependsOn,
      ask,
    } as NewCarQuestion;
  };
  return [
    line('licensePlate', 'Plate', {
      // Another search may have been for another plate.
      dependsOn: ['car'],
      initial: ({ car }) => (isUnknown(car) ? plateIn(car.searched) : undefined),
    }),
    line('make', 'Make'),
    line('model', 'Model'),
    line('year', 'Year', { refuse: atMostNextYear }),
    line('color', 'Colour'),
    line('nickname', 'Nickname', { applies: ({ licensePlate }) => licensePlate === undefined }),
    {
      name: 'owner',
      part: 'Owner',
      applies: (answers) => asksOwner && isAsked(answers),
      preset: () => (onlyRequired ? { answer: undefined } : undefined),
      ask: (context, { earlier }) => askOwner(context, { mayAdd: mayAddOwner, earlier }),
    },
    ...customerQuestions({
      part: 'Owner',
      applies: (answers) => isAsked(answers) && isUnknownCustomer(answers.owner),
    }),
  ];
}

const atMostNextYear =
  ({ io }: Context) =>
  (value: unknown): string | undefined => {
    const latest = io.now().getFullYear() + 1;
    return Number(value) > latest ? `Year must be at most ${latest}.` : undefined;
  };

/** The text as a plate: short groups of letters and digits. Longer words are a make, a model or a name. */
export function plateIn(text: string): string | undefined {
  const plate = text.trim().toUpperCase();
  const groups = plate.match(/\p{L}+|\p{N}+/gu) ?? [];
  const isPlate =
    plate.length <= 12 &&
    /^[\p{L}\p{N}][\p{L}\p{N} .·-]*$/u.test(plate) &&
    /\p{L}/u.test(plate) &&
    /\p{N}/u.test(plate);
  return isPlate && groups.every((group) => /\p{N}/u.test(group) || group.length <= 3)
    ? plate
    : undefined;
}

/** The car of the answers, once all are given. */
export function newCarOf(answers: NewCarAnswers): NewCar {
  const { owner } = answers;
  const values = carBody(answers) as CreateFor<'cars'>;
  if (isUnknownCustomer(owner)) return { kind: 'new', values, newOwner: customerBody(answers) };
  return { kind: 'new', values, ...(owner && { owner }) };
}

/** The values of the car, as far as they are answered. */
export function carBody({
  year,
  make,
  model,
  licensePlate,
  color,
  nickname,
  owner,
}: NewCarAnswers): Partial<CreateFor<'cars'>> {
  return {
    ...(year !== undefined && { year }),
    ...(make !== undefined && { make }),
    ...(model !== undefined && { model }),
    ...(licensePlate && { licensePlate }),
    ...(color && { color }),
    ...(nickname && { nickname }),
    ...(owner && !isUnknownCustomer(owner) && { customerId: owner.id }),
  };
}

/** The owner, with everything that will be stored of a new one. */
export const ownerText = ({ owner, newOwner }: NewCar): string | undefined =>
  newOwner
    ? `${describeCustomer(newOwner as Partial<Customer>)} (new)`
    : owner && customerName(owner);
