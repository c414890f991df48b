/** Polls for changes. Loses none while the server can't be reached. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, type SyncName, sync } from '../../../client/client.ts';
import { NetworkError } from '../../../client/errors.ts';
import { exitCodeOf } from '../../errors/report.ts';
import type { Row } from '../../output/view.ts';
import { methodsOf } from '../../resources/methods.ts';
import { cursorAfter, isSetBack } from '../bulk/cursor.ts';
import { SeenVersions, type Versions, versionOf } from '../bulk/recent.ts';

/** Everything before it has been shown. */
export interface Position {
  readonly since: string | undefined;
  /** Shown changes that the next poll returns again. */
  readonly recent: Versions;
}

export interface Watched {
  readonly name: SyncName;
  /** Ids of the parents, outermost first. */
  readonly within: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
}

interface WatchOptions {
  readonly client: Client;
  readonly watched: readonly Watched[];
  /** Where each of them begins. */
  readonly from: readonly Position[];
  /** Milliseconds between two polls. */
  readonly everyMs: number;
  /** Poll once and end. */
  readonly once: boolean;
  readonly signal: AbortSignal;
  /** Called after the changes of a poll were shown. */
  readonly onShown: (index: number, position: Position) => Promise<void>;
  /** Called when polls fail and will be retried. */
  readonly onFailure: (failure: Failure) => void;
  /** Called when polls succeed after failures. */
  readonly onRecovery: (indexes: readonly number[]) => void;
}

/** Resources that failed together, for the same reason. */
export interface Failure {
  readonly error: Error;
  /** Which of `watched`. */
  readonly indexes: readonly number[];
  readonly againInMs: number;
}

/** The changes of a poll, oldest first. */
export interface Changes {
  /** Which of `watched`. */
  readonly index: number;
  readonly records: readonly Row[];
  /** After these changes. */
  readonly position: Position;
}

const maxWaitMs = 5 * 60_000;

/** The wait after so many failures in a row. */
export const backOffMs = (everyMs: number, failures: number): number =>
  Math.min(everyMs * 2 ** failures, Math.max(everyMs, maxWaitMs));

/** The next poll of a resource. */
interface Turn {
  inMs: number;
  /** In a row. */
  failures: number;
}

/**
 * The changes of each poll that has some, each change once. A resource that fails is polled again later, and doesn't keep the others waiting.
 * Throws on errors that a retry can't solve; with `once` on any, after every resource had its turn.
 */
export async function* watchChanges(options: WatchOptions): AsyncGenerator<Changes, void> {
  const { client, watched, everyMs, once, signal, onShown, onFailure, onRecovery } = options;
  const positions = [...options.from];
  const turns = watched.map((): Turn => ({ inMs: 0, failures: 0 }));
  for (;;) {
    const failed: { index: number; error: Error }[] = [];
    const recovered: number[] = [];
    for (const [index, turn] of turns.entries()) {
      if (turn.inMs > 0) continue;
      let result: Poll;
      try {
        result = await poll(client, watched[index] as Watched, positions[index] as Position);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Error) || !(once || isTransient(error))) throw error;
        failed.push({ index, error });
        turn.failures += 1;
        turn.inMs = backOffMs(everyMs, turn.failures);
        continue;
      }
      if (turn.failures > 0) recovered.push(index);
      Object.assign(turn, { inMs: everyMs, failures: 0 } satisfies Turn);
      if (result.records.length > 0) yield { index, ...result };
      positions[index] = result.position;
      await onShown(index, result.position);
    }
    if (once) {
      if (failed[0]) throw failed[0].error;
      return;
    }
    if (recovered.length > 0) onRecovery(recovered);
    for (const same of Map.groupBy(
      failed,
      ({ error, index }) => `${turns[index]?.inMs} ${error.message}`,
    ).values()) {
      const [{ error, index }] = same as [(typeof failed)[number]];
      onFailure({
        error,
        indexes: same.map((one) => one.index),
        againInMs: (turns[index] as Turn).inMs,
      });
    }
    const waitMs = Math.min(...turns.map(({ inMs }) => inMs));
    await pause(waitMs, signal);
    for (const turn of turns) turn.inMs -= waitMs;
  }
}

interface Poll {
  readonly records: Row[];
  readonly position: Position;
}

/** Network errors, overload and rate limits. A refused certificate isn't transient. */
function isTransient(error: unknown): error is Error {
  if (
    error instanceof NetworkError &&
    (error.code === 'tls_failed' || error.code === 'unsafe_address')
  )
    return false;
  return error instanceof Error && [8, 9, 10].includes(exitCodeOf(error));
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch((error) => {
    signal.throwIfAborted();
    throw error;
  });
}

/** How far a poll looks back where the server's clock was set back: some changes may be shown again, which is better than none. */
const setBackMs = 3_600_000;

/** Reads all changes before any is shown: an interrupted poll is repeated as a whole. */
async function poll(client: Client, watched: Watched, { since, recent }: Position): Promise<Poll> {
  const { name, within, query } = watched;
  const seen = new SeenVersions(recent);
  const changes = sync(client, name, { since, within, query });
  const records: Row[] = [];
  for await (const record of changes as AsyncIterable<Row>)
    if (seen.isNew(record)) records.push(record);
  const { serverTime } = changes;
  if (serverTime !== undefined && isSetBack(since, serverTime)) {
    const start = new Date(Date.parse(serverTime) - setBackMs).toISOString();
    return poll(client, watched, { since: start, recent });
  }
  const next = cursorAfter(changes) ?? since;
  return { records: records.sort(byTime), position: { since: next, recent: seen.after(next) } };
}

/** The position when only some changes of a poll are done, the oldest ones. */
export function positionAmong(
  before: Position,
  { records, position }: Changes,
  done: number,
): Position {
  if (done === records.length) return position;
  const last = Date.parse(records[done - 1]?.updatedAt) - overlapMs;
  const since =
    Number.isNaN(last) || position.since === undefined
      ? undefined
      : Math.min(last, Date.parse(position.since));
  const start = Math.max(
    since ?? Number.NEGATIVE_INFINITY,
    Date.parse(before.since ?? '') || Number.NEGATIVE_INFINITY,
  );
  const recent = { ...before.recent };
  for (const record of records.slice(0, done))
    if (!(Date.parse(record.updatedAt) < start)) recent[record.id] = versionOf(record);
  return { since: Number.isFinite(start) ? new Date(start).toISOString() : before.since, recent };
}

const byTime = (a: Row, b: Row): number =>
  Date.parse(a.updatedAt) - Date.parse(b.updatedAt) || (a.id < b.id ? -1 : 1);

/** Up to this many records are read at the start to show old values of changes: ten pages. */
const maxPreloaded = 2_000;

/** The first poll starts this much before the newest change, since a write gets its time stamp before it becomes visible. */
const overlapMs = 10_000;

/** The position after all current records. `onRecord` receives the existing ones, unless there are too many. */
export async function currentPosition(
  client: Client,
  watched: Watched,
  onRecord: ((record: Row) => void) | undefined,
): Promise<Position> {
  const { name, within, query } = watched;
  const newest = await methodsOf(client, name).list(...within, { ...query, limit: 1 });
  const whole =
    onRecord !== undefined && newest.total !== undefined && newest.total <= maxPreloaded;
  const changed = Date.parse(newest.data[0]?.updatedAt);
  const since =
    whole || Number.isNaN(changed) ? undefined : new Date(changed - overlapMs).toISOString();
  const { records, position } = await poll(client, watched, { since, recent: {} });
  if (onRecord) for (const record of records) onRecord(record);
  return position;
}
