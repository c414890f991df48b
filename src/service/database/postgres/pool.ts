import pg, { type DatabaseError, type Pool } from 'pg';
import { DatabaseUnavailable, WriteConflict } from '../failures.ts';

export interface PoolLimits {
  /** Connections that one process keeps at most. */
  readonly connections: number;
  /** How long a request waits for a connection, in milliseconds. */
  readonly connectMs: number;
  /** The longest that one statement may take, waiting for locks included, in milliseconds. */
  readonly statementMs: number;
  /** How long a transaction may stand still before the database ends it, in milliseconds. */
  readonly idleTransactionMs: number;
  /**
   * How long the answer to a statement may take to arrive, in milliseconds: for a database that ends nothing because it doesn't answer at all.
   * What was sent before the statement, and waits for a lock, is part of its time.
   */
  readonly answerMs: number;
}

export const standardLimits: PoolLimits = {
  connections: 10,
  connectMs: 5_000,
  statementMs: 30_000,
  idleTransactionMs: 30_000,
  answerMs: 65_000,
};

/** Settings of PostgreSQL that limit how long something takes, in milliseconds. */
export type Timeouts = Readonly<Partial<Record<(typeof timeoutNames)[number], number>>>;
const timeoutNames = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const;

/** An address without the timeouts in it, such as `?statement_timeout=10000`, and those timeouts: they are set per transaction, not at sign-in. */
export function splitAddress(address: string): { address: string; timeouts: Timeouts } {
  const url = new URL(address);
  const timeouts: Partial<Record<string, number>> = {};
  for (const name of timeoutNames) {
    const text = url.searchParams.get(name);
    if (text === null) continue;
    if (!/^\d{1,9}$/.test(text)) throw new DatabaseUnavailable(new Error(`${name} in the address isn't a number of milliseconds`));
    timeouts[name] = Number(text);
    url.searchParams.delete(name);
  }
  return { address: Object.keys(timeouts).length > 0 ? url.href : address, timeouts };
}

interface PoolOptions {
  readonly limits?: Partial<PoolLimits>;
  /** Sets nothing at sign-in, not even a name for the database's list of connections: a pooler may refuse it. */
  readonly pooled: boolean;
}

/** Connections to a PostgreSQL. */
export function createPool(address: string, { limits, pooled }: PoolOptions): Pool {
  const { connections, connectMs, answerMs } = { ...standardLimits, ...limits };
  const pool = new pg.Pool({
    connectionString: address,
    application_name: pooled ? undefined : 'car-storage',
    keepAlive: true,
    // Statements sent together need one round trip.
    pipeline: true,
    max: connections,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  });
  // A connection that breaks while nobody asks anything of it is replaced at the next request; unheard, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

const { INT8, NUMERIC } = pg.types.builtins;

/** Counts and sums arrive as numbers, as they do from SQLite: nothing here counts beyond 2^53. */
function parserOf(type: number, format?: 'text' | 'binary') {
  return type === INT8 || type === NUMERIC ? Number : pg.types.getTypeParser(type, format as 'text');
}

/** The one place where values become what the driver understands: arrays and objects are JSON here, never arrays of PostgreSQL. */
export function encode(value: unknown): unknown {
  if (value === undefined) return null;
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array) ? JSON.stringify(value) : value;
}

/** The database understood and declined; anything else came from the way to it. */
export const isAnswer = (error: unknown): error is DatabaseError =>
  error instanceof pg.DatabaseError && error.severity !== 'FATAL' && error.severity !== 'PANIC';

/** No answer came in the time that one may take; the driver has no code for it. */
export const isSilence = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.cause instanceof Error && error.cause.message === 'Query read timeout';

/** A newer version has changed the tables since this connection has planned the statement; another connection plans it anew. */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

/** Two writers in each other's way: serialization failure, deadlock. */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01']);
/** Broken connections, too few resources, a shutdown, a time limit, a disk; a server that only reads. */
const unavailable = /^(08|53|57|58)|^(25006|25P03|25P04|55P03)$/;

/** A statement that this connection has planned isn't there, or another client of a pooler has planned one of that name. */
const lostPlans: ReadonlySet<string> = new Set(['26000', '42P05']);

/** What an error of the driver is to the service. Faults of our own pass as they are. */
export function translate(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || error instanceof TypeError || error instanceof RangeError) return error;
  if (!isAnswer(error)) return new DatabaseUnavailable(error);
  const { code = '' } = error;
  if (lostPlans.has(code))
    return new DatabaseUnavailable(
      new Error(`${error.message}: a pooler exchanges connections between transactions; set CS_DATABASE_POOLER=transaction`, {
        cause: error,
      }),
    );
  if (conflicts.has(code) || isOutdatedPlan(error)) return new WriteConflict(error);
  return unavailable.test(code) ? new DatabaseUnavailable(error) : error;
}
