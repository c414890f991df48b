/**
 * The paces of a key, shared by all runs of `cs` on this machine. Loaded after the first refusal for a rate limit. A small SQLite file
 * per server and key, whose lock ends with the run that has it. Best effort: a run that can't use the file waits alone.
 */
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLocalPaces, type Pace, type PaceStore } from '../../client/pacing.ts';
import { cacheFolder } from '../config/platform-folders.ts';
import { makeFolder } from '../input/make-folder.ts';
import type { Io } from '../terminal/io.ts';

/** The file has a hash in place of server and key. */
export function pacesFile(io: Io, baseUrl: string, key: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([baseUrl, key]))
    .digest('hex');
  return join(cacheFolder(io), `rate-limit-${hash.slice(0, 32)}.db`);
}

/** `note` gets a line if the file is replaced or can't be used. */
export function openSharedPaces(file: string, note: (text: string) => void): PaceStore {
  const local = createLocalPaces();
  let database: DatabaseSync | undefined;
  let usable = true;

  function updateShared(limit: string, change: (pace: Pace | undefined) => Pace): Pace {
    database ??= open(file);
    try {
      return updateIn(database, limit, change);
    } catch (error) {
      database.close();
      database = undefined;
      throw error;
    }
  }

  return {
    async update(limit, change) {
      if (!usable) return local.update(limit, change);
      try {
        return updateShared(limit, change);
      } catch (error) {
        if (!isDamage(error)) return giveUp(error, limit, change);
      }
      try {
        // Another run may have replaced it meanwhile.
        return updateShared(limit, change);
      } catch (error) {
        if (!isDamage(error)) return giveUp(error, limit, change);
      }
      try {
        for (const name of [file, `${file}-journal`]) rmSync(name, { force: true });
        const pace = updateShared(limit, change);
        note(`the file of shared waits was damaged and is replaced: ${file}`);
        return pace;
      } catch (error) {
        return giveUp(error, limit, change);
      }
    },
  };

  function giveUp(
    error: unknown,
    limit: string,
    change: (pace: Pace | undefined) => Pace,
  ): Promise<Pace> {
    usable = false;
    note(
      `waits for the rate limit aren't shared with other runs: ${error instanceof Error ? error.message : String(error)}`,
    );
    return local.update(limit, change);
  }
}

/** Longer than any update takes: a process that is stopped in the middle of one doesn't stop the others. */
const lockTimeoutMs = 250;

function open(file: string): DatabaseSync {
  makeFolder(dirname(file), 0o700);
  writeFileSync(file, '', { flag: 'a', mode: 0o600 });
  const database = new DatabaseSync(file, { timeout: lockTimeoutMs });
  try {
    // Old waits are worth nothing after a power failure.
    database.exec(`pragma synchronous = off;
      create table if not exists "paces" ("limit" text primary key, "closedUntil" real, "nextTurn" real, "nextUrgentTurn" real, "interval" real) strict`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function updateIn(
  database: DatabaseSync,
  limit: string,
  change: (pace: Pace | undefined) => Pace,
): Pace {
  database.exec('begin immediate');
  try {
    const stored = paceIn(database.prepare('select * from "paces" where "limit" = ?').get(limit));
    const { closedUntil, nextTurn, nextUrgentTurn, interval } = change(stored);
    database
      .prepare('insert or replace into "paces" values (?, ?, ?, ?, ?)')
      .run(limit, closedUntil, nextTurn, nextUrgentTurn, interval);
    database.exec('commit');
    return { closedUntil, nextTurn, nextUrgentTurn, interval };
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

/** Undefined for a row that no run has written like this. */
function paceIn(row: Record<string, unknown> | undefined): Pace | undefined {
  const [closedUntil, nextTurn, nextUrgentTurn, interval] = [
    'closedUntil',
    'nextTurn',
    'nextUrgentTurn',
    'interval',
  ].map((name) => {
    const value = row?.[name];
    return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined;
  });
  if (
    closedUntil === undefined ||
    nextTurn === undefined ||
    nextUrgentTurn === undefined ||
    !interval
  )
    return undefined;
  return { closedUntil, nextTurn, nextUrgentTurn, interval };
}

/** SQLite's codes for a file that isn't a database, is damaged, or has other tables. */
const damages: ReadonlySet<unknown> = new Set([1, 11, 26]);
const isDamage = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && damages.has(error.errcode);
