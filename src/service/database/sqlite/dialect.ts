/** Kysely over the SQLite that comes with Node. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import { DatabaseFull, DatabaseUnavailable } from '../failures.ts';
import { fold, squeeze } from '../search-text.ts';
import type { FileIdentity } from './file-identity.ts';

export interface SqliteOptions {
  readonly file: string;
  readonly readOnly?: boolean;
  /** Undefined until it is known (default: not compared). */
  readonly identity?: () => FileIdentity | undefined;
}

/** How long we wait for another process (`cs admin`) that writes, in milliseconds. */
const busyTimeoutMs = 5_000;
/** How long SQLite itself waits, in milliseconds: next to nothing, since meanwhile nothing else is answered. */
const blockingMs = 20;

/** A dialect on one file. Every transaction of a writing one takes the write lock at its start, so that none fails half way. */
export function sqliteDialect(options: SqliteOptions): Dialect {
  const { readOnly, identity = () => undefined } = options;
  const database = () => open(options);
  const base = new SqliteDialect({ database });
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: (): Driver =>
      new (readOnly ? FileDriver : ImmediateDriver)({ database }, identity),
    createIntrospector: (db) => base.createIntrospector(db),
    createQueryCompiler: () => base.createQueryCompiler(),
  };
}

/** Runs a task that needs a lock, again while another process has it. Between the attempts, everything else goes on. */
export async function retryWhileBusy<T>(
  task: () => T | Promise<T>,
  waitMs = busyTimeoutMs,
): Promise<T> {
  const end = Date.now() + waitMs;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
      await wait(10 + Math.random() * 40);
    }
  }
}

class FileDriver extends SqliteDriver {
  protected readonly identity: () => FileIdentity | undefined;

  constructor(config: SqliteDialectConfig, identity: () => FileIdentity | undefined) {
    super(config);
    this.identity = identity;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    try {
      this.identity()?.requireRecently();
    } catch (error) {
      return refusing(error);
    }
    return super.acquireConnection();
  }

  override rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return rollback(super.rollbackTransaction(connection));
  }
}

/**
 * A connection whose first statement fails. Thrown in place of a connection, an error would leave Kysely's lock on it taken, and
 * everything after it would wait for ever.
 */
export const refusing = (error: unknown): DatabaseConnection => ({
  executeQuery: () => Promise.reject(error),
  // biome-ignore lint/correctness/useYield: it fails before its first row
  async *streamQuery() {
    throw error;
  },
});

/** SQLite itself rolls back after a full disk and other faults. A second rollback fails, which must not hide the fault. */
export async function rollback(rolledBack: Promise<unknown>): Promise<void> {
  try {
    await rolledBack;
  } catch (error) {
    if (!/no transaction is active/.test(String(error))) throw error;
  }
}

class ImmediateDriver extends FileDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await retryWhileBusy(() => connection.executeQuery(CompiledQuery.raw('begin immediate')));
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.identity()?.require();
  }
}

/** SQLite rolls DDL back too, so a migration that fails leaves nothing behind. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

async function open({ file, readOnly = false }: SqliteOptions): Promise<SqliteDatabase> {
  const database = new DatabaseSync(file, {
    readOnly,
    timeout: blockingMs,
    enableForeignKeyConstraints: true,
  });
  if (!readOnly) {
    // Another process that opens a new file at the same time has its lock.
    await retryWhileBusy(() => translateErrors(() => database.exec('pragma journal_mode = wal')));
    // Acknowledged means on disk: in WAL mode only FULL syncs the log at each commit.
    database.exec('pragma synchronous = full');
    // On macOS a sync may end at the disk's own memory; elsewhere these do nothing.
    database.exec('pragma fullfsync = on; pragma checkpoint_fullfsync = on');
  }
  // SQLite's own lower() changes ASCII only; there are names such as Müller and Øster.
  for (const [name, change] of Object.entries({ fold, squeeze }))
    database.function(name, { deterministic: true }, (value) =>
      value === null ? null : change(String(value)),
    );
  // The last of so many milliseconds, all of them later than `last`.
  database.function('next_stamp', (last, count) =>
    new Date(Math.max(Date.now(), Date.parse(String(last)) + 1) + Number(count) - 1).toISOString(),
  );
  database.exec('pragma temp_store = memory; pragma cache_size = -8000');
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = prepared.get(sql);
      if (known) return known;
      const statement = adapt(database.prepare(sql));
      // Queries come from code, not from callers, but lists of ids and filters vary in length.
      if (prepared.size >= 500) prepared.clear();
      prepared.set(sql, statement);
      return statement;
    },
  };
}

type Row = Record<string, unknown>;
type Decoder = (row: Row) => void;

function adapt(statement: StatementSync): SqliteStatement {
  let decode: Decoder | undefined;
  const decoded = (row: unknown) => {
    decode ??= decoderFor(statement);
    decode(row as Row);
    return row;
  };
  return {
    reader: statement.columns().length > 0,
    all: (parameters) =>
      translateErrors(() => statement.all(...parameters.map(encode)).map(decoded)),
    run: (parameters) => translateErrors(() => statement.run(...parameters.map(encode))),
    *iterate(parameters) {
      for (const row of statement.iterate(...parameters.map(encode))) yield decoded(row);
    },
  };
}

/** Faults of the disk and its locks, by SQLite's codes: busy, read-only, I/O, can't open. */
const faults = new Set([5, 8, 10, 14]);
const full = 13;
const codeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;
const isBusy = (error: unknown) =>
  error instanceof DatabaseUnavailable && codeOf(error.cause) === 5;

/** Faults of the disk become `DatabaseUnavailable`; faults of our own stay. */
function translateErrors<T>(task: () => T): T {
  try {
    return task();
  } catch (error) {
    throw translateError(error);
  }
}

export function translateError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === full) return new DatabaseFull(error);
  return faults.has(code) ? new DatabaseUnavailable(error) : error;
}

/** The one place that converts values for SQLite: booleans to 0 and 1, arrays and objects to JSON. */
function encode(value: unknown): null | number | bigint | string | Uint8Array {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'object' && !(value instanceof Uint8Array)) return JSON.stringify(value);
  return value as number | bigint | string | Uint8Array;
}

/** And the one place that converts them back, by the declared type of the column of the result. */
function decoderFor(statement: StatementSync): Decoder {
  const of = (type: string) =>
    statement
      .columns()
      .flatMap((column) => (column.type?.toLowerCase() === type ? [column.name] : []));
  const booleans = of('boolean');
  const jsons = of('json text');
  return (row) => {
    for (const name of booleans) if (row[name] !== null) row[name] = row[name] === 1;
    for (const name of jsons) if (row[name] !== null) row[name] = JSON.parse(row[name] as string);
  };
}
