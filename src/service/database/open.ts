import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/migrations.ts';
import { nodeSqliteDialect } from './node-sqlite.ts';
import type { Tables } from './tables.ts';

export type Reader = Kysely<Tables>;

export interface Database {
  /** Lists and reads: sees what is committed, never waits for a writer. */
  readonly read: Kysely<Tables>;
  /** Every change: its transactions take the write lock at their start. */
  readonly write: Kysely<Tables>;
  close(): Promise<void>;
}

/** The data folder was made by a newer version of `cs`. */
export class NewerDatabase extends Error {}

/** Opens the database of a data folder, making it when it is not there, and brings its tables up to date. */
export async function openDatabase(dataFolder: string): Promise<Database> {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const file = join(dataFolder, 'cs.sqlite');
  const write = new Kysely<Tables>({ dialect: nodeSqliteDialect({ file }) });
  try {
    await migrate(write, dataFolder);
  } catch (error) {
    await write.destroy();
    throw error;
  }
  const read = new Kysely<Tables>({ dialect: nodeSqliteDialect({ file, readOnly: true }) });
  return {
    read,
    write,
    async close() {
      await read.destroy();
      await write.destroy();
    },
  };
}

async function migrate(db: Kysely<Tables>, dataFolder: string): Promise<void> {
  const done = await appliedMigrations(db);
  const unknown = done.find((name) => !(name in migrations));
  if (unknown)
    throw new NewerDatabase(`The data in ${dataFolder} was written by a newer version of cs (it has ${unknown}). Use that version.`);
  if (done.length === Object.keys(migrations).length) return;
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
  if (error) throw error;
}

async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const table = await sql<{ name: string }>`select name from sqlite_master where name = 'kysely_migration'`.execute(db);
  if (table.rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}
