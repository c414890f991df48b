/** The data folder is for its owner alone: another user of the machine could read it, or hold a lock in it and stop all writes. */
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What the service keeps in a data folder. */
const ownNames: ReadonlySet<string> = new Set([
  'cs.sqlite',
  'cs.sqlite-wal',
  'cs.sqlite-shm',
  'cs.sqlite-journal',
  'service.lock',
  'service.lock-journal',
  'service.json',
  'files',
]);

/** Paths that other users could read or change, before and after the service closed what it can. */
export interface ExposedPaths {
  /** Closed now: 0600 for a file, 0700 for a folder. */
  readonly closed: readonly string[];
  /** Still open: they belong to another user, or the folder holds more than the service's data. */
  readonly open: readonly string[];
}

/** Whatever the umask is. The folders above it that are missing are made too. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** An empty file for SQLite, which gives a file that it makes itself the rights that the umask leaves, and its log those of the file. */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Paths of a data folder that other users can read or change. Windows keeps rights in another way. */
export function findExposedPaths(data: string): string[] {
  if (process.platform === 'win32') return [];
  // What is in `files` cannot be reached when that folder is closed.
  const paths = [data, ...[...ownNames].map((name) => join(data, name))];
  return paths.filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
}

/** Closes what is open in a data folder. */
export function restrictToOwner(data: string): ExposedPaths {
  const found = findExposedPaths(data);
  const closed = found.filter((path) => close(data, path));
  return { closed, open: found.filter((path) => !closed.includes(path)) };
}

function close(data: string, path: string): boolean {
  // A folder such as /srv, or /tmp, is used by others too.
  if (path === data && !holdsOwnAlone(data)) return false;
  try {
    chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600);
    return true;
  } catch (error) {
    // Another user's, a read-only disk, or gone since.
    if (error instanceof Error && 'syscall' in error) return false;
    throw error;
  }
}

const holdsOwnAlone = (data: string): boolean =>
  readdirSync(data).every(
    (name) => ownNames.has(name) || name === 'restoring' || name === 'restore-unfinished' || name === 'lost+found' || name.startsWith('.'),
  );
