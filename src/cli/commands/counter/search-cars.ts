import type { Client } from '../../../client/client.ts';
import type { Car } from '../../lookup/car.ts';
import { normalizeName, searchesFor } from '../../lookup/matching.ts';

/** Time in milliseconds for which typing must rest before the server is asked. */
export const restMs = 150;
/** Records that a search reads: more than anybody looks through. */
export const atMost = 50;

/** Cars that a part of plate, VIN, make, model or nickname finds; none that are archived. */
export async function findCars(
  client: Client,
  term: string,
  { signal, status }: { signal: AbortSignal; status?: Car['status'] },
): Promise<Car[]> {
  const [exact = term, ...wider] = searchesFor(term);
  const ask = async (q: string) => present((await client.cars.list({ q, status, limit: atMost }, { signal, retries: 1 })).data);
  const found = await ask(exact);
  for (const q of found.length > 0 ? [] : wider)
    found.push(
      ...(await ask(q)).filter((car) =>
        [car.licensePlate, car.vin].some((name) => normalizeName(name ?? '').includes(normalizeName(term))),
      ),
    );
  return found;
}

export const present = (cars: readonly Car[]) => cars.filter(({ status }) => status !== 'archived');
