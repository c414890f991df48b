/** The questions for a car. */
import { ApiError, type Client } from '../../../client/client.ts';
import { type Car, carName, describeCar } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { isFieldMissing } from '../../errors/missing-path.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import type { Found } from '../../prompts/ask-found.ts';
import { findLabels } from '../../resources/find-labels.ts';
import { askRecord, type NewRecord } from '../../resources/record-form.ts';
import { stateWords } from '../../terminal/text.ts';
import { isParked } from './car.ts';
import { refusal } from './refusal.ts';

export const carSearchHint = 'plate, VIN, make, model, nickname or owner, or a part of it';

type Question = Omit<Parameters<typeof askRecord<Car>>[1], 'resource' | 'label' | 'also'>;

/** One car, by what people call it or its owner. */
export async function askCar(context: Context, question: Question): Promise<Car | NewRecord> {
  const client = await context.client();
  return (await askRecord<Car>(context, {
    hint: carSearchHint,
    // Nearly every short text is part of some VIN.
    textsOf: ({ licensePlate, make, model, nickname }) => [licensePlate, make, model, nickname],
    describe: (car) => ({
      detail: [carName(car), car.nickname && `“${car.nickname}”`].filter(Boolean).join(' '),
      short: describeCar(car),
      about: [car.vin && `VIN ${car.vin}`, car.color].filter(Boolean).join(' · '),
    }),
    stateOf: async () => (car) =>
      car.status === 'checked_out' ? 'picked up' : stateWords(car.status),
    ...question,
    label: 'Car',
    resource: 'cars',
    also: (typed, signal) => carsOfOwners(client, typed, { query: question.query, signal }),
  })) as Car | NewRecord;
}

/** Customers whose cars a search for an owner shows. */
const ownerLimit = 3;

/** Empty where the key or the server doesn't tell. */
async function carsOfOwners(
  client: Client,
  typed: string,
  { query, signal }: { readonly query: Question['query']; readonly signal: AbortSignal },
): Promise<Car[]> {
  const how = { signal, retries: 1 };
  try {
    const owners = await client.customers.list({ q: typed.slice(0, 200), limit: ownerLimit }, how);
    const lists = owners.data.map(({ id }) =>
      client.cars.list({ ...query, customerId: id, limit: 50 }, how),
    );
    return (await Promise.all(lists)).flatMap(({ data }) => data);
  } catch (error) {
    if (isFieldMissing(error) || (error instanceof ApiError && [403, 404].includes(error.status)))
      return [];
    throw error;
  }
}

/** The first cars in these states, in this order. Undefined where the server doesn't show a state. */
export async function carsByState(
  client: Client,
  states: readonly Car['status'][],
): Promise<Found<Car> | undefined> {
  const lists = await Promise.all(
    states.map((status) => client.cars.list({ status, limit: 50 })),
  ).catch((error: unknown) => {
    if (!isFieldMissing(error)) throw error;
  });
  if (!lists) return undefined;
  return {
    records: lists.flatMap(({ data }) => data),
    total: lists.reduce((sum, { data, total = data.length }) => sum + total, 0),
  };
}

interface Chosen {
  /** What is searched for at first. */
  readonly initial: string | undefined;
  readonly earlier?: Car | NewRecord | undefined;
}

/** A car that is away, expected ones first, or a new one. One that is here is found by typing. */
export async function askCarToDropOff(context: Context, chosen: Chosen): Promise<Car | NewRecord> {
  const first = await carsByState(await context.client(), ['expected', 'checked_out']);
  return askCar(context, { ...chosen, ...(first && { first }), mayAdd: true });
}

/** A car that is parked here. */
export async function askParkedCar(context: Context, chosen: Chosen): Promise<Car> {
  const client = await context.client();
  const stored = await carsByState(client, ['stored']);
  const dropoff = nextCommand(['dropoff'], connectionFlags(context));
  // Another server may have states of its own: there the place of a car tells.
  const all = stored?.records.length
    ? undefined
    : (await client.cars.list({ limit: 200 })).data.filter(
        (car) => car.status !== 'archived' && isParked(car) !== false,
      );
  if (all?.length === 0)
    throw refusal('not_found', 'No cars are parked here.', `drop one off with \`${dropoff}\``);
  return (await askCar(context, {
    ...chosen,
    first: all ? { records: all, total: all.length } : (stored as Found<Car>),
    ...(!all && { query: { status: 'stored' } }),
    one: 'parked car',
    otherwise: `drop it off with \`${dropoff}\``,
    async stateOf(cars) {
      const ids = (field: 'parkingSpotId' | 'parkingZoneId') =>
        new Set(cars.map((car) => car[field]).filter((id) => typeof id === 'string'));
      const [spots, zones] = ['parkingSpots', 'parkingZones'] as const;
      const wanted = new Map([
        [spots, ids('parkingSpotId')],
        [zones, ids('parkingZoneId')],
      ]);
      const labels = await findLabels(context, wanted);
      return ({ parkingSpotId, parkingZoneId }) =>
        labels.get(spots)?.get(parkingSpotId ?? '') ??
        labels.get(zones)?.get(parkingZoneId ?? '') ??
        '';
    },
  })) as Car;
}
