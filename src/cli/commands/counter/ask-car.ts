/** Prompts for a car: the search that the other commands use too, and the prompt for a parked car. */
import { ApiError, type Client, type Page } from '../../../client/client.ts';
import { type Car, carName, describeCar } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isUntold } from '../../errors/missing-path.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { normalizeName, searchesFor } from '../../input/matching.ts';
import { plateRoom } from '../../output/view.ts';
import { askFound, type Found, type Listed, listedIn } from '../../prompts/ask-found.ts';
import type { Option } from '../../prompts/options.ts';
import { recordsShown } from '../../prompts/prompts.ts';
import { findLabels } from '../../resources/find-labels.ts';
import { sanitize } from '../../terminal/text.ts';
import { fill, widest } from '../../terminal/width.ts';
import type { UnknownCar } from './ask-new-car.ts';
import { isParked } from './car.ts';

/** Records that a search reads. */
export const searchLimit = 50;

/** Customers whose cars a search for an owner shows. */
const ownerLimit = 3;

export const carSearchHint = 'plate, VIN, make, model, nickname or owner, or a part of it';

/** A car that is parked here, by plate, VIN, make, model, nickname or owner. */
export async function askParkedCar(
  context: Context,
  {
    initial,
    earlier,
  }: { readonly initial?: string | undefined; readonly earlier?: Car | undefined },
): Promise<Car> {
  const client = await context.client();
  // Before the prompt: a wrong key or a broken network ends the command, not a search.
  const { latest, total, status, mayBeHere } = await readParkedCars(client);
  if (latest.length === 0)
    throw new CliError({
      code: 'not_found',
      message: 'No cars are parked here. Nothing was stored.',
      hint: `drop one off with \`${nextCommand(['dropoff'], connectionFlags(context))}\``,
    });
  return askFound<Car>(context, {
    label: 'Car',
    one: 'parked car',
    hint: carSearchHint,
    initial,
    earlier,
    latest: { records: latest, total: total ?? latest.length },
    async find(term, signal) {
      const { records, total: matching } = await findCarsAndOwners(client, term, {
        signal,
        status,
      });
      const here = mayBeHere(records);
      return { records: here, total: status ? matching : here.length };
    },
    async listed() {
      const { records, isWhole } = await listCars(client, status);
      return { records: mayBeHere(records), isWhole };
    },
    textsOf: carTexts,
    shown: recordsShown(context.io),
    optionsOf: (cars) => parkedCarOptions(context, cars),
  });
}

/** Whether there is a car to choose. */
export const isAnyCarHere = async (context: Context): Promise<boolean> =>
  (await readParkedCars(await context.client())).latest.length > 0;

async function readParkedCars(client: Client) {
  const stored = await carsInState(client, 'stored');
  // Another server may have states of its own: there the place of a car tells.
  const status = stored.data.length > 0 ? ('stored' as const) : undefined;
  const mayBeHere = (cars: readonly Car[]) =>
    status ? cars : withoutArchived(cars).filter((car) => isParked(car) !== false);
  const latest = status
    ? stored.data
    : mayBeHere((await client.cars.list({ limit: searchLimit })).data);
  return { latest, total: status ? stored.total : undefined, status, mayBeHere };
}

async function parkedCarOptions(context: Context, cars: readonly Car[]): Promise<Option<Car>[]> {
  const ids = (field: 'parkingSpotId' | 'parkingZoneId') =>
    new Set(cars.map((car) => car[field]).filter((id) => typeof id === 'string'));
  const labels = await findLabels(
    context,
    new Map([
      ['parkingSpots', ids('parkingSpotId')],
      ['parkingZones', ids('parkingZoneId')],
    ]),
  );
  const place = ({ parkingSpotId, parkingZoneId }: Car) =>
    labels.get('parkingSpots')?.get(parkingSpotId ?? '') ??
    labels.get('parkingZones')?.get(parkingZoneId ?? '') ??
    '';
  return carOptions(context, cars, place);
}

interface Search {
  readonly signal: AbortSignal;
  readonly status?: Car['status'];
}

/** The first cars in a state; none where the server can't tell its cars apart by it. */
function carsInState(
  client: Client,
  status: Car['status'],
): Promise<Pick<Page<Car>, 'data' | 'total'>> {
  return client.cars.list({ status, limit: searchLimit }).catch((error: unknown) => {
    if (isUntold(error)) return { data: [], total: 0 };
    throw error;
  });
}

/** The first cars of these states, in this order. Undefined where there are none: another server may have states of its own. */
export async function carsByState(
  client: Client,
  states: readonly Car['status'][],
): Promise<Found<Car> | undefined> {
  const lists = await Promise.all(states.map((status) => carsInState(client, status)));
  const records = lists.flatMap(({ data }) => data);
  if (records.length === 0) return undefined;
  return {
    records,
    total: lists.reduce((sum, { data, total }) => sum + (total ?? data.length), 0),
  };
}

/** Cars that match, then those of owners who match. `total` is how many there are, as far as the server tells. */
export async function findCarsAndOwners(
  client: Client,
  term: string,
  search: Search,
): Promise<Found<Car>> {
  const [found, owned] = await Promise.all([
    findCars(client, term, search),
    findByOwner(client, term, search),
  ]);
  const records = [...new Map([...found.records, ...owned].map((car) => [car.id, car])).values()];
  return {
    records,
    total: Math.max(records.length, found.total + records.length - found.records.length),
  };
}

