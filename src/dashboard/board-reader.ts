/** The records of the board: all of them at first, then what has changed. */
import { type BoardRecords, type BoardZone, makeBoard } from '../facility/board.ts';
import { timeOf } from '../facility/day.ts';
import { readAll } from './read.ts';

interface Stamped {
  readonly id: string;
  readonly updatedAt: string;
}

type Read<T> = (updatedAfter: string | undefined, signal: AbortSignal) => Promise<readonly T[]>;

class Followed<T extends Stamped> {
  readonly records = new Map<string, T>();
  readonly #read: Read<T>;
  readonly #includes: (record: T) => boolean;
  #newest: string | undefined;

  constructor(read: Read<T>, includes: (record: T) => boolean = () => true) {
    this.#read = read;
    this.#includes = includes;
  }

  async refresh(signal: AbortSignal): Promise<Map<string, T>> {
    for (const record of await this.#read(this.#newest, signal)) {
      if (this.#includes(record)) this.records.set(record.id, record);
      else this.records.delete(record.id);
      if (timeOf(record.updatedAt) > timeOf(this.#newest)) this.#newest = record.updatedAt;
    }
    return this.records;
  }
}

/** Customers aren't read: the board hangs on walls. */
export function boardReader(): (signal: AbortSignal) => Promise<BoardZone[]> {
  const locations = new Followed((updatedAfter, signal) =>
    readAll('locations', { updatedAfter }, signal),
  );
  const zones = new Followed((updatedAfter, signal) =>
    readAll('parking/zones', { updatedAfter }, signal),
  );
  const spots = new Followed((updatedAfter, signal) =>
    readAll('parking/spots', { updatedAfter }, signal),
  );
  const cars = new Followed(
    // What has changed includes cars that have left, to remove them.
    (updatedAfter, signal) =>
      readAll('cars', updatedAfter ? { updatedAfter } : { status: 'stored' }, signal),
    ({ status }) => status === 'stored',
  );
  return async (signal) => {
    const [locationsRead, zonesRead, spotsRead, carsRead] = await Promise.all([
      locations.refresh(signal),
      zones.refresh(signal),
      spots.refresh(signal),
      cars.refresh(signal),
    ]);
    const records: BoardRecords = {
      locations: locationsRead,
      zones: zonesRead,
      spots: spotsRead,
      cars: carsRead,
    };
    return makeBoard(records);
  };
}
