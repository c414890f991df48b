import type { Duplex } from 'node:stream';
import pg, { type DatabaseError, type Pool, type PoolClient } from 'pg';
import { DatabaseUnavailable, WriteConflict } from '../failures.ts';
import { JsonRowsClient } from './json-rows.ts';

export interface PoolLimits {
  /** Connections that one process keeps at most. */
  readonly connections: number;
  /** How long a request waits for a connection, in milliseconds. */
  readonly connectMs: number;
  /** The longest that one statement may take, waiting for locks included, in milliseconds. */
  readonly statementMs: number;
  /** How long a transaction may stand still before the database ends it, in milliseconds. */
  readonly idleTransactionMs: number;
}

export const standardLimits: PoolLimits = { connections: 10, connectMs: 5_000, statementMs: 30_000, idleTransactionMs: 30_000 };

interface PoolOptions {
  readonly limits?: Partial<PoolLimits>;
  /** Who the connections work as; whoever the address names when left out. */
  readonly role?: string;
}

/** Connections to a PostgreSQL. What the address itself sets, such as `?statement_timeout=`, wins. */
export function createPool(url: string, { limits, role }: PoolOptions = {}): Pool {
  const { connections, connectMs, statementMs, idleTransactionMs } = { ...standardLimits, ...limits };
  const pool = new pg.Pool({
    Client: JsonRowsClient,
    connectionString: url,
    application_name: 'car-storage',
    keepAlive: true,
    // Statements are sent without waiting for the answers to those before them.
    pipeline: true,
    max: connections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleTransactionMs,
    // The database ends what takes too long; this is for one that does not answer at all. What was sent before a statement, and waits for a lock, is part of its time.
    query_timeout: statementMs && 2 * statementMs + 5_000,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    onConnect: role ? (client) => client.query(`set role ${role}`) as unknown as undefined : undefined,
  });
  // A connection that breaks while nobody asks anything of it is replaced at the next request; unheard, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    gatherWrites(client);
  });
  return pool;
}

/** Writes what is sent at the same moment at once: the driver writes each message by itself, and each write is a call to the system. */
function gatherWrites(client: PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  let gathering = false;
  stream.write = (...given: unknown[]) => {
    if (!gathering) {
      gathering = true;
      stream.cork();
      process.nextTick(() => {
        gathering = false;
        stream.uncork();
      });
    }
    return write(...given);
  };
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

/** What an error of the driver is to the service. Faults of our own pass as they are. */
export function translate(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || error instanceof TypeError || error instanceof RangeError) return error;
  if (!isAnswer(error)) return new DatabaseUnavailable(error);
  const { code = '' } = error;
  if (conflicts.has(code) || isOutdatedPlan(error)) return new WriteConflict(error);
  return unavailable.test(code) ? new DatabaseUnavailable(error) : error;
}
