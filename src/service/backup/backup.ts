/** Copies a data folder into one file, also while the service is running. */
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, mkdtempSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { tryLock } from '../data-folder/lock.ts';
import { databaseName } from '../data-folder/names.ts';
import { refuseUnfinishedRestore } from '../data-folder/unfinished-restore.ts';
import { DamagedData, isDamage } from '../database/failures.ts';
import { type FileSystem, fileSystem, syncFolder } from '../files/file-system.ts';
import { openFolder } from '../files/folder.ts';
import type { Bytes, FileStore } from '../files/store.ts';
import {
  type ArchiveWriter,
  createArchive,
  type Entry,
  type Manifest,
  nameOfBytes,
  readArchive,
} from './archive.ts';
import { findFault } from './inspect.ts';
import { type ReferencedBytes, referencedBytes } from './referenced-bytes.ts';

export interface BackupOptions {
  /** The data folder. */
  readonly data: string;
  /** The backup file. An existing one is replaced when the new one is complete. */
  readonly file: string;
  readonly signal?: AbortSignal;
  /** Bytes archived so far. */
  readonly onProgress?: (done: { bytes: number; of: number }) => void;
  readonly fs?: FileSystem;
}

export interface BackupResult {
  readonly file: string;
  /** Size of the archive in bytes. */
  readonly sizeBytes: number;
  /** Photos and assets; equal ones count once. */
  readonly files: number;
  readonly createdAt: string;
  /** Bytes that are missing or damaged; see `cs admin check`. */
  readonly missing: readonly string[];
  readonly damaged: readonly string[];
}

/** The folder has no data. */
export class NoData extends Error {
  constructor(folder: string) {
    super(`No data in ${folder}`);
    this.name = 'NoData';
  }
}

/** Whether a folder has data of a service. */
export const hasData = (folder: string): boolean => existsSync(join(folder, databaseName));

/**
 * Makes a backup: the database at one moment, and the bytes of all its records. Doesn't block the service. Bytes can be deleted
 * meanwhile: the database is copied first, then its bytes are added, and if some are gone by then, the database is copied again.
 * The archive is verified before it gets its name. Throws `DamagedData` for a damaged database, without writing a backup.
 */
export async function backUp({
  data,
  file,
  signal,
  onProgress,
  fs = fileSystem,
}: BackupOptions): Promise<BackupResult> {
  refuseUnfinishedRestore(data);
  if (!hasData(data)) throw new NoData(data);
  const source = join(data, databaseName);
  const work = await makeWorkFolder(dirname(file));
  try {
    const written = join(work.path, 'archive');
    const files = await openFolder(join(data, 'files'));
    const createdAt = new Date();
    await using archive = createArchive(written, { mtime: createdAt, signal, fs });
    const copy = join(work.path, databaseName);
    const { entries, ...faults } = await addEverything({
      archive,
      files,
      copy: () => snapshot(source, copy, data),
      signal,
      onProgress,
    });
    const { size } = await stat(copy);
    const database = await archive.add(databaseName, size, createReadStream(copy));
    const manifest: Manifest = {
      format: 'car-storage backup',
      version: 1,
      createdAt: createdAt.toISOString(),
      entries: [...entries, database],
      ...faults,
    };
    await archive.seal(manifest);
    await readArchive(written, { signal });
    await fs.rename(written, file);
    await syncFolder(dirname(file), fs);
    return {
      file,
      sizeBytes: (await stat(file)).size,
      files: entries.length,
      createdAt: manifest.createdAt,
      ...faults,
    };
  } finally {
    await work.remove();
  }
}

/** Copies in one step, so that concurrent writes can't restart it. References to bytes are read from the copy. */
async function snapshot(source: string, copy: string, data: string): Promise<ReferencedBytes[]> {
  await rm(copy, { force: true });
  try {
    await copyWhole(source, copy);
  } catch (error) {
    throw isDamage(error) ? new DamagedData((error as Error).message, { cause: error }) : error;
  }
  const fault = await findFault(copy, `The data in ${data}`);
  if (fault) throw new DamagedData(fault);
  using db = new DatabaseSync(copy);
  const referenced = referencedBytes(db);
  forgetStore(db);
  return referenced;
}

