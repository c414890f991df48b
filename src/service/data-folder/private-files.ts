/** Restricts the data folder to its owner: another user of the machine could read it, or block all writes with a lock. */
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { databaseName, restoreMarkName, stagingName } from './names.ts';

/** The service's files in a data folder. */
const ownNames: ReadonlySet<string> = new Set([
  ...['', '-wal', '-shm', '-journal'].map((suffix) => `${databaseName}${suffix}`),
  'service.lock',
  'service.lock-journal',
  'service.json',
  'files',
]);

/** Paths that other users could access, before and after the service restricted them. */
export interface ExposedPaths {
  /** Restricted now: 0600 for a file, 0700 for a folder. */
  readonly closed: readonly string[];
  /** Still accessible: they belong to another user, or the folder contains other files. */
  readonly open: readonly string[];
}

/** Ignores the umask. Creates missing parents. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Creates the file before SQLite does, which would use the umask; SQLite's log gets the same permissions. */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Paths of a data folder that other users can access. Empty on Windows, which has no such permissions. */
export function findExposedPaths(data: string): string[] {
  if (process.platform === 'win32') return [];
  // A closed `files` folder protects its content.
  const paths = [data, ...[...ownNames].map((name) => join(data, name))];
  return paths.filter(
    (path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );
}

/** Restricts all accessible paths of a data folder. */
export function restrictToOwner(data: string): ExposedPaths {
  const found = findExposedPaths(data);
  const closed = found.filter((path) => close(data, path));
  return { closed, open: found.filter((path) => !closed.includes(path)) };
}

function close(data: string, path: string): boolean {
  // A folder such as /srv or /tmp has other users.
  if (path === data && !holdsOwnAlone(data)) return false;
  try {
    chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600);
    return true;
  } catch (error) {
    // Belongs to another user, is on a read-only disk, or is gone.
    if (error instanceof Error && 'syscall' in error) return false;
    throw error;
  }
}

const holdsOwnAlone = (data: string): boolean =>
  readdirSync(data).every(
    (name) =>
      ownNames.has(name) ||
      name === stagingName ||
      name === restoreMarkName ||
      name === 'lost+found' ||
      name.startsWith('.'),
  );