/** Cars of customers who match, without archived ones. Empty without the scope, and where customers don't tell. */
async function findByOwner(client: Client, q: string, { signal, status }: Search): Promise<Car[]> {
  try {
    const owners = await client.customers.list(
      { q: q.slice(0, 200), limit: ownerLimit },
      { signal, retries: 1 },
    );
    const cars = owners.data.map(({ id }) =>
      client.cars.list({ customerId: id, status, limit: searchLimit }, { signal, retries: 1 }),
    );
    return withoutArchived((await Promise.all(cars)).flatMap(({ data }) => data));
  } catch (error) {
    if (isUntold(error) || (error instanceof ApiError && [403, 404].includes(error.status)))
      return [];
    throw error;
  }
}

/** Cars by a part of plate, VIN, make, model or nickname, without archived ones. */
export async function findCars(
  client: Client,
  term: string,
  { signal, status }: Search,
): Promise<Found<Car>> {
  const [exact = term, ...wider] = searchesFor(term);
  const search = async (q: string): Promise<Found<Car>> => {
    const { data, total } = await client.cars.list(
      { q, status, limit: searchLimit },
      { signal, retries: 1 },
    );
    const records = withoutArchived(data);
    return {
      records,
      total: Math.max(records.length, (total ?? data.length) - (data.length - records.length)),
    };
  };
  const found = await search(exact);
  if (found.records.length > 0) return found;
  const records: Car[] = [];
  for (const q of wider) {
    const named = (await search(q)).records.filter(({ licensePlate, vin }) =>
      [licensePlate, vin].some((name) => normalizeName(name ?? '').includes(normalizeName(term))),
    );
    records.push(...named);
  }
  return { records, total: records.length };
}

/** The start of the list of cars, without archived ones. */
export async function listCars(client: Client, status?: Car['status']): Promise<Listed<Car>> {
  const { records, isWhole } = listedIn(await client.cars.list({ status, limit: 200 }));
  return { records: withoutArchived(records), isWhole };
}

/** What a short text is looked up in. Nearly every one is part of some VIN. */
export const carTexts = ({ licensePlate, make, model, nickname }: Car): unknown[] => [
  licensePlate,
  make,
  model,
  nickname,
];

export const withoutArchived = (cars: readonly Car[]) =>
  cars.filter(({ status }) => status !== 'archived');

/** A line for each car in columns: plate, name, and `detail`. */
export function carOptions(
  { io, styles }: Context,
  cars: readonly Car[],
  detail: (car: Car) => string,
): Option<Car>[] {
  const plates = cars.map((car) => sanitize(car.licensePlate ?? '–'));
  const names = cars.map((car) =>
    sanitize([carName(car), car.nickname && `“${car.nickname}”`].filter(Boolean).join(' ')),
  );
  const details = cars.map((car) => sanitize(detail(car)));
  const plateWidth = widest(plates, plateRoom(io.columns ?? 80));
  const detailWidth = Math.max(8, widest(details, 16));
  const nameWidth = widest(names, (io.columns ?? 80) - plateWidth - detailWidth - 8);
  return cars.map((car, index) => ({
    name: [
      fill(plates[index] ?? '', plateWidth),
      fill(names[index] ?? '', nameWidth),
      styles.dim(fill(details[index] ?? '', detailWidth).trimEnd()),
    ]
      .join('  ')
      .trimEnd(),
    short: sanitize(describeCar(car)),
    value: car,
    about:
      sanitize([car.vin && `VIN ${car.vin}`, car.color].filter(Boolean).join(' · ')) || undefined,
  }));
}

const statusNames: Partial<Record<Car['status'], string>> = {
  expected: 'expected',
  stored: 'stored',
  checked_out: 'picked up',
};

interface CarQuestion {
  /** What is searched for at first. */
  readonly initial: string | undefined;
  readonly earlier: Car | UnknownCar | undefined;
}

/** A car, expected ones first, or a new one. */
export async function askCarToDropOff(
  context: Context,
  { initial, earlier }: CarQuestion,
): Promise<Car | UnknownCar> {
  const client = await context.client();
  // Before the prompt: a wrong key or a broken network ends the command, not a search.
  const latest = await readAbsentCars(client);
  return askFound<Car, UnknownCar>(context, {
    label: 'Car',
    hint: carSearchHint,
    initial,
    earlier,
    latest,
    find: (typed, signal) => findCarsAndOwners(client, typed, { signal }),
    listed: () => listCars(client),
    textsOf: carTexts,
    // With the option for a new car below.
    shown: recordsShown(context.io) - 1,
    optionsOf: (cars) => carOptions(context, cars, ({ status }) => statusNames[status] ?? ''),
    others: ({ typed, notFound }) => ({ below: [newCarOption(typed, notFound)] }),
  });
}

function newCarOption(searched: string, notFound: string | undefined): Option<UnknownCar> {
  const name =
    notFound === undefined
      ? '＋ Add a new car'
      : `＋ Add a new car (“${sanitize(notFound)}” not found)`;
  return { name, short: 'new', value: { kind: 'new', searched }, deliberate: true };
}

/** Cars that aren't here, expected ones first. A car that is here is found by typing. */
async function readAbsentCars(client: Client): Promise<Found<Car>> {
  const absent = await carsByState(client, ['expected', 'checked_out']);
  if (absent) return absent;
  // Another server may have states of its own: there the place of a car tells.
  const all = withoutArchived((await client.cars.list({ limit: searchLimit })).data).filter(
    (car) => !isParked(car),
  );
  return { records: all, total: all.length };
}
