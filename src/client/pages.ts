/**
 * Reads a whole list, page by page, while others change it, so that no row that was there all the time is left out or comes twice.
 *
 * Pages are counted from the newest change (specification, section 8), so between two of them
 * - a new row, or a changed one that was read already, pushes the rest down: rows come twice. They are known by their id.
 * - a deleted row lets the rest move up, past the end of the page that was just read. `total` drops by at least as many rows as moved
 *   up, since rows that are added only push down. So the reading steps back by that many rows.
 * - a row that was not read yet and is changed jumps to the top, behind the reader's back, and `total` stays. So, after the last page,
 *   what has changed since the first one is read as a list of its own (`updatedAfter`, inclusive). When that takes several pages, rows
 *   may have jumped meanwhile, and it is done again, each time for a shorter while, until it fits a single page or holds nothing new.
 * A list in another order (messages, steps) lets no row jump when it changes; there the number of rows shows whether one was missed.
 *
 * A page that cannot be read ends the whole: a list in part must never pass for the whole.
 */
import { UnsteadyListError } from './errors.ts';
import { createIdSet, type IdSet } from './id-set.ts';

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

const mostSteps = 100;
const mostPasses = 20;

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
  const seen = createIdSet();
  let since: string | undefined;
  for (let count = 0; count < mostPasses; count++) {
    const pass = yield* readPass({ read, limit, since, seen });
    if (pass.pages === 1) return;
    if (pass.newest === undefined) {
      if (seen.size >= pass.total) return;
    } else {
      if (since !== undefined && timeOf(pass.newest) <= timeOf(since)) return;
      since = pass.newest;
    }
  }
  throw new UnsteadyListError('the list changes faster than it can be read');
}

interface Pass {
  pages: number;
  total: number;
  /** When the newest record of the first page changed; nothing when the list is in another order. */
  newest: string | undefined;
}

async function* readPass<T extends object>(options: {
  read: (query: PageQuery) => Promise<Page<T>>;
  limit: number;
  since: string | undefined;
  seen: IdSet;
}): AsyncGenerator<T[], Pass> {
  const { read, limit, since, seen } = options;
  let newest: string | undefined;
  let total = 0;
  let steps = 0;
  const ask = (page: number) => read({ page, limit, ...(since !== undefined && { updatedAfter: since }) });
  let ahead: Promise<Page<T>> | undefined;
  for (let page = 1, pages = 1; ; page++, pages++) {
    const answer = await (ahead ?? ask(page));
    ahead = undefined;
    refuseContradiction(answer, page);
    if (pages === 1) newest = newestOf(answer.data);
    const fresh = withoutSeen(answer.data, seen);
    const dropped = pages === 1 ? 0 : total - answer.total;
    // The next page is on its way while this one is made use of.
    if (dropped <= 0 && page * answer.limit < answer.total) ahead = ask(page + 1);
    // When nobody waits for it any more, nobody has to know how it ended.
    ahead?.catch(() => {});
    if (fresh.length > 0) yield fresh;
    total = answer.total;
    if (dropped > 0) {
      if (++steps > mostSteps) throw new UnsteadyListError('the list shrinks again and again while it is read');
      // The page that was just read came after the drop, so what moved up lies before it.
      page = Math.max(0, page - 1 - Math.ceil(dropped / answer.limit));
      continue;
    }
    if (page * answer.limit >= total) return { pages, total, newest };
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

/** The same array when all are new, as on nearly every page. */
function withoutSeen<T extends object>(rows: T[], seen: IdSet): T[] {
  let fresh: T[] | undefined;
  // A loop: the function of a filter, made for each page, was seen to be optimised anew for page after page.
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as T;
    const id = idOf(row);
    if (id === undefined || seen.add(id)) fresh?.push(row);
    else fresh ??= rows.slice(0, at);
  }
  return fresh ?? rows;
}

const idOf = (row: object) => ('id' in row && typeof row.id === 'string' ? row.id : undefined);

/** When the newest record changed, if the records are in the order of their changes and tell of them. */
export function newestOf(rows: readonly object[]): string | undefined {
  const stamps = rows.map((row) => ('updatedAt' in row && typeof row.updatedAt === 'string' ? row.updatedAt : ''));
  const ordered = stamps.every((stamp, index) => timeOf(stamp) <= timeOf(stamps[index - 1] ?? stamp));
  return ordered ? stamps[0] : undefined;
}

const timeOf = (stamp: string) => Date.parse(stamp);
