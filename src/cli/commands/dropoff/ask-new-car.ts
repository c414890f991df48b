import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Client, type CreateFor, type RecordFor } from '../../../client/client.ts';
import { check } from '../../../contract/check.ts';
import { contract } from '../../../contract/contract.ts';
import type { Context } from '../../framework/context.ts';
import { personName } from '../../lookup/labels.ts';
import { askLine, askSearch, type Option } from '../../prompts/prompts.ts';
import { sanitize } from '../../terminal/text.ts';
import type { NewCar } from './plan.ts';

type Customer = RecordFor<'customers'>;

/**
 * The few things that a car is known by. It is stored with the drop-off, so that leaving half way stores nothing.
 * `sought` is what the car was looked for by: mostly its plate, which need not be typed a second time.
 */
export async function askNewCar(context: Context, sought = ''): Promise<NewCar> {
  const nextYear = context.io.now().getFullYear() + 1;
  const year = await askField(context, { field: 'year', label: 'Year', latest: nextYear });
  const make = await askField(context, { field: 'make', label: 'Make' });
  const model = await askField(context, { field: 'model', label: 'Model' });
  const licensePlate = await askField(context, {
    field: 'licensePlate',
    label: 'Plate',
    hint: 'optional, Enter for none',
    initial: plateIn(sought),
  });
  const nickname = await askField(context, { field: 'nickname', label: 'Nickname', hint: 'optional, Enter for none' });
  const owner = await askOwner(context);
  const values: CreateFor<'cars'> = {
    year: Number(year),
    make,
    model,
    ...(licensePlate && { licensePlate: licensePlate.toUpperCase() }),
    ...(nickname && { nickname }),
    ...(owner && { customerId: owner.id }),
  };
  return { kind: 'new', values, owner: owner && customerName(owner) };
}

/** Letters and digits in short groups. A make, a model or a name has longer words, and is no plate. */
export function plateIn(text: string): string | undefined {
  const plate = text.trim().toUpperCase();
  const groups = plate.match(/\p{L}+|\p{N}+/gu) ?? [];
  const isPlate = plate.length <= 12 && /^[\p{L}\p{N}][\p{L}\p{N} .·-]*$/u.test(plate) && /\p{L}/u.test(plate) && /\p{N}/u.test(plate);
  return isPlate && groups.every((group) => /\p{N}/u.test(group) || group.length <= 3) ? plate : undefined;
}

interface FieldQuestion {
  field: 'year' | 'make' | 'model' | 'licensePlate' | 'nickname';
  label: string;
  hint?: string;
  latest?: number;
  initial?: string;
}

function askField(context: Context, { field, label, hint, latest, initial }: FieldQuestion): Promise<string> {
  const { schema, create } = contract.cars.fields[field];
  return askLine(context, {
    label,
    hint,
    initial,
    check: (text) => {
      if (text === '') return create === 'required' ? `${label} is needed.` : undefined;
      const value = field === 'year' && /^\d+$/.test(text) ? Number(text) : text;
      const checked = check(schema, value);
      if ('issues' in checked) return `${label} ${checked.issues[0]?.message}.`;
      return latest !== undefined && Number(value) > latest ? `${label} must be ${latest} at most.` : undefined;
    },
  });
}

/** Nobody, where customers may not be read: the owner can be added later. */
async function askOwner(context: Context): Promise<Customer | undefined> {
  const client = await context.client();
  const recent = await readCustomers(client).catch((error) => {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  });
  if (!recent || recent.length === 0) return undefined;
  const none: Option<undefined> = { name: 'No owner yet', short: 'none yet', value: undefined };
  return askSearch<Customer | undefined>(context, {
    label: 'Owner',
    hint: 'part of a name, company or e-mail',
    find: async (term, signal) => {
      if (term === '') return [none, ...recent.map(customerOption)];
      await delay(150, undefined, { signal });
      return [...(await readCustomers(client, term, signal)).map(customerOption), none];
    },
  });
}

const readCustomers = async (client: Client, q?: string, signal?: AbortSignal) =>
  (await client.customers.list({ q: q?.slice(0, 200), limit: 50 }, { signal })).data;

const customerName = (customer: Customer): string =>
  personName(customer) || customer.companyName || customer.email || customer.phone || customer.id;

function customerOption(customer: Customer): Option<Customer> {
  const name = sanitize(customerName(customer));
  const more = [personName(customer) && customer.companyName, customer.email, customer.phone].filter(Boolean).join(' · ');
  return { name, short: name, value: customer, about: sanitize(more) || undefined };
}
