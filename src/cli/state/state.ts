/**
 * The one SQLite file of this machine, `state.db` in the state folder: what runs of `cs` remember
 * for later ones. A module of this folder per purpose, each with a table.
 *
 * Caches (names, abilities) go through `inCache`, which never fails: what can't be read is asked
 * again. The rest goes through `readState` and `writeState`, which refuse a file that can't be
 * used.
 */
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { KeySource } from '../config/connection.ts';
import { stateFolder } from '../config/platform-folders.ts';
import { CliError } from '../errors/exit.ts';
import { unusableFile } from '../errors/file-system.ts';
import { makeFolder } from '../input/make-folder.ts';
import type { Io } from '../terminal/io.ts';
import { quote } from '../terminal/text.ts';

/**
 * Its position in the list, from 1, is the `user_version` of the file. Released steps never change.
 */
const migrations = [
  `create table "names" ("owner" text, "list" text, "wantedAt" integer, "readAt" integer, "names" text,
     primary key ("owner", "list")) strict;
   create table "refreshes" ("owner" text primary key, "until" integer not null) strict;
   create table "abilities" ("owner" text primary key, "readAt" integer not null, "abilities" text not null) strict;
   create table "teams" ("owner" text primary key, "id" text not null, "name" text not null) strict;`,
  `create table "watches" ("id" integer primary key, "owner" text not null, "name" text not null, "resource" text not null,
     "since" text, unique ("owner", "name", "resource")) strict;
   create table "watched" ("watch" integer not null, "record" text not null, "version" text not null,
     primary key ("watch", "record")) strict, without rowid;`,
  // `line` is null where the same line means other work by now.
  `create table "work" ("id" text primary key, "command" text not null, "what" text not null, "facility" text not null,
     "line" text, "server" text not null, "key" text not null, "startedAt" integer not null, "happenedAt" text not null,
     "car" text, "keyBase" text not null, "flags" text, "requests" text, "shown" text, "trouble" text,
     "doneAt" integer) strict;
   create unique index "work_line" on "work" ("facility", "line") where "doneAt" is null;
   create table "step" ("work" text not null references "work" ("id") on delete cascade, "name" text not null,
     "state" text not null, "sentAt" integer, "content" text, "answer" text, primary key ("work", "name")) strict;`,
  `create table "imported" ("content" text primary key, "row" integer not null, "key" text not null, "did" text not null,
     "id" text, "error" text, "at" text not null) strict, without rowid;`,
  `create table "audits" ("facility" text not null, "scope" text not null, "spot" text not null, "noted" text not null,
     primary key ("facility", "scope", "spot")) strict, without rowid;`,
];

type Folders = Pick<Io, 'env' | 'home' | 'platform'>;

export const stateFile = (io: Folders): string => join(stateFolder(io), 'state.db');

/** Whose rows they are: a hash of server and key, so that the file holds neither. */
export function ownerOf(server: string, key: string | KeySource): string {
  const source = typeof key === 'object' && 'key' in key ? key.key : key;
  const text = JSON.stringify([server, source]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/**
 * Longer than any cache is written: a process that is stopped in the middle doesn't stop the
 * others.
 */
const cacheTimeoutMs = 250;
const timeoutMs = 5_000;

/** The result of `use`, or undefined where the file can't be used. */
export function inCache<T>(io: Folders, use: (db: DatabaseSync) => T): T | undefined {
  try {
    return within(openCache(io), use);
  } catch {
    return undefined;
  }
}

/** The same, without creating the file. */
export const readCache = <T>(io: Folders, use: (db: DatabaseSync) => T): T | undefined =>
  existsSync(stateFile(io)) ? inCache(io, use) : undefined;

/** For a cache that is used many times in a run, which closes it. */
export function openCache(io: Folders): DatabaseSync {
  const db = open(io, cacheTimeoutMs);
  // A power failure may lose the last rows, which are read again.
  db.exec('pragma synchronous = normal');
  return db;
}

/** For what must not be lost: fails for a file that can't be written. */
export function writeState<T>(io: Folders, use: (db: DatabaseSync) => T): T {
  try {
    return within(open(io, timeoutMs), (db) => inTransaction(db, () => use(db)));
  } catch (error) {
    throw unusable(io, error);
  }
}

/** For a run that writes many times, and closes it. */
export function openState(io: Folders): DatabaseSync {
  try {
    return open(io, timeoutMs);
  } catch (error) {
    throw unusable(io, error);
  }
}

/** The same as `writeState`, with an open file. */
export function writeTo<T>(io: Folders, db: DatabaseSync, use: () => T): T {
  try {
    return inTransaction(db, use);
  } catch (error) {
    throw unusable(io, error);
  }
}

/** Undefined without a file, which isn't created. */
export function readState<T>(io: Folders, use: (db: DatabaseSync) => T): T | undefined {
  if (!existsSync(stateFile(io))) return undefined;
  try {
    return within(open(io, timeoutMs), use);
  } catch (error) {
    throw unusable(io, error);
  }
}

export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

function within<T>(db: DatabaseSync, use: (db: DatabaseSync) => T): T {
  try {
    return use(db);
  } finally {
    db.close();
  }
}

function open(io: Folders, timeout: number): DatabaseSync {
  const file = stateFile(io);
  makeFolder(dirname(file), 0o700);
  writeFileSync(file, '', { flag: 'a', mode: 0o600 });
  const db = new DatabaseSync(file, { timeout });
  try {
    if (versionOf(db) < migrations.length) {
      db.exec('pragma journal_mode = wal');
      inTransaction(db, () => migrate(db));
    }
    if (versionOf(db) > migrations.length)
      throw new CliError({
        code: 'state_unusable',
        message: `A newer version of cs wrote ${file}.`,
        hint: 'update cs, or set CS_STATE_DIR to another folder',
      });
    db.exec('pragma synchronous = full');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const versionOf = (db: DatabaseSync): number =>
  (db.prepare('pragma user_version').get() as { user_version: number }).user_version;

/** Another process may have done it meanwhile. */
function migrate(db: DatabaseSync): void {
  for (const step of migrations.slice(versionOf(db))) db.exec(step);
  db.exec(`pragma user_version = ${migrations.length}`);
}

function unusable(io: Folders, error: unknown): CliError {
  if (error instanceof CliError) return error;
  const file = stateFile(io);
  return unusableFile(`Couldn't use ${file}, where commands keep what they remember`, error, {
    code: 'state_unusable',
    exitCode: 7,
    hint: isDamage(error)
      ? `set it aside with \`mv ${quote(file)} ${quote(`${file}.damaged`)}\``
      : 'set CS_STATE_DIR to a folder that you can write to',
  });
}

/** SQLite's codes for other tables, damage, and a file that isn't a database. */
const damages: ReadonlySet<unknown> = new Set([1, 11, 26]);
const isDamage = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && damages.has(error.errcode);
