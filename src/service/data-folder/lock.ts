import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from './private-files.ts';

/** The process that holds a data folder, as it wrote itself down. */
export interface Holder {
  pid: number;
  url?: string;
  /** Where people reach it, if that differs. */
  publicUrl?: string;
  startedAt: string;
}

/** Files of the lock in its folder. */
export const lockNames: readonly string[] = [
  'service.lock',
  'service.lock-journal',
  'service.json',
];

/** Another service uses the data folder. */
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
  /** Publishes the service's addresses to other processes. */
  announce(url: string, publicUrl?: string): void;
  release(): void;
}

/**
 * Makes this process the only service of a data folder. SQLite takes the operating system's lock on a file of its own, so the lock
 * ends with the process, also after `kill -9`: nothing is left to clean up.
 */
export function lockFolder(folder: string): FolderLock {
  const holderFile = join(folder, 'service.json');
  const startedAt = new Date().toISOString();
  const write = (holder: Holder) =>
    writeFileSync(holderFile, JSON.stringify(holder), { mode: 0o600 });
  const lock = tryLock(join(folder, 'service.lock'));
  if (!lock) throw new FolderInUse(folder, readHolder(holderFile));
  write({ pid: process.pid, startedAt });
  return {
    announce: (url, publicUrl) => write({ pid: process.pid, url, publicUrl, startedAt }),
    release: () => lock.close(),
  };
}

/** Locks a file until the lock is closed or the process ends. Undefined if another process has it. */
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
 * The running service of a data folder. The holder file can be stale, so the lock decides: while it is held, the file can't be
 * read through it.
 */
export function runningService(folder: string): Holder | undefined {
  const lockFile = join(folder, 'service.lock');
  if (!existsSync(lockFile)) return undefined;
  using lock = new DatabaseSync(lockFile, { readOnly: true, timeout: 0 });
  try {
    lock.exec('select count(*) from sqlite_master');
    return undefined;
  } catch (error) {
    if (/locked/.test(String(error))) return readHolder(join(folder, 'service.json'));
    throw error;
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}
