/**
 * Reads a whole list, page by page, while others write. Every record that exists throughout arrives exactly once.
 *
 * Most lists have the newest change first (specification, section 8), so between two requests
 * - a new or changed record pushes the others down: they arrive twice, and are dropped by their id.
 * - a deleted record moves the others up, by at most the number by which `total` drops. That many are read again.
 * - a change of an unread record moves it to the front, behind the reader. So the changes since the first page are read as a list of
 *   their own (`updatedAfter`), until nothing new comes.
 * In a list in another order (messages, steps), each page must contain a record of the one before, and the number of records tells
 * whether one has moved.
 */
import { UnsteadyListError } from './errors.ts';
import { IdSet } from './id-set.ts';

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
/** Readings of a whole list that gave fewer records than its total: one that changed and was deleted meanwhile may be among them. */
const maxWhole = 3;
/** Reads of a page whose number of records contradicts its total: a write may come between the two. */
const maxRepeats = 3;

/**
 * Every record of a list by page, without duplicates and without empty pages. Memory holds two pages and the ids.
 * @throws UnsteadyListError, and whatever `read` throws: part of a list never looks complete
 */
export async function* readPages<T extends object>(
  options: ReadOptions<T>,
): AsyncGenerator<T[], void> {
  const seen = new IdSet();
  let since: string | undefined;
  let [whole, wholes] = [0, 0];
  for (let pass = 0; pass < maxPasses; pass++) {
    const before = seen.size;
    const from = pass === 0 ? options.from : undefined;
    const { requests, newest, total } = yield* readPass({ ...options, from }, { seen, since });
    if (since === undefined) [whole, wholes] = [total, wholes + 1];
    if (requests === 1 && pass === 0 && !from) return;
    if (newest === undefined && since === undefined && seen.size >= total) return;
    const isUnchanged =
      newest !== undefined && timeOf(newest) <= timeOf(since ?? '') && seen.size === before;
    const isCaughtUp = since !== undefined && (requests === 1 || isUnchanged);
    if (!isCaughtUp) since = newest;
    else if (options.from || seen.size >= whole) return;
    else if (wholes < maxWhole) since = undefined;
    else
      throw new UnsteadyListError(
        `all pages together have ${seen.size} records, and the total is ${whole}`,
      );
  }
  throw new UnsteadyListError('the list changed too fast to read');
}

interface Pass {
  readonly seen: IdSet;
  /** Only records that changed at or after it. */
  readonly since: string | undefined;
}

async function* readPass<T extends object>(
  { read, limit = 200, from, onPosition }: ReadOptions<T>,
  { seen, since }: Pass,
): AsyncGenerator<T[], { requests: number; total: number; newest: string | undefined }> {
  const position = new Position(limit, from);
  const send = (query: PageQuery) => ({ query, answer: read(query) });
  const sendNext = () =>
    send({ ...position.next(), ...(since !== undefined && { updatedAfter: since }) });
  let next = sendNext();
  let newest: string | undefined;
  let most = Number.POSITIVE_INFINITY;
  let repeats = 0;
  for (let requests = 1; requests <= most; requests++) {
    const { query } = next;
    const page = await next.answer;
    const wrong = contradiction(page, query);
    if (wrong) {
      if (wrong.isFinal || ++repeats > maxRepeats) throw new UnsteadyListError(wrong.text);
      next = send(query);
      continue;
    }
    const { data, total } = page;
    if (requests === 1 + repeats) {
      const first = newestOf(data);
      newest = from && (first !== undefined || data.length === 0) ? from.newest : first;
      // Ten times the requests of an unchanged list.
      most = 100 + (10 * total) / limit;
    } else if (data.length > 0 && newestOf(data) === undefined) newest = undefined;
    const isDone = position.advance(page, {
      asked: query.limit,
      newestFirst: newest !== undefined,
    });
    const fresh = data.filter((row) => isNew(row, seen));
    if (!isDone) {
      // Requested while the caller uses this page. If the caller stops, its outcome doesn't matter.
      next = sendNext();
      next.answer.catch(() => {});
    }
    if (newest !== undefined && since === undefined) onPosition?.(position.after(newest));
    if (fresh.length > 0) yield fresh;
    if (isDone) return { requests: requests - repeats, total, newest };
  }
  throw new UnsteadyListError('the list changed too fast to read');
}

const isNew = (row: object, seen: IdSet): boolean => {
  const id = idOf(row);
  return id === undefined || seen.add(id);
};

