/**
 * Changes since the last run, by the rule of the specification (section 8): read everything once, remember when that run started, and
 * ask the next time for records updated at or after it.
 *
 * The start time comes from the server, since this machine's clock may be wrong. The first page has it: a write that is missing there
 * has a later time stamp than every record in it. For servers that commit a write some time after its stamp, the last seconds before
 * the newest change are always read again. Where a list has another order (messages, content steps), the page's Date header is used,
 * minus the duration of the answer. It may run ahead of the stamps, so it counts up to those seconds only, unless the server promises
 * that its lists hold all that meets the parameters.
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
import { type ListPosition, newestOf, stampOf } from './pages.ts';
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
  /** `position` of an interrupted run, whose `since`, `within` and `query` were the same. It goes on there. */
  resume?: SyncPosition;
  /** Records per request: 1 to 200 (default: 200). */
  limit?: number;
  /** Only matching records. A record that no longer matches isn't reported. */
  query?: FiltersFor<N>;
}

/** How far an interrupted run came. Plain JSON, so that another process can go on there. */
export interface SyncPosition extends ListPosition {
  /** The `since` of the interrupted run. */
  readonly since?: string | undefined;
  /** Its `next`, once it is complete. */
  readonly next?: string | undefined;
}

export interface Sync<T> extends AsyncIterable<T> {
  /** The next run's `since`, ISO 8601. Undefined until everything is read, so that an interrupted run is repeated. */
  readonly next: string | undefined;
  /**
   * How far the run is, once the records that arrived so far are stored. Undefined before the first page, and on servers whose lists
   * tell no position: then an interrupted run starts over.
   */
  readonly position: SyncPosition | undefined;
  /** The server's clock at the first answer, if it tells. A `since` after it means that the clock was set back. */
  readonly serverTime: string | undefined;
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
  const { since: given, resume, within = [], limit, query, ...call } = options;
  const since = resume ? resume.since : given;
  const reader = listReader(client.transport, {
    resource: contract[name],
    path: contract[name].path,
  });
  let next: string | undefined;
  let position: SyncPosition | undefined;
  let serverTime: string | undefined;

  async function* pages(): AsyncGenerator<RecordFor<N>[], void> {
    next = undefined;
    position = undefined;
    serverTime = undefined;
    let start: { at: string | undefined } | undefined;
    let latest = Number.NEGATIVE_INFINITY;
    const requestedAt = performance.now();
    const onAnswer = (answer: JsonAnswer) => {
      if (!resume && !promisesAll(answer)) latest = Math.max(latest, latestIn(answer));
      if (start) return;
      serverTime = timeIn(answer.headers.date);
      start = {
        at: resume
          ? resume.next
          : startOf(answer, { since, tookMs: performance.now() - requestedAt }),
      };
    };
    const onPosition = (at: ListPosition) => {
      position = { ...at, since, next: start?.at };
    };
    const wanted = { ...query, ...(since !== undefined && { updatedAfter: since }) };
    // The declaration of the resource names the type of its records.
    yield* reader.pages(within, wanted, call, {
      onAnswer,
      onPosition,
      from: resume,
      limit,
    }) as AsyncGenerator<RecordFor<N>[], void>;
    next = earlier(start?.at, { latest, since });
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
    get position() {
      return position;
    },
    get serverTime() {
      return serverTime;
    },
  };
}

function timeIn(header: unknown): string | undefined {
  const time = Date.parse(String(header));
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

const promisesAll = ({ headers }: Pick<JsonAnswer, 'headers'>): boolean =>
  headers['total-of'] === allPages;

/** The latest time of change on a page, in whatever order it is. */
function latestIn({ body }: Pick<JsonAnswer, 'body'>): number {
  const times = (body as { data: object[] }).data.map((row) => Date.parse(stampOf(row)));
  return times.reduce((latest, time) => (time > latest ? time : latest), Number.NEGATIVE_INFINITY);
}

/** No later than the margin before the latest change, where there is one. */
function earlier(
  start: string | undefined,
  { latest, since }: { latest: number; since: string | undefined },
): string | undefined {
  if (start === undefined || !Number.isFinite(latest) || Date.parse(start) <= latest - marginMs)
    return start;
  return since !== undefined && latest - marginMs < Date.parse(since)
    ? since
    : new Date(latest - marginMs).toISOString();
}

/** The time before which the run with this first page misses nothing. Too early repeats records, too late would lose some. */
export function startOf(
  { body, headers }: Pick<JsonAnswer, 'body' | 'headers'>,
  { since, tookMs }: { since: string | undefined; tookMs: number },
): string | undefined {
  const { data } = body as { data: object[] };
  if (data.length === 0) return since;
  const clock = Date.parse(String(headers.date)) - Math.ceil(tookMs) - marginMs;
  const newest = Date.parse(newestOf(data) ?? '');
  if (Number.isNaN(newest)) return Number.isNaN(clock) ? since : new Date(clock).toISOString();
  // With a newest change that is old enough, no write with an earlier stamp can still be committed. Only the clock that gives the stamps tells.
  const isClockKnown = !Number.isNaN(clock) && promisesAll({ headers });
  const settled = isClockKnown ? Math.max(newest - marginMs, clock) : newest - marginMs;
  const start = Math.min(newest, settled);
  // Earlier changes have been read, or weren't requested.
  return since !== undefined && start < Date.parse(since) ? since : new Date(start).toISOString();
}
