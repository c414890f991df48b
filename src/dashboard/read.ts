/** Lists and records of the interface, and what a page shows of them. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type * as records from '../contract/records.ts';
import { CallError, call } from './call.ts';
import { stamp } from './live.ts';
import { type Reader, startReader } from './reader.ts';

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
    rows = [];
    let total = 0;
    for (let page = 1; ; page += 1) {
      const answer = await call<Page<T>>(
        'GET',
        `api/v1/${path}${searchOf({ ...query, page, limit: pageSize })}`,
        { signal },
      );
      rows.push(...answer.data);
      total = answer.total;
      if (answer.data.length < pageSize || rows.length >= total) break;
    }
    if (rows.length === total) break;
  }
  return rows;
}

export interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  /** When the data was read. */
  readonly at: Date | undefined;
  /** Whether the last reading succeeded, and no change is known that came after it. */
  readonly isCurrent: boolean;
  /** At once, also while it waits for the next reading. */
  reload(): void;
}

interface LoadOptions {
  /** Whether changes in the team make it read again, and a failure that passes as well. */
  readonly live?: boolean;
  /** The least time between two readings, in milliseconds: changes that come meanwhile are read together. */
  readonly paceMs?: number;
}

const usualPaceMs = 1_000;

/**
 * Reads when the page opens, when `key` changes, and with `live` when something changed in the team. Old data stays until the new is there,
 * and stays when it can't be read.
 */
export function useLoaded<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { live = false, paceMs = usualPaceMs }: LoadOptions = {},
): Loaded<T> {
  const [state, setState] = useState<{ key: string; data?: T; error?: Error; at?: Date }>({ key });
  const latest = useRef(load);
  latest.current = load;
  const reader = useRef<Reader>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    const read = async () => {
      try {
        const data = await latest.current(abort.signal);
        if (!abort.signal.aborted) setState({ key, data, at: new Date() });
      } catch (error) {
        if (!abort.signal.aborted)
          setState((before) => ({
            ...(before.key === key ? before : { key }),
            error: error as Error,
          }));
        throw error;
      }
    };
    reader.current = startReader(read, { paceMs, retries: live, signal: abort.signal });
    return () => abort.abort();
  }, [key]);
  const known = live ? stamp.value : '';
  const heard = useRef(known);
  useEffect(() => {
    // The first reading is under way already.
    if (heard.current !== known) reader.current?.want();
    heard.current = known;
  }, [known]);
  const isOwn = state.key === key;
  return {
    data: isOwn ? state.data : undefined,
    error: isOwn ? state.error : undefined,
    isLoading: !isOwn || (state.data === undefined && state.error === undefined),
    at: isOwn ? state.at : undefined,
    isCurrent:
      isOwn && state.data !== undefined && state.error === undefined && !reader.current?.isWanted(),
    reload: () => reader.current?.wantNow(),
  };
}
