/** Puts a backup into an empty folder: all of it, or nothing. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { extract } from 'tar-stream';
import { NewerDatabase } from '../database/failures.ts';
import { migrations } from '../database/migrations/migrations.ts';
import { syncFolder } from '../files/store.ts';
import { lockFolder } from '../folder-lock.ts';
import { closeToOthers, makePrivateFolder } from '../private-files.ts';
import { DamagedBackup, databaseName, type Entry, isKnownName, type Manifest, manifestName, sealName } from './archive.ts';

export interface RestoreOptions {
  readonly file: string;
  /** The folder to fill; made when it is not there. */
  readonly data: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: { bytes: number; of: number }) => void;
}

export interface RestoreResult extends Pick<Manifest, 'createdAt' | 'missing' | 'damaged'> {
  readonly data: string;
  /** How many photos and assets were put in place. */
  readonly files: number;
}

/** A backup is put into an empty folder only: it replaces nothing. */
export class FolderNotEmpty extends Error {
  constructor(folder: string) {
    super(`${folder} is not empty`);
    this.name = 'FolderNotEmpty';
  }
}

/** Throws `FolderNotEmpty`, `DamagedBackup` or `NewerDatabase`, the folder being as it was. */
export async function restore({ file, data, signal, onProgress }: RestoreOptions): Promise<RestoreResult> {
  const { size: of } = await stat(file);
  makePrivateFolder(data);
  if ((await readdir(data)).length > 0) throw new FolderNotEmpty(data);
  closeToOthers(data);
  // A service that is started meanwhile would make a database of its own here.
  const lock = lockFolder(data);
  const staging = join(data, 'restoring');
  try {
    const manifest = await unpack({ file, staging, signal, onProgress: (bytes) => onProgress?.({ bytes, of }) });
    checkDatabase(join(staging, databaseName), file);
    await mkdir(join(staging, 'files'), { recursive: true, mode: 0o700 });
    // The database last: without it the folder is not one that a service would take for whole.
    for (const name of ['files', databaseName]) await rename(join(staging, name), join(data, name));
    await syncFolder(data);
    const { createdAt, missing, damaged, entries } = manifest;
    return { data, createdAt, files: entries.length - 1, missing, damaged };
  } finally {
    await rm(staging, { recursive: true, force: true });
    for (const name of ['service.lock', 'service.json']) await rm(join(data, name), { force: true });
    lock.release();
  }
}

interface Unpacking {
  readonly file: string;
  readonly staging: string;
  readonly signal?: AbortSignal;
  readonly onProgress: (bytes: number) => void;
}

/** Everything in the archive, under names that it may have and nowhere else, held against its manifest. */
async function unpack({ file, staging, signal, onProgress }: Unpacking): Promise<Manifest> {
  const found = new Map<string, Entry>();
  const archive = createReadStream(file, { signal });
  const entries = archive.pipe(extract());
  archive.on('error', (error) => entries.destroy(error));
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header;
      if (type !== 'file' || !isKnownName(name)) throw new DamagedBackup(`it holds ${JSON.stringify(name)}, which no backup does`);
      if (found.has(name)) throw new DamagedBackup(`it holds ${name} twice`);
      found.set(name, await write(join(staging, name), name, entry as AsyncIterable<Buffer>));
      onProgress(archive.bytesRead);
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : asDamage(error);
  } finally {
    archive.destroy();
  }
  const manifest = await readManifest(staging, found);
  for (const { name, size, sha256 } of manifest.entries) {
    const stored = found.get(name);
    if (!stored) throw new DamagedBackup(`${name} is missing`);
    if (stored.size !== size || stored.sha256 !== sha256) throw new DamagedBackup(`${name} is not what it was`);
    found.delete(name);
  }
  for (const name of found.keys()) await rm(join(staging, name));
  for (const folder of new Set(manifest.entries.flatMap(({ name }) => foldersOf(name)))) await syncFolder(join(staging, folder));
  return manifest;
}

/** `a/b/c` → `a/b`, `a` and the top. */
const foldersOf = (name: string): string[] => (name === '.' ? [] : [dirname(name), ...foldersOf(dirname(name))]);

async function write(path: string, name: string, entry: AsyncIterable<Buffer>): Promise<Entry> {
  const hash = createHash('sha256');
  let size = 0;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(
    entry,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { name, size, sha256: hash.digest('hex') };
}

async function readManifest(staging: string, found: ReadonlyMap<string, Entry>): Promise<Manifest> {
  if (!found.has(sealName) || !found.has(manifestName)) throw new DamagedBackup('its end is missing');
  const seal = await readFile(join(staging, sealName), 'utf8');
  if (seal !== found.get(manifestName)?.sha256) throw new DamagedBackup('its manifest is not what it was');
  const manifest = JSON.parse(await readFile(join(staging, manifestName), 'utf8')) as Manifest;
  if (manifest.format !== 'car-storage backup') throw new DamagedBackup('it is a backup of something else');
  if (manifest.version !== 1) throw new NewerDatabase('The backup was made by a newer version of cs. Use that version.');
  if (!manifest.entries.some(({ name }) => name === databaseName)) throw new DamagedBackup('it has no database');
  return manifest;
}

/** Read as it lies there: opening it in the usual way would write beside it, and bring its tables up to date. */
function checkDatabase(path: string, file: string): void {
  const db = new DatabaseSync(new URL(`?immutable=1`, pathToFileURL(path)), { readOnly: true });
  try {
    const [{ quick_check: verdict } = {}] = db.prepare('pragma quick_check').all();
    if (verdict !== 'ok') throw new DamagedBackup(`its database is damaged: ${verdict}`);
    const unknown = db
      .prepare('select name from kysely_migration')
      .all()
      .find(({ name }) => !(String(name) in migrations));
    if (unknown)
      throw new NewerDatabase(`The backup ${file} was made by a newer version of cs (it has ${unknown.name}). Use that version.`);
  } finally {
    db.close();
  }
}

/** What the tar reader says of bytes that are no tar; what the disk says stays what it is. */
function asDamage(error: unknown): unknown {
  if (error instanceof DamagedBackup || !(error instanceof Error) || 'syscall' in error) return error;
  return new DamagedBackup(`it cannot be read as a tar file (${error.message})`);
}
