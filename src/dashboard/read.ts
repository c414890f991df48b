/** Lists and records of the interface. */
import type * as records from '../contract/records.ts';
import { CallError, call } from './call.ts';

/** The lists of the public interface that the pages read, by path. */
export interface Lists {
  readonly cars: records.Car;
  readonly customers: records.Customer;
  readonly locations: records.Location;
  readonly 'parking/zones': records.ParkingZone;
  readonly 'parking/spots': records.ParkingSpot;
  readonly 'parking/assignments': records.ParkingAssignment;
  readonly appointments: records.Appointment;
  readonly 'event-types': records.EventType;
  readonly 'event-sessions': records.EventSession;
  readonly [carEvents: `cars/${string}/events`]: records.CarEvent;
  readonly [carPhotos: `cars/${string}/photos`]: records.Photo;
}

export type Query = Readonly<Record<string, string | number | undefined>>;
export interface Page<T> {
  readonly data: readonly T[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

/** The most of a page. */
const pageSize = 200;

export function searchOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

export const readPage = <P extends keyof Lists & string>(
  path: P,
  query: Query = {},
  signal?: AbortSignal,
): Promise<Page<Lists[P]>> => call('GET', `api/v1/${path}${searchOf(query)}`, { signal });

export const readAll = <P extends keyof Lists & string>(
  path: P,
  query: Query = {},
  signal?: AbortSignal,
): Promise<Lists[P][]> => readAllAt(path, query, signal);

/** A page of any list, also of the private ones. */
export const readPageAt = <T>(path: string, query: Query, signal?: AbortSignal): Promise<Page<T>> =>
  call('GET', `api/v1/${path}${searchOf(query)}`, { signal });

/** A record; undefined where there is none. */
export async function readOne<P extends keyof Lists & string>(
  path: P,
  id: string,
  signal?: AbortSignal,
): Promise<Lists[P] | undefined> {
  try {
    return (
      await call<{ data: Lists[P] }>('GET', `api/v1/${path}/${encodeURIComponent(id)}`, { signal })
    ).data;
  } catch (error) {
    // A malformed id matches nothing.
    if (error instanceof CallError && (error.status === 404 || error.status === 422))
      return undefined;
    throw error;
  }
}

/** Ids in groups of as many as one request may name. */
export function inParts(ids: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let from = 0; from < ids.length; from += pageSize)
    parts.push(ids.slice(from, from + pageSize));
  return parts;
}

/** The records with these ids. */
export async function readByIds<P extends keyof Lists & string>(
  path: P,
  ids: Iterable<string | null | undefined>,
  signal?: AbortSignal,
): Promise<Map<string, Lists[P]>> {
  const wanted = [...new Set(ids)].filter((id) => typeof id === 'string');
  const found = new Map<string, Lists[P]>();
  for (const ids of inParts(wanted)) {
    const some = await readAll(path, { ids: ids.join() }, signal);
    for (const record of some) found.set((record as { id: string }).id, record);
  }
  return found;
}

/** Every record of a list, also of the private ones. Where others changed it meanwhile, it is read again. */
export async function readAllAt<T>(
  path: string,
  query: Query = {},
  signal?: AbortSignal,
): Promise<T[]> {
  let rows: T[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const read = (page: number) => readPageAt<T>(path, { ...query, page, limit: pageSize }, signal);
    const first = await read(1);
    const others = Math.ceil(first.total / pageSize) - 1;
    const pages = await Promise.all(Array.from({ length: others }, (_, at) => read(at + 2)));
    rows = [first, ...pages].flatMap(({ data }) => data);
    if (rows.length === first.total) break;
  }
  return rows;
}
