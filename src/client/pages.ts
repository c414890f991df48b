/**
 * Reads a whole list, page by page, while others write. Every record that exists throughout arrives exactly once.
 *
 * Most lists have the newest change first (specification, section 8), so between two requests
 * - a new or changed record pushes the others down: they arrive twice, and are dropped by their id.
 * - a deleted record moves the others up, by at most the number by which `total` drops. That many are read again.
 * - a change of an unread record moves it to the front, behind the reader. So the changes since the first page are read as a list of
 *   their own (`updatedAfter`), until nothing new comes.
 * A list in another order (messages, steps) is read again until two readings are the same.
 */
import { UnsteadyListError } from './errors.ts';
import { IdSet } from './ids.ts';
import { momentOf } from './values.ts';

export interface PageQuery {
  page: number;
  limit: number;
  updatedAfter?: string;
}

export interface Page<T> {
  data: T[];
  /** From 1. */
  page: number;
  limit: number;
  /** Of all pages. */
  total: number;
  /** Of a search: records with the words as a name come first, so that none follows a record without. */
  keysFirst?: true;
}

/** How far a list was read. Plain JSON, so that another process can go on there. Only for lists with the newest change first. */
export interface ListPosition {
  /** The number of records from the front that were read. */
  readonly read: number;
  /** The length of the list at that time. */
  readonly total: number;
  /** The newest change when the reading began. */
  readonly newest: string;
}

export interface ReadOptions<T> {
  read: (query: PageQuery) => Promise<Page<T>>;
  limit?: number;
  /** Where an interrupted read stopped. Records before it don't arrive again, unless they changed. */
  from?: ListPosition;
  /** Receives the position after each page, before the page is yielded. */
  onPosition?: (position: ListPosition) => void;
}

const maxPasses = 20;
const maxMissed = 3;
/** Reads of a page whose number of records contradicts its total: a write may come between the two. */
const maxReads = 4;

/**
 * Every record of a list by page, without duplicates and without empty pages. Memory holds two pages and the ids.
 * @throws UnsteadyListError, and whatever `read` throws: part of a list never looks complete
 */
export async function* readPages<T extends object>(
  options: ReadOptions<T>,
): AsyncGenerator<T[], void> {
  const seen = new IdSet();
  let { from } = options;
  let since: string | undefined;
  let before: string | undefined;
  let keepsIds = false;
  let [whole, missed] = [0, 0];
  for (let pass = 0; pass < maxPasses; pass++) {
    const known = seen.size;
    const read: Reading = yield* readPass({ ...options, from }, { seen, since, keepsIds });
    const { newest, ids } = read;
    if (since === undefined) whole = from ? 0 : read.total;
    const isOneMoment = read.requests === 1 && !from;
    const isUnchanged =
      newest === undefined
        ? before !== undefined && ids?.startsWith(before) === true
        : newest === since && seen.size === known;
    if (isOneMoment && since === undefined) return;
    [since, before, from] = [newest, ids, undefined];
    keepsIds = newest === undefined;
    if (!isOneMoment && !isUnchanged) continue;
    if (seen.size >= whole) return;
    // A record may have changed and been deleted meanwhile: then another reading has no gap.
    if (++missed === maxMissed)
      throw new UnsteadyListError(`all pages have ${seen.size} records, and the total is ${whole}`);
    [since, before] = [undefined, undefined];
  }
  throw new UnsteadyListError('the list changed too fast to read');
}

interface Pass {
  readonly seen: IdSet;
  /** Only records that changed at or after it. */
  readonly since: string | undefined;
  /** A pass before found a list in another order. */
  readonly keepsIds: boolean;
}

interface Reading {
  readonly requests: number;
  readonly total: number;
  /** The newest change at the start; undefined for a list in another order. */
  readonly newest: string | undefined;
  /** All of a list in another order, as it has them. Undefined where they weren't kept from the first page on. */
  readonly ids: string | undefined;
}

