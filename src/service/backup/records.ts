/** Copies of all records: from either database into an SQLite file, and from there into either. */
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import { databaseName } from '../data-folder/names.ts';
import { makePrivateFile } from '../data-folder/private-files.ts';
import { databaseKind } from '../database/create-tables.ts';
import type { Database, Reader } from '../database/database.ts';
import { tables } from '../database/migrations/migrations.ts';
import { openSqlite } from '../database/sqlite/open.ts';
import type { Tables } from '../database/tables.ts';
import { anyTable, eachBatch } from '../records.ts';

/** Who has a backup signs in nowhere with it. */
const secret = ['browserSessions', 'oneTimeLinks'];
/** Triggers count rows. */
const notCopied: ReadonlySet<string> = new Set([...secret, 'recordCounts']);

/** Writes the records of one moment into a new folder, as an SQLite file. Never waits for the service nor blocks it. */
export async function snapshotRecords(
  { read }: Database,
  folder: string,
  signal?: AbortSignal,
): Promise<void> {
  const file = `${folder}/${databaseName}`;
  if (databaseKind(read) === 'sqlite') {
    makePrivateFile(file);
    await sql`vacuum into ${file}`.execute(read);
  } else {
    const copy = await openSqlite(folder);
    try {
      await copy.write
        .transaction()
        .execute((to) => read.transaction().execute((from) => copyRecords(from, to, copy, signal)));
    } finally {
      await copy.close();
    }
  }
  using db = new DatabaseSync(file);
  // One file, without a log beside it, and without remains of what is deleted.
  db.exec('pragma journal_mode = delete; pragma secure_delete = on; pragma synchronous = full');
  for (const name of secret) db.exec(`delete from "${name}"`);
}

/** Into a database whose tables have the same columns and no rows. */
export async function copyRecords(
  from: Reader,
  to: Kysely<Tables>,
  { columns }: Pick<Database, 'columns'>,
  signal?: AbortSignal,
): Promise<void> {
  const ofTable = Map.groupBy(columns, ({ table }) => table);
  for (const table of tables) {
    if (notCopied.has(table.name)) continue;
    const stored = ofTable.get(table.name)?.filter(({ isComputed }) => !isComputed) ?? [];
    const names = stored.map(({ name }) => name);
    for await (const rows of eachBatch(from, table, names)) {
      signal?.throwIfAborted();
      await anyTable({ db: to }).insertInto(table.name).values(rows).execute();
    }
  }
}
