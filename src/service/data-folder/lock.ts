import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from './private-files.ts';

/** Who has a data folder, as the holder wrote it down. */
export interface Holder {
  pid: number;
  url?: string;
  startedAt: string;
}

/** The files of a lock in its folder. */
export const lockNames: readonly string[] = ['service.lock', 'service.lock-journal', 'service.json'];

/** Another service has the data folder. */
export class FolderInUse extends Error {
  readonly holder: Holder | undefined;

  constructor(folder: string, holder: Holder | undefined) {
    const who = holder ? ` (process ${holder.pid}${holder.url ? `, at ${holder.url}` : ''})` : '';
    super(`Another service is using ${folder}${who}`);
    this.name = 'FolderInUse';
    this.holder = holder;
  }
}

export interface FolderLock {
  /** Tells those who come later where the service is. */
  announce(url: string): void;
  release(): void;
}

/**
 * Makes this process the one service of a data folder. The lock is the operating system's, taken through SQLite on a file of its own,
 * so it ends with the process however the process ends: nothing is left behind that somebody would have to remove.
 */
export function lockFolder(folder: string): FolderLock {
  const holderFile = join(folder, 'service.json');
  const startedAt = new Date().toISOString();
  const write = (holder: Holder) => writeFileSync(holderFile, JSON.stringify(holder), { mode: 0o600 });
  const lock = tryLock(join(folder, 'service.lock'));
  if (!lock) throw new FolderInUse(folder, readHolder(holderFile));
  write({ pid: process.pid, startedAt });
  return {
    announce: (url) => write({ pid: process.pid, url, startedAt }),
    release: () => lock.close(),
  };
}

/** Locks a file until the lock is closed or the process ends, however it ends. Undefined when another process has locked it. */
export function tryLock(file: string): DatabaseSync | undefined {
  makePrivateFile(file);
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if (/locked/.test(String(error))) return undefined;
    throw error;
  }
}

/**
 * The service that has a data folder now, if there is one. What is written down may be of one that has ended,
 * so the lock decides: while it is held, nothing can be read through it.
 */
export function runningService(folder: string): Holder | undefined {
  const lockFile = join(folder, 'service.lock');
  if (!existsSync(lockFile)) return undefined;
  const lock = new DatabaseSync(lockFile, { readOnly: true, timeout: 0 });
  try {
    lock.exec('select count(*) from sqlite_master');
    return undefined;
  } catch (error) {
    if (/locked/.test(String(error))) return readHolder(join(folder, 'service.json'));
    throw error;
  } finally {
    lock.close();
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}
