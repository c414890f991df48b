/** The prompts of `cs dropoff` for what the flags leave open. Nothing is stored. */
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Client, type CreateFor, type RecordFor } from '../../../client/client.ts';
import { check } from '../../../contract/check.ts';
import { contract } from '../../../contract/contract.ts';
import type { Context } from '../../framework/context.ts';
import type { Car } from '../../lookup/car.ts';
import { personName } from '../../lookup/labels.ts';
import { askLine, askSearch, type Option } from '../../prompts/prompts.ts';
import { sanitize } from '../../terminal/text.ts';
import { carOptions, carsInState, findCars, moreHeading, searchLimit, typingPause, withoutArchived } from '../counter/ask-car.ts';
import { askNotes, askType, matchingTypes, readScopes } from '../counter/ask-event.ts';
import { askPlace, requirePlaces } from '../counter/ask-place.ts';
import { isParked } from '../counter/car.ts';
import { requiresPlace } from '../counter/event-type.ts';
import { askPhotos } from '../photos/ask.ts';
import {
  type DropoffFlags,
  type DropoffPlan,
  dropoffRank,
  findFulfilled,
  isDropoffType,
  isNew,
  type NewCar,
  type PartialPlan,
} from './plan.ts';

type Customer = RecordFor<'customers'>;

/** With --yes prompts for required values alone. Missing scopes and places fail before the first prompt. */
export async function askPlan(context: Context, given: PartialPlan, flags: DropoffFlags): Promise<DropoffPlan> {
  const requireScopes = await readScopes(context, 'drop-off');
  requireScopes('read:cars', 'write:cars');
  const types = given.eventType
    ? [given.eventType]
    : await matchingTypes(context, { what: 'drop-off', matches: isDropoffType, rank: dropoffRank });
  const requireParking = async () => {
    requireScopes('write:parking');
    if (given.place) return;
    requireScopes('read:parking');
    await requirePlaces(context);
  };
  if (given.place || types.every(requiresPlace)) await requireParking();
  const { yes } = context.settings;
  const car = given.car ?? (await askCar(context, flags.car));
  const eventType = await askType(context, types);
  if (requiresPlace(eventType)) await requireParking();
  const place = given.place ?? (requiresPlace(eventType) ? await askPlace(context, isNew(car) ? undefined : car) : undefined);
  const appointment = await findFulfilled(context, { car, eventType }, flags);
  const notes = given.notes ?? (yes ? undefined : await askNotes(context));
  const photos = given.photos ?? (yes ? [] : await askPhotos(context, flags));
  return { ...given, car, eventType, place, appointment, notes, photos };
}

/** Few enough to keep the option for a new car on the screen. */
const shownCars = 8;

const statusNames: Partial<Record<Car['status'], string>> = { expected: 'expected', stored: 'stored', checked_out: 'picked up' };

/** A car, expected ones first, or a new one. `initial` is the search term to start with. */
async function askCar(context: Context, initial?: string): Promise<Car | NewCar> {
  const client = await context.client();
  // Before the prompt: a wrong key or a broken network ends the command, not a search.
  const absent = await readAbsentCars(client);
  let searched = initial ?? '';
  const answer = await askSearch<Car | 'new'>(context, {
    label: 'Car',
    hint: 'plate, VIN, make, model or nickname, or a part of it',
    initial,
    find: async (term, signal) => {
      searched = term;
      if (term !== '') await delay(typingPause, undefined, { signal });
      const cars = term === '' ? absent : await findCars(client, term, { signal });
      return [
        ...carOptions(context, cars.slice(0, shownCars), ({ status }) => statusNames[status] ?? ''),
        ...moreHeading(cars.length - shownCars),
        newCarOption(cars.length === 0 && term !== '' ? term : undefined),
      ];
    },
  });
  return answer === 'new' ? askNewCar(context, searched) : answer;
}

function newCarOption(notFound: string | undefined): Option<'new'> {
  const name = notFound === undefined ? '＋ Add a new car' : `＋ Add a new car (“${sanitize(notFound)}” not found)`;
  return { name, short: 'new', value: 'new', deliberate: true };
}

/** Cars that aren't here, expected ones first. A car that is here is found by typing. */
async function readAbsentCars(client: Client): Promise<Car[]> {
  const [expected, checkedOut] = await Promise.all((['expected', 'checked_out'] as const).map((status) => carsInState(client, status)));
  const absent = [...(expected?.data ?? []), ...(checkedOut?.data ?? [])];
  if (absent.length > 0) return absent;
  // Another server may have states of its own: there the place of a car tells.
  return withoutArchived((await client.cars.list({ limit: searchLimit })).data).filter((car) => !isParked(car));
}

/** A new car, stored with the drop-off. `searched` becomes its plate if it looks like one. */
async function askNewCar(context: Context, searched = ''): Promise<NewCar> {
  const nextYear = context.io.now().getFullYear() + 1;
  const year = await askField(context, { field: 'year', label: 'Year', latest: nextYear });
  const make = await askField(context, { field: 'make', label: 'Make' });
  const model = await askField(context, { field: 'model', label: 'Model' });
  const licensePlate = await askField(context, {
    field: 'licensePlate',
    label: 'Plate',
    hint: 'optional, Enter to skip',
    initial: plateIn(searched),
  });
  const nickname = await askField(context, { field: 'nickname', label: 'Nickname', hint: 'optional, Enter to skip' });
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

/** The text as a plate: short groups of letters and digits. Longer words are a make, a model or a name. */
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

/** Checked by the contract while the answer can still be corrected. */
function askField(context: Context, { field, label, hint, latest, initial }: FieldQuestion): Promise<string> {
  const { schema, create } = contract.cars.fields[field];
  return askLine(context, {
    label,
    hint,
    initial,
    check: (text) => {
      if (text === '') return create === 'required' ? `${label} is required.` : undefined;
      const value = field === 'year' && /^\d+$/.test(text) ? Number(text) : text;
      const checked = check(schema, value);
      if ('issues' in checked) return `${label} ${checked.issues[0]?.message}.`;
      return latest !== undefined && Number(value) > latest ? `${label} must be at most ${latest}.` : undefined;
    },
  });
}

/** Undefined without the scope or without customers: the owner can be added later. */
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
    hint: 'name, company or e-mail, or a part of it',
    find: async (term, signal) => {
      if (term === '') return [none, ...recent.map(customerOption)];
      await delay(typingPause, undefined, { signal });
      return [...(await readCustomers(client, term, signal)).map(customerOption), none];
    },
  });
}

const readCustomers = async (client: Client, q?: string, signal?: AbortSignal) =>
  (await client.customers.list({ q: q?.slice(0, 200), limit: searchLimit }, { signal })).data;

const customerName = (customer: Customer): string =>
  personName(customer) || customer.companyName || customer.email || customer.phone || customer.id;

function customerOption(customer: Customer): Option<Customer> {
  const name = sanitize(customerName(customer));
  const about = [personName(customer) && customer.companyName, customer.email, customer.phone].filter(Boolean).join(' · ');
  return { name, value: customer, about: sanitize(about) || undefined };
}
