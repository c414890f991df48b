import { doneSteps } from './database/migrate.ts';
import { migrations } from './database/migrations/migrations.ts';
import { newId } from './records.ts';
import { Refusal } from './refusal.ts';
import type { Stores } from './stores.ts';

/** 503 `unavailable`, naming what is not as it must be: the database takes writes, its tables are up to date, the files can be reached. */
export async function requireReady(stores: Stores): Promise<void> {
  const checks = { database: writeAndUndo, migrations: requireMigrations, files: () => stores.files.checkWritable() };
  const results = await Promise.allSettled(Object.values(checks).map((check) => check(stores)));
  const failed = Object.keys(checks).filter((_, n) => results[n]?.status === 'rejected');
  if (failed.length > 0) throw new Refusal('unavailable', `Not ready: ${failed.join(', ')}`, { failed });
}

async function writeAndUndo({ database }: Stores): Promise<void> {
  const transaction = await database.write.startTransaction().execute();
  const id = newId();
  const now = new Date().toISOString();
  const nobody = { id, name: 'nobody', slug: id, timezone: 'UTC', apiEnabled: false, lastStamp: now, createdAt: now, updatedAt: now };
  try {
    await transaction.insertInto('teams').values(nobody).execute();
  } finally {
    await transaction.rollback().execute();
  }
}

async function requireMigrations({ database }: Stores): Promise<void> {
  const done = new Set(await doneSteps(database.read));
  const missing = Object.keys(migrations).filter((name) => !done.has(name));
  if (missing.length > 0) throw new Error(`Migrations not done: ${missing.join(', ')}`);
}
