/**
 * Names of records that completion has seen, one file a resource, and one for each record that others lie below: kept apart by server and key, of which only a hash is written.
 * They are a comfort and nothing more: what cannot be read is not there.
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { platformFolder } from '../../config/platform-folders.ts';
import type { Settings } from '../../config/settings.ts';
import type { Io } from '../../terminal/io.ts';
import type { Candidate } from './complete.ts';

/** Milliseconds after which names are read anew, while the old ones are still offered. */
export const freshMs = 2 * 60_000;
/** Milliseconds after which names are too old to be offered. */
const goneMs = 24 * 3_600_000;
/** Milliseconds for which nobody else asks for the same. */
const askedMs = 15_000;

/** CS_CACHE_DIR, or the place where the platform keeps what may be lost. */
const cacheFolder = (io: Io): string => io.env.CS_CACHE_DIR || platformFolder(io, 'cache').path;

/** Where the names of a server are, as one key sees them; nothing without a key. Throws what a broken configuration throws. */
export function namesFolder(io: Io, settings: Settings): string | undefined {
  const { baseUrl, key } = settings.connection();
  if (key.value === undefined) return undefined;
  return join(cacheFolder(io), `names-${hashOf([baseUrl.value, key.value])}`);
}

/** The file of a resource, or of its records within others, by what these were called. */
export const namesFile = (resource: string, within: readonly string[]): string =>
  within.length === 0 ? resource : `${resource}-${hashOf(within)}`;

const hashOf = (what: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 32);

export interface KeptNames {
  readonly names: readonly Candidate[];
  readonly fresh: boolean;
}

export function readNames(folder: string, name: string, now: Date): KeptNames | undefined {
  try {
    const file = join(folder, `${name}.json`);
    const age = now.getTime() - statSync(file).mtimeMs;
    if (age > goneMs) return undefined;
    const names = JSON.parse(readFileSync(file, 'utf8')) as [string, string, ...string[]][];
    return { names: names.map(([value, about, ...also]) => ({ value, about, also })), fresh: age <= freshMs };
  } catch {
    return undefined;
  }
}

/** For its owner only, whatever was there before. */
function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** Only the owner can read them. In one step, so that nobody reads half of them. */
export function writeNames(folder: string, name: string, names: readonly Candidate[], unique: string): void {
  makePrivate(folder);
  const file = join(folder, `${name}.json`);
  const own = `${file}.${unique}`;
  try {
    writeFileSync(own, JSON.stringify(names.map(({ value, about, also = [] }) => [value, about, ...also])), { mode: 0o600 });
    renameSync(own, file);
  } catch (error) {
    rmSync(own, { force: true });
    throw error;
  }
  rmSync(join(folder, `${name}.asked`), { force: true });
}

/** Whether somebody should ask for the names now; who gets a yes has been noted with `what`, so that the next Tab does not ask again. */
export function claimRefresh(folder: string, name: string, now: Date, what = ''): boolean {
  const mark = join(folder, `${name}.asked`);
  try {
    if (now.getTime() - statSync(mark).mtimeMs < askedMs) return false;
  } catch {
    // Nobody has asked.
  }
  makePrivate(folder);
  // A file that is there would keep its mode.
  rmSync(mark, { force: true });
  writeFileSync(mark, what, { mode: 0o600 });
  utimesSync(mark, now, now);
  return true;
}

export interface Asked {
  /** What was noted. */
  readonly what: string;
  /** Takes the note away. */
  forget(): void;
}

/** What was noted of names that were asked for and not read. Never fails. */
export function findAsked(folder: string): Asked[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.asked'))
    .map((name) => join(folder, name))
    .map((file) => ({ what: textOf(file), forget: () => rmSync(file, { force: true }) }))
    .filter(({ what }) => what !== '');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing is kept.
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Somebody else has read the names meanwhile.
    return '';
  }
}

/** After a write: the names are still offered, and read anew when they are next asked for. What was asked for stays so. Never fails. */
export function markNamesStale(io: Io, settings: Settings): void {
  try {
    const folder = namesFolder(io, settings);
    if (folder === undefined) return;
    const then = new Date(io.now().getTime() - freshMs - 1_000);
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      if (name.endsWith('.json') && statSync(file).mtimeMs > then.getTime()) utimesSync(file, then, then);
    }
  } catch {
    // Nothing is kept.
  }
}
