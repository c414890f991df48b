/**
 * Reads a complete list, page by page, while others write. Every row that exists during the whole read arrives exactly once.
 *
 * Most lists have the newest change first (specification, section 8), so between two requests
 * - a new row, or a change of a row that was already read, pushes the rest down. Rows arrive twice and are dropped by their id.
 * - a deleted row moves the rest up, by at most the number by which `total` drops. That many rows are read again. While rows
 *   disappear, each page starts before the end of the previous one, so that the read catches up with every request.
 * - a change of an unread row moves it to the front, behind the reader, and `total` stays. So the changes since the first page are
 *   read as a list of their own (`updatedAfter`, inclusive), until it fits a single page or has nothing new.
 *   A server that ignores `updatedAfter` is read until the first older row.
 * In lists in another order (messages, steps), new rows at the end can hide deleted ones. There each page must contain a row of the
 * previous one, and the number of rows shows whether one has moved.
 *
 * Some servers cut pages, tell the limit that was asked for, and count only the page. So a list ends where the server promises that it
 * counts all pages (ours does), where a page has fewer rows than an earlier one, or where the next page is empty.
 * A server that doesn't tell the size of its pages, or tells another than it gives, is read until nothing new comes.
 *
 * A failed page fails the list: a partial list must never look complete.
 */
import { UnsteadyListError } from './errors.ts';
import { IdSet } from './id-set.ts';
import type { ListBody, PageQuery } from './list-body.ts';
import { type CountedPage, idOf, type ListPosition, Position } from './page-position.ts';
import {
  hasPageAfter,
  readUncounted,
  tooFast,
  withoutDuplicates,
  withoutIds,
} from './uncounted-pages.ts';

export interface Page<T> {
  data: T[];
  /** From 1. */
  page: number;
  limit: number;
  /** Of all pages. Undefined where the server doesn't tell, against section 8 of the specification. */
  total: number | undefined;
  /** Of a search: records with the words as a name come first, so that none follows a record without. */
  keysFirst?: true;
}

const maxPasses = 20;
/** A pass may take this many times the requests of an unchanged list, plus `extraRequests`. */
const maxEffort = 10;
const extraRequests = 100;

export interface ReadOptions<T> {
  read: (query: PageQuery) => Promise<ListBody<T>>;
  limit?: number;
  /** No more records can come than this. */
  most?: number;
  /** Where an interrupted read stopped. Rows before it don't arrive again, unless they changed. Starts over where deleted rows can't show. */
  from?: ListPosition;
  /** Receives the position after each page, before the page is yielded. Not where `total` may count only the page: it hides deleted rows. */
  onPosition?: (position: ListPosition) => void;
}

/**
 * Every record of a list, each once; memory holds a page and the ids.
 * @throws UnsteadyListError, and whatever `read` throws
 */
export async function* readAll<T extends object>(options: ReadOptions<T>): AsyncGenerator<T, void> {
  for await (const rows of readPages(options)) yield* rows;
}

/**
 * The same by page, without duplicates and without empty pages. For long lists, where waiting for each record costs more than reading it.
 * @throws UnsteadyListError, and whatever `read` throws
 */
export async function* readPages<T extends object>(
  options: ReadOptions<T>,
): AsyncGenerator<T[], void> {
  const { limit = 200, most = Number.POSITIVE_INFINITY, onPosition } = options;
  const ending = new Ending(most);
  const seen = new IdSet();
  let { from } = options;
  const opening = new Position(limit, from).nextQuery();
  const first = await options.read(opening);
  if (!isCounted(first)) {
    return yield* readUncounted({
      read: options.read,
      limit,
      seen,
      ...(opening.page === 1 && { first }),
    });
  }
  if (from && isTooSmall(first)) return yield* readPages({ ...options, from: undefined });
  const read = countedAfter(first, options.read);
  let since: string | undefined;
  for (let count = 0; count < maxPasses; count++) {
    const before = seen.size;
    const pass = yield* readPass({
      read,
      limit,
      since,
      seen,
      from,
      ending,
      onPosition: since === undefined ? onPosition : undefined,
    });
    const resumed = from !== undefined;
    from = undefined;
    const { unproven } = pass;
    const pageSize =
      unproven && (await hasPageAfter({ ...unproven, read: options.read, seen }))
        ? unproven.query.limit
        : pass.pageSize;
    if (pageSize !== undefined)
      return yield* readUncounted({ read: options.read, limit: pageSize, seen });
    if (pass.requests === 1 && !resumed) return;
    if (pass.newest === undefined) {
      if (seen.size >= pass.total) return;
      continue;
    }
    const nothingNew =
      since !== undefined && timeOf(pass.newest) <= timeOf(since) && seen.size === before;
    if (nothingNew) return;
    since = pass.newest;
  }
  throw new UnsteadyListError(tooFast);
}

const isCounted = <T>(answer: ListBody<T>): answer is CountedPage<T> =>
  answer.page !== undefined && answer.limit !== undefined && answer.total !== undefined;

/** The first answer, which is here already, then those of `read`. */
function countedAfter<T>(
  first: CountedPage<T>,
  read: ReadOptions<T>['read'],
): (query: PageQuery) => Promise<CountedPage<T>> {
  let opening: CountedPage<T> | undefined = first;
  return async (query) => {
    const answer = opening ?? (await read(query));
    opening = undefined;
    if (!isCounted(answer))
      throw new UnsteadyListError(
        `page ${query.page} lacks the page, limit or total that an earlier page had`,
      );
    return answer;
  };
}

