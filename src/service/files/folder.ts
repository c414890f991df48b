/** Files in a folder: `<folder>/<teamId>/<aa>/<sha256>.<random>`. */
import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { folderIdName } from '../data-folder/names.ts';
import { type FileSystem, fileSystem, syncFolder, writeSynced } from './file-system.ts';
import {
  type Bytes,
  type FileStore,
  isKey,
  StorageFull,
  StorageUnavailable,
  type StoredFile,
} from './store.ts';

/** Opens the store, creating its folder. */
export async function openFolder(folder: string, fs: FileSystem = fileSystem): Promise<FileStore> {
  const root = resolve(folder);
  // Inside the folder, so that renames stay in one file system. Not a uuid, so no team can collide with it.
  const temporary = join(root, 'tmp');
  const ownerPath = join(root, folderIdName);
  const pathOf = (key: string) => (isKey(key) ? join(root, key) : undefined);
  const write = async (path: string, bytes: Uint8Array) => {
    const half = join(temporary, randomUUID());
    try {
      await writeSynced(half, bytes, fs);
      await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await fs.rename(half, path);
    } catch (error) {
      // Best effort: the next start deletes it, and the first error matters.
      await fs.rm(half, { force: true }).catch(() => {});
      throw error;
    }
  };

  await withDiskErrors(async () => {
    await fs.mkdir(temporary, { recursive: true, mode: 0o700 });
    await syncFolder(root, fs);
    await syncFolder(dirname(root), fs);
  });

  return {
    place: root,
    put: (key, bytes) =>
      withDiskErrors(async () => {
        const path = pathOf(key);
        if (path === undefined) throw new TypeError(`${JSON.stringify(key)} isn't a key`);
        await write(path, bytes);
        // All of them: a concurrent put may have made a folder without having synced it yet.
        for (const parent of [dirname(path), dirname(dirname(path)), root])
          await syncFolder(parent, fs);
      }),
    get: (key) => withDiskErrors(() => openStream(pathOf(key))),
    sizeOf: (key) =>
      withDiskErrors(async () => {
        const path = pathOf(key);
        const found = path === undefined ? undefined : await ignoreMissing(stat(path));
        return found?.isFile() ? found.size : undefined;
      }),
    list: () => listFiles(root),
    // Not synced: after a power cut some unused bytes may remain.
    remove: (key) =>
      withDiskErrors(async () => {
        const path = pathOf(key);
        if (path !== undefined) await ignoreMissing(fs.unlink(path));
      }),
    removeTemporary: (olderThanMs = 0) =>
      withDiskErrors(async () => {
        const until = Date.now() - olderThanMs;
        for (const name of await readdir(temporary)) {
          const path = join(temporary, name);
          const found = await ignoreMissing(stat(path));
          if (olderThanMs === 0 || (found && found.mtimeMs < until))
            await fs.rm(path, { recursive: true, force: true });
        }
      }),
    checkWritable: () =>
      withDiskErrors(async () => {
        const probe = join(temporary, randomUUID());
        try {
          // A full disk still has room for a name, but not for bytes.
          await writeSynced(probe, Buffer.alloc(4_096), fs);
        } finally {
          await fs.rm(probe, { force: true });
        }
      }),
    readOwner: () =>
      withDiskErrors(async () => (await ignoreMissing(readFile(ownerPath, 'utf8')))?.trim()),
    writeOwner: (owner) =>
      withDiskErrors(async () => {
        await write(ownerPath, Buffer.from(`${owner}\n`));
        await syncFolder(root, fs);
      }),
  };
}

async function* listFiles(root: string): AsyncGenerator<StoredFile> {
  const namesIn = async (...path: string[]) =>
    (await withDiskErrors(() => ignoreMissing(readdir(join(root, ...path))))) ?? [];
  for (const teamId of await namesIn()) {
    if (teamId.length !== 36) continue;
    for (const prefix of await namesIn(teamId))
      for (const name of await namesIn(teamId, prefix)) {
        const key = `${teamId}/${prefix}/${name}`;
        if (!isKey(key)) continue;
        const found = await withDiskErrors(() => ignoreMissing(stat(join(root, key))));
        if (found?.isFile()) yield { key, sizeBytes: found.size, modifiedAt: found.mtime };
      }
  }
}

async function openStream(path: string | undefined): Promise<Bytes | undefined> {
  const file = path === undefined ? undefined : await ignoreMissing(open(path, 'r'));
  if (!file) return undefined;
  try {
    // The size of the open file; its name may be removed meanwhile.
    const { size } = await file.stat();
    return { size, stream: file.createReadStream() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function ignoreMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** System errors are the disk's fault; all others pass unchanged. */
async function withDiskErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const isFull = 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
    throw isFull ? new StorageFull(error) : new StorageUnavailable(error);
  }
}
