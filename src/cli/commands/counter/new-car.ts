/** The questions about a car that isn't known yet, and about its owner: a customer, a new one, or none yet. */
import { type CreateFor, contract, type RecordFor } from '../../../contract/contract.ts';
import type { Car } from '../../../facility/car-names.ts';
import { customerName } from '../../../facility/customer-name.ts';
import type { Context } from '../../context.ts';
import type { Question } from '../../prompts/form.ts';
import { createLine } from '../../resources/create-line.ts';
import { askRecord, fieldQuestion, isNew, type NewRecord } from '../../resources/record-form.ts';
import { flagLine } from './facility.ts';

export type Customer = RecordFor<'customers'>;

/** What a counter asks of a customer. */
const customerFields = {
  firstName: 'First name',
  lastName: 'Last name',
  companyName: 'Company',
  phone: 'Phone',
  email: 'E-mail',
} as const;
type CustomerField = keyof typeof customerFields;

/** What a counter asks of a car. The nickname is for one without a plate. */
const carFields = {
  licensePlate: 'Plate',
  make: 'Make',
  model: 'Model',
  year: 'Year',
  color: 'Colour',
  nickname: 'Nickname',
} as const;
type CarField = keyof typeof carFields;

export type OwnerAnswers = Partial<Pick<CreateFor<'customers'>, CustomerField>> & {
  readonly owner?: Customer | NewRecord | undefined;
};

export type NewCarAnswers = OwnerAnswers &
  Partial<Pick<CreateFor<'cars'>, CarField>> & {
    /** Where a known car can be chosen instead. */
    readonly car?: Car | NewRecord;
  };

/** What the answers say of a new car and its owner, to be kept for later. Undefined for a known car. */
export function newCarIn(answers: Partial<NewCarAnswers>): NewCarAnswers | undefined {
  const names = ['car', 'owner', ...Object.keys(carFields), ...Object.keys(customerFields)];
  return isNew(answers.car)
    ? Object.fromEntries(Object.entries(answers).filter(([name]) => names.includes(name)))
    : undefined;
}

interface CustomerQuestions {
  /** What people change (default: each answer by its name). */
  readonly part?: string;
  /** Whether a customer is asked for at all (default: yes). */
  readonly applies?: (answers: Partial<OwnerAnswers>) => boolean;
  /** (default: no company, for the owner of a car at a busy counter) */
  readonly asksCompany?: boolean;
}

export function customerQuestions({
  part,
  applies,
  asksCompany = false,
}: CustomerQuestions = {}): Question<OwnerAnswers>[] {
  const isNamed = ({ firstName, lastName, companyName, phone }: Partial<OwnerAnswers>) =>
    [firstName, lastName, companyName, phone].some(Boolean);
  const names = Object.keys(customerFields) as CustomerField[];
  return names
    .filter((name) => asksCompany || name !== 'companyName')
    .map((name) =>
      fieldQuestion<OwnerAnswers>({
        fields: contract.customers.fields,
        name,
        label: customerFields[name],
        part: part ?? customerFields[name],
        ...(applies && { applies }),
        // Another search was for another customer.
        dependsOn: ['owner'],
        initial: ({ owner }) => (isNew(owner) ? customerIn(owner.searched)[name] : undefined),
        // One of them is enough.
        ...(name === 'email' && {
          fits: (answers: Partial<OwnerAnswers>) => isNamed(answers) || answers.email !== undefined,
          neededFor: (answers: Partial<OwnerAnswers>) =>
            isNamed(answers) ? undefined : 'needed without a name and a phone number',
        }),
      }),
    );
}

/** What the text of a search says of a customer: an e-mail address, a phone number or a name. */
export function customerIn(text: string): Partial<Record<CustomerField, string>> {
  const known = text.trim();
  if (known.includes('@')) return { email: known };
  if (/^\+?[\d ()/.-]+$/.test(known)) return { phone: known };
  const names = known.split(/\s+/).map((name) => name.charAt(0).toUpperCase() + name.slice(1));
  // People are looked up by their last name.
  const [first, last] = [names.slice(0, -1).join(' '), names.at(-1)];
  return { ...(first && { firstName: first }), ...(last && { lastName: last }) };
}

/** The request that stores the customer. */
export const customerBody = (answers: Partial<OwnerAnswers>): CreateFor<'customers'> =>
  given(answers, Object.keys(customerFields));

/** Those that were answered. */
const given = (answers: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = (answers as Readonly<Record<string, unknown>>)[name];
      return value ? [[name, value]] : [];
    }),
  );

/** `Freya Holm · +45 1234 · freya@example.com` */
const describeCustomer = (customer: Partial<Customer>): string =>
  [...new Set([customerName(customer), customer.phone, customer.email])]
    .filter(Boolean)
    .join(' · ');

export const customerSearchHint = 'name, company, e-mail or phone, or a part of it';

