import { randomUUID } from 'node:crypto';
import pg, { type DatabaseError, type Pool } from 'pg';
import { DatabaseFull, DatabaseUnavailable, WriteConflict } from '../failures.ts';

export interface PoolLimits {
  /** The most connections of one process. */
  readonly connections: number;
  /** The longest wait for a connection, in milliseconds. */
  readonly connectMs: number;
  /** The longest that a statement may take, including locks, in milliseconds. */
  readonly statementMs: number;
  /** The longest that a transaction may be idle before the database ends it, in milliseconds. */
  readonly idleTransactionMs: number;
  /**
   * The longest wait for the answer to a statement, in milliseconds, for a database that doesn't answer at all.
   * Includes the statements sent before it that wait for a lock.
   */
  readonly answerMs: number;
}

export const defaultLimits: PoolLimits = {
  connections: 10,
  connectMs: 5_000,
  statementMs: 30_000,
  idleTransactionMs: 30_000,
  answerMs: 65_000,
};

/** PostgreSQL's timeout settings, in milliseconds. */
export type Timeouts = Readonly<Partial<Record<(typeof timeoutNames)[number], number>>>;
const timeoutNames = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
] as const;

/** Splits an address and its timeouts, such as `?statement_timeout=10000`: they are set for each transaction, not at sign-in. */
export function splitAddress(address: string): { address: string; timeouts: Timeouts } {
  const url = new URL(address);
  const timeouts: Partial<Record<string, number>> = {};
  for (const name of timeoutNames) {
    const text = url.searchParams.get(name);
    if (text === null) continue;
    if (!/^\d{1,9}$/.test(text))
      throw new DatabaseUnavailable(
        new Error(`${name} in the address isn't a number of milliseconds`),
      );
    timeouts[name] = Number(text);
    url.searchParams.delete(name);
  }
  return { address: Object.keys(timeouts).length > 0 ? url.href : address, timeouts };
}

interface PoolOptions {
  readonly limits?: Partial<PoolLimits>;
  /** Sets nothing at sign-in, not even an application name: a pooler may refuse it. */
  readonly pooled: boolean;
}

/** Connections to a PostgreSQL. */
export function createPool(address: string, { limits, pooled }: PoolOptions): Pool {
  const { connections, connectMs, answerMs } = { ...defaultLimits, ...limits };
  const pool = new pg.Pool({
    connectionString: address,
    application_name: pooled ? undefined : 'car-storage',
    keepAlive: true,
    // One round trip for statements sent together.
    pipeline: true,
    max: connections,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  });
  // A connection that breaks while idle is replaced at the next request; without listeners, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

const { INT8, NUMERIC } = pg.types.builtins;

/** Counts and sums are numbers, as on SQLite: none exceeds 2^53. */
function parserOf(type: number, format?: 'text' | 'binary') {
  return type === INT8 || type === NUMERIC
    ? Number
    : pg.types.getTypeParser(type, format as 'text');
}

/** The one place that converts values for the driver: arrays and objects are JSON, never PostgreSQL arrays. */
export function encode(value: unknown): unknown {
  if (value === undefined) return null;
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
    ? JSON.stringify(value)
    : value;
}

/** The database itself refused; other errors come from the connection. */
export const isAnswer = (error: unknown): error is DatabaseError =>
  error instanceof pg.DatabaseError && error.severity !== 'FATAL' && error.severity !== 'PANIC';

/** A newer version changed the tables after this connection prepared the statement; another connection prepares it again. */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === '0A000' &&
  error.routine === 'RevalidateCachedQuery';

/** Conflicts of two writers: serialization failure, deadlock. */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01']);
const diskFull = '53100';
/** Broken connections, missing resources, a shutdown, a timeout, a disk; a read-only server. */
const unavailable = /^(08|53|57|58)|^(25006|25P03|25P04|55P03)$/;

/** A prepared statement is missing, or another client of a pooler has prepared one with its name. */
const lostStatements: ReadonlySet<string> = new Set(['26000', '42P05']);

/** An error of the driver as one of the service. Faults of our own stay. */
export function translateError(error: unknown): unknown {
  if (
    error instanceof DatabaseUnavailable ||
    error instanceof TypeError ||
    error instanceof RangeError
  )
    return error;
  if (!isAnswer(error)) return new DatabaseUnavailable(error);
  const { code = '' } = error;
  if (lostStatements.has(code))
    return new DatabaseUnavailable(
      new Error(
        `${error.message}: a pooler exchanges connections between transactions; set CS_DATABASE_POOLER=transaction`,
        {
          cause: error,
        },
      ),
    );
  if (conflicts.has(code) || isOutdatedPlan(error)) return new WriteConflict(error);
  if (code === diskFull) return new DatabaseFull(error);
  return unavailable.test(code) ? new DatabaseUnavailable(error) : error;
}

/** `transaction`: the address leads to a pooler that gives each transaction any connection. `auto`: the service finds out. */
export type PoolerMode = 'auto' | 'transaction';

/** The code of poolers for a parameter that they don't pass on. */
const protocolViolation = '08P01';

/**
 * Whether the address leads to a pooler. PostgreSQL keeps a setting that the sign-in makes;
 * a pooler refuses the sign-in or drops the setting, since its connections serve other clients too.
 */
export async function isPooled(address: string): Promise<boolean> {
  const mark = randomUUID();
  const url = new URL(address);
  url.searchParams.set(
    'options',
    `${url.searchParams.get('options') ?? ''} -c cs.sign_in=${mark}`.trim(),
  );
  const client = new pg.Client({
    connectionString: url.href,
    connectionTimeoutMillis: defaultLimits.connectMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ found: string | null }>(
      `select current_setting('cs.sign_in', true) as found`,
    );
    return rows[0]?.found !== mark;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === protocolViolation) return true;
    throw translateError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
