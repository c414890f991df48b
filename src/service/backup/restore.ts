/** Restores a backup into an empty folder: everything or nothing. */
import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lockFolder, lockNames } from '../data-folder/lock.ts';
import { databaseName, restoreMarkName, stagingName } from '../data-folder/names.ts';
import { restrictToOwner } from '../data-folder/private-files.ts';
import { type Mark, readMark } from '../data-folder/unfinished-restore.ts';
import {
  type FileSystem,
  fileSystem,
  makeFolder,
  syncFolder,
  writeSynced,
} from '../files/file-system.ts';
import { DamagedBackup, type Manifest, readArchive } from './archive.ts';
import { findFault } from './inspect.ts';

export interface RestoreOptions {
  readonly file: string;
  /** The target folder; created if missing. */
  readonly data: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: { bytes: number; of: number }) => void;
  readonly fs?: FileSystem;
}

export interface RestoreResult extends Pick<Manifest, 'createdAt' | 'missing' | 'damaged'> {
  readonly data: string;
  /** Number of restored photos and assets. */
  readonly files: number;
}

/** A backup is only restored into an empty folder: it replaces nothing. */
export class FolderNotEmpty extends Error {
  constructor(folder: string) {
    super(`${folder} isn't empty`);
    this.name = 'FolderNotEmpty';
  }
}

const contentNames = ['files', databaseName];
/** Files that a restore creates, and may delete after an interruption. */
const ownNames: readonly string[] = [restoreMarkName, stagingName, ...contentNames, ...lockNames];

/**
 * Throws `FolderNotEmpty`, `DamagedBackup` or `NewerDatabase` without changing the folder. The folder is marked meanwhile: after
 * an interruption, only another restore accepts it, and starts from the beginning.
 */
export async function restore({
  file,
  data,
  signal,
  onProgress,
  fs = fileSystem,
}: RestoreOptions): Promise<RestoreResult> {
  const { size: of } = await stat(file);
  await makeFolder(data, fs);
  await requireEmpty(data);
  restrictToOwner(data);
  const mark: Mark = { id: randomUUID(), file };
  const marked = await putMark(data, mark, fs);
  let lock: ReturnType<typeof lockFolder>;
  try {
    // A service started meanwhile would create its own database here.
    lock = lockFolder(data);
  } catch (error) {
    if (marked) await fs.rm(join(data, restoreMarkName));
    throw error;
  }
  let done = false;
  try {
    await requireEmpty(data);
    if (!marked) await takeOver(data, mark, fs);
    const { createdAt, missing, damaged, entries } = await unpack(file, join(data, stagingName), {
      signal,
      onProgress: (bytes) => onProgress?.({ bytes, of }),
      fs,
    });
    for (const name of contentNames)
      await fs.rename(join(data, stagingName, name), join(data, name));
    await syncFolder(data, fs);
    done = true;
    return { data, createdAt, files: entries.length - 1, missing, damaged };
  } finally {
    try {
      await clear(data, done ? [stagingName] : [stagingName, ...contentNames], fs);
    } finally {
      // Released before its files are deleted, since Windows can't delete open files. The mark keeps other processes out.
      lock.release();
    }
    await clear(data, lockNames, fs);
    if (readMark(data)?.id === mark.id) await clear(data, [restoreMarkName], fs);
    await syncFolder(data, fs);
  }
}

/** Empty, or left by an interrupted restore. */
async function requireEmpty(data: string): Promise<void> {
  const names = await readdir(data);
  const left = names.includes(restoreMarkName) && names.every((name) => ownNames.includes(name));
  if (names.length > 0 && !left) throw new FolderNotEmpty(data);
}

/** Resolves once the mark is on disk; false if there was one already. */
async function putMark(data: string, mark: Mark, fs: FileSystem): Promise<boolean> {
  try {
    await writeSynced(join(data, restoreMarkName), Buffer.from(JSON.stringify(mark)), fs);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await syncFolder(data, fs);
  return true;
}

/** Deletes what another restore left and replaces its mark. The folder always has a mark. */
async function takeOver(data: string, mark: Mark, fs: FileSystem): Promise<void> {
  await clear(data, [stagingName, ...contentNames], fs);
  const staging = join(data, stagingName);
  await makeFolder(staging, fs);
  await writeSynced(join(staging, restoreMarkName), Buffer.from(JSON.stringify(mark)), fs);
  await fs.rename(join(staging, restoreMarkName), join(data, restoreMarkName));
  await syncFolder(data, fs);
}

async function clear(data: string, names: readonly string[], fs: FileSystem): Promise<void> {
  for (const name of names) await fs.rm(join(data, name), { recursive: true, force: true });
}

interface Unpacking {
  readonly signal?: AbortSignal;
  readonly onProgress: (bytes: number) => void;
  readonly fs: FileSystem;
}

/** Unpacks the archive under allowed names only, verified against its manifest; on disk when it resolves. */
async function unpack(
  file: string,
  staging: string,
  { signal, onProgress, fs }: Unpacking,
): Promise<Manifest> {
  await makeFolder(join(staging, 'files'), fs);
  const save = async (name: string, content: AsyncIterable<Buffer>) => {
    const path = join(staging, name);
    await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeSynced(path, content, fs);
  };
  const { manifest, extra } = await readArchive(file, { signal, onProgress, save });
  const fault = await findFault(join(staging, databaseName), `The backup ${file}`);
  if (fault) throw new DamagedBackup(`its database can't be used: ${fault}`);
  for (const name of extra) await fs.rm(join(staging, name));
  for (const folder of new Set(manifest.entries.flatMap(({ name }) => foldersOf(name))))
    await syncFolder(join(staging, folder), fs);
  return manifest;
}

/** `a/b/c` → `a/b`, `a` and the top. */
const foldersOf = (name: string): string[] =>
  name === '.' ? [] : [dirname(name), ...foldersOf(dirname(name))];
