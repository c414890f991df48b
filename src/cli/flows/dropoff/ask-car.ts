import { setTimeout as delay } from 'node:timers/promises';
import type { Client, RecordFor } from '../../../client/client.ts';
import type { Context } from '../../command.ts';
import { searchesFor, squeeze } from '../../matching.ts';
import { carName } from '../../names.ts';
import { sanitize } from '../../text.ts';
import { fill, widest } from '../columns.ts';
import { askSearch, type Option } from '../prompts.ts';
import { askNewCar } from './ask-new-car.ts';
import { describeCar, type NewCar } from './plan.ts';

type Car = RecordFor<'cars'>;

/** Time in milliseconds for which typing must rest before the server is asked. */
const restMs = 150;
const atMost = 50;
/** As many as leave the choice of a new car in sight. */
const shownCars = 8;

/** The car that arrives: one of those there are, or a new one. Cars that are expected come first. */
export async function askCar(context: Context): Promise<Car | NewCar> {
  const client = await context.client();
  // Read before the question stands: what is wrong with the key or the network ends the command, not the search.
  const arriving = await findArriving(client);
  const answer = await askSearch<Car | 'new'>(context, {
    label: 'Car',
    hint: 'part of its plate, VIN, make, model or nickname',
    find: async (term, signal) => {
      if (term !== '') await delay(restMs, undefined, { signal });
      const cars = term === '' ? arriving : await findCars(client, term, signal);
      const more = cars.length - shownCars;
      return [
        ...carOptions(context, cars.slice(0, shownCars)),
        ...(more > 0 ? [{ heading: ` … and ${more} more: type on` }] : []),
        newCarOption(cars.length === 0 && term !== '' ? term : undefined),
      ];
    },
  });
  return answer === 'new' ? askNewCar(context) : answer;
}

function newCarOption(term: string | undefined): Option<'new'> {
  const name = term === undefined ? '＋ Add a new car' : `＋ Add a new car (none found for “${sanitize(term)}”)`;
  return { name, short: 'new', value: 'new', deliberate: true };
}

async function findArriving(client: Client): Promise<Car[]> {
  const [expected, latest] = await Promise.all([
    client.cars.list({ status: 'expected', limit: atMost }),
    client.cars.list({ limit: atMost }),
  ]);
  const known = new Map([...expected.data, ...latest.data].map((car) => [car.id, car]));
  return offered([...known.values()]);
}

async function findCars(client: Client, term: string, signal: AbortSignal): Promise<Car[]> {
  const [exact = term, ...wider] = searchesFor(term);
  const ask = async (q: string) => offered((await client.cars.list({ q, limit: atMost }, { signal, retries: 1 })).data);
  const found = await ask(exact);
  for (const q of found.length > 0 ? [] : wider)
    found.push(...(await ask(q)).filter((car) => [car.licensePlate, car.vin].some((name) => squeeze(name ?? '').includes(squeeze(term)))));
  return found;
}

const offered = (cars: readonly Car[]) => cars.filter(({ status }) => status !== 'archived');

const states: Partial<Record<Car['status'], string>> = { expected: 'expected', stored: 'stored', checked_out: 'out' };

/** One line each: plate, car, nickname and state in columns. */
function carOptions({ io, paint }: Context, cars: readonly Car[]): Option<Car>[] {
  const plates = cars.map((car) => sanitize(car.licensePlate ?? '–'));
  const names = cars.map((car) => sanitize([carName(car), car.nickname && `“${car.nickname}”`].filter(Boolean).join(' ')));
  const plateWidth = widest(plates, 14);
  const stateWidth = 8;
  const nameWidth = widest(names, (io.columns ?? 80) - plateWidth - stateWidth - 8);
  return cars.map((car, index) => ({
    name: [fill(plates[index] ?? '', plateWidth), fill(names[index] ?? '', nameWidth), paint.dim(states[car.status] ?? '')]
      .join('  ')
      .trimEnd(),
    short: sanitize(describeCar(car)),
    value: car,
    about: sanitize([car.vin && `VIN ${car.vin}`, car.color].filter(Boolean).join(' · ')) || undefined,
  }));
}
