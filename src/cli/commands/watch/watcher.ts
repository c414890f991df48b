/** Looks again and again what has changed, and loses nothing while the server cannot be reached. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, type SyncName, sync } from '../../../client/client.ts';
import { NetworkError } from '../../../client/errors.ts';
import { methodsOf } from '../../crud/methods.ts';
import { exitCodeOf } from '../../errors/exit-code.ts';
import type { Row } from '../../output/view.ts';
import { Recent, type Versions } from '../bulk/recent.ts';

/** Up to when everything has been told. */
export interface Position {
  readonly since: string | undefined;
  /** What has been told already of what comes again. */
  readonly recent: Versions;
}

export interface Watched {
  readonly name: SyncName;
  /** Ids of the records that the list lies below, outermost first. */
  readonly within: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
}

interface WatchOptions extends Watched {
  readonly client: Client;
  readonly from: Position;
  /** Milliseconds between two looks. */
  readonly everyMs: number;
  /** Look once and end. */
  readonly once: boolean;
  readonly signal: AbortSignal;
  /** Called when what a look has found has been shown. */
  readonly told: (position: Position) => Promise<void>;
  /** Told when a look fails and is done again after so many milliseconds, and when one succeeds after that. */
  readonly failed: (error: Error, againInMs: number) => void;
  readonly reached: () => void;
}

const longestWaitMs = 5 * 60_000;

/** What each look finds, the oldest change first; nothing comes twice for the same change. Fails for what waiting does not mend. */
export async function* changesOf(options: WatchOptions): AsyncGenerator<Row[], void> {
  const { everyMs, once, signal, told, failed, reached } = options;
  let position = options.from;
  let failures = 0;
  for (;;) {
    let look: Look;
    try {
      look = await lookFor(options.client, options, position);
    } catch (error) {
      signal.throwIfAborted();
      if (once || !passes(error)) throw error;
      failures += 1;
      const waitMs = Math.min(everyMs * 2 ** failures, Math.max(everyMs, longestWaitMs));
      failed(error, waitMs);
      await pause(waitMs, signal);
      continue;
    }
    if (failures > 0) reached();
    failures = 0;
    if (look.records.length > 0) yield look.records;
    position = look.position;
    await told(position);
    if (once) return;
    await pause(everyMs, signal);
  }
}

interface Look {
  readonly records: Row[];
  readonly position: Position;
}

/** No connection, an overloaded server, a limit: another time it may go well. A certificate that was refused stays refused. */
function passes(error: unknown): error is Error {
  if (error instanceof NetworkError && (error.code === 'tls_failed' || error.code === 'unsafe_address')) return false;
  return error instanceof Error && [8, 9, 10].includes(exitCodeOf(error));
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch((error) => {
    signal.throwIfAborted();
    throw error;
  });
}

/** All that changed, before any of it is told: a look that breaks off is done again as a whole. */
async function lookFor(client: Client, { name, within, query }: Watched, { since, recent }: Position): Promise<Look> {
  const seen = new Recent(recent);
  const changes = sync(client, name, { since, within, query });
  const records: Row[] = [];
  for await (const record of changes as AsyncIterable<Row>) if (seen.isNew(record)) records.push(record);
  const next = changes.next ?? since;
  return { records: records.sort(byTime), position: { since: next, recent: seen.after(next) } };
}

const byTime = (a: Row, b: Row): number => Date.parse(a.updatedAt) - Date.parse(b.updatedAt) || (a.id < b.id ? -1 : 1);

/** Up to this many records are read at the beginning, so that of each change it can be told what was before: ten pages. */
const mostKnown = 2_000;

/** So much before the newest change the first look begins, since a write can be stamped some time before it can be seen. */
const overlapMs = 10_000;

/** Where everything that is there now has been told. `known` is given what there is, as far as that is not too much. */
export async function presentOf(client: Client, watched: Watched, known: ((record: Row) => void) | undefined): Promise<Position> {
  const { name, within, query } = watched;
  const newest = await methodsOf(client, name).list(...within, { ...query, limit: 1 });
  const whole = known !== undefined && newest.total <= mostKnown;
  const changed = Date.parse(newest.data[0]?.updatedAt);
  const since = whole || Number.isNaN(changed) ? undefined : new Date(changed - overlapMs).toISOString();
  const { records, position } = await lookFor(client, watched, { since, recent: {} });
  if (known) for (const record of records) known(record);
  return position;
}
