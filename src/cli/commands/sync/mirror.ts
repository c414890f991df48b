/**
 * A mirror of the server's records in SQLite or PostgreSQL, written with Kysely for both: a table per resource, `cs_mirror` with the
 * server and the team that they belong to, and `cs_sync` with a bookmark per resource. `sync.ts` has the rules of a run.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Kysely } from 'kysely';
import type { SyncName } from '../../../client/client.ts';
import { CliError, usage } from '../../errors/exit.ts';
import type { Row } from '../../output/view.ts';
import { kebabName, resourceOf } from '../bulk/resources.ts';
import { differenceOf, type Origin } from '../connection/origin.ts';
import { makeTargetFolder } from '../files/folders.ts';
import { type Columns, type Database, openPostgres, openSqlite, type Tables } from './databases.ts';
import { cellsOf, columnsOf, recordOf, sqlName } from './rows.ts';
import type { Target } from './target.ts';

const version = 1;
/** Rows of a query where all are read, and ids of a delete. */
const rowsAtOnce = 5_000;

export interface Bookmark {
  /** As in the command: `parking-spots`. */
  readonly resource: string;
  /** Earlier changes are in the table; by the server's clock. Null: everything has to be read. */
  readonly since: string | null;
  /** When the last complete run, and the last one that read everything, ended; by this machine's clock. */
  readonly syncedAt: string | null;
  readonly fullAt: string | null;
}

export class Mirror {
  /** For messages. */
  readonly name: string;
  readonly #database: Database;
  readonly #upserts = new Map<string, string>();

  private constructor(name: string, database: Database) {
    this.name = name;
    this.#database = database;
  }

  /** For a run, alone: exit 7 while another one writes. Creates what is missing; the mirror of another server or team is refused. */
  static async toWrite(target: Target, origin: Origin): Promise<Mirror> {
    if (target.file !== undefined) makeTargetFolder(dirname(target.file));
    return Mirror.#open(target, async (mirror) => {
      await mirror.#use((_, database) => database.lock());
      if (!(await mirror.#isKnown())) await mirror.#create(origin);
    });
  }

  /** For a look, also during a run. Exit 2 without a mirror. */
  static async toRead(target: Target): Promise<Mirror> {
    const missing = (problem: string) =>
      usage(`The mirror ${target.name} ${problem}.`, 'name the database that you gave with --to');
    if (target.file !== undefined && !existsSync(target.file)) throw missing("doesn't exist");
    return Mirror.#open(target, async (mirror) => {
      if (!(await mirror.#isKnown())) throw missing('is empty');
    });
  }

