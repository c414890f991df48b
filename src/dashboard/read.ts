/** Lists and records of the interface: those of the facility, and of the team itself below `team/`. */
import type { DashboardRecord } from '../contract/dashboard/dashboard.ts';
import type * as records from '../contract/records.ts';
import { CallError, type CallOptions, call, type Method } from './call.ts';

export type ApiKey = DashboardRecord<'keys'>;
export type Integration = DashboardRecord<'integration'>;
export type Admin = DashboardRecord<'admins'>;
export type Screen = DashboardRecord<'screens'>;
export type BrowserSession = DashboardRecord<'sessions'>;
export type AuditEntry = DashboardRecord<'audit'>;
export type Usage = DashboardRecord<'usage'>;
export type UsageRow = Usage['rows'][number];
export type Occupancy = DashboardRecord<'occupancy'>;
export type OccupancyRow = Occupancy['rows'][number];

/** In the answer that makes it. */
export interface Link {
  readonly link: string;
  readonly linkEndsAt: string;
}

/** The lists that the pages read, by path. */
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
  readonly 'team/keys': ApiKey;
  readonly 'team/admins': Admin;
  readonly 'team/screens': Screen;
  readonly 'team/sessions': BrowserSession;
  readonly 'team/audit': AuditEntry;
  readonly 'team/covers': DashboardRecord<'covers'>;
  readonly 'team/photo-names': DashboardRecord<'photoNames'>;
  readonly [carEvents: `cars/${string}/events`]: records.CarEvent;
  readonly [carPhotos: `cars/${string}/photos`]: records.Photo;
}
type Path = keyof Lists & string;

export type Query = Readonly<Record<string, string | number | undefined>>;
export interface Page<T> {
  readonly data: readonly T[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

/** The most of a page. */
const pageSize = 200;

function withSearch(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return `api/v1/${path}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
}

export const readPage = <P extends Path>(path: P, query: Query = {}): Promise<Page<Lists[P]>> =>
  call('GET', withSearch(path, query));

/** What stands alone at its address. */
export const readAt = async <T>(path: string, query: Query = {}): Promise<T> =>
  (await call<{ data: T }>('GET', withSearch(path, query))).data;

/** The record of the answer. */
export const write = async <T>(
  method: Exclude<Method, 'GET'>,
  path: string,
  body: object = {},
  options: Pick<CallOptions, 'idempotencyKey' | 'ifParkedIn'> = {},
): Promise<T> => (await call<{ data: T }>(method, `api/v1/${path}`, { body, ...options })).data;

/** A record; undefined where there is none. */
export async function readOne<P extends Path>(path: P, id: string): Promise<Lists[P] | undefined> {
  try {
    return await readAt(`${path}/${id}`);
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return undefined;
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
export async function readByIds<P extends Path>(
  path: P,
  ids: Iterable<string | null | undefined>,
): Promise<Map<string, Lists[P]>> {
  const wanted = [...new Set(ids)].filter((id) => typeof id === 'string');
  const found = new Map<string, Lists[P]>();
  for (const ids of inParts(wanted))
    for (const record of await readAll(path, { ids: ids.join() }))
      found.set((record as { id: string }).id, record);
  return found;
}

/** Every record of a list. Where others changed it meanwhile, it is read again. */
export async function readAll<P extends Path>(path: P, query: Query = {}): Promise<Lists[P][]> {
  let rows: Lists[P][] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const read = (page: number) => readPage(path, { ...query, page, limit: pageSize });
    const first = await read(1);
    const others = Math.ceil(first.total / pageSize) - 1;
    const pages = await Promise.all(Array.from({ length: others }, (_, at) => read(at + 2)));
    rows = [first, ...pages].flatMap(({ data }) => data);
    if (rows.length === first.total) break;
  }
  return rows;
}
