/** The questions about a car that isn't known yet, with its owner. */
import { type CreateFor, contract } from '../../../contract/contract.ts';
import { askField } from '../../crud/ask-field.ts';
import type { Context } from '../../framework/context.ts';
import type { Question } from '../../prompts/form.ts';
import { askOwner, customerBody, customerName, customerQuestions, type NewCustomer, type OwnerAnswers } from './ask-owner.ts';

export interface NewCarAnswers extends OwnerAnswers {
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
  /** Name of the owner. */
  readonly owner?: string;
  /** The owner, stored before the car. */
  readonly newOwner?: NewCustomer;
}

interface NewCarOptions {
  /** Whether a new car is asked for (default: yes). */
  readonly applies?: (answers: Partial<NewCarAnswers>) => boolean;
  /** What people change to correct the car (default: each answer by its name). */
  readonly part?: string;
  /** Whether the key may store a customer. */
  readonly mayAddOwner: boolean;
  /** Whether an owner is asked for (default: yes). */
  readonly asksOwner?: boolean;
  /** What was typed to find the car, which may be its plate. */
  readonly searched?: () => string;
}

type LineName = 'licensePlate' | 'make' | 'model' | 'year' | 'color' | 'nickname';

interface LineOptions {
  readonly applies?: (answers: Partial<NewCarAnswers>) => boolean;
  readonly initial?: () => string | undefined;
  readonly refuse?: (context: Context) => (value: unknown) => string | undefined;
}

export function newCarQuestions({
  applies,
  part,
  mayAddOwner,
  asksOwner = true,
  searched = () => '',
}: NewCarOptions): Question<NewCarAnswers>[] {
  const { fields } = contract.cars;
  const isAsked = (answers: Partial<NewCarAnswers>) => applies?.(answers) ?? true;
  const line = (name: LineName, label: string, more: LineOptions = {}): Question<NewCarAnswers> => {
    const ask = async (context: Context, { earlier }: { readonly earlier: unknown }) => {
      const { schema, create } = fields[name];
      const refuse = more.refuse?.(context);
      const required = create === 'required';
      const value = await askField(context, { schema, label, required, earlier: earlier ?? more.initial?.(), ...(refuse && { refuse }) });
      return name === 'licensePlate' && typeof value === 'string' ? value.toUpperCase() : value;
    };
    const applies = (answers: Partial<NewCarAnswers>) => isAsked(answers) && more.applies?.(answers) !== false;
    return { name, part: part ?? label, applies, ask } as Question<NewCarAnswers>;
  };
  return [
    line('licensePlate', 'Plate', { initial: () => plateIn(searched()) }),
    line('make', 'Make'),
    line('model', 'Model'),
    line('year', 'Year', { refuse: atMostNextYear }),
    line('color', 'Colour'),
    line('nickname', 'Nickname', { applies: ({ licensePlate }) => licensePlate === undefined }),
    {
      name: 'owner',
      part: 'Owner',
      applies: (answers) => asksOwner && isAsked(answers),
      ask: (context, { earlier }) => askOwner(context, { mayAdd: mayAddOwner, earlier }),
    },
    ...customerQuestions({ part: 'Owner', applies: (answers) => isAsked(answers) && answers.owner === 'new' }),
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
  const isPlate = plate.length <= 12 && /^[\p{L}\p{N}][\p{L}\p{N} .·-]*$/u.test(plate) && /\p{L}/u.test(plate) && /\p{N}/u.test(plate);
  return isPlate && groups.every((group) => /\p{N}/u.test(group) || group.length <= 3) ? plate : undefined;
}

/** The car of the answers, once all are given. */
export function newCarOf(answers: NewCarAnswers): NewCar {
  const { year, make, model, licensePlate, color, nickname, owner } = answers;
  const values = {
    year: year as number,
    make: make as string,
    model: model as string,
    ...(licensePlate && { licensePlate }),
    ...(color && { color }),
    ...(nickname && { nickname }),
    ...(owner && owner !== 'new' && { customerId: owner.id }),
  };
  if (owner !== 'new') return { kind: 'new', values, ...(owner && { owner: customerName(owner) }) };
  const newOwner = customerBody(answers);
  return { kind: 'new', values, owner: `${customerName(newOwner as object)} (new)`, newOwner };
}
