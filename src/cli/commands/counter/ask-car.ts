/** Prompts for a car: the search that the other commands use too, and the prompt for a parked car. */
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Client, type Page } from '../../../client/client.ts';
import { CliError } from '../../errors/exit.ts';
import { isUntold } from '../../errors/missing-path.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { type Car, describeCar } from '../../lookup/car.ts';
import { findLabels } from '../../lookup/find-labels.ts';
import { carName } from '../../lookup/labels.ts';
import { normalizeName, searchesFor } from '../../lookup/matching.ts';
import { plateRoom } from '../../output/view.ts';
import { askSearch, type Heading, moreHeading, type Option } from '../../prompts/prompts.ts';
import { sanitize } from '../../terminal/text.ts';
import { fill, widest } from '../../terminal/width.ts';
import { isParked } from './car.ts';

/** Milliseconds without a key before the server is asked. */
export const typingPause = 150;
/** Records that a search reads. */
export const searchLimit = 50;

const shownCars = 9;
/** Customers whose cars a search for an owner shows. */
const ownerLimit = 3;

/** A car that is parked here, by plate, VIN, make, model, nickname or owner. */
export async function askParkedCar(context: Context, initial?: string): Promise<Car> {
  const client = await context.client();
  // Before the prompt: a wrong key or a broken network ends the command, not a search.
  const stored = await carsInState(client, 'stored');
  // Another server may have states of its own: there the place of a car tells.
  const status = stored.data.length > 0 ? 'stored' : undefined;
  const mayBeHere = (cars: readonly Car[]) => (status ? cars : withoutArchived(cars).filter((car) => isParked(car) !== false));
  const latest = status ? stored.data : mayBeHere((await client.cars.list({ limit: searchLimit })).data);
  const total = status ? stored.total : undefined;
  if (latest.length === 0)
    throw new CliError({
      code: 'no_car_here',
      message: 'No cars are parked here. Nothing was stored.',
      hint: `drop one off with \`${nextCommand(['dropoff'], connectionFlags(context))}\``,
    });
  return askSearch<Car>(context, {
    label: 'Car',
    hint: 'plate, VIN, make, model, nickname or owner, or a part of it',
    initial,
    find: async (term, signal) => {
      if (term === '') return parkedCarOptions(context, latest, total ?? latest.length);
      await delay(typingPause, undefined, { signal });
      const { cars, total: matching } = await findCarsAndOwners(client, term, { signal, status });
      const found = mayBeHere(cars);
      return parkedCarOptions(context, found, status ? matching : found.length);
    },
  });
}

async function parkedCarOptions(context: Context, cars: readonly Car[], total: number): Promise<(Option<Car> | Heading)[]> {
  const first = cars.slice(0, shownCars);
  const ids = (field: 'parkingSpotId' | 'parkingZoneId') => new Set(first.map((car) => car[field]).filter((id) => typeof id === 'string'));
  const labels = await findLabels(
    context,
    new Map([
      ['parkingSpots', ids('parkingSpotId')],
      ['parkingZones', ids('parkingZoneId')],
    ]),
  );
  const place = ({ parkingSpotId, parkingZoneId }: Car) =>
    labels.get('parkingSpots')?.get(parkingSpotId ?? '') ?? labels.get('parkingZones')?.get(parkingZoneId ?? '') ?? '';
  return [...carOptions(context, first, place), ...moreHeading(total - first.length)];
}

/** The first cars of a search, and how many there are. */
export interface FoundCars {
  readonly cars: Car[];
  readonly total: number;
}

interface Search {
  readonly signal: AbortSignal;
  readonly status?: Car['status'];
}

/** The first cars in a state; none where the server can't tell its cars apart by it. */
export function carsInState(client: Client, status: Car['status']): Promise<Pick<Page<Car>, 'data' | 'total'>> {
  return client.cars.list({ status, limit: searchLimit }).catch((error: unknown) => {
    if (isUntold(error)) return { data: [], total: undefined };
    throw error;
  });
}

/** Cars that match, then those of owners who match. `total` is how many there are, as far as the server tells. */
export async function findCarsAndOwners(client: Client, term: string, search: Search): Promise<FoundCars> {
  const [found, owned] = await Promise.all([findCars(client, term, search), findByOwner(client, term, search)]);
  const cars = [...new Map([...found.cars, ...owned].map((car) => [car.id, car])).values()];
  return { cars, total: Math.max(cars.length, found.total + cars.length - found.cars.length) };
}

/** Cars of customers who match, without archived ones. Empty without the scope. */
async function findByOwner(client: Client, q: string, { signal, status }: Search): Promise<Car[]> {
  try {
    const owners = await client.customers.list({ q: q.slice(0, 200), limit: ownerLimit }, { signal, retries: 1 });
    const cars = owners.data.map(({ id }) => client.cars.list({ customerId: id, status, limit: searchLimit }, { signal, retries: 1 }));
    return withoutArchived((await Promise.all(cars)).flatMap(({ data }) => data));
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return [];
    throw error;
  }
}

/** Cars by a part of plate, VIN, make, model or nickname, without archived ones. */
export async function findCars(client: Client, term: string, { signal, status }: Search): Promise<FoundCars> {
  const [exact = term, ...wider] = searchesFor(term);
  const search = async (q: string): Promise<FoundCars> => {
    const { data, total } = await client.cars.list({ q, status, limit: searchLimit }, { signal, retries: 1 });
    const cars = withoutArchived(data);
    return { cars, total: Math.max(cars.length, (total ?? data.length) - (data.length - cars.length)) };
  };
  const found = await search(exact);
  if (found.cars.length > 0) return found;
  const cars: Car[] = [];
  for (const q of wider) {
    const named = (await search(q)).cars.filter(({ licensePlate, vin }) =>
      [licensePlate, vin].some((name) => normalizeName(name ?? '').includes(normalizeName(term))),
    );
    cars.push(...named);
  }
  return { cars, total: cars.length };
}

export const withoutArchived = (cars: readonly Car[]) => cars.filter(({ status }) => status !== 'archived');

/** A line for each car in columns: plate, name, and `detail`. */
export function carOptions({ io, styles }: Context, cars: readonly Car[], detail: (car: Car) => string): Option<Car>[] {
  const plates = cars.map((car) => sanitize(car.licensePlate ?? '–'));
  const names = cars.map((car) => sanitize([carName(car), car.nickname && `“${car.nickname}”`].filter(Boolean).join(' ')));
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
    about: sanitize([car.vin && `VIN ${car.vin}`, car.color].filter(Boolean).join(' · ')) || undefined,
  }));
}
