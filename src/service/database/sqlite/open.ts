import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, type RawBuilder, sql } from 'kysely';
import { databaseName, manifestName } from '../../data-folder/names.ts';
import { makePrivateFile, makePrivateFolder } from '../../data-folder/private-files.ts';
import { type ColumnInfo, columnsOf, type Database, type Reads } from '../database.ts';
import { LostDatabase } from '../failures.ts';
import { migrate, type Steps } from '../migrate.ts';
import { cachedQuery } from '../query-cache.ts';
import type { Tables } from '../tables.ts';
import { WriteQueue } from '../write-queue.ts';
import { retryWhileBusy, sqliteDialect } from './dialect.ts';
import { type FileIdentity, identityOf } from './file-identity.ts';
import { sqliteSearch } from './search.ts';
import { threadDialect } from './thread.ts';

/** Opens the database of a data folder, creates it if missing, and migrates its tables. */
export async function openSqlite(dataFolder: string, steps?: Steps): Promise<Database> {
  makePrivateFolder(dataFolder);
  const file = join(dataFolder, databaseName);
  // Listed first: another process may be creating the database.
  const names = readdirSync(dataFolder);
  const isNew = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (isNew) refuseLostDatabase(dataFolder, names);
  makePrivateFile(file);
  let opened: FileIdentity | undefined;
  const identity = () => opened;
  const write = new Kysely<Tables>({ dialect: sqliteDialect({ file, identity }) });
  try {
    const noted = await hasNotes(write);
    if (!isNew && !noted)
      refuseLostDatabase(
        dataFolder,
        names.filter((name) => name !== `${databaseName}-wal`),
      );
    await retryWhileBusy(
      () => migrate(write, { place: dataFolder, noted, steps }),
      migrationWaitMs,
    );
  } catch (error) {
    await write.destroy();
    throw error;
  }
  const read = new Kysely<Tables>({ dialect: sqliteDialect({ file, readOnly: true, identity }) });
  // What reads many records delays nobody else there.
  const apart = new Kysely<Tables>({ dialect: threadDialect(file) });
  const queue = new WriteQueue(write);
  const readsOf = (db: Kysely<Tables>): Reads => ({
    async snapshot(task) {
      // Before the connection is taken, which others need for what can't wait.
      await queue.awaitPendingCommit();
      return db.transaction().execute(task);
    },
    async answer(query) {
      await queue.awaitPendingCommit();
      return (await db.executeQuery(query)).rows;
    },
  });
  const [reads, heavyReads] = [readsOf(read), readsOf(apart)];
  const columns = await describeColumns(read);
  // The log exists once the database was read.
  opened = identityOf(file);
  const rowTexts = new Map(
    [...Map.groupBy(columns, ({ table }) => table)].map(([table, own]) => [table, rowText(own)]),
  );
  return {
    read,
    write,
    // One process writes, so teams share its connections.
    ofTeam: (teamId) => ({
      ...reads,
      read,
      write,
      writeStamped: (task) => queue.add(teamId, task),
      async heavy(...tables) {
        let records = 0;
        for (const table of tables) {
          const { rows } = await read.executeQuery(
            cachedQuery(read, 'count of a table', tableCount, [teamId, table]),
          );
          records += rows[0]?.count ?? 0;
        }
        return records > maxRecordsReadHere ? heavyReads : reads;
      },
    }),
    // SQLite writes the JSON: creating objects of rows only to serialize them takes several times as long.
    textOf(table, page) {
      const row = rowTexts.get(table);
      if (!row) throw new Error(`The database has no table ${table}`);
      return sql`(select string_agg(${row}, ',') from ${page.as('page')})`;
    },
    search: sqliteSearch,
    searchIsIndexed: true,
    columnsOf: columnsOf(columns),
    columns,
    async close() {
      for (const db of [apart, read, write]) await db.destroy();
    },
  };
}

/** How long we wait for another process that migrates the same tables: that of a large database takes its time. */
const migrationWaitMs = 60_000;

/** Reading so many records delays nobody noticeably. */
const maxRecordsReadHere = 10_000;

const tableCount = (db: Kysely<Tables>) =>
  db
    .selectFrom('recordCounts')
    .select('count')
    .where('teamId', '=', '')
    .where('table', '=', '')
    .compile();

/** Refuses signs of an earlier database: the folder for files, which is made after it, copies and remains of it, and backups. */
function refuseLostDatabase(dataFolder: string, names: readonly string[]): void {
  const traces: string[] = [];
  for (const name of names)
    if (
      name === 'files' ||
      // SQLite makes a journal and shared memory also for an empty database.
      (name.startsWith(databaseName) &&
        !/^(|-journal|-shm)$/.test(name.slice(databaseName.length))) ||
      name === manifestName ||
      existsSync(join(dataFolder, name, manifestName))
    )
      traces.push(name);
  if (traces.length > 0)
    throw new LostDatabase(
      `it has ${traces.slice(0, 3).join(', ')}, but ${databaseName} is missing or empty`,
    );
}

async function hasNotes(db: Kysely<Tables>): Promise<boolean> {
  const { rows } =
    await sql`select name from sqlite_master where name = 'kysely_migration'`.execute(db);
  return rows.length > 0;
}

interface Column extends ColumnInfo {
  /** As declared. */
  readonly type: string;
}

async function describeColumns(db: Kysely<Tables>): Promise<Column[]> {
  const { rows } = await sql<
    Column & { hidden: number }
  >`select m.name as "table", c.name, c.type, c.hidden
    from sqlite_master m join pragma_table_xinfo(m.name) c where m.type = 'table' and c.hidden <> 1 order by m.name, c.cid`.execute(
    db,
  );
  return rows.map((column) => ({ ...column, isComputed: column.hidden !== 0 }));
}

/** A row as JSON, by the declared types of its columns. */
const rowText = (columns: readonly Column[]): RawBuilder<string> =>
  sql`json_object(${sql.join(columns.flatMap(entryOf))})`;

function entryOf({ name, type }: Column): [RawBuilder<unknown>, RawBuilder<unknown>] {
  const value = sql.ref(name);
  switch (type.toLowerCase()) {
    case 'boolean':
      return [
        sql.lit(name),
        sql`json(iif(${value} is null, null, iif(${value}, 'true', 'false')))`,
      ];
    case 'json text':
      return [sql.lit(name), sql`json(${value})`];
    default:
      return [sql.lit(name), value];
  }
}
