/** Reads the board, then only what has changed. */
import { ApiError, type CallOptions, type Client } from '../../../client/client.ts';
import { IdMap } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { BoardRecords } from '../../../facility/board.ts';
import type { Car } from '../../../facility/car-names.ts';
import { timeOf } from '../../../facility/day.ts';
import { isMissing, isUntold } from '../../errors/missing-path.ts';

interface Stamped {
  readonly id: string;
  readonly updatedAt: string | null;
}

interface CacheSource<T> {
  /** Reads all records, or those changed at or after a time. */
  readonly read: (query: { updatedAfter?: string }, call: CallOptions) => AsyncIterable<T>;
}

/** The records of a resource, refreshed by what has changed. */
class RecordCache<T extends Stamped> {
  readonly #source: CacheSource<T>;
  readonly records = new IdMap<T>();
  #newest: string | undefined;

  constructor(source: CacheSource<T>) {
    this.#source = source;
  }

  async refresh(call: CallOptions): Promise<void> {
    const changed = await Array.fromAsync(this.#source.read({ updatedAfter: this.#newest }, call));
    for (const record of changed) {
      this.records.set(record.id, record);
      // Time stamps of a team only grow, so records that aren't in this response are newer than it.
      if (timeOf(record.updatedAt) > timeOf(this.#newest))
        this.#newest = record.updatedAt ?? undefined;
    }
  }
}

export interface BoardReader {
  readonly refresh: (call: CallOptions) => Promise<BoardRecords>;
}

/** Elsewhere than on our service a state may have any name, so all cars are read: their place tells. */
const parkedCars = (client: Client, call: CallOptions): AsyncIterable<Car> =>
  client.cars.all(client.transport.promisesLists() ? { status: 'stored' } : {}, call);

/** Without the scopes for them, names of locations and plates of cars are left out. Spots and zones are required. */
export function boardReader(client: Client, { locationId }: { locationId?: string }): BoardReader {
  const where = { locationId };
  const zones = new RecordCache({
    read: (query, call) => client.parkingZones.all({ ...where, ...query }, call),
  });
  const spots = new RecordCache({
    read: (query, call) => client.parkingSpots.all({ ...where, ...query }, call),
  });
  const locations = new RecordCache<RecordFor<'locations'>>({
    read: (query, call) => client.locations.all(query, call),
  });
  const cars = new RecordCache<Car>({
    // A refresh includes cars that have left, which replace what was known of them.
    read: (query, call) =>
      query.updatedAfter === undefined ? parkedCars(client, call) : client.cars.all(query, call),
  });
  const forbidden = new Set<unknown>();
  const refreshIfAllowed = async <T extends Stamped>(cache: RecordCache<T>, call: CallOptions) => {
    if (forbidden.has(cache)) return undefined;
    try {
      await cache.refresh(call);
      return cache.records;
    } catch (error) {
      if (
        !isMissing(error) &&
        !isUntold(error) &&
        !(error instanceof ApiError && error.status === 403)
      )
        throw error;
      forbidden.add(cache);
      return undefined;
    }
  };
  return {
    async refresh(call) {
      const [locationsRead] = await Promise.all([
        refreshIfAllowed(locations, call),
        zones.refresh(call),
        spots.refresh(call),
      ]);
      return {
        locations: locationsRead,
        zones: zones.records,
        spots: spots.records,
        // Last: the other lists tell whether the server promises to apply a filter.
        cars: await refreshIfAllowed(cars, call),
      };
    },
  };
}
