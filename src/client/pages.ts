/**
 * Reads a whole list, page by page, while others write: every row that exists from the first request to the last comes, once.
 *
 * Most lists have the newest change first (specification, section 8), so between two requests
 * - a new row, or a change of a row already read, pushes the rest down: rows come twice. They are dropped by their id.
 * - a deleted row lets the rest move up, by no more places than `total` drops. What may have moved out of sight is read again. As long
 *   as rows disappear, each page begins before the end of the last one, so that the reading gains ground with every request.
 * - a change of a row not read yet moves it to the front, behind the reader, and `total` stays. So what has changed since the first
 *   page is read as a list of its own (`updatedAfter`, inclusive), again and again until it fits a single page or holds nothing new.
 *   A server that ignores `updatedAfter` is read until the first row that is older.
 * In a list in another order (messages, steps) new rows at the end can hide how many disappeared. There each page must hold a row of
 * the one before it, and the number of rows shows whether one has moved.
 *
 * A page that cannot be read ends the whole: a list in part must never pass for the whole.
 */
import { UnsteadyListError } from './errors.ts';

export interface Page<T> {
  data: T[];
  /** From 1. */
  page: number;
  limit: number;
  /** Of all pages. */
  total: number;
}

export interface PageQuery {
  page: number;
  limit: number;
  updatedAfter?: string;
}

const mostPasses = 20;
/** How many requests a pass may take: so many times those of a list at rest, and some more. */
const mostEffort = 10;
const spareRequests = 100;

export interface ReadOptions<T> {
  read: (query: PageQuery) => Promise<Page<T>>;
  limit?: number;
}

/**
 * Every record of a list, each once; memory holds a page and the ids.
 * @throws UnsteadyListError, and whatever `read` throws
 */
export async function* readAll<T extends object>(options: ReadOptions<T>): AsyncGenerator<T, void> {
  for await (const rows of readPages(options)) yield* rows;
}

/**
 * The same as they come: those of a page together, without any that came before, and never none. For long lists, where waiting for
 * each record costs more than reading it.
 * @throws UnsteadyListError, and whatever `read` throws
 */
export async function* readPages<T extends object>(options: ReadOptions<T>): AsyncGenerator<T[], void> {
  const { read, limit = 200 } = options;
  const seen = new Set<string>();
  let since: string | undefined;
  for (let count = 0; count < mostPasses; count++) {
    const before = seen.size;
    const pass = yield* readPass({ read, limit, since, seen });
    if (pass.requests === 1) return;
    if (pass.newest === undefined) {
      if (seen.size >= pass.total) return;
      continue;
    }
    const nothingNew = since !== undefined && timeOf(pass.newest) <= timeOf(since) && seen.size === before;
    if (nothingNew) return;
    since = pass.newest;
  }
  throw new UnsteadyListError(tooFast);
}

const tooFast = 'the list changes faster than it can be read';

interface Pass {
  requests: number;
  total: number;
  /** When the newest record of the first page changed; nothing when the list is in another order. */
  newest: string | undefined;
}

/** `since`: only what changed at or after it. */
async function* readPass<T extends object>(options: {
  read: (query: PageQuery) => Promise<Page<T>>;
  limit: number;
  since: string | undefined;
  seen: Set<string>;
}): AsyncGenerator<T[], Pass> {
  const { read, since, seen } = options;
  const position = new Position(options.limit);
  const ask = () => {
    const query = position.nextQuery();
    return { query, answer: read({ ...query, ...(since !== undefined && { updatedAfter: since }) }) };
  };
  let newest: string | undefined;
  let mostRequests = Number.POSITIVE_INFINITY;
  let next = ask();
  for (let requests = 1; requests <= mostRequests; requests++) {
    const answer = await next.answer;
    refuseContradiction(answer, next.query.page);
    const ordered = newestOf(answer.data);
    if (requests === 1) {
      newest = ordered;
      mostRequests = spareRequests + (mostEffort * answer.total) / answer.limit;
    } else if (answer.data.length > 0 && ordered === undefined) newest = undefined;
    const whole = position.advance(answer, { asked: next.query.limit, newestFirst: newest !== undefined });
    const oldest = answer.data.at(-1);
    // The server may not know `updatedAfter`; whatever follows is older still.
    const passed = since !== undefined && newest !== undefined && oldest !== undefined && timeOf(stampOf(oldest)) < timeOf(since);
    const done = whole || (passed && position.contiguous);
    const fresh = withoutSeen(answer.data, seen);
    if (!done) {
      // The next page is on its way while the caller uses this one. If the caller leaves, nobody needs to know how it ended.
      next = ask();
      next.answer.catch(() => {});
    }
    if (fresh.length > 0) yield fresh;
    if (done) return { requests, total: answer.total, newest };
  }
  throw new UnsteadyListError(tooFast);
}

