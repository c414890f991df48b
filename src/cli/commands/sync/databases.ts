/** The two databases of a mirror: how they are opened and locked, their types, and their errors in words. */
import { dirname } from 'node:path';
import type {
  ColumnDataType,
  CompiledQuery,
  Kysely,
  Sql,
  SqliteDatabase,
  SqliteStatement,
} from 'kysely';
import { reasonOf } from '../../../client/failures.ts';
import type { Kind } from '../../../contract/schemas.ts';
import { CliError } from '../../errors/exit.ts';
import { unusableFile } from '../../errors/file-system.ts';
import type { Row } from '../../output/view.ts';
import { quote } from '../../terminal/text.ts';
import { unusableFolder } from '../files/folders.ts';
import { followLinks } from '../files/links.ts';
import { type Lock, takeLock } from '../files/lock.ts';
import type { Target } from './target.ts';

/** Any tables: their columns follow from the contract. */
export type Tables = Record<string, Row>;

/** Types by the names of the columns; the first one is the key. */
export type Columns = Readonly<Record<string, ColumnDataType>>;

export interface Database {
  readonly db: Kysely<Tables>;
  readonly sql: Sql;
  readonly CompiledQuery: typeof CompiledQuery;
  readonly types: Readonly<Record<Kind, ColumnDataType>>;
  /** Whether it has types for booleans and JSON, and reads the rows of a page from one JSON value: half the time of thousands of values. */
  readonly takesJson: boolean;
  /** Of the schema that is written to. */
  tables(): Promise<string[]>;
  /** Of a table; empty without it. */
  columns(table: string): Promise<string[]>;
  /** For one run, until `close`. Exit 7 while another one has it. */
  lock(): Promise<void>;
  close(): Promise<void>;
  explain(error: unknown): unknown;
}

const inUse = (name: string): CliError =>
  new CliError({
    code: 'already_running',
    message: `Another program is writing ${name}.`,
    hint: 'wait until it ends, or choose another database',
  });

export async function openSqlite({ file = '', name }: Target): Promise<Database> {
  const [{ CompiledQuery, Kysely, SqliteDialect, sql }, { DatabaseSync }] = await Promise.all([
    import('kysely'),
    import('node:sqlite'),
  ]);
  const explain = (error: unknown) => explainSqlite({ file, name }, error);
  let lock: Lock | undefined;
  let opened: InstanceType<typeof DatabaseSync>;
  try {
    opened = new DatabaseSync(file, { timeout: 5_000 });
  } catch (error) {
    throw explain(error);
  }
  /** The last one: the statement of a page is long, and comes again and again. */
  let last: { text: string; prepared: SqliteStatement } | undefined;
  const prepare = (text: string): SqliteStatement => {
    const statement = opened.prepare(text);
    return {
      reader: statement.columns().length > 0,
      all: (values) => statement.all(...(values as string[])),
      run: (values) => statement.run(...(values as string[])),
      iterate: (values) => statement.iterate(...(values as string[])),
    };
  };
  const adapter: SqliteDatabase = {
    close: () => opened.close(),
    prepare(text) {
      if (last?.text !== text) last = { text, prepared: prepare(text) };
      return last.prepared;
    },
  };
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapter }) });
  const names = async (query: string, ...values: string[]) =>
    opened
      .prepare(query)
      .all(...values)
      .map((row) => String(row.name));
  return {
    db,
    sql,
    CompiledQuery,
    explain,
    takesJson: false,
    types: {
      boolean: 'integer',
      integer: 'integer',
      timestamp: 'text',
      json: 'text',
      text: 'text',
    },
    tables: () => names("select name from sqlite_schema where type = 'table'"),
    columns: (table) => names('select name from pragma_table_info(?)', table),
    async lock() {
      // One lock for the file, whatever links lead to it.
      lock = await takeLock(`${await followLinks(file)}-lock`).catch((error) => {
        throw unusableFolder(dirname(file), error);
      });
      if (!lock) throw inUse(name);
      // Others can read during a run. After a power cut, records and bookmark are those of an earlier commit.
      opened.exec('pragma journal_mode = wal; pragma synchronous = normal');
      // Fewer waits for the disk: half the time of a first run.
      opened.exec('pragma wal_autocheckpoint = 10000; pragma cache_size = -32000');
    },
    async close() {
      try {
        // At rest, the mirror is one file, which can be copied, and opened where nothing can be written.
        if (lock) opened.exec('pragma journal_mode = delete');
      } catch {
        // Somebody reads it, or the disk is full: the log stays beside it until the next run.
      }
      await db.destroy();
      if (opened.isOpen) opened.close();
      lock?.release();
    },
  };
}