/** The progress of a pass while records move. They are counted from the front. */
class Position {
  /** All records before this index are read. */
  #read: number;
  #total: number;
  /** The records of the last page without a gap before it. */
  #edge = new Set<string | undefined>();
  /** The number of deleted records that the next answer is expected to show. */
  #drop = 0;
  /** The number of records that the next page repeats. */
  #overlap = 0;
  #newestFirst = true;
  #limit: number;

  constructor(limit: number, from?: ListPosition) {
    this.#limit = limit;
    this.#read = from?.read ?? 0;
    this.#total = from?.total ?? 0;
  }

  after(newest: string): ListPosition {
    return { read: this.#read, total: this.#total, newest };
  }

  /** The page that reads furthest with the required overlap. */
  next(): PageQuery {
    const least = this.#newestFirst ? 0 : 1;
    this.#overlap = Math.max(least, Math.min(Math.round(2 * this.#drop), this.#limit >> 1));
    for (; ; this.#overlap >>= 1) {
      const query = this.#furthestFrom(Math.max(0, this.#read - this.#overlap));
      // With small pages there may be none; then a smaller overlap must do.
      if (query.page * query.limit > this.#read || this.#overlap === 0) return query;
    }
  }

  #furthestFrom(start: number): PageQuery {
    let furthest = { page: 0, limit: 0 };
    for (let limit = this.#limit; limit >= this.#limit / 2; limit--) {
      const page = Math.floor(start / limit) + 1;
      if (page * limit > furthest.page * furthest.limit) furthest = { page, limit };
    }
    return furthest;
  }

  /** Takes an answer into account, and returns whether the list is complete. */
  advance(
    { data, page, limit, total }: Page<object>,
    { asked, newestFirst }: { asked: number; newestFirst: boolean },
  ): boolean {
    if (limit < asked) this.#limit = limit;
    this.#newestFirst = newestFirst;
    const start = (page - 1) * limit;
    const dropped = Math.max(0, this.#total - total);
    this.#total = total;
    this.#read = Math.max(0, this.#read - dropped);
    const isCounted = (newestFirst || this.#overlap === 0) && start <= this.#read;
    // Where the count doesn't tell, a record of the page before does.
    if (start === 0 || isCounted || data.some((row) => this.#edge.has(idOf(row)))) {
      this.#read = Math.max(this.#read, page * limit, start + data.length);
      this.#edge = new Set(data.map(idOf));
      this.#drop = Math.max(dropped, this.#drop * 0.8);
      return this.#read >= total;
    }
    this.#read = Math.min(this.#read, start);
    this.#drop = Math.max(dropped, 1, this.#drop * 2);
    return false;
  }
}

/** What is wrong with a page by section 8. `isFinal`: a write meanwhile can't be the cause. */
function contradiction(
  { data, page, limit, total }: Page<object>,
  asked: PageQuery,
): { text: string; isFinal: boolean } | undefined {
  // Where all records are here, the size doesn't matter. A server may give smaller pages, and tell so.
  const isWhole = page === 1 && data.length === total;
  const isFinal = page !== asked.page || (!isWhole && (limit < 1 || limit > asked.limit));
  if (isFinal) {
    const [wanted, given] = [`page ${asked.page} of ${asked.limit}`, `page ${page} of ${limit}`];
    const text = `the server was asked for ${wanted} records, and answered ${given}; by the specification (section 8) pages count from 1 and have 1 to 200 records`;
    return { text, isFinal };
  }
  if (total > limit && data.some((row) => idOf(row) === undefined))
    return {
      text: "records without an id can't be told apart; the specification (section 2) gives each one an id",
      isFinal: true,
    };
  const expected = Math.min(limit, Math.max(0, total - (page - 1) * limit));
  if (isWhole || data.length === expected) return undefined;
  const text = `page ${page} has ${data.length} records, and by its total (${total}) it should have ${expected}; by the specification (section 8) the total counts the records of all pages`;
  return { text, isFinal };
}

/** The time of the newest change, if the records are in the order of their changes. */
export function newestOf(rows: readonly object[]): string | undefined {
  const stamps = rows.map(stampOf);
  const isOrdered = stamps.every((stamp, at) => timeOf(stamp) <= timeOf(stamps[at - 1] ?? stamp));
  return isOrdered ? stamps[0] : undefined;
}

export const stampOf = (row: object) =>
  'updatedAt' in row && typeof row.updatedAt === 'string' ? row.updatedAt : '';
const timeOf = (stamp: string) => Date.parse(stamp);
const idOf = (row: object): string | undefined =>
  'id' in row && typeof row.id === 'string' ? row.id : undefined;
