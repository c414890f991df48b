import { setTimeout as wait } from 'node:timers/promises';
import { doneSteps } from './database/migrate.ts';
import { migrations } from './database/migrations/migrations.ts';
import { newId } from './records.ts';
import { Refusal } from './refusal.ts';
import type { Stores } from './stores.ts';

/** How long a check may take, in milliseconds: less than those who ask usually wait. */
const patienceMs = 5_000;

/**
 * Resolves when the database takes writes, its tables are up to date and the files can be reached; otherwise throws 503 `unavailable`, naming what is not as it must be.
 * A check that is under way answers all who ask meanwhile, so that asking often, or while something is stuck, is no work of its own.
 */
export function makeReadiness(stores: Stores, limitMs: number = patienceMs): () => Promise<void> {
  const checks = { database: writeAndUndo, migrations: requireMigrations, files: () => stores.files.checkWritable() };
  const shared = Object.entries(checks).map(([name, check]) => ({ name, ask: share(() => check(stores)) }));
  return async () => {
    const results = await Promise.all(shared.map(async ({ name, ask }) => ({ name, ok: await succeedsWithin(ask(), limitMs) })));
    const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
    if (failed.length > 0) throw new Refusal('unavailable', `Not ready: ${failed.join(', ')}`, { failed });
  };
}

function share(check: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () => {
    underWay ??= check().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

async function succeedsWithin(task: Promise<void>, ms: number): Promise<boolean> {
  const ended = new AbortController();
  const settled = task.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([settled, wait(ms, false, { signal: ended.signal })]);
  } finally {
    ended.abort();
  }
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
