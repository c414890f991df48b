import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Client } from '../../../client/client.ts';
import { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import type { Car } from '../../lookup/car.ts';
import { findLabels } from '../../lookup/find-labels.ts';
import { askSearch, type Heading, type Option } from '../../prompts/prompts.ts';
import { grouped } from '../../terminal/text.ts';
import { carOptions } from './car-options.ts';
import { atMost, findCars, restMs } from './search-cars.ts';

const shown = 9;
/** People of the same name whose cars are shown. */
const ownersAtMost = 3;

/** One of the cars that are here, found by plate, VIN, make, model, nickname or owner; `typed` is searched for first. */
export async function askStoredCar(context: Context, typed?: string): Promise<Car> {
  const client = await context.client();
  // Read before the question stands: what is wrong with the key or the network ends the command, not the search.
  const { data: latest, total } = await client.cars.list({ status: 'stored', limit: atMost });
  if (total === 0)
    throw new CliError({
      code: 'no_car_here',
      message: 'No car is here. Nothing was stored.',
      hint: `take one in with \`${nextCommand(['dropoff'], connectionFlags(context))}\``,
    });
  return askSearch<Car>(context, {
    label: 'Car',
    hint: 'part of its plate, VIN, make, model, nickname or owner',
    initial: typed,
    find: async (term, signal) => {
      if (term === '') return optionsOf(context, latest, total);
      await delay(restMs, undefined, { signal });
      const [cars, owned] = await Promise.all([findCars(client, term, { signal, status: 'stored' }), findOwned(client, term, signal)]);
      const found = [...new Map([...cars, ...owned].map((car) => [car.id, car])).values()];
      return optionsOf(context, found, found.length);
    },
  });
}

async function optionsOf(context: Context, cars: readonly Car[], total: number): Promise<(Option<Car> | Heading)[]> {
  const first = cars.slice(0, shown);
  const ids = (field: 'parkingSpotId' | 'parkingZoneId') => new Set(first.map((car) => car[field]).filter((id) => id !== null));
  const labels = await findLabels(
    context,
    new Map([
      ['parkingSpots', ids('parkingSpotId')],
      ['parkingZones', ids('parkingZoneId')],
    ]),
  );
  const place = ({ parkingSpotId, parkingZoneId }: Car) =>
    labels.get('parkingSpots')?.get(parkingSpotId ?? '') ?? labels.get('parkingZones')?.get(parkingZoneId ?? '') ?? '';
  const more = total - first.length;
  return [...carOptions(context, first, place), ...(more > 0 ? [{ heading: ` … and ${grouped(more)} more: type on` }] : [])];
}

/** Cars that are here and whose owner is called so. None, where customers may not be read. */
async function findOwned(client: Client, q: string, signal: AbortSignal): Promise<Car[]> {
  try {
    const owners = await client.customers.list({ q: q.slice(0, 200), limit: ownersAtMost }, { signal, retries: 1 });
    const cars = owners.data.map(({ id }) => client.cars.list({ customerId: id, status: 'stored', limit: atMost }, { signal, retries: 1 }));
    return (await Promise.all(cars)).flatMap(({ data }) => data);
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return [];
    throw error;
  }
}
