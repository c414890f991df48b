/**
 * What has changed since last time, by the rule of the specification (section 8): read everything once, remember when that began, and
 * ask the next time for what was updated at or after it.
 *
 * When it began is taken from the server, since the clock of this machine may be wrong. The first page tells it best: a write that is
 * not in it has a later stamp than everything that is. A server on which a write can be stamped some time before it can be seen is met
 * half way: what was stamped within the last seconds comes again. Where a list is in another order (messages, content steps), the
 * Date header of that page tells it, less the time that the answer took.
 */
import { type Contract, contract, type FiltersFor, type RecordFor, type StoredName } from '../contract/contract.ts';
import { fillPath } from './address.ts';
import type { JsonAnswer } from './answers.ts';
import type { CallOptions } from './options.ts';
import { newestOf, type Page, type PageQuery, readPages } from './pages.ts';
import type { Transport } from './transport.ts';

/** The resources whose records are kept and can be listed. */
export type SyncName = { [N in StoredName]: Contract[N]['operations'] extends { list: object } ? N : never }[StoredName];

export interface SyncOptions<N extends SyncName> extends Pick<CallOptions, 'signal' | 'timeoutMs' | 'retries'> {
  /** `next` of the run before. Without it every record is read. */
  since?: string;
  /** The id of the record that the path goes through, for a resource that has one: `[carId]` for the events of a car. */
  within?: readonly string[];
  /** Only records that meet these. One that no longer does is not told of. */
  query?: FiltersFor<N>;
}

export interface Sync<T> extends AsyncIterable<T> {
  /** What to give as `since` the next time, ISO 8601. Nothing until all has been read, so that a run that broke off is done again. */
  readonly next: string | undefined;
  /** The same by the pages in which they come, which is faster for many records. Read it one way or the other. */
  pages(): AsyncGenerator<T[], void>;
}

/** How long a write may take from its stamp until it can be seen, in milliseconds. */
const marginMs = 5_000;

/**
 * Reads the records of a resource that changed since last time, each once, newest change first, also while others write.
 *
 * ```ts
 * const changes = sync(client, 'cars', { since: await load() });
 * for await (const car of changes) await keep(car);        // by its id: it may be one that is there already
 * await save(changes.next);
 * ```
 * No change is lost: what is written while a run reads comes in it or in the next one. A change may come twice, so keep records by
 * their id. What was deleted does not come at all: a run without `since` shows it by what is missing. Memory holds a page and the ids.
 *
 * Nothing is sent before the loop begins; each loop over it asks anew. It throws as `all` does, and then `next` stays empty.
 */
export function sync<N extends SyncName>(
  client: { readonly transport: Transport },
  name: N,
  options: SyncOptions<N> = {},
): Sync<RecordFor<N>> {
  const { since, within = [], query, ...call } = options;
  const path = fillPath(contract[name].path, within);
  let next: string | undefined;

  async function* pages(): AsyncGenerator<RecordFor<N>[], void> {
    next = undefined;
    let start: { at: string | undefined } | undefined;
    const read = async (page: PageQuery) => {
      const asked = performance.now();
      const given = { ...query, ...(since !== undefined && { updatedAfter: since }), ...page };
      const answer = await client.transport.request({ ...call, method: 'GET', path, query: given, expect: 'list' });
      start ??= { at: startOf(answer, { since, tookMs: performance.now() - asked }) };
      return answer.body as Page<RecordFor<N>>;
    };
    yield* readPages({ read });
    next = start?.at;
  }

  async function* changes(): AsyncGenerator<RecordFor<N>, void> {
    for await (const records of pages()) yield* records;
  }

  return {
    [Symbol.asyncIterator]: changes,
    pages,
    get next() {
      return next;
    },
  };
}

/** Before when nothing is missing from the run whose first page this is. Too early costs records that come again, too late would lose some. */
export function startOf(
  { body, headers }: Pick<JsonAnswer, 'body' | 'headers'>,
  { since, tookMs }: { since: string | undefined; tookMs: number },
): string | undefined {
  const { data } = body as Page<object>;
  if (data.length === 0) return since;
  const clock = Date.parse(String(headers.date)) - Math.ceil(tookMs) - marginMs;
  const newest = Date.parse(newestOf(data) ?? '');
  if (Number.isNaN(newest)) return Number.isNaN(clock) ? since : new Date(clock).toISOString();
  // Where the clock says that the newest change lies back far enough, nothing that was stamped before it can still come.
  const settled = Number.isNaN(clock) ? newest - marginMs : Math.max(newest - marginMs, clock);
  const start = Math.min(newest, settled);
  // What lies before `since` has been seen, or was not asked for.
  return since !== undefined && start < Date.parse(since) ? since : new Date(start).toISOString();
}
