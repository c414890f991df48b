/** Kysely over the SQLite that comes with Node. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';

export interface SqliteOptions {
  file: string;
  readOnly?: boolean;
  /** How long to wait for another process (`cs admin`) that is writing, in milliseconds. */
  busyTimeoutMs?: number;
}

/** A dialect on one file. Every transaction of a writing one takes the write lock at its start, so that none fails half way. */
export function nodeSqliteDialect(options: SqliteOptions): Dialect {
  const database = async () => open(options);
  const base = new SqliteDialect({ database });
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: (): Driver => (options.readOnly ? new SqliteDriver({ database }) : new ImmediateDriver({ database })),
    createIntrospector: (db) => base.createIntrospector(db),
    createQueryCompiler: () => base.createQueryCompiler(),
  };
}

class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** SQLite rolls DDL back like anything else, so a migration that fails leaves nothing behind. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function open({ file, readOnly = false, busyTimeoutMs = 5_000 }: SqliteOptions): SqliteDatabase {
  const database = new DatabaseSync(file, { readOnly, timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  if (!readOnly) {
    // Acknowledged means on disk: in WAL mode only FULL syncs the log at each commit.
    database.exec('pragma journal_mode = wal; pragma synchronous = full');
  }
  // SQLite's own lower() knows ASCII only; people are called Müller and Øster.
  database.function('fold', { deterministic: true }, (value) => (value === null ? null : String(value).toLowerCase()));
  database.exec('pragma temp_store = memory; pragma cache_size = -32000');
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = prepared.get(sql);
      if (known) return known;
      const statement = adapt(database.prepare(sql));
      // Texts come from code, not from callers, but lists of ids and filters vary in length.
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
    all: (parameters) => statement.all(...parameters.map(encode)).map(decoded),
    run: (parameters) => statement.run(...parameters.map(encode)),
    *iterate(parameters) {
      for (const row of statement.iterate(...parameters.map(encode))) yield decoded(row);
    },
  };
}

/** The one place where values become what SQLite can hold: booleans 0 and 1, arrays and objects JSON. */
function encode(value: unknown): null | number | bigint | string | Uint8Array {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'object' && !(value instanceof Uint8Array)) return JSON.stringify(value);
  return value as number | bigint | string | Uint8Array;
}

/** And the one place where they come back, by the declared type of the column that a result stands for. */
function decoderFor(statement: StatementSync): Decoder {
  const of = (type: string) => statement.columns().flatMap((column) => (column.type?.toLowerCase() === type ? [column.name] : []));
  const booleans = of('boolean');
  const jsons = of('json text');
  return (row) => {
    for (const name of booleans) if (row[name] !== null) row[name] = row[name] === 1;
    for (const name of jsons) if (row[name] !== null) row[name] = JSON.parse(row[name] as string);
  };
}
