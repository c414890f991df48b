/** Restores a backup into an empty folder, or an empty database and store: all records, and the photos and assets that the backup has whole. */
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { lockFolder, lockNames } from '../data-folder/lock.ts';
import { databaseName, restoreMarkName, stagingName } from '../data-folder/names.ts';
import { restrictToOwner } from '../data-folder/private-files.ts';
import { markOf } from '../data-folder/unfinished-restore.ts';
import type { Database } from '../database/database.ts';
import { DatabaseFull } from '../database/failures.ts';
import { openDatabase, type Place } from '../database/open.ts';
import { openSqlite } from '../database/sqlite/open.ts';
import { type Copied, copyBytes, nothingCopied } from '../files/copy.ts';
import {
  type FileSystem,
  fileSystem,
  makeFolder,
  syncFolder,
  writeSynced,
} from '../files/file-system.ts';
import { openFolder } from '../files/folder.ts';
import { isS3 } from '../files/ownership.ts';
import { type FileStore, plainKey } from '../files/store.ts';
import { openFiles } from '../stores.ts';
import {
  BackupRefused,
  contentFolder,
  DamagedBackup,
  type Manifest,
  measure,
  NoBackup,
  readManifest,
} from './format.ts';
import { findFault } from './inspect.ts';
import { copyRecords } from './records.ts';

export interface RestoreOptions extends Place {
  /** The backup. */
  readonly folder: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: { files: number; of: number }) => void;
  readonly fs?: FileSystem;
}

export interface RestoreResult extends Pick<Manifest, 'createdAt' | 'missing' | 'damaged'> {
  readonly data: string;
  /** Number of restored photos and assets. */
  readonly files: number;
}

const contentNames = ['files', databaseName];
/** What a restore makes, and may delete after an interruption. */
const ownNames: readonly string[] = [restoreMarkName, stagingName, ...contentNames, ...lockNames];

/**
 * Throws `BackupRefused`, `NoBackup`, `DamagedBackup`, `OtherStore` or `NewerDatabase`, and restores nothing then. The data folder is marked meanwhile: after an
 * interruption, only another restore accepts it, and starts from the beginning.
 */
export async function restore({
  folder,
  signal,
  onProgress,
  fs = fileSystem,
  ...place
}: RestoreOptions): Promise<RestoreResult> {
  const { data } = place;
  const manifest = await readManifest(folder);
  if (!manifest) throw new NoBackup(`No finished backup found in ${folder}`);
  await makeFolder(data, fs);
  const isMarked = (await readdir(data)).includes(restoreMarkName);
  await requireEmpty(data, isMarked ? ownNames : lockNames);
  restrictToOwner(data);
  // Its files stay: a service of the data has them too.
  const lock = lockFolder(data);
  const staging = join(data, stagingName);
  const clear = async (...names: readonly string[]) => {
    for (const name of names) await fs.rm(join(data, name), { recursive: true, force: true });
  };
  try {
    await clear(stagingName, ...contentNames, restoreMarkName);
    await writeSynced(join(data, restoreMarkName), Buffer.from(markOf(folder)), fs);
    await syncFolder(data, fs);
    let half: readonly string[] = [];
    try {
      // Somebody may have made a database before the mark was there.
      await requireEmpty(data, [...lockNames, restoreMarkName]);
      half = contentNames;
      const copied = await fill({ folder, manifest, place, staging, signal, onProgress, fs });
      // Closing moved the log into the file. On a full disk it stays, and the file isn't whole.
      if (existsSync(join(staging, `${databaseName}-wal`))) throw new DatabaseFull(undefined);
      if (place.database === undefined)
        await fs.rename(join(staging, databaseName), join(data, databaseName));
      await syncFolder(data, fs);
      half = [];
      const { createdAt, damaged: lacking } = manifest;
      const missing = copied.missing.filter((key) => !lacking.includes(key));
      const damaged = [...lacking, ...copied.damaged];
      return { data, createdAt, files: copied.copied + copied.kept, missing, damaged };
    } finally {
      await clear(stagingName, ...half);
      await syncFolder(data, fs);
      await clear(restoreMarkName);
      await syncFolder(data, fs);
    }
  } finally {
    lock.release();
  }
}

async function requireEmpty(data: string, except: readonly string[]): Promise<void> {
  if (!(await readdir(data)).every((name) => except.includes(name)))
    throw new BackupRefused(
      `${data} isn't empty, and a restore never replaces files`,
      'choose an empty folder with --data',
    );
}

