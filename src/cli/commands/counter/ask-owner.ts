/** The questions about the owner of a car: a customer, a new one, or none yet. */
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Client } from '../../../client/client.ts';
import { type CreateFor, contract, type RecordFor } from '../../../contract/contract.ts';
import { askField } from '../../crud/ask-field.ts';
import type { Context } from '../../framework/context.ts';
import { personName } from '../../lookup/labels.ts';
import type { Question } from '../../prompts/form.ts';
import { askSearch, moreHeading, type Option } from '../../prompts/prompts.ts';
import { sanitize } from '../../terminal/text.ts';
import { typingPause } from './ask-car.ts';

export type Customer = RecordFor<'customers'>;
export type NewCustomer = CreateFor<'customers'>;

/** What a counter asks of a customer. */
export interface CustomerAnswers {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
}

export interface OwnerAnswers extends CustomerAnswers {
  readonly owner?: Customer | 'new' | undefined;
}

const shownOwners = 8;

/** `part` is what people change; `applies` whether a customer is asked for at all. */
export function customerQuestions({
  part,
  applies,
}: {
  readonly part?: string;
  readonly applies?: (answers: Partial<OwnerAnswers>) => boolean;
} = {}): Question<CustomerAnswers>[] {
  const { fields } = contract.customers;
  const ask = (name: keyof CustomerAnswers, label: string): Question<CustomerAnswers> => ({
    name,
    part: part ?? label,
    ...(applies && { applies }),
    ask: async (asking, { answers, earlier }) => {
      const isLast = name === 'email';
      const known = [answers.firstName, answers.lastName, answers.phone].some(Boolean);
      return (await askField(asking, {
        schema: fields[name].schema,
        label,
        earlier,
        ...(isLast && !known && { hint: 'needed without a name and a phone number', required: true }),
      })) as string | undefined;
    },
  });
  return [ask('firstName', 'First name'), ask('lastName', 'Last name'), ask('phone', 'Phone'), ask('email', 'E-mail')];
}

/** The request that stores the customer. */
export const customerBody = ({ firstName, lastName, phone, email }: CustomerAnswers): NewCustomer => ({
  ...(firstName && { firstName }),
  ...(lastName && { lastName }),
  ...(phone && { phone }),
  ...(email && { email }),
});

export const customerName = (customer: Partial<Customer>): string =>
  personName(customer) || customer.companyName || customer.email || customer.phone || String(customer.id);

interface OwnerOptions {
  /** Whether the key may store a customer. */
  readonly mayAdd: boolean;
  readonly earlier: Customer | 'new' | undefined;
}

/** Undefined for none: the owner can be added later. Nothing is asked where the key can neither read nor store customers. */
export async function askOwner(context: Context, { mayAdd, earlier }: OwnerOptions): Promise<Customer | 'new' | undefined> {
  const client = await context.client();
  const latest = await readCustomers(client).catch((error) => {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  });
  if (!mayAdd && !latest?.data.length) return undefined;
  type Choice = Customer | 'new' | undefined;
  // The record as it is read now: the prompt compares records by identity.
  const chosen: Choice = earlier === 'new' ? 'new' : (latest?.data.find(({ id }) => id === earlier?.id) ?? earlier);
  const none: Option<Choice> = { name: 'No owner yet', short: 'none yet', value: undefined };
  const addNew = (notFound?: string): Option<Choice>[] =>
    mayAdd
      ? [
          {
            name: `＋ Add a new owner${notFound ? ` (“${sanitize(notFound)}” not found)` : ''}`,
            short: 'new',
            value: 'new',
            deliberate: true,
          },
        ]
      : [];
  return askSearch<Choice>(context, {
    label: 'Owner',
    hint: 'name, company, e-mail or phone, or a part of it',
    ...(earlier !== undefined && { first: chosen }),
    find: async (term, signal) => {
      if (term !== '') await delay(typingPause, undefined, { signal });
      const found = term === '' || !latest ? latest : await readCustomers(client, term, signal);
      const isMissing = term === '' && typeof chosen === 'object' && found?.data.includes(chosen) === false;
      const customers = [...(isMissing ? [chosen] : []), ...(found?.data ?? [])];
      const options = customers.map(customerOption);
      const more = moreHeading((found?.total ?? customers.length) - customers.length);
      const notFound = term !== '' && customers.length === 0 ? term : undefined;
      return term === '' ? [none, ...addNew(), ...options, ...more] : [...options, ...more, ...addNew(notFound), none];
    },
  });
}

const readCustomers = (client: Client, q?: string, signal?: AbortSignal) =>
  client.customers.list({ q: q?.slice(0, 200), limit: shownOwners }, { signal });

function customerOption(customer: Customer): Option<Customer> {
  const name = sanitize(customerName(customer));
  const about = [personName(customer) && customer.companyName, customer.email, customer.phone].filter(Boolean).join(' · ');
  return { name, value: customer, about: sanitize(about) || undefined };
}
