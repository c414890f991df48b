/** Reads the board, and later only what has changed since. */
import { ApiError, type Client } from '../../../client/client.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { Car } from '../../lookup/car.ts';
import type { BoardRecords } from './model.ts';

interface Stamped {
  readonly id: string;
  readonly updatedAt: string | null;
}

interface Asked<T> {
  /** Reads all, or what has changed at or after a time. */
  readonly read: (query: { updatedAfter?: string }, call: { signal: AbortSignal; retries?: number }) => AsyncIterable<T>;
  readonly keeps?: (record: T) => boolean;
}

/** Records of one kind, kept up to date. */
class Known<T extends Stamped> {
  readonly #asked: Asked<T>;
  readonly records = new Map<string, T>();
  #newest: string | undefined;

  constructor(asked: Asked<T>) {
    this.#asked = asked;
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const { read, keeps = () => true } = this.#asked;
    const changed: T[] = [];
    // A watcher asks again soon anyway, so what fails is told at once.
    const call = this.#newest === undefined ? { signal } : { signal, retries: 0 };
    for await (const record of read({ updatedAfter: this.#newest }, call)) changed.push(record);
    for (const record of changed) {
      if (keeps(record)) this.records.set(record.id, record);
      else this.records.delete(record.id);
      // Stamps of a team only grow, so what is not in this answer is stamped later than all that is.
      if (record.updatedAt && record.updatedAt > (this.#newest ?? '')) this.#newest = record.updatedAt;
    }
  }
}

export interface BoardReader {
  readonly refresh: (signal: AbortSignal) => Promise<BoardRecords>;
}

/** Names of locations and plates of cars are left out where the key may not read them; spots and zones must be read. */
export function boardReader(client: Client, { locationId }: { locationId?: string }): BoardReader {
  const where = { locationId };
  const zones = new Known({ read: (query, call) => client.parkingZones.all({ ...where, ...query }, call) });
  const spots = new Known({ read: (query, call) => client.parkingSpots.all({ ...where, ...query }, call) });
  const locations = new Known<RecordFor<'locations'>>({ read: (query, call) => client.locations.all(query, call) });
  const cars = new Known<Car>({
    // Later those that have left are to be seen too, so that they go.
    read: (query, call) => client.cars.all(query.updatedAfter === undefined ? { status: 'stored' } : query, call),
    keeps: ({ status }) => status === 'stored',
  });
  const refused = new Set<unknown>();
  const comfort = async <T extends Stamped>(known: Known<T>, signal: AbortSignal) => {
    if (refused.has(known)) return undefined;
    try {
      await known.refresh(signal);
      return known.records;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 403)) throw error;
      refused.add(known);
      return undefined;
    }
  };
  return {
    async refresh(signal) {
      const [locationsRead, carsRead] = await Promise.all([
        comfort(locations, signal),
        comfort(cars, signal),
        zones.refresh(signal),
        spots.refresh(signal),
      ]);
      return { locations: locationsRead, zones: zones.records, spots: spots.records, cars: carsRead };
    },
  };
}
