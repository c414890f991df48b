/**
 * Changes since the last run, by the rule of the specification (section 8): read everything once, remember when that run started, and
 * ask the next time for records updated at or after it.
 *
 * The start time comes from the server, since this machine's clock may be wrong. The first page has it: a write that is missing there
 * has a later time stamp than every record in it. For servers that commit a write some time after its stamp, the last seconds before
 * the latest change are read again. The Date header, minus the duration of the answer, counts where the server promises whole lists,
 * since the same clock gives the stamps there, and where records have none.
 */
import {
  type Contract,
  contract,
  type FiltersFor,
  type RecordFor,
  type StoredName,
} from '../contract/contract.ts';
import { allPages } from './abilities.ts';
import type { JsonAnswer } from './answers.ts';
import { listReader } from './lists.ts';
import type { CallOptions } from './options.ts';
import { stampOf } from './pages.ts';
import type { Transport } from './transport.ts';

/** The stored resources with a list. */
export type SyncName = {
  [N in StoredName]: Contract[N]['operations'] extends { list: object } ? N : never;
}[StoredName];

export interface SyncOptions<N extends SyncName>
  extends Pick<CallOptions, 'signal' | 'timeoutMs' | 'retries'> {
  /** `next` of the previous run (default: read every record). */
  since?: string;
  /** The parent's id, for a resource with one: `[carId]` for the events of a car. */
  within?: readonly string[];
  /** Records per request: 1 to 200 (default: 200). */
  limit?: number;
  /** Only matching records. A record that no longer matches isn't reported. */
  query?: FiltersFor<N>;
}

export interface Sync<T> extends AsyncIterable<T> {
  /** The next run's `since`, ISO 8601. Undefined until everything is read, so that an interrupted run is repeated. */
  readonly next: string | undefined;
  /** The same by page, which is faster for many records. Use one of the two. */
  pages(): AsyncGenerator<T[], void>;
}

/** The longest time from a write's stamp to its commit, in milliseconds. */
const marginMs = 5_000;

/**
 * Reads the records of a resource that changed since the last run, each once, newest change first, also during other writes.
 *
 * ```ts
 * const changes = sync(client, 'cars', { since: await load() });
 * for await (const car of changes) await store(car);       // by its id: it may exist already
 * await save(changes.next);
 * ```
 * No change is lost: a write during a run arrives in it or in the next one. A change may arrive twice, so store records by their id.
 * Deleted records don't arrive: only a run without `since` reveals them. Memory holds one page and the ids.
 *
 * Sends nothing before the loop starts; each loop reads again. Throws like `all`, and then `next` stays undefined.
 */
export function sync<N extends SyncName>(
  client: { readonly transport: Transport },
  name: N,
  options: SyncOptions<N> = {},
): Sync<RecordFor<N>> {
  const { within = [], query, since, ...call } = options;
  const resource = contract[name];
  const reader = listReader(client.transport, { resource, path: resource.path });
  let next: string | undefined;

  async function* pages(): AsyncGenerator<RecordFor<N>[], void> {
    let start: { at: string | undefined } | undefined;
    next = undefined;
    const startedAt = performance.now();
    const onAnswer = (answer: JsonAnswer) => {
      start ??= { at: startOf(answer, { since, tookMs: performance.now() - startedAt }) };
    };
    const wanted = { ...query, ...(since !== undefined && { updatedAfter: since }) };
    const read = reader.pages(within, wanted, { ...call, onAnswer, fresh: true });
    // The declaration of the resource names the type of its records.
    yield* read as AsyncGenerator<RecordFor<N>[], void>;
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

/** The time before which the run with this first page misses nothing. Too early repeats records, too late would lose some. */
export function startOf(
  { body, headers }: Pick<JsonAnswer, 'body' | 'headers'>,
  { since, tookMs }: { since: string | undefined; tookMs: number },
): string | undefined {
  const { data } = body as { data: object[] };
  const times = data.map((row) => Date.parse(stampOf(row))).filter(Number.isFinite);
  const latest = Math.max(...times);
  const clock = Date.parse(String(headers.date)) - Math.ceil(tookMs) - marginMs;
  const isOfStamps = headers['total-of'] === allPages && Number.isFinite(clock);
  const start =
    times.length === 0
      ? clock
      : Math.min(latest, Math.max(latest - marginMs, isOfStamps ? clock : 0));
  // Earlier changes have been read, or weren't requested.
  if (data.length === 0 || Number.isNaN(start)) return since;
  return since !== undefined && start < Date.parse(since) ? since : new Date(start).toISOString();
}
