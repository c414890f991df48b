/** The questions about the owner of a car: a customer, a new one, or none yet. */
import { ApiError } from '../../../client/client.ts';
import { type CreateFor, contract, type RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { askFound, listedIn } from '../../prompts/ask-found.ts';
import type { Question } from '../../prompts/form.ts';
import type { Option } from '../../prompts/options.ts';
import { recordsShown } from '../../prompts/prompts.ts';
import { askField } from '../../resources/ask-field.ts';
import { type LabelRule, labelRuleOf, personName } from '../../resources/labels.ts';
import { addOneWith, recordOptions } from '../../resources/record-form.ts';
import { sanitize } from '../../terminal/text.ts';

export type Customer = RecordFor<'customers'>;
export type NewCustomer = CreateFor<'customers'>;

/** What a counter asks of a customer. */
export interface CustomerAnswers {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  /** Asked for where a customer is created for itself. */
  readonly companyName?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
}

/** The choice of a customer that isn't known yet. */
export interface UnknownCustomer {
  readonly kind: 'new';
  /** What was typed, if it finds nobody: what is known of the customer. */
  readonly searched: string;
}

export interface OwnerAnswers extends CustomerAnswers {
  readonly owner?: Customer | UnknownCustomer | undefined;
}

export const isUnknownCustomer = (owner: OwnerAnswers['owner']): owner is UnknownCustomer =>
  owner !== undefined && 'searched' in owner;

export const customerSearchHint = 'name, company, e-mail or phone, or a part of it';

interface CustomerQuestions {
  /** What people change (default: each answer by its name). */
  readonly part?: string;
  /** Whether a customer is asked for at all (default: yes). */
  readonly applies?: (answers: Partial<OwnerAnswers>) => boolean;
  /** Whether a company is asked for (default: no, for the owner of a car at a busy counter). */
  readonly asksCompany?: boolean;
}

export function customerQuestions({
  part,
  applies,
  asksCompany = false,
}: CustomerQuestions = {}): Question<OwnerAnswers>[] {
  const { fields } = contract.customers;
  const isNamed = ({ firstName, lastName, companyName, phone }: CustomerAnswers) =>
    [firstName, lastName, companyName, phone].some(Boolean);
  const ask = (name: keyof CustomerAnswers, label: string): Question<OwnerAnswers> => ({
    name,
    part: part ?? label,
    ...(applies && { applies }),
    // Another search was for another customer.
    dependsOn: ['owner'],
    // One of them is enough.
    ...(name === 'email' && {
      fits: (answers: Partial<CustomerAnswers>) => isNamed(answers) || answers.email !== undefined,
    }),
    ask: async (asking, { answers, earlier, isCorrection }) =>
      (await askField(asking, {
        schema: fields[name].schema,
        label,
        earlier:
          isCorrection || !isUnknownCustomer(answers.owner)
            ? earlier
            : customerIn(answers.owner.searched)[name],
        ...(name === 'email' &&
          !isNamed(answers) && {
            hint: 'needed without a name and a phone number',
            required: true,
          }),
      })) as string | undefined,
  });
  return [
    ask('firstName', 'First name'),
    ask('lastName', 'Last name'),
    ...(asksCompany ? [ask('companyName', 'Company')] : []),
    ask('phone', 'Phone'),
    ask('email', 'E-mail'),
  ];
}

/** What the text of a search says of a customer: an e-mail address, a phone number or a name. */
export function customerIn(text: string): CustomerAnswers {
  const known = text.trim();
  if (known.includes('@')) return { email: known };
  if (/^\+?[\d ()/.-]+$/.test(known)) return { phone: known };
  const names = known
    .split(/\s+/)
    .map((name) =>
      name === name.toLowerCase() ? name.charAt(0).toUpperCase() + name.slice(1) : name,
    );
  // People are looked up by their last name.
  return {
    firstName: names.slice(0, -1).join(' ') || undefined,
    lastName: names.at(-1) || undefined,
  };
}

/** The request that stores the customer. */
export const customerBody = ({
  firstName,
  lastName,
  companyName,
  phone,
  email,
}: CustomerAnswers): NewCustomer => ({
  ...(firstName && { firstName }),
  ...(lastName && { lastName }),
  ...(companyName && { companyName }),
  ...(phone && { phone }),
  ...(email && { email }),
});

export const customerName = (customer: Partial<Customer>): string =>
  personName(customer) ||
  customer.companyName ||
  customer.email ||
  customer.phone ||
  String(customer.id);

/** `Freya Holm · +45 1234 · freya@example.com` */
export const describeCustomer = (customer: Partial<Customer>): string =>
  [...new Set([customerName(customer), customer.phone, customer.email])]
    .filter(Boolean)
    .join(' · ');

interface OwnerOptions {
  readonly label?: 'Owner' | 'Customer';
  /** Whether there must be one (default: the owner can be added later). */
  readonly isRequired?: boolean;
  /** Whether the key may store a customer. */
  readonly mayAdd: boolean;
  readonly earlier: OwnerAnswers['owner'];
}

/** Undefined for none. Nothing is asked where the key can neither read nor store customers. */
export async function askOwner(
  context: Context,
  { label = 'Owner', isRequired = false, mayAdd, earlier }: OwnerOptions,
): Promise<OwnerAnswers['owner']> {
  const client = await context.client();
  // With the options for a new one and for none.
  const shown = recordsShown(context.io) - 2;
  const readCustomers = (q?: string, signal?: AbortSignal) =>
    client.customers.list({ q: q?.slice(0, 200), limit: shown }, { signal });
  const latest = await readCustomers().catch((error) => {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404))
      return undefined;
    throw error;
  });
  if (!mayAdd && !latest?.data.length) return undefined;
  type Other = UnknownCustomer | undefined;
  const none = (deliberate: boolean): Option<Other>[] =>
    isRequired
      ? []
      : [
          {
            name: `No ${label.toLowerCase()} yet`,
            short: 'none yet',
            value: undefined,
            deliberate,
          },
        ];
  const addNew = (notFound = ''): Option<Other>[] =>
    mayAdd
      ? [
          {
            name: `＋ Add a new ${label.toLowerCase()}${notFound ? ` (“${sanitize(notFound)}” not found)` : ''}`,
            short: 'new',
            value: { kind: 'new', searched: notFound },
            deliberate: true,
          },
        ]
      : [];
  const found = ({ data, total }: Awaited<ReturnType<typeof readCustomers>>) => ({
    records: data,
    total: total ?? data.length,
  });
  return askFound<Customer, Other>(context, {
    label,
    hint: customerSearchHint,
    otherwise: isRequired
      ? addOneWith(nextCommand(['customers', 'create'], connectionFlags(context)))
      : undefined,
    earlier,
    latest: latest ? found(latest) : { records: [], total: 0 },
    find: async (typed, signal) =>
      latest ? found(await readCustomers(typed, signal)) : { records: [], total: 0 },
    listed: async () =>
      latest
        ? listedIn(await client.customers.list({ limit: 200 }))
        : { records: [], isWhole: true },
    textsOf: (customer) => [
      customerName(customer),
      customer.companyName,
      customer.email,
      customer.phone,
    ],
    shown,
    optionsOf: (customers) =>
      recordOptions(context, customers, labelRuleOf('customers') as LabelRule),
    others: ({ typed, notFound }) =>
      typed === ''
        ? { above: [...none(false), ...addNew()] }
        : { below: [...addNew(notFound), ...none(true)] },
  });
}