interface Pass {
  requests: number;
  total: number;
  /** The time of the newest change on the first page; undefined for a list in another order. */
  newest: string | undefined;
  /** The rows of a page that contradicts its numbers. The pass ended there. */
  pageSize?: number;
  /** The last page, where nothing but the total says that it is. */
  unproven?: { query: PageQuery; rows: readonly object[] };
}

/** `since`: only records that changed at or after it. */
async function* readPass<T extends object>(options: {
  read: (query: PageQuery) => Promise<CountedPage<T>>;
  limit: number;
  since: string | undefined;
  seen: IdSet;
  from: ListPosition | undefined;
  ending: Ending;
  onPosition: ((position: ListPosition) => void) | undefined;
}): AsyncGenerator<T[], Pass> {
  const { read, since, seen, from, ending, onPosition } = options;
  const position = new Position(options.limit, from);
  const request = () => {
    const query = { ...position.nextQuery(), ...(since !== undefined && { updatedAfter: since }) };
    return { query, answer: read(query) };
  };
  let newest: string | undefined;
  let isCountProven = false;
  let maxRequests = Number.POSITIVE_INFINITY;
  let next = request();
  for (let requests = 1; requests <= maxRequests; requests++) {
    const { query: asked } = next;
    const answer = await next.answer;
    checkConsistency(answer, asked.page);
    if (contradictsItself(answer)) {
      return {
        requests,
        total: answer.total,
        newest: undefined,
        pageSize: Math.min(answer.data.length, asked.limit),
      };
    }
    const ordered = newestOf(answer.data);
    if (requests === 1) {
      newest = from && (ordered !== undefined || answer.data.length === 0) ? from.newest : ordered;
      maxRequests = extraRequests + (maxEffort * answer.total) / answer.limit;
    } else if (answer.data.length > 0 && ordered === undefined) newest = undefined;
    const complete = position.advance(answer, {
      asked: asked.limit,
      newestFirst: newest !== undefined,
    });
    const oldest = answer.data.at(-1);
    // A server may ignore `updatedAfter`; all following rows are older.
    const pastSince =
      since !== undefined &&
      newest !== undefined &&
      oldest !== undefined &&
      timeOf(stampOf(oldest)) < timeOf(since);
    const done = complete || (pastSince && position.contiguous);
    const fresh = withoutDuplicates(answer.data, seen);
    if (!done) {
      // Requested while the caller uses this page. If the caller stops, its outcome doesn't matter.
      next = request();
      next.answer.catch(() => {});
    }
    isCountProven ||= answer.countsAllPages === true || answer.total > answer.data.length;
    if (newest !== undefined && isCountProven && !isTooSmall(answer))
      onPosition?.(position.after(newest));
    if (fresh.length > 0) yield fresh;
    const isProven = ending.isProvenBy(answer, seen);
    if (done)
      return {
        requests,
        total: answer.total,
        newest,
        ...(complete && !isProven && { unproven: { query: asked, rows: answer.data } }),
      };
  }
  throw new UnsteadyListError(tooFast);
}

/** Whether a page is the last one of its list. A total alone proves nothing: it may count only the page. */
class Ending {
  readonly #most: number;
  #largest = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** For each page, in the order of reading. */
  isProvenBy({ data, limit, countsAllPages, more }: CountedPage<object>, seen: IdSet): boolean {
    const isShort = data.length < Math.min(limit, this.#largest);
    this.#largest = Math.max(this.#largest, data.length);
    if (more) return false;
    return countsAllPages === true || data.length === 0 || isShort || seen.size >= this.#most;
  }
}

function checkConsistency(answer: CountedPage<object>, asked: number): void {
  const { page, limit, total, data } = answer;
  if (page !== asked)
    throw new UnsteadyListError(
      `the server answered page ${page} instead of page ${asked}; the specification (section 8) counts pages from 1`,
    );
  if (limit < 1) throw new UnsteadyListError(`the server reports a page size of ${limit}`);
  if (data.length === 0 && (page - 1) * limit < total) {
    throw new UnsteadyListError(
      `page ${page} is empty, but the list has ${total} records in pages of ${limit}`,
    );
  }
  if (total > limit && data.some((row) => idOf(row) === undefined)) {
    throw new UnsteadyListError(withoutIds);
  }
}

/** A total of fewer rows than the pages up to this one have. Empty pages are too far back to tell. */
const isTooSmall = ({ data, page, limit, total }: CountedPage<object>): boolean =>
  data.length > 0 && (page - 1) * limit + data.length > total;

/** More rows than the page size, or fewer although more follow: the server gives pages of another size than it tells. */
function contradictsItself({ data, page, limit, total }: CountedPage<object>): boolean {
  const end = (page - 1) * limit + data.length;
  return data.length > 0 && (data.length > limit || (data.length < limit && end < total));
}

/** The time of the newest change, if the records are in the order of their changes. */
export function newestOf(rows: readonly object[]): string | undefined {
  const stamps = rows.map(stampOf);
  const ordered = stamps.every(
    (stamp, index) => timeOf(stamp) <= timeOf(stamps[index - 1] ?? stamp),
  );
  return ordered ? stamps[0] : undefined;
}

export const stampOf = (row: object) =>
  'updatedAt' in row && typeof row.updatedAt === 'string' ? row.updatedAt : '';

const timeOf = (stamp: string) => Date.parse(stamp);
