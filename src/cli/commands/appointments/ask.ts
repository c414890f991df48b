/** Asks a person for what an appointment still needs. Nothing is stored by any of it. */

import { setTimeout as delay } from 'node:timers/promises';
import type { RecordFor } from '../../../contract/contract.ts';
import { gather } from '../../crud/methods.ts';
import { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { localTime, parseSpan, parseWhen, timeExamples } from '../../input/when.ts';
import type { Car } from '../../lookup/car.ts';
import { personName } from '../../lookup/labels.ts';
import { askLine, askOption, askSearch, type Heading, type Option, validationMessage } from '../../prompts/prompts.ts';
import { grouped, pluralize, sanitize, stateWords } from '../../terminal/text.ts';
import { fill, widest } from '../../terminal/width.ts';
import { carOptions } from '../counter/car-options.ts';
import { typeName } from '../counter/plan.ts';
import { atMost, findCars, present, restMs } from '../counter/search-cars.ts';
import { type AppointmentPlan, type EventType, usualLength } from './plan.ts';

type Customer = RecordFor<'customers'>;

const shown = 9;

/** Fills the plan with the answers. What the flags gave is not asked. */
export async function askForRest(context: Context, plan: AppointmentPlan): Promise<void> {
  const { body } = plan;
  if (!plan.typed) {
    plan.type = await askType(context);
    plan.typed = true;
    if (plan.type) body.appointmentTypeId = plan.type.id;
  }
  const { type } = plan;
  if (type && body.optionId === undefined && (type.options ?? []).length > 0) {
    const optionId = await askVariant(context, type);
    if (optionId !== undefined) body.optionId = optionId;
  }
  if (type?.scope === 'vehicle' && body.carId === undefined) body.carId = (await askCar(context)).id;
  if (type?.scope === 'customer' && body.customerId === undefined) body.customerId = (await askCustomer(context)).id;
  if (body.startAt === undefined) {
    const { startAt, typed } = await askStart(context);
    body.startAt = startAt;
    plan.at = typed;
  }
  if (body.endAt === undefined && plan.length === undefined) plan.length = await askLength(context, usualLength(plan));
}

async function askType(context: Context): Promise<EventType | undefined> {
  const client = await context.client();
  const types = (await gather(client.eventTypes.all({ isActive: true }))).sort((a, b) => typeName(a).localeCompare(typeName(b)));
  const options: Option<EventType | undefined>[] = types.map((type) => {
    const name = sanitize(typeName(type));
    return { name, short: name, value: type, about: sanitize(type.description ?? '') || undefined };
  });
  return askOption(context, {
    label: 'Event',
    options: [...options, { name: 'Something else', short: 'no type', value: undefined, about: 'An appointment without an event type' }],
  });
}

async function askVariant(context: Context, { options }: EventType): Promise<string | undefined> {
  const variants: Option<string | undefined>[] = options.map(({ id, name }) => ({
    name: sanitize(name),
    short: sanitize(name),
    value: id,
  }));
  return askOption(context, { label: 'Option', options: [...variants, { name: 'None of them', short: 'none', value: undefined }] });
}

async function askCar(context: Context): Promise<Car> {
  const client = await context.client();
  // Read before the question stands: what is wrong with the key or the network ends the command, not the search.
  const { data, total } = await client.cars.list({ limit: atMost });
  const latest = present(data);
  if (latest.length === 0) throw nobody('car', 'cs cars create');
  return askSearch<Car>(context, {
    label: 'Car',
    hint: 'part of its plate, VIN, make, model or nickname',
    find: async (term, signal) => {
      if (term !== '') await delay(restMs, undefined, { signal });
      const cars = term === '' ? latest : await findCars(client, term, { signal });
      const options = carOptions(context, cars.slice(0, shown), ({ status }) => stateWords(status));
      return [...options, ...more((term === '' ? total : cars.length) - options.length)];
    },
  });
}

async function askCustomer(context: Context): Promise<Customer> {
  const client = await context.client();
  const latest = await client.customers.list({ limit: shown });
  if (latest.total === 0) throw nobody('customer', 'cs customers create');
  return askSearch<Customer>(context, {
    label: 'Customer',
    hint: 'part of the name, company, e-mail or phone',
    find: async (term, signal) => {
      if (term !== '') await delay(restMs, undefined, { signal });
      const { data, total } =
        term === '' ? latest : await client.customers.list({ q: term.slice(0, 200), limit: shown }, { signal, retries: 1 });
      const options = customerOptions(context, data);
      return [...options, ...more(total - options.length)];
    },
  });
}

/** Name and how to reach them in columns: two of the same name are told apart while both are seen. */
function customerOptions({ io, paint }: Context, customers: readonly Customer[]): Option<Customer>[] {
  const names = customers.map((one) => sanitize(personName(one) || one.companyName || one.email || one.phone || one.id));
  const nameWidth = widest(names, 30);
  return customers.map((customer, index) => {
    const name = names[index] as string;
    const known = [customer.companyName, customer.email, customer.phone].filter((part) => part && part !== name).join(' · ');
    const detail = sanitize(known || `since ${localTime(customer.createdAt)}`);
    const room = Math.max(8, (io.columns ?? 80) - nameWidth - 6);
    return { name: `${fill(name, nameWidth)}  ${paint.dim(fill(detail, room).trimEnd())}`, short: name, value: customer };
  });
}

const more = (count: number): Heading[] => (count > 0 ? [{ heading: ` … and ${grouped(count)} more: type on` }] : []);

const nobody = (one: string, command: string): CliError =>
  new CliError({
    code: 'not_found',
    message: `There is no ${one} yet. Nothing was stored.`,
    hint: `add one with \`${command}\``,
  });

async function askStart(context: Context): Promise<{ startAt: string; typed: string }> {
  const read = (text: string) => parseWhen(text, context.io.now(), 'begins');
  const typed = await askLine(context, {
    label: 'Begins',
    hint: timeExamples,
    check: (text) => validationMessage(() => read(text)),
  });
  return { startAt: read(typed), typed };
}

/** Enter alone takes the usual length, where there is one. */
async function askLength(context: Context, usual: number | undefined): Promise<number> {
  const read = (text: string) => (text === '' && usual !== undefined ? usual : parseSpan(text, 'takes'));
  const blank = usual === undefined ? undefined : pluralize(usual / 60_000, 'minute', 'minutes');
  const hint = blank === undefined ? '45m, 1h 30m' : `Enter for ${blank}`;
  return read(await askLine(context, { label: 'Takes', hint, blank, check: (text) => validationMessage(() => read(text)) }));
}
