import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { type FileSystem, fileSystem, syncFolder, writeSynced } from './file-system.ts';

/** The disk failed: read-only, no permission, broken. Answered with 503 `unavailable`; `cause` is for the log. */
export class StorageUnavailable extends Error {
  constructor(
    cause: unknown,
    message = "The service can't access its files right now; retry later",
  ) {
    super(message, { cause });
    this.name = 'StorageUnavailable';
  }
}

/** No room for the bytes of a file. Answered with 507 `storage_full`. */
export class StorageFull extends StorageUnavailable {
  constructor(cause: unknown) {
    super(cause, 'The disk for the files of the service is full');
    this.name = 'StorageFull';
  }
}

/** An open file. The receiver reads the stream to its end or destroys it. */
export interface Bytes {
  /** In bytes. */
  size: number;
  stream: Readable;
}

/** Properties of a stored file. */
export interface StoredFile {
  teamId: string;
  sha256: string;
  /** In bytes. */
  sizeBytes: number;
  modifiedAt: Date;
}

/** Content-addressed files per team: `<folder>/<teamId>/<aa>/<sha256>`. Sizes in bytes. */
export interface FileStore {
  /** Resolves once the bytes are durable, so that a row written afterwards never lacks them. */
  put(teamId: string, bytes: Uint8Array): Promise<{ sha256: string; sizeBytes: number }>;
  /** Undefined if missing. A name that isn't a checksum, as a changed database may have, is missing everywhere. */
  read(teamId: string, sha256: string): Promise<Bytes | undefined>;
  has(teamId: string, sha256: string): Promise<boolean>;
  /** All files, unordered. Concurrent changes may or may not be included. */
  list(): AsyncIterable<StoredFile>;
  /** Idempotent. Called inside the write lock, once no row refers to the bytes. */
  remove(teamId: string, sha256: string): Promise<void>;
  /** Deletes temporary files that a crash left behind. Only at start, before any `put`. */
  removeTemporary(olderThanMs?: number): Promise<void>;
  /** Throws unless files can be written now. */
  checkWritable(): Promise<void>;
}

/** The name of stored bytes: SHA-256 in hexadecimal. */
export const contentName = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Opens the store, creating its folder. Every method throws `StorageUnavailable` if the disk fails. */
export async function openFileStore(
  folder: string,
  fs: FileSystem = fileSystem,
): Promise<FileStore> {
  const root = resolve(folder);
  // Inside the folder, so that renames stay in one file system. Not a uuid, so no team can collide with it.
  const temporary = join(root, 'tmp');

  await withDiskErrors(async () => {
    await fs.mkdir(temporary, { recursive: true, mode: 0o700 });
    await syncFolder(root, fs);
    await syncFolder(dirname(root), fs);
  });

  return {
    put: (teamId, bytes) =>
      withDiskErrors(async () => {
        const sha256 = contentName(bytes);
        const path = contentPath(root, teamId, sha256);
        if (path === undefined) throw new TypeError("teamId isn't a lower-case uuid");
        // Another size means a torn write of a failing disk; the rename replaces it.
        if ((await sizeAt(path)) !== bytes.length)
          await write(path, bytes, { temporary: join(temporary, randomUUID()), fs });
        // Also for an existing file: a concurrent put may have renamed it without having synced the folder yet.
        for (const parent of [dirname(path), join(root, teamId), root])
          await syncFolder(parent, fs);
        return { sha256, sizeBytes: bytes.length };
      }),
    read: (teamId, sha256) =>
      withDiskErrors(async () => openStream(contentPath(root, teamId, sha256))),
    has: (teamId, sha256) =>
      withDiskErrors(async () => (await sizeAt(contentPath(root, teamId, sha256))) !== undefined),
    list: () => listFiles(root),
    // Not synced: after a power cut some unused bytes may remain.
    remove: (teamId, sha256) =>
      withDiskErrors(async () => {
        const path = contentPath(root, teamId, sha256);
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
  };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const hash = /^[0-9a-f]{64}$/;

/** Undefined for names that could leave the folder. */
const contentPath = (root: string, teamId: string, sha256: string): string | undefined =>
  uuid.test(teamId) && hash.test(sha256)
    ? join(root, teamId, sha256.slice(0, 2), sha256)
    : undefined;

async function* listFiles(root: string): AsyncGenerator<StoredFile> {
  for (const teamId of await withDiskErrors(() => readdir(root))) {
    if (!uuid.test(teamId)) continue;
    for (const prefix of await withDiskErrors(() => readdir(join(root, teamId)))) {
      for (const sha256 of (await withDiskErrors(() =>
        ignoreMissing(readdir(join(root, teamId, prefix))),
      )) ?? []) {
        if (!hash.test(sha256) || !sha256.startsWith(prefix)) continue;
        const found = await withDiskErrors(() =>
          ignoreMissing(stat(join(root, teamId, prefix, sha256))),
        );
        if (found?.isFile())
          yield { teamId, sha256, sizeBytes: found.size, modifiedAt: found.mtime };
      }
    }
  }
}

async function write(
  path: string,
  bytes: Uint8Array,
  { temporary, fs }: { temporary: string; fs: FileSystem },
): Promise<void> {
  try {
    await writeSynced(temporary, bytes, fs);
    await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await fs.rename(temporary, path);
  } catch (error) {
    // Best effort: the next start deletes it, and the first error matters.
    await fs.rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

async function openStream(path: string | undefined): Promise<Bytes | undefined> {
  const file = path === undefined ? undefined : await ignoreMissing(open(path, 'r'));
  if (!file) return undefined;
  try {
    // The size of the open file; its name may be replaced meanwhile.
    const { size } = await file.stat();
    return { size, stream: file.createReadStream() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function sizeAt(path: string | undefined): Promise<number | undefined> {
  const found = path === undefined ? undefined : await ignoreMissing(stat(path));
  return found?.isFile() ? found.size : undefined;
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
