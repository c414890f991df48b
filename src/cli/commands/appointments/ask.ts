/** The prompts of `cs appointments create` for missing values. Nothing is stored. */

import { setTimeout as delay } from 'node:timers/promises';
import type { RecordFor } from '../../../contract/contract.ts';
import { gather } from '../../crud/methods.ts';
import { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { localTime, parseSpan, parseWhen, timeExamples } from '../../input/when.ts';
import type { Car } from '../../lookup/car.ts';
import { personName } from '../../lookup/labels.ts';
import { askLine, askOption, askSearch, type Option, validationMessage } from '../../prompts/prompts.ts';
import { pluralize, sanitize, stateWords } from '../../terminal/text.ts';
import { fill, widest } from '../../terminal/width.ts';
import { carOptions, findCarsAndOwners, moreHeading, searchLimit, typingPause, withoutArchived } from '../counter/ask-car.ts';
import { typeName } from '../counter/event.ts';
import { type AppointmentPlan, defaultDuration, type EventType } from './plan.ts';

type Customer = RecordFor<'customers'>;

const shown = 9;

/** Adds the answers to the plan. */
export async function askMissing(context: Context, plan: AppointmentPlan): Promise<void> {
  const { body } = plan;
  if (!plan.typeGiven) {
    plan.type = await askType(context);
    plan.typeGiven = true;
    if (plan.type) body.eventTypeId = plan.type.id;
  }
  const { type } = plan;
  if (type && body.optionId === undefined && (type.options ?? []).length > 0) {
    const optionId = await askTypeOption(context, type);
    if (optionId !== undefined) body.optionId = optionId;
  }
  if (type?.scope === 'vehicle' && body.carId === undefined) body.carId = (await askCar(context)).id;
  if (type?.scope === 'customer' && body.customerId === undefined) body.customerId = (await askCustomer(context)).id;
  if (body.startAt === undefined) {
    const { startAt, typed } = await askStart(context);
    body.startAt = startAt;
    plan.at = typed;
  }
  if (body.endAt === undefined && plan.duration === undefined) plan.duration = await askDuration(context, defaultDuration(plan));
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
    options: [...options, { name: 'Something else', short: 'no type', value: undefined, about: 'No event type' }],
  });
}

async function askTypeOption(context: Context, { options }: EventType): Promise<string | undefined> {
  const choices: Option<string | undefined>[] = options.map(({ id, name }) => ({
    name: sanitize(name),
    short: sanitize(name),
    value: id,
  }));
  return askOption(context, { label: 'Option', options: [...choices, { name: 'None of them', short: 'none', value: undefined }] });
}

async function askCar(context: Context): Promise<Car> {
  const client = await context.client();
  // Before the prompt: a wrong key or a broken network ends the command, not a search.
  const { data, total } = await client.cars.list({ limit: searchLimit });
  const latest = withoutArchived(data);
  if (latest.length === 0) throw noneExist('car', 'cs cars create');
  return askSearch<Car>(context, {
    label: 'Car',
    hint: 'plate, VIN, make, model, nickname or owner, or a part of it',
    find: async (term, signal) => {
      if (term !== '') await delay(typingPause, undefined, { signal });
      const found = term === '' ? { cars: latest, total: total ?? data.length } : await findCarsAndOwners(client, term, { signal });
      const options = carOptions(context, found.cars.slice(0, shown), ({ status }) => stateWords(status));
      return [...options, ...moreHeading(found.total - options.length)];
    },
  });
}

async function askCustomer(context: Context): Promise<Customer> {
  const client = await context.client();
  const latest = await client.customers.list({ limit: shown });
  if (latest.data.length === 0) throw noneExist('customer', 'cs customers create');
  return askSearch<Customer>(context, {
    label: 'Customer',
    hint: 'name, company, e-mail or phone, or a part of it',
    find: async (term, signal) => {
      if (term !== '') await delay(typingPause, undefined, { signal });
      const { data, total } =
        term === '' ? latest : await client.customers.list({ q: term.slice(0, 200), limit: shown }, { signal, retries: 1 });
      const options = customerOptions(context, data);
      return [...options, ...moreHeading((total ?? data.length) - options.length)];
    },
  });
}

/** Name and contact in columns, so that equal names differ. */
function customerOptions({ io, styles }: Context, customers: readonly Customer[]): Option<Customer>[] {
  const names = customers.map((one) => sanitize(personName(one) || one.companyName || one.email || one.phone || one.id));
  const nameWidth = widest(names, 30);
  return customers.map((customer, index) => {
    const name = names[index] as string;
    const contact = [customer.companyName, customer.email, customer.phone].filter((part) => part && part !== name).join(' · ');
    const detail = sanitize(contact || `since ${localTime(customer.createdAt)}`);
    const room = Math.max(8, (io.columns ?? 80) - nameWidth - 6);
    return { name: `${fill(name, nameWidth)}  ${styles.dim(fill(detail, room).trimEnd())}`, short: name, value: customer };
  });
}

const noneExist = (one: string, command: string): CliError =>
  new CliError({
    code: 'not_found',
    message: `No ${one}s exist yet. Nothing was stored.`,
    hint: `add one with \`${command}\``,
  });

async function askStart(context: Context): Promise<{ startAt: string; typed: string }> {
  const read = (text: string) => parseWhen(text, context.io.now(), 'start');
  const typed = await askLine(context, {
    label: 'Start',
    hint: timeExamples,
    check: (text) => validationMessage(() => read(text)),
  });
  return { startAt: read(typed), typed };
}

/** Enter accepts the default. */
async function askDuration(context: Context, byDefault: number | undefined): Promise<number> {
  const read = (text: string) => (text === '' && byDefault !== undefined ? byDefault : parseSpan(text, 'duration'));
  const blank = byDefault === undefined ? undefined : pluralize(byDefault / 60_000, 'minute', 'minutes');
  const hint = blank === undefined ? '45m, 1h 30m' : `Enter for ${blank}`;
  return read(await askLine(context, { label: 'Duration', hint, blank, check: (text) => validationMessage(() => read(text)) }));
}