async function* readPass<T extends object>(
  { read, limit: most = 200, from, onPosition }: ReadOptions<T>,
  { seen, since, keepsIds }: Pass,
): AsyncGenerator<T[], Reading> {
  /** All records before this index are read. */
  let done = from?.read ?? 0;
  let known = from?.total ?? 0;
  let newest = from?.newest;
  let overlap = 0;
  let limit = most;
  let ids: unknown[] | undefined = keepsIds ? [] : undefined;
  let asked = limit;
  const ask = () => {
    const query = pageAt(done, { limit, overlap });
    asked = query.limit;
    return readOne(read, since === undefined ? query : { ...query, updatedAfter: since });
  };
  let next = ask();
  let maxRequests = 1;
  for (let requests = 1; requests <= maxRequests; requests++) {
    const { data, total, ...page } = await next;
    // A server may give smaller pages, and tell so.
    if (page.limit < asked) limit = page.limit;
    const start = (page.page - 1) * page.limit;
    const first = newestOf(data);
    // Ten times the requests of an unchanged list, which may grow faster than it is read.
    if (requests === 1) maxRequests = 100 + (10 * total) / limit;
    if (requests === 1 && !from) newest = first;
    else if (data.length > 0 && first === undefined) newest = undefined;
    if (requests === 1 && newest === undefined) ids ??= [];
    const dropped = Math.max(0, known - total);
    known = total;
    done -= Math.min(done, dropped);
    // Others seem to delete: the next pages overlap.
    overlap = Math.max(2 * dropped, overlap * (start > done ? 2 : 0.8));
    if (start <= done) done = Math.max(done, start + Math.max(page.limit, data.length));
    const fresh = data.filter((row) => {
      const id = idOf(row);
      ids?.push(id);
      return id === undefined || (!seen.has(id) && seen.add(id));
    });
    const isDone = done >= total;
    if (!isDone) {
      // Requested while the caller uses this page. If the caller stops, its outcome doesn't matter.
      next = ask();
      next.catch(() => {});
    }
    if (newest !== undefined && since === undefined) onPosition?.({ read: done, total, newest });
    if (fresh.length > 0) yield fresh;
    if (isDone)
      return { requests, total, newest, ids: newest === undefined ? textOf(ids) : undefined };
  }
  throw new UnsteadyListError('the list changed too fast to read');
}

/** Ids have no comma, so one list begins with another where their texts do. */
const textOf = (ids: unknown[] | undefined) => ids && `${ids.join()},`;

/** The page that repeats about `overlap` of the records that are done, and ends furthest after them. */
function pageAt(done: number, { limit, overlap }: { limit: number; overlap: number }): PageQuery {
  for (let repeated = Math.min(Math.round(overlap), limit >> 1); ; repeated >>= 1) {
    let best = { page: 0, limit: 0 };
    for (let size = limit; size >= limit / 2; size--) {
      const page = Math.floor(Math.max(0, done - repeated) / size) + 1;
      if (page * size > best.page * best.limit) best = { page, limit: size };
    }
    if (best.page * best.limit > done || repeated === 0) return best;
  }
}

/** A page as the server tells it, checked by section 8. @throws UnsteadyListError */
export async function readOne<T extends object>(
  read: ReadOptions<T>['read'],
  query: PageQuery,
): Promise<Page<T>> {
  for (let reads = 1; ; reads++) {
    const page = await read(query);
    const wrong = contradiction(page, query);
    if (!wrong) return page;
    if (reads === maxReads) throw new UnsteadyListError(wrong);
  }
}

/** What is wrong with a page by section 8. */
function contradiction(
  { data, page, limit, total }: Page<object>,
  asked: PageQuery,
): string | undefined {
  if (asked.page === 1 && page === 1 && data.length === total) return undefined;
  if (page !== asked.page || limit < 1 || limit > asked.limit)
    return `the server was asked for page ${asked.page} of ${asked.limit} records, and answered page ${page} of ${limit}; by the specification (section 8) pages count from 1 and have 1 to 200 records`;
  const expected = Math.min(limit, Math.max(0, total - (page - 1) * limit));
  if (data.length !== expected)
    return `page ${page} has ${data.length} records, and by its total (${total}) it should have ${expected}; by the specification (section 8) the total counts the records of all pages`;
  return data.every((row) => idOf(row) !== undefined)
    ? undefined
    : "records without an id can't be told apart; the specification (section 2) gives each one an id";
}

/** The time of the newest change, if the records are in the order of their changes. */
export function newestOf(rows: readonly object[]): string | undefined {
  const stamps = rows.map(stampOf);
  const times = stamps.map(momentOf);
  const isOrdered = times.every(
    (time, at) => time !== undefined && time <= (times[at - 1] ?? time),
  );
  return isOrdered ? stamps[0] : undefined;
}

export const stampOf = (row: object) => ('updatedAt' in row ? String(row.updatedAt) : '');
const idOf = (row: object): string | undefined =>
  'id' in row && typeof row.id === 'string' ? row.id : undefined;
