/**
 * The cache of record names for completion: a folder per server and key, named by a hash, and in it a file per resource and parent
 * record. Best effort; unreadable entries are ignored.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../config/platform-folders.ts';
import type { Settings } from '../../config/settings.ts';
import { makeFolder } from '../../input/make-folder.ts';
import type { Io } from '../../terminal/io.ts';
import type { Candidate } from './complete.ts';

/** The age after which names are refreshed, while the old ones are still suggested. */
export const freshMs = 2 * 60_000;
/** The age after which names are no longer suggested. */
const maxAgeMs = 24 * 3_600_000;
/** How long a reserved refresh keeps other processes from starting the same one. */
const reservedMs = 15_000;

/** The folder for a server and a key; undefined without a key. Throws the error of an invalid configuration. */
export function namesFolder(io: Io, settings: Settings): string | undefined {
  const { baseUrl, key } = settings.connection();
  if (key.value === undefined) return undefined;
  return join(cacheFolder(io), `names-${hashOf([baseUrl.value, key.value])}`);
}

/** The file of a resource, or of its records within the parents of these names. */
export const namesFile = (resource: string, within: readonly string[]): string =>
  within.length === 0 ? resource : `${resource}-${hashOf(within)}`;

const hashOf = (values: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32);

export interface CachedNames {
  readonly names: readonly Candidate[];
  readonly fresh: boolean;
  readonly readAt: Date;
}

export function readNames(folder: string, name: string, now: Date): CachedNames | undefined {
  try {
    const file = join(folder, `${name}.json`);
    const { mtime } = statSync(file);
    const age = now.getTime() - mtime.getTime();
    if (age > maxAgeMs) return undefined;
    const names = JSON.parse(readFileSync(file, 'utf8')) as Candidate[];
    return { names: names.filter(isCandidate), fresh: age <= freshMs, readAt: mtime };
  } catch {
    return undefined;
  }
}

/** Earlier versions wrote lists. */
const isCandidate = ({ value, about }: Partial<Candidate>): boolean =>
  typeof value === 'string' && typeof about === 'string';

/** Only its owner can open it, also if the folder existed before. */
function makePrivate(folder: string): void {
  makeFolder(folder, 0o700);
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** Atomic, and readable by the owner only. */
export function writeNames(
  folder: string,
  name: string,
  names: readonly Candidate[],
  unique: string,
): void {
  makePrivate(folder);
  const file = join(folder, `${name}.json`);
  const temporary = `${file}.${unique}`;
  try {
    writeFileSync(temporary, JSON.stringify(names), { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  rmSync(join(folder, `${name}.pending`), { force: true });
}

/** Whether the caller should refresh these names. If so, `request` is stored and other processes don't refresh them for a while. */
export function reserveRefresh(folder: string, name: string, now: Date, request = ''): boolean {
  const pending = join(folder, `${name}.pending`);
  try {
    if (now.getTime() - statSync(pending).mtimeMs < reservedMs) return false;
  } catch {
    // Not reserved.
  }
  makePrivate(folder);
  // An existing file would keep its mode.
  rmSync(pending, { force: true });
  writeFileSync(pending, request, { mode: 0o600 });
  utimesSync(pending, now, now);
  return true;
}

export interface PendingRefresh {
  /** As given to `reserveRefresh`. */
  readonly request: string;
  remove(): void;
}

/** Reserved refreshes that nobody has done yet. Never fails. */
export function pendingRefreshes(folder: string): PendingRefresh[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.pending'))
    .map((name) => join(folder, name))
    .map((file) => ({ request: textOf(file), remove: () => rmSync(file, { force: true }) }))
    .filter(({ request }) => request !== '');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The cache is empty.
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Another process has read the names meanwhile.
    return '';
  }
}

/** After a write: names are still suggested, and refreshed at the next completion. Never fails. */
export function markNamesStale(io: Io, settings: Settings): void {
  try {
    const folder = namesFolder(io, settings);
    if (folder === undefined) return;
    const then = new Date(io.now().getTime() - freshMs - 1_000);
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      if (name.endsWith('.json') && statSync(file).mtimeMs > then.getTime())
        utimesSync(file, then, then);
    }
  } catch {
    // The cache is empty.
  }
}
