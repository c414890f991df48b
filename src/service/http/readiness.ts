import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { DatabaseUnavailable } from '../database/failures.ts';
import { doneSteps } from '../database/migrate.ts';
import { migrations } from '../database/migrations/migrations.ts';
import { StorageUnavailable } from '../files/store.ts';
import { ApiProblem } from '../problem.ts';
import { newId } from '../records.ts';
import type { Stores } from '../stores.ts';

/** Time limit of each check, in milliseconds: shorter than usual probe timeouts. */
const timeoutMs = 5_000;
/** Of the files, which only warn: a probe waits for one second at least. */
const filesMs = 700;

/**
 * Resolves when the database commits a write and its tables are up to date, with the failure if no file can be written: without files
 * most requests work, and services with a common store would all be taken out at once.
 * Otherwise throws 503 `unavailable` with the names of the failed checks and their reasons.
 * Concurrent calls share a check, so frequent probes cost no more than one.
 */
export function createReadinessCheck(
  stores: Stores,
  limitMs = timeoutMs,
): () => Promise<Outcome | undefined> {
  const checks = {
    database: commitWrite,
    migrations: requireMigrations,
    files: () => stores.files.checkWritable(),
  };
  const required = Object.entries(checks).map(([name, check]) => ({
    name,
    run: shareInFlight(() => check(stores)),
  }));
  return async () => {
    const results = await Promise.all(
      required.map(async ({ name, run }) => {
        const ms = name === 'files' ? Math.min(filesMs, limitMs) : limitMs;
        return { name, ...(await withTimeout(run(), ms)) };
      }),
    );
    const failures = results.filter(({ ok }) => !ok);
    const failed = failures.filter(({ name }) => name !== 'files');
    if (failed.length > 0)
      throw new ApiProblem(
        'unavailable',
        `Not ready: ${failed.map(({ name, reason }) => (reason ? `${name} (${reason})` : name)).join(', ')}`,
        { failed: failed.map(({ name }) => name) },
        failed[0]?.cause,
      );
    return failures[0];
  };
}

function shareInFlight(check: () => Promise<void>): () => Promise<void> {
  let inFlight: Promise<void> | undefined;
  return () => {
    inFlight ??= check().finally(() => {
      inFlight = undefined;
    });
    return inFlight;
  };
}

interface Outcome {
  readonly ok: boolean;
  readonly reason?: string;
  /** The log has it: it could describe the network to everybody. */
  readonly cause?: unknown;
}

async function withTimeout(task: Promise<void>, ms: number): Promise<Outcome> {
  const ended = new AbortController();
  const settled = task.then(
    (): Outcome => ({ ok: true }),
    (error: unknown): Outcome => ({ ok: false, reason: reasonOf(error), cause: error }),
  );
  try {
    return await Promise.race([settled, wait(ms, { ok: false }, { signal: ended.signal })]);
  } finally {
    ended.abort();
  }
}

const reasonOf = (error: unknown): string | undefined =>
  error instanceof DatabaseUnavailable || error instanceof StorageUnavailable
    ? error.message
    : undefined;

/**
 * Commits, since a full disk fails the commit and not the statement: a write that is rolled back may never leave memory.
 * The row is deleted in the same transaction. No other table refers to this one.
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