interface OwnerQuestion {
  readonly label?: 'Owner' | 'Customer';
  /** An option for none. */
  readonly none?: string;
  /** Whether the key may store a customer. */
  readonly mayAdd: boolean;
  readonly earlier: OwnerAnswers['owner'];
}

export const askOwner = (
  context: Context,
  { label = 'Owner', ...question }: OwnerQuestion,
): Promise<OwnerAnswers['owner']> =>
  askRecord<Customer>(context, {
    ...question,
    resource: 'customers',
    label,
    one: label.toLowerCase(),
    hint: customerSearchHint,
  });

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

/** Without that for the car itself, where a known one can be chosen. */
export function newCarQuestions({
  part,
  mayAddOwner,
  asksOwner = true,
  onlyRequired = false,
}: NewCarOptions): Exclude<Question<NewCarAnswers>, { readonly name: 'car' }>[] {
  const { fields } = contract.cars;
  const isAsked = ({ car }: Partial<NewCarAnswers>) => car === undefined || isNew(car);
  const plate = ({ car }: Partial<NewCarAnswers>) =>
    isNew(car) ? plateIn(car.searched) : undefined;
  const lines = (Object.keys(carFields) as CarField[]).map((name) =>
    fieldQuestion<NewCarAnswers>({
      fields,
      name,
      label: carFields[name],
      part: part ?? carFields[name],
      applies: (answers) =>
        isAsked(answers) && (name !== 'nickname' || answers.licensePlate === undefined),
      preset: (answers) =>
        onlyRequired && fields[name].create !== 'required'
          ? { answer: name === 'licensePlate' ? plate(answers) : undefined }
          : undefined,
      ...(name === 'licensePlate' && {
        // Another search may have been for another plate.
        dependsOn: ['car'],
        initial: plate,
        change: (text: string) => text.toUpperCase(),
      }),
      ...(name === 'year' && { refuse: atMostNextYear }),
    } as Parameters<typeof fieldQuestion<NewCarAnswers>>[0]),
  );
  return [
    ...lines,
    {
      name: 'owner',
      part: 'Owner',
      applies: isAsked,
      isOffered: () => asksOwner,
      preset: () => (onlyRequired || !asksOwner ? { answer: undefined } : undefined),
      ask: async (context, { earlier }) =>
        asksOwner
          ? askOwner(context, { none: 'No owner yet', mayAdd: mayAddOwner, earlier })
          : earlier,
    },
    ...customerQuestions({
      part: 'Owner',
      applies: (answers) => isAsked(answers) && isNew(answers.owner),
    }),
  ] as ReturnType<typeof newCarQuestions>;
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
    /^[\p{L}\p{N}][\p{L}\p{N} .·-]{1,11}$/u.test(plate) &&
    /\p{L}/u.test(plate) &&
    /\p{N}/u.test(plate);
  return isPlate && groups.every((group) => /\p{N}/u.test(group) || group.length <= 3)
    ? plate
    : undefined;
}

/** The values of the car, as far as they are answered. */
export function carBody(answers: Partial<NewCarAnswers>): Partial<CreateFor<'cars'>> {
  const { owner } = answers;
  return {
    ...given(answers, Object.keys(carFields)),
    ...(owner && !isNew(owner) && { customerId: owner.id }),
  };
}

/** The owner of a new car, with everything that will be stored of a new one. */
export const ownerText = (answers: Partial<NewCarAnswers>): string | undefined =>
  isNew(answers.owner)
    ? `${describeCustomer(customerBody(answers) as Partial<Customer>)} (new)`
    : answers.owner && customerName(answers.owner);

interface TypedFlags {
  readonly car?: string | undefined;
  readonly newCar?: NewCarAnswers | undefined;
  /** In place of ids. */
  readonly words?: { readonly car?: string | undefined } | undefined;
}

/** The command lines that do it: those of a new owner and a new car come first. */
export function linesOf(
  context: Context,
  command: string,
  { newCar, words, ...typed }: TypedFlags,
): string[] {
  const { car, ...flags } = { ...typed, ...words };
  if (!newCar) return [flagLine(context, [command], flags, car)];
  const owner = isNew(newCar.owner) ? customerBody(newCar) : undefined;
  // A new one has no id yet. A known one keeps it: others can have the name.
  const customerId = owner && customerName(owner as Partial<Customer>);
  const create = (resource: 'customers' | 'cars', body: Record<string, unknown>) =>
    createLine(context, { words: [resource, 'create'], resource, body });
  return [
    ...(owner ? [create('customers', { ...owner })] : []),
    create('cars', { ...carBody(newCar), ...(customerId && { customerId }) }),
    flagLine(context, [command], flags, newCar.licensePlate ?? newCar.nickname ?? undefined),
  ];
}

/** The same in a sentence. */
export const linesInWords = (...of: Parameters<typeof linesOf>): string =>
  linesOf(...of)
    .map((line) => `\`${line}\``)
    .join(', then ');