export async function openPostgres({ address = '', name }: Target): Promise<Database> {
  const [{ CompiledQuery, Kysely, PostgresDialect, sql }, { default: pg }] = await Promise.all([
    import('kysely'),
    import('pg'),
  ]);
  const explain = (error: unknown) => explainPostgres(name, error);
  // One connection for the whole run, since the lock ends with it.
  const client = new pg.Client({
    connectionString: address,
    application_name: 'cs sync',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A connection that breaks fails the next query. Without a listener, it would end this run without a word.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw explain(error);
  }
  const connection = Object.assign(client, { release: () => {} });
  const pool = { options: {}, connect: async () => connection, end: () => client.end() };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const names = async (query: string, ...values: string[]) =>
    (await client.query(query, values)).rows.map((row) => String(row.name));
  return {
    db,
    sql,
    CompiledQuery,
    takesJson: true,
    types: {
      boolean: 'boolean',
      integer: 'bigint',
      timestamp: 'timestamptz',
      json: 'jsonb',
      text: 'text',
    },
    tables: () =>
      names('select tablename as name from pg_tables where schemaname = current_schema()'),
    columns: (table) =>
      names(
        'select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = $1',
        table,
      ),
    async lock() {
      const { rows } = await client.query(
        "select pg_try_advisory_lock(hashtext('cs_mirror ' || current_schema())) as locked",
      );
      if (!rows[0]?.locked) throw inUse(name);
      // As in SQLite: after a crash, records and bookmark are those of an earlier commit.
      await client.query('set synchronous_commit = off');
    },
    async close() {
      // The server notices the end of a connection a moment later.
      await client.query('select pg_advisory_unlock_all()').catch(() => {});
      await db.destroy();
      await client.end().catch(() => {});
    },
    explain,
  };
}

/** Primary result codes of SQLite. */
const [busy, locked, readOnly, ioError, corrupt, full, cannotOpen, notADatabase] = [
  5, 6, 8, 10, 11, 13, 14, 26,
];

function explainSqlite({ file, name }: { file: string; name: string }, error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  const code = Number(error.errcode) & 0xff;
  if (code === busy || code === locked) return inUse(name);
  if (code === corrupt || code === notADatabase)
    return new CliError({
      code: 'state_unusable',
      message: `${name} is damaged, or isn't an SQLite file: ${error.message}.`,
      hint: `set it aside with \`mv ${quote(file)} ${quote(`${file}.damaged`)}\`; the next run reads everything into a new file`,
      cause: error,
    });
  return [readOnly, ioError, full, cannotOpen].includes(code) ? unusable(name, error) : error;
}

/** What was stored before stays: each page of records is a transaction. */
const unusable = (name: string, error: unknown, why?: string): CliError =>
  unusableFile(
    `Couldn't use ${name}`,
    why === undefined ? error : new Error(why, { cause: error }),
    {
      hint: 'check the address and the permissions, or give another place',
    },
  );

function explainPostgres(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CliError || error instanceof TypeError)
    return error;
  const { code = '' } = error as { code?: string };
  if (/password must be a string/.test(error.message))
    return unusable(name, error, 'it asks for a password');
  if (code === '53100') return unusable(name, Object.assign(new Error(), { code: 'ENOSPC' }));
  // Shut down, out of connections, or broken: not an answer to what was asked.
  if ('severity' in error && !/^(08|53|57)/.test(code)) return unusable(name, error, error.message);
  return new CliError({
    code: 'connection_failed',
    message: `Couldn't reach ${name}: ${reasonOf(error)}.`,
    hint: 'check that the database runs and can be reached, and run it again',
    cause: error,
  });
}