/** A restored folder is a store of its own, with files under the names that they have in the backup. */
function forgetStore(db: DatabaseSync): void {
  if (!db.prepare("select 1 from sqlite_master where name = 'storedBytes'").get()) return;
  db.exec(`update "storedBytes" set "key" = "teamId" || '/' || substr("sha256", 1, 2) || '/' || "sha256";
    delete from "deletedBytes"; update "teams" set "fileMoves" = 0`);
  db.prepare('update "fileFolder" set "id" = ?, "claimed" = 0, "place" = null, "moves" = 0').run(
    randomUUID(),
  );
}

async function copyWhole(source: string, copy: string): Promise<void> {
  using from = new DatabaseSync(source, { readOnly: true, timeout: 5_000 });
  await copyDatabase(from, copy, { rate: 2 ** 31 - 1 });
  using db = new DatabaseSync(copy);
  // A single file, without a write-ahead log beside it.
  db.exec('pragma journal_mode = delete');
  forgetSessions(db);
}

/** Who has the backup signs in nowhere with it: sessions and links stay out, also as remains of deleted rows. */
function forgetSessions(db: DatabaseSync): void {
  const known = db
    .prepare(
      "select name from sqlite_master where type = 'table' and name in ('browserSessions', 'oneTimeLinks')",
    )
    .all();
  db.exec('pragma secure_delete = on');
  for (const { name } of known) db.exec(`delete from "${name}"`);
}

interface Work {
  readonly archive: ArchiveWriter;
  readonly files: FileStore;
  readonly copy: () => Promise<ReferencedBytes[]>;
  readonly signal?: AbortSignal;
  readonly onProgress?: BackupOptions['onProgress'];
}

type Added = Pick<Manifest, 'entries' | 'missing' | 'damaged'>;

async function addEverything({ archive, files, copy, signal, onProgress }: Work): Promise<Added> {
  const added = new Map<string, Entry>();
  let missingBefore = new Set<string>();
  for (;;) {
    const referenced = await copy();
    const of = referenced.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    let bytes = 0;
    const missing = new Set<string>();
    for (const content of referenced) {
      signal?.throwIfAborted();
      const name = nameOfBytes(content);
      const stored = added.has(name) ? undefined : await files.get(content.key);
      if (stored) added.set(name, await addBytes(archive, name, stored));
      else if (!added.has(name)) missing.add(name);
      bytes += content.sizeBytes;
      onProgress?.({ bytes, of });
    }
    // Missing twice, although the newer copy still refers to them: they don't exist.
    if ([...missing].every((name) => missingBefore.has(name))) {
      const names = referenced.map(nameOfBytes).filter((name) => added.has(name));
      const entries = names.map((name) => added.get(name) as Entry);
      return {
        entries,
        missing: [...missing],
        damaged: entries
          .filter(({ name, sha256 }) => basename(name) !== sha256)
          .map(({ name }) => name),
      };
    }
    missingBefore = missing;
  }
}

async function addBytes(
  archive: ArchiveWriter,
  name: string,
  { stream, size }: Bytes,
): Promise<Entry> {
  try {
    return await archive.add(name, size, stream);
  } finally {
    stream.destroy();
  }
}

const workFolderPrefix = '.cs-backup-';

interface WorkFolder {
  readonly path: string;
  /** Deletes the folder and its content. */
  remove(): Promise<void>;
}

async function makeWorkFolder(parent: string): Promise<WorkFolder> {
  await removeAbandoned(parent);
  // Locked at once, so that no other process takes it for abandoned.
  const path = mkdtempSync(join(parent, workFolderPrefix));
  const lock = tryLock(join(path, 'lock'));
  return {
    path,
    async remove() {
      lock?.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Best effort: deletes work folders whose lock nobody holds. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    if (!name.startsWith(workFolderPrefix)) continue;
    const path = join(parent, name);
    try {
      const lock = tryLock(join(path, 'lock'));
      if (!lock) continue;
      lock.close();
      await rm(path, { recursive: true, force: true });
    } catch {
      // Belongs to another user, or is gone.
    }
  }
}