/** How far a pass has come, while the rows move below it. Rows are counted from the front. */
class Position {
  /** The rows in front of it are read: no row that has always been there and is not read yet is before this place. */
  #read = 0;
  #total = 0;
  /** Whether the last page began before or where the one before it ended. */
  contiguous = true;
  /** The rows of the last contiguous page. */
  #edge = new Set<string>();
  /** How many rows are likely to disappear until the next answer. */
  #expectedDrop = 0;
  /** How many rows the page that is asked for shares with those that are read. */
  #overlap = 0;
  #newestFirst = true;
  #largest: number;
  /** The server gives pages of one size, whatever is asked. */
  #fixedSize = false;

  constructor(limit: number) {
    this.#largest = limit;
  }

  /** The page that leads furthest among those that begin far enough before the place that was reached. */
  nextQuery(): { page: number; limit: number } {
    const least = this.#newestFirst ? 0 : 1;
    this.#overlap = Math.max(least, Math.min(Math.round(2 * this.#expectedDrop), this.#largest >> 1));
    for (;;) {
      const query = this.#furthestFrom(Math.max(0, this.#read - this.#overlap));
      // Of small pages none may lead further; then less has to do.
      if (query.page * query.limit > this.#read || this.#overlap === 0) return query;
      this.#overlap >>= 1;
    }
  }

  #furthestFrom(start: number): { page: number; limit: number } {
    const smallest = this.#fixedSize ? this.#largest : Math.ceil(this.#largest / 2);
    let furthest = { page: 0, limit: 0 };
    for (let limit = this.#largest; limit >= smallest; limit--) {
      const page = Math.floor(start / limit) + 1;
      if (page * limit > furthest.page * furthest.limit) furthest = { page, limit };
    }
    return furthest;
  }

  /** Takes in an answer, and answers whether the list was read to its end. */
  advance({ data, page, limit, total }: Page<object>, { asked, newestFirst }: { asked: number; newestFirst: boolean }): boolean {
    this.#learnSize(asked, limit);
    this.#newestFirst = newestFirst;
    const start = (page - 1) * limit;
    const dropped = Math.max(0, this.#total - total);
    this.#total = total;
    this.#read = Math.max(0, this.#read - dropped);
    const held = data.some((row) => this.#edge.has(idOf(row) ?? ''));
    // Where pages cannot overlap, the number of rows must do.
    const counted = (newestFirst || this.#overlap === 0) && start <= this.#read;
    this.contiguous = start === 0 || counted || held;
    if (this.contiguous) {
      this.#read = Math.max(this.#read, page * limit);
      this.#edge = new Set(data.map((row) => idOf(row) ?? ''));
      this.#expectedDrop = Math.max(dropped, this.#expectedDrop * 0.8);
    } else {
      this.#read = Math.min(this.#read, start);
      this.#expectedDrop = Math.max(dropped, 1, this.#expectedDrop * 2);
    }
    // A full page of more rows than the server counts: there may be more.
    const known = start + data.length;
    const end = known > total && data.length >= limit ? known + 1 : total;
    return this.contiguous && this.#read >= end;
  }

  #learnSize(asked: number, limit: number): void {
    if (limit === asked) return;
    this.#fixedSize ||= asked !== this.#largest;
    this.#largest = limit;
  }
}

function refuseContradiction(answer: Page<object>, asked: number): void {
  const { page, limit, total, data } = answer;
  if (page !== asked) throw new UnsteadyListError(`page ${asked} was asked for and page ${page} came`);
  if (limit < 1) throw new UnsteadyListError(`a page holds ${limit} records`);
  if (data.length === 0 && (page - 1) * limit < total) {
    throw new UnsteadyListError(`page ${page} is empty, although there are ${total} records, ${limit} to a page`);
  }
  if (total > limit && data.some((row) => idOf(row) === undefined)) {
    throw new UnsteadyListError('records without an id cannot be told apart from one page to the next');
  }
}

/** A record without an id counts as new. */
function withoutSeen<T extends object>(rows: T[], seen: Set<string>): T[] {
  return rows.filter((row) => {
    const id = idOf(row);
    if (id === undefined) return true;
    const fresh = !seen.has(id);
    seen.add(id);
    return fresh;
  });
}

const idOf = (row: object) => ('id' in row && typeof row.id === 'string' ? row.id : undefined);

/** When the newest record changed, if the records are in the order of their changes and tell of them. */
export function newestOf(rows: readonly object[]): string | undefined {
  const stamps = rows.map(stampOf);
  const ordered = stamps.every((stamp, index) => timeOf(stamp) <= timeOf(stamps[index - 1] ?? stamp));
  return ordered ? stamps[0] : undefined;
}

const stampOf = (row: object) => ('updatedAt' in row && typeof row.updatedAt === 'string' ? row.updatedAt : '');

const timeOf = (stamp: string) => Date.parse(stamp);
