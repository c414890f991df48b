/**
 * Reads a whole list, page by page, while others write. Every record that exists throughout arrives exactly once.
 *
 * Most lists have the newest change first (specification, section 8), so between two requests
 * - a new or changed record pushes the others down: they arrive twice, and are dropped by their id.
 * - a deleted record moves the others up, by at most the number by which `total` drops. That many are read again.
 * - a change of an unread record moves it to the front, behind the reader. So the changes since the first page are read as a list of
 *   their own (`updatedAfter`), until nothing new comes.
 * A list in another order (messages, steps) is read again until a reading begins with as many records as the one before, none of them new.
 */
import { maxLimit } from '../contract/schemas.ts';
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
}

type ReadPage<T> = (query: PageQuery) => Promise<Page<T>>;

const maxPasses = 10;
const tooFast = () => new UnsteadyListError('the list changed too fast to read');

/**
 * Every record of a list by page, without duplicates and without empty pages. Memory holds two pages and the ids.
 * @throws UnsteadyListError, and whatever `read` throws: part of a list never looks complete
 */
export async function* readPages<T extends object>(
  read: ReadPage<T>,
  limit = maxLimit,
): AsyncGenerator<T[], void> {
  const seen = new IdSet();
  let since: string | undefined;
  let [whole, before] = [0, Number.POSITIVE_INFINITY];
  for (let pass = 0; pass < maxPasses; pass++) {
    const known = seen.size;
    const { requests, total, newest, rows, old } = yield* readPass(read, { limit, seen, since });
    const isWhole = since === undefined;
    if (isWhole) whole = total;
    // One page is one moment.
    if (isWhole && requests === 1) return;
    const isSteady = newest === undefined ? old >= before : newest === since && seen.size === known;
    [since, before] = [newest, isWhole ? rows : Number.POSITIVE_INFINITY];
    if (requests > 1 && !isSteady) continue;
    if (seen.size >= whole) return;
    // A record may have changed and been deleted meanwhile: then another reading has no gap.
    [since, before] = [undefined, Number.POSITIVE_INFINITY];
  }
  throw tooFast();
}

interface Pass {
  readonly limit: number;
  /** The ids of all passes. */
  readonly seen: IdSet;
  /** Only records that changed at or after it. */
  readonly since: string | undefined;
}

interface Reading {
  readonly requests: number;
  readonly total: number;
  /** The newest change at the start; undefined for a list in another order. */
  readonly newest: string | undefined;
  /** The number of records. */
  readonly rows: number;
  /** Those before the first new one. */
  readonly old: number;
}

async function* readPass<T extends object>(
  read: ReadPage<T>,
  { limit, seen, since }: Pass,
): AsyncGenerator<T[], Reading> {
  /** All records before this index are read. */
  let done = 0;
  let [known, overlap, rows, old] = [0, 0, 0, 0];
  let newest: string | undefined;
  const ask = () => {
    const query = pageAt(done, { limit, overlap });
    return readOne(read, since === undefined ? query : { ...query, updatedAfter: since });
  };
  let next = ask();
  // Ten times the requests of an unchanged list, which may grow faster than it is read.
  for (let requests = 1; requests <= 100 + (10 * known) / limit; requests++) {
    const { data, total, ...page } = await next;
    const start = (page.page - 1) * page.limit;
    const first = newestOf(data);
    if (requests === 1 || (first === undefined && data.length > 0)) newest = first;
    const dropped = Math.max(0, known - total);
    known = total;
    done -= Math.min(done, dropped);
    // Others delete, so the next pages overlap.
    overlap = Math.min(limit >> 1, Math.max(overlap, 2 * dropped));
    if (start <= done) done = Math.max(done, start + data.length);
    const fresh = data.filter((row) => {
      const id = idOf(row);
      return id === undefined || seen.size < seen.add(id).size;
    });
    if (old === rows) old += fresh[0] ? data.indexOf(fresh[0]) : data.length;
    rows += data.length;
    const isDone = done >= total;
    if (!isDone) {
      // Requested while the caller uses this page. If the caller stops, its outcome doesn't matter.
      next = ask();
      next.catch(() => {});
    }
    if (fresh.length > 0) yield fresh;
    if (isDone) return { requests, total, newest, rows, old };
  }
  throw tooFast();
}

/** The page that repeats about `overlap` of the records that are done, and ends furthest after them. */
function pageAt(done: number, { limit, overlap }: { limit: number; overlap: number }): PageQuery {
  let best = { page: 0, limit: 0 };
  for (let size = limit; size >= limit / 2; size--) {
    const page = Math.floor(Math.max(0, done - overlap) / size) + 1;
    if (page * size > best.page * best.limit) best = { page, limit: size };
  }
  return best.page * best.limit > done ? best : pageAt(done, { limit, overlap: overlap >> 1 });
}

/**
 * A page as the server tells it, checked by section 8. It is asked for once more: the server may count and read apart, and a write may
 * come between.
 * @throws UnsteadyListError
 */
export async function readOne<T extends object>(
  read: ReadPage<T>,
  query: PageQuery,
): Promise<Page<T>> {
  const page = await read(query);
  if (!contradiction(page, query)) return page;
  const again = await read(query);
  const wrong = contradiction(again, query);
  if (wrong) throw new UnsteadyListError(wrong);
  return again;
}

function contradiction(
  { data, page, limit, total }: Page<object>,
  asked: PageQuery,
): string | undefined {
  if (asked.page === 1 && page === 1 && data.length === total) return undefined;
  if (page !== asked.page || limit !== asked.limit)
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
  const [first] = rows;
  // Of the others the order alone matters.
  let last = first && momentOf(stampOf(first));
  for (const row of rows) {
    const time = Date.parse(stampOf(row));
    if (last === undefined || !(time <= last)) return undefined;
    last = time;
  }
  return first && stampOf(first);
}

export const stampOf = (row: object) => ('updatedAt' in row ? String(row.updatedAt) : '');
const idOf = (row: object): string | undefined =>
  'id' in row && typeof row.id === 'string' ? row.id : undefined;
