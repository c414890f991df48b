import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../../client/client.ts';
import type { Context } from '../../framework/context.ts';
import type { Car } from '../../lookup/car.ts';
import { askSearch, type Option } from '../../prompts/prompts.ts';
import { sanitize } from '../../terminal/text.ts';
import { carOptions } from '../counter/car-options.ts';
import { atMost, findCars, restMs } from '../counter/search-cars.ts';
import { askNewCar } from './ask-new-car.ts';
import type { NewCar } from './plan.ts';

/** As many as leave the choice of a new car in sight. */
const shownCars = 8;

/** The car that arrives: one of those there are, or a new one. Cars that are expected come first; `typed` is searched for before that. */
export async function askCar(context: Context, typed?: string): Promise<Car | NewCar> {
  const client = await context.client();
  // Read before the question stands: what is wrong with the key or the network ends the command, not the search.
  const arriving = await findArriving(client);
  let sought = typed ?? '';
  const answer = await askSearch<Car | 'new'>(context, {
    label: 'Car',
    hint: 'part of its plate, VIN, make, model or nickname',
    initial: typed,
    find: async (term, signal) => {
      sought = term;
      if (term !== '') await delay(restMs, undefined, { signal });
      const cars = term === '' ? arriving : await findCars(client, term, { signal });
      const more = cars.length - shownCars;
      return [
        ...carOptions(context, cars.slice(0, shownCars), ({ status }) => states[status] ?? ''),
        ...(more > 0 ? [{ heading: ` … and ${more} more: type on` }] : []),
        newCarOption(cars.length === 0 && term !== '' ? term : undefined),
      ];
    },
  });
  return answer === 'new' ? askNewCar(context, sought) : answer;
}

function newCarOption(term: string | undefined): Option<'new'> {
  const name = term === undefined ? '＋ Add a new car' : `＋ Add a new car (none found for “${sanitize(term)}”)`;
  return { name, short: 'new', value: 'new', deliberate: true };
}

/** Those that are not here: who brings a car that is, has mistaken it, or wants `cs move`. A search finds it all the same. */
async function findArriving(client: Client): Promise<Car[]> {
  const [expected, out] = await Promise.all(
    (['expected', 'checked_out'] as const).map((status) => client.cars.list({ status, limit: atMost })),
  );
  return [...(expected?.data ?? []), ...(out?.data ?? [])];
}

const states: Partial<Record<Car['status'], string>> = { expected: 'expected', stored: 'stored', checked_out: 'out' };