interface Filling extends Required<Pick<RestoreOptions, 'folder' | 'fs'>> {
  readonly manifest: Manifest;
  readonly place: Place;
  /** For the records. */
  readonly staging: string;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: RestoreOptions['onProgress'];
}

/** Fills the store of files, then the database. */
async function fill(filling: Filling): Promise<Copied> {
  const { folder, manifest, place, staging, fs } = filling;
  const file = join(staging, databaseName);
  await makeFolder(staging, fs);
  await copyWhole(join(folder, manifest.records.name), file, manifest, fs);
  const fault = await findFault(file, `The backup ${folder}`);
  if (fault) throw new DamagedBackup(`its records can't be used: ${fault}`);
  const records = await openSqlite(staging);
  const target =
    place.database === undefined
      ? records
      : await openDatabase({ ...place, limits: { statementMs: 0, answerMs: 0 } });
  try {
    await requireNoTeams(target, records);
    const store = await openEmptyStore(place, fs);
    const copied = await fillStore(store, records, filling);
    await fillDatabase(target, records, store, filling.signal);
    return copied;
  } finally {
    if (target !== records) await target.close();
    await records.close();
  }
}

async function copyWhole(
  from: string,
  to: string,
  { records: { name, sizeBytes, sha256 } }: Manifest,
  fs: FileSystem,
): Promise<void> {
  // Opened when it is read: the error of a stream that nobody reads yet would end the process.
  const content = async function* () {
    yield* createReadStream(from) as AsyncIterable<Buffer>;
  };
  await writeSynced(to, content(), fs).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new DamagedBackup(`${name} is missing`) : error;
  });
  const found = await measure(to);
  if (found.sizeBytes !== sizeBytes || found.sha256 !== sha256)
    throw new DamagedBackup(`${name} has changed since the backup was made`);
}

async function requireNoTeams(target: Database, records: Database): Promise<void> {
  if (target === records) return;
  if ((await target.read.selectFrom('teams').select('id').limit(1).execute()).length > 0)
    throw new BackupRefused(
      'The database has records, and a restore never replaces any',
      'create a new database (createdb) and name it with --database or CS_DATABASE',
    );
}

async function openEmptyStore(place: Place, fs: FileSystem): Promise<FileStore> {
  if (!place.files) return openFolder(join(place.data, 'files'), fs);
  const store = await openFiles(place);
  if ((await store.readOwner()) !== undefined)
    throw new BackupRefused(
      `The store ${store.place} has the files of a database, and a restore never replaces any`,
      'name another prefix or another bucket with --files',
    );
  await store.checkWritable();
  return store;
}

/** Every file is compared with its checksum. A damaged one is left out, so that it doesn't hold back all others. */
async function fillStore(
  store: FileStore,
  records: Database,
  { folder, signal, onProgress, fs }: Filling,
): Promise<Copied> {
  const rows = await records.read.selectFrom('storedBytes').selectAll().execute();
  const content = join(folder, contentFolder);
  if (rows.length > 0 && !existsSync(content))
    throw new DamagedBackup(`its photos and assets are missing: there is no folder ${content}`);
  const result = nothingCopied();
  const keyOf = (key: string) => ({ from: key, to: key });
  await copyBytes(rows, result, {
    from: await openFolder(content, fs),
    to: store,
    keys: ({ teamId, sha256 }) => keyOf(plainKey(teamId, sha256)),
    signal,
    onProgress,
  });
  return result;
}

/**
 * In one transaction. What is restored is a database of its own, with a store of its own. The store gets its owner inside it, and last: a failed
 * restore can be run again, and a finished one never lacks it.
 */
async function fillDatabase(
  target: Database,
  records: Database,
  store: FileStore,
  signal: AbortSignal | undefined,
): Promise<void> {
  const id = randomUUID();
  const place = isS3(store) ? store.place : null;
  await target.write.transaction().execute(async (db) => {
    if (target !== records) await copyRecords(records.read, db, target, signal);
    await sql`update "storedBytes" set "key" = cast("teamId" as text) || '/' || substr("sha256", 1, 2) || '/' || "sha256"`.execute(
      db,
    );
    await db.deleteFrom('deletedBytes').execute();
    await db.updateTable('teams').set({ fileMoves: 0 }).execute();
    await db.updateTable('fileFolder').set({ id, claimed: true, place, moves: 0 }).execute();
    await store.writeOwner(id);
  });
}
