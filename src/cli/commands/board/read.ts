/** Reads the board, then only what has changed. */
import { ApiError, type CallOptions, type Client } from '../../../client/client.ts';
import { IdMap, idKey } from '../../../client/ids.ts';
import { contract, type RecordFor } from '../../../contract/contract.ts';
import { isOpenAssignment } from '../../../contract/parking.ts';
import type { BoardRecords } from '../../../facility/board.ts';
import type { Car } from '../../../facility/car-names.ts';
import { timeOf } from '../../../facility/day.ts';
import { type Assignment, occupancyOf } from '../../../facility/occupancy.ts';
import { isMissing, isUntold } from '../../errors/missing-path.ts';
import { readByIds } from '../../resources/methods.ts';

interface Stamped {
  readonly id: string;
  readonly updatedAt: string | null;
}

interface CacheSource<T> {
  /** Reads all records, or those changed at or after a time. */
  readonly read: (query: { updatedAfter?: string }, call: CallOptions) => AsyncIterable<T>;
  readonly includes?: (record: T) => boolean;
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
    const { read, includes = () => true } = this.#source;
    const changed: T[] = [];
    for await (const record of read({ updatedAfter: this.#newest }, call)) changed.push(record);
    for (const record of changed) {
      if (includes(record)) this.records.set(record.id, record);
      else this.records.delete(record.id);
      // Time stamps of a team only grow, so records that aren't in this response are newer than it.
      if (timeOf(record.updatedAt) > timeOf(this.#newest))
        this.#newest = record.updatedAt ?? undefined;
    }
  }
}

export interface BoardReader {
  readonly refresh: (call: CallOptions) => Promise<BoardRecords>;
}

/** The states that our service knows. */
const carStates: ReadonlySet<unknown> = new Set(contract.cars.fields.status.schema.options);

/** On a server that can't tell its stored cars apart, all of them. */
async function* storedCars(client: Client, call: CallOptions): AsyncGenerator<Car> {
  try {
    yield* client.cars.all({ status: 'stored' }, call);
  } catch (error) {
    if (!isUntold(error)) throw error;
    yield* client.cars.all({}, call);
  }
}

/** Cars that are parked, though their state isn't ours. */
async function readParkedCars(
  client: Client,
  records: BoardRecords,
  call: CallOptions,
): Promise<[string, Car][]> {
  const { onSpot, inZone } = occupancyOf(records);
  const parked = [
    ...Array.from(records.spots.values(), onSpot),
    ...Array.from(records.zones.values(), inZone).flat(),
  ];
  const ids = new Set(
    parked.filter((id) => typeof id === 'string' && !records.cars?.has(id)).map(idKey),
  );
  const found: [string, Car][] = [];
  for await (const car of readByIds(ids, (query) => client.cars.all(query, call)))
    found.push([car.id, car]);
  return found;
}

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
    // A refresh includes cars that have left, to remove them.
    read: (query, call) =>
      query.updatedAfter === undefined ? storedCars(client, call) : client.cars.all(query, call),
    // Without a status, its place tells.
    includes: ({ status }) => status === 'stored' || !carStates.has(status),
  });
  const isOpen = (assignment: Assignment) =>
    isOpenAssignment(assignment, client.transport.now()) === true;
  const assignments = new RecordCache<Assignment>({
    read: (query, call) =>
      client.parkingAssignments.all(
        query.updatedAfter === undefined ? { active: true } : query,
        call,
      ),
    includes: isOpen,
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
      const [locationsRead, carsRead] = await Promise.all([
        refreshIfAllowed(locations, call),
        refreshIfAllowed(cars, call),
        zones.refresh(call),
        spots.refresh(call),
      ]);
      const read = {
        locations: locationsRead,
        zones: zones.records,
        spots: spots.records,
        cars: carsRead,
      };
      const assignmentsRead = occupancyOf(read).isOpen
        ? await refreshIfAllowed(assignments, call)
        : undefined;
      // A planned end may have come since an assignment was read.
      const open =
        assignmentsRead &&
        new IdMap([...assignmentsRead].filter(([, assignment]) => isOpen(assignment)));
      const all = { ...read, assignments: open };
      return carsRead
        ? { ...all, cars: new IdMap([...carsRead, ...(await readParkedCars(client, all, call))]) }
        : all;
    },
  };
}
