import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { doneSteps } from '../database/migrate.ts';
import { migrations } from '../database/migrations/migrations.ts';
import { ApiProblem } from '../problem.ts';
import { newId } from '../records.ts';
import type { Stores } from '../stores.ts';
import { findWarnings, type Warning } from '../warnings.ts';

/** How long a check may take, in milliseconds: less than those who ask usually wait. */
const timeoutMs = 5_000;

export interface Readiness {
  readonly warnings: readonly Warning[];
}

/**
 * Resolves when the database commits a write, its tables are up to date and a file can be written; otherwise throws 503 `unavailable` with the names of the failed checks.
 * A check under way answers everyone who asks meanwhile: frequent questions, and those that wait for something stuck, are no work of their own.
 */
export function createReadinessCheck(stores: Stores, limitMs: number = timeoutMs): () => Promise<Readiness> {
  const checks = { database: commitWrite, migrations: requireMigrations, files: () => stores.files.checkWritable() };
  const shared = Object.entries(checks).map(([name, check]) => ({ name, ask: shareInFlight(() => check(stores)) }));
  const warnings = shareInFlight(() => findWarnings(stores.database));
  return async () => {
    const results = await Promise.all(shared.map(async ({ name, ask }) => ({ name, ...(await withTimeout(ask(), limitMs)) })));
    const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
    if (failed.length > 0) throw new ApiProblem('unavailable', `Not ready: ${failed.join(', ')}`, { failed });
    const { result = [] } = await withTimeout(warnings(), limitMs);
    return { warnings: result };
  };
}

function shareInFlight<T>(check: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () => {
    underWay ??= check().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

async function withTimeout<T>(task: Promise<T>, ms: number): Promise<{ ok: boolean; result?: T }> {
  const ended = new AbortController();
  const settled = task.then(
    (result) => ({ ok: true, result }),
    () => ({ ok: false }),
  );
  try {
    return await Promise.race([settled, wait(ms, { ok: false }, { signal: ended.signal })]);
  } finally {
    ended.abort();
  }
}

/**
 * A full disk refuses the commit, not the statement: a write that is rolled back may never leave memory.
 * The row is gone before anyone can see it. It is in this table because no other refers to it.
 */
async function commitWrite({ database }: Stores): Promise<void> {
  const name = `probe ${newId()}`;
  await database.write.transaction().execute(async (db) => {
    await sql`insert into kysely_migration values (${name}, '')`.execute(db);
    await sql`delete from kysely_migration where name = ${name}`.execute(db);
  });
}

async function requireMigrations({ database }: Stores): Promise<void> {
  const done = new Set(await doneSteps(database.read));
  const missing = Object.keys(migrations).filter((name) => !done.has(name));
  if (missing.length > 0) throw new Error(`Migrations not done: ${missing.join(', ')}`);
}
