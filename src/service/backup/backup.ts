/** Makes a backup, also while services run. The next one into the same folder copies only what is new. */
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tryLock } from '../data-folder/lock.ts';
import { databaseName, manifestName } from '../data-folder/names.ts';
import { DamagedData, isDamage } from '../database/failures.ts';
import type { Place } from '../database/open.ts';
import type { StoredBytesRow } from '../database/tables.ts';
import { type Copied, copyBytes, nothingCopied } from '../files/copy.ts';
import {
  type FileSystem,
  fileSystem,
  makeFolder,
  syncFile,
  syncFolder,
  writeSynced,
} from '../files/file-system.ts';
import { openFolder } from '../files/folder.ts';
import { requireOwnStore } from '../files/ownership.ts';
import { type FileStore, plainKey } from '../files/store.ts';
import { openStores, type Stores } from '../stores.ts';
import {
  BackupRefused,
  contentFolder,
  type Manifest,
  measure,
  readManifest,
  recordsName,
} from './format.ts';
import { findFault } from './inspect.ts';
import { snapshotRecords } from './records.ts';

export interface BackupOptions extends Place {
  /** Where the backup is; created if missing. */
  readonly folder: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: { files: number; of: number }) => void;
  readonly fs?: FileSystem;
}

export interface BackupResult extends Pick<Manifest, 'createdAt' | 'missing' | 'damaged'> {
  readonly folder: string;
  /** Photos and assets in the backup; equal ones count once. */
  readonly files: number;
  /** Those that the folder didn't have. */
  readonly copied: number;
  /** Of records and files, in bytes. */
  readonly sizeBytes: number;
}

/** The names that a backup gives, beside those of systems. */
const ownNames: readonly string[] = [manifestName, contentFolder, 'new', 'lock', 'lock-journal'];
const isOwn = (name: string): boolean =>
  ownNames.includes(name) || recordsName.test(name) || /^(\.|lost\+found$)/.test(name);

/**
 * Makes `folder` a backup of the records at one moment, with the bytes of all of them. Killed at any point, the folder is the backup
 * that it was before, or none. Throws `BackupRefused`, `DamagedData`, `OtherStore`.
 */
export async function backUp({
  folder,
  signal,
  onProgress,
  fs = fileSystem,
  ...place
}: BackupOptions): Promise<BackupResult> {
  const stores = await openStores(place).catch(asDamage);
  try {
    await requireOwnStore(stores.database, stores.files, { claim: false });
    await makeFolder(folder, fs);
    await requireOwnNames(folder);
    using lock = tryLock(join(folder, 'lock'));
    if (!lock)
      throw new BackupRefused(`Another backup into ${folder} is running`, 'wait for its end');
    const work = join(folder, 'new');
    try {
      const { id } = await stores.database.read
        .selectFrom('fileFolder')
        .select('id')
        .executeTakeFirstOrThrow();
      const earlier = await readManifest(folder);
      if (earlier && earlier.database !== id)
        throw new BackupRefused(
          `${folder} has the backup of another facility, or from before a restore`,
          'name another folder; a restored facility starts a new backup',
        );
      const content = await openFolder(join(folder, contentFolder), fs);
      await content.removeTemporary?.();
      const createdAt = new Date().toISOString();
      const { rows, copied } = await copyAll({ stores, content, work, signal, onProgress, fs });
      const records = {
        name: `records-${randomBytes(8).toString('hex')}.sqlite`,
        ...(await measure(join(work, databaseName))),
      };
      await syncFile(join(work, databaseName), fs);
      await fs.rename(join(work, databaseName), join(folder, records.name));
      const { missing, damaged } = copied;
      const manifest: Manifest = {
        format: 'car-storage backup',
        version: 1,
        createdAt,
        database: id,
        records,
        missing,
        damaged,
      };
      await writeSynced(
        join(work, manifestName),
        Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
        fs,
      );
      await syncFolder(folder, fs);
      await fs.rename(join(work, manifestName), join(folder, manifestName));
      await syncFolder(folder, fs);
      const files = await removeOthers(folder, content, manifest, rows, fs);
      const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, records.sizeBytes);
      return {
        folder,
        createdAt,
        files: files.length,
        copied: copied.copied,
        sizeBytes,
        missing,
        damaged,
      };
    } finally {
      await fs.rm(work, { recursive: true, force: true });
    }
  } finally {
    await stores.database.close();
  }
}

function asDamage(error: unknown): never {
  throw isDamage(error) ? new DamagedData((error as Error).message, { cause: error }) : error;
}

async function requireOwnNames(folder: string): Promise<void> {
  const other = (await readdir(folder)).find((name) => !isOwn(name));
  if (other !== undefined)
    throw new BackupRefused(
      `${folder} has other files, such as ${other}`,
      'name a new folder: a backup has one of its own',
    );
}

interface Work {
  readonly stores: Stores;
  readonly content: FileStore;
  /** For the snapshot. */
  readonly work: string;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: BackupOptions['onProgress'];
  readonly fs: FileSystem;
}

/**
 * First the records, then their bytes. Bytes of records that are deleted meanwhile can be gone by then: the records are copied again, until nothing
 * is missing that wasn't missing before.
 */
async function copyAll({ stores, content, work, signal, onProgress, fs }: Work): Promise<{
  rows: readonly StoredBytesRow[];
  copied: Copied;
}> {
  const copied = nothingCopied();
  const snapshot = join(work, databaseName);
  for (let missingBefore: ReadonlySet<string> | undefined; ; ) {
    await fs.rm(work, { recursive: true, force: true });
    await makeFolder(work, fs);
    await snapshotRecords(stores.database, work, signal).catch(asDamage);
    const fault = await findFault(snapshot, 'The database');
    if (fault) throw new DamagedData(fault);
    const rows = storedBytesIn(snapshot);
    copied.missing = [];
    copied.damaged = [];
    await copyBytes(rows, copied, {
      from: stores.files,
      to: content,
      keys: (row) => ({ from: row.key, to: plainKey(row.teamId, row.sha256) }),
      signal,
      onProgress,
    });
    const before = missingBefore;
    if (copied.missing.every((key) => before?.has(key))) return { rows, copied };
    missingBefore = new Set(copied.missing);
  }
}

function storedBytesIn(file: string): StoredBytesRow[] {
  using db = new DatabaseSync(file, { readOnly: true });
  return db.prepare('select * from "storedBytes"').all() as unknown as StoredBytesRow[];
}

/** Deletes what only earlier backups had, or a killed one left; resolves with the files of this one. */
async function removeOthers(
  folder: string,
  content: FileStore,
  { records }: Manifest,
  rows: readonly StoredBytesRow[],
  fs: FileSystem,
) {
  for (const name of await readdir(folder))
    if (recordsName.test(name) && name !== records.name) await fs.rm(join(folder, name));
  const used = new Set(rows.map(({ teamId, sha256 }) => plainKey(teamId, sha256)));
  const files = await Array.fromAsync(content.list());
  for (const { key } of files) if (!used.has(key)) await content.remove(key);
  return files.filter(({ key }) => used.has(key));
}
