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

/**
 * Takes access to a data folder from other users: a copy of it may have other rights than ours. Best effort: what belongs to somebody else,
 * or is on a read-only disk, stays as it is. Windows has no such rights.
 */
export function restrictToOwner(data: string): void {
  if (process.platform === 'win32') return;
  // A closed `files` folder protects its content. A folder such as /srv or /tmp has other users.
  const paths = [...ownNames].map((name) => join(data, name));
  for (const path of holdsOwnAlone(data) ? [data, ...paths] : paths) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found || (found.mode & 0o077) === 0) continue;
    try {
      chmodSync(path, found.isDirectory() ? 0o700 : 0o600);
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
    }
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