  static async #open(target: Target, prepare: (mirror: Mirror) => Promise<void>): Promise<Mirror> {
    const database = await (target.address === undefined ? openSqlite : openPostgres)(target);
    const mirror = new Mirror(target.name, database);
    try {
      await prepare(mirror);
      return mirror;
    } catch (error) {
      await mirror.close();
      throw error;
    }
  }

  /** Exit 7 for the database of another program, or of another version. */
  async #isKnown(): Promise<boolean> {
    const tables = await this.#use((_, { tables: read }) => read());
    if (tables.length === 0) return false;
    const found = tables.includes('cs_mirror')
      ? await this.#use((db) =>
          db.selectFrom('cs_mirror').select('version').executeTakeFirstOrThrow(),
        )
      : undefined;
    if (found?.version === version) return true;
    throw new CliError({
      code: 'state_unusable',
      message: found
        ? `${this.name} was written by another version of cs.`
        : `${this.name} is a database of another program: it has the table ${tables[0]}.`,
      hint: 'give an empty database, or another file, with --to',
    });
  }

  async #create({ server, team, key }: Origin): Promise<void> {
    await this.#use((db) =>
      db.transaction().execute(async (change) => {
        await createTable(change, 'cs_mirror', {
          ...{ version: 'integer', server: 'text', team_id: 'text', team_name: 'text' },
          key: 'text',
        });
        await createTable(change, 'cs_sync', {
          ...{ resource: 'text', since: 'text', synced_at: 'text', full_at: 'text' },
        });
        await change
          .insertInto('cs_mirror')
          .values({ version, server, team_id: team?.id, team_name: team?.name, key })
          .execute();
      }),
    );
  }

  async origin(): Promise<Origin> {
    const { server, team_id, team_name, key } = await this.#use((db) =>
      db.selectFrom('cs_mirror').selectAll().executeTakeFirstOrThrow(),
    );
    const team = team_id === null ? null : { id: String(team_id), name: String(team_name) };
    return { server: String(server), team, key: String(key) };
  }

  /** Exit 7 for the mirror of another server or team. Without the team, the key identifies it. */
  async requireOrigin(now: Origin): Promise<void> {
    const before = await this.origin();
    const difference = differenceOf(before, now);
    if (difference === undefined) return;
    const [what, hint] = {
      server: [
        `${before.server}, not to ${now.server}`,
        'if the server only has a new address, change "server" in its table cs_mirror',
      ],
      team: [
        `the team ${before.team?.name}, and this key to ${now.team?.name}`,
        'use a key of that team',
      ],
      key: [
        `the key ${before.key}, not to ${now.key}; the server doesn't report whether both are of one team`,
        'if they are, change "key" in its table cs_mirror',
      ],
    }[difference] as [string, string];
    throw new CliError({
      code: 'other_origin',
      message: `${this.name} belongs to ${what}.`,
      hint: `choose another database with --to, or ${hint}`,
      details: { before, now },
    });
  }

  async bookmarks(): Promise<Bookmark[]> {
    const rows = await this.#use((db) => db.selectFrom('cs_sync').selectAll().execute());
    return rows
      .map(({ resource, since, synced_at, full_at }): Bookmark => {
        return { resource, since, syncedAt: synced_at, fullAt: full_at };
      })
      .sort((one, other) => (one.resource < other.resource ? -1 : 1));
  }

  /** Creates the table of a resource, or adds the columns that it lacks. Then everything has to be read. */
  async prepare(name: SyncName): Promise<Bookmark> {
    const resource = kebabName(name);
    const table = sqlName(name);
    const { types, columns } = this.#database;
    const wanted: Columns = {
      ...Object.fromEntries(columnsOf(resourceOf(name)).map((one) => [one.name, types[one.kind]])),
      extra: types.json,
    };
    const known = (await this.bookmarks()).find((one) => one.resource === resource);
    const existing = await this.#use(() => columns(table));
    const lacking = Object.entries(wanted).filter(([column]) => !existing.includes(column));
    if (known && lacking.length === 0) return known;
    if (!known && existing.length > 0)
      throw new CliError({
        code: 'state_unusable',
        message: `The table ${table} in ${this.name} isn't of cs sync.`,
        hint: 'rename it, or give an empty database with --to',
      });
    const bookmark = { resource, since: null, syncedAt: null, fullAt: null, ...known };
    const empty = { ...bookmark, since: null };
    await this.#use((db) =>
      db.transaction().execute(async (change) => {
        if (existing.length === 0) {
          await createTable(change, table, wanted);
          // For the newest records, and for what changed since a time.
          const index = `${table}_updated_at`;
          await change.schema.createIndex(index).on(table).column('updated_at').execute();
        }
        for (const [column, type] of existing.length === 0 ? [] : lacking)
          await change.schema.alterTable(table).addColumn(column, type).execute();
        await saveBookmark(change, empty);
      }),
    );
    return empty;
  }

  /** Stores a page of records in one transaction, and returns how many that added or changed. Those that are there unchanged stay as they are. */
  async save(name: SyncName, records: readonly Row[]): Promise<number> {
    const columns = columnsOf(resourceOf(name));
    const { takesJson } = this.#database;
    const rows = records.map((record) => cellsOf(columns, record, takesJson));
    const names = [...columns.map((column) => column.name), 'extra'];
    return this.#use(async (db, { CompiledQuery }) => {
      const text = this.#upsert(sqlName(name), names, takesJson ? 0 : rows.length);
      const values = takesJson ? [JSON.stringify(rows.map((cells) => byName(names, cells)))] : rows;
      const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values.flat()));
      return Number(numAffectedRows);
    });
  }

  /** Kysely takes 20 ms to write the statement of a page with its thousands of values, so it is kept. `count` 0: all in one value, as JSON. */
  #upsert(table: string, names: readonly string[], count: number): string {
    const key = `${table} ${count}`;
    const known = this.#upserts.get(key);
    if (known !== undefined) return known;
    const { db, sql } = this.#database;
    const others = names.slice(1);
    const list = (of: string) => sql.join(others.map((name) => sql.ref(`${of}.${name}`)));
    const rows = Array.from({ length: count }, () => byName(names, names));
    const query = (
      count > 0
        ? db.insertInto(table).values(rows)
        : db
            .insertInto(table)
            .columns(names)
            .expression(
              sql<Row>`select ${sql.join(names.map((name) => sql.ref(name)))} from json_populate_recordset(null::${sql.table(table)}, ${''}::json)`,
            )
    ).onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((change) =>
          Object.fromEntries(others.map((name) => [name, change.ref(`excluded.${name}`)])),
        )
        .where(sql<boolean>`(${list(table)}) is distinct from (${list('excluded')})`),
    );
    const { sql: text } = query.compile();
    this.#upserts.set(key, text);
    return text;
  }

  /** How many of these records are there. */
  async countOf(name: SyncName, ids: readonly string[]): Promise<number> {
    const rows = await this.#use((db) =>
      db.selectFrom(sqlName(name)).select('id').where('id', 'in', ids).execute(),
    );
    return rows.length;
  }

  /** Before everything is read: a run that is stopped is followed by one that reads everything. */
  async begin(bookmark: Bookmark): Promise<void> {
    await this.#use((db) => saveBookmark(db, { ...bookmark, since: null }));
  }

  /** Removes deleted records, and moves the bookmark, in one transaction. */
  async finish(name: SyncName, bookmark: Bookmark, deleted: Iterable<string>): Promise<void> {
    const ids = [...deleted];
    await this.#use((db) =>
      db.transaction().execute(async (change) => {
        for (let at = 0; at < ids.length; at += rowsAtOnce)
          await change
            .deleteFrom(sqlName(name))
            .where('id', 'in', ids.slice(at, at + rowsAtOnce))
            .execute();
        await saveBookmark(change, bookmark);
      }),
    );
  }

  async count(name: SyncName): Promise<number> {
    const { count } = await this.#use((db) =>
      db
        .selectFrom(sqlName(name))
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow(),
    );
    return Number(count);
  }

  async ids(name: SyncName): Promise<Set<string>> {
    const ids = new Set<string>();
    for await (const rows of this.#pages(name, ['id'])) for (const { id } of rows) ids.add(id);
    return ids;
  }

  /** Of the records that changed at or after a time. Without an order, so that the database uses the index of times. */
  async idsSince(name: SyncName, since: string): Promise<Set<string>> {
    const rows = await this.#use((db) =>
      db.selectFrom(sqlName(name)).select('id').where('updated_at', '>=', since).execute(),
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** With all their values, by the names of their fields. */
  async *records(name: SyncName): AsyncGenerator<Row, void> {
    const columns = columnsOf(resourceOf(name));
    for await (const rows of this.#pages(name))
      for (const row of rows) yield recordOf(columns, row);
  }

  async recordsWith(name: SyncName, ids: readonly string[]): Promise<Row[]> {
    const columns = columnsOf(resourceOf(name));
    const rows = await this.#use((db) =>
      db.selectFrom(sqlName(name)).selectAll().where('id', 'in', ids).execute(),
    );
    return rows.map((row) => recordOf(columns, row));
  }

  async *#pages(name: SyncName, columns?: readonly string[]): AsyncGenerator<Row[], void> {
    for (let after: string | undefined; ; ) {
      const from = after;
      const rows = await this.#use((db) => {
        let query = db.selectFrom(sqlName(name)).orderBy('id').limit(rowsAtOnce);
        if (from !== undefined) query = query.where('id', '>', from);
        return (columns ? query.select(columns) : query.selectAll()).execute();
      });
      if (rows.length > 0) yield rows;
      if (rows.length < rowsAtOnce) return;
      after = rows.at(-1)?.id;
    }
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  /** Errors of the database in words. */
  async #use<T>(task: (db: Kysely<Tables>, database: Database) => T | Promise<T>): Promise<T> {
    try {
      return await task(this.#database.db, this.#database);
    } catch (error) {
      throw this.#database.explain(error);
    }
  }
}

const byName = (names: readonly string[], cells: readonly unknown[]): Row =>
  Object.fromEntries(names.map((name, at) => [name, cells[at]]));

async function createTable(db: Kysely<Tables>, table: string, columns: Columns): Promise<void> {
  let creation = db.schema.createTable(table);
  for (const [index, [name, type]] of Object.entries(columns).entries())
    creation = creation.addColumn(name, type, (column) =>
      index === 0 ? column.primaryKey().notNull() : column,
    );
  await creation.execute();
}

async function saveBookmark(
  db: Kysely<Tables>,
  { resource, since, syncedAt, fullAt }: Bookmark,
): Promise<void> {
  const values = { since, synced_at: syncedAt, full_at: fullAt };
  await db
    .insertInto('cs_sync')
    .values({ resource, ...values })
    .onConflict((conflict) => conflict.column('resource').doUpdateSet(values))
    .execute();
}
