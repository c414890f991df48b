/** Copies files from store to store. Moves those of a database to another one: also while services run, and then notes the new place. */
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { databaseKind } from '../database/create-tables.ts';
import type { StoredBytesRow } from '../database/tables.ts';
import type { Stores } from '../stores.ts';
import { forEachFile } from './at-once.ts';
import { isS3, lockFileFolder, OtherStore, ownerOf } from './ownership.ts';
import { contentName, type FileStore } from './store.ts';

export interface Copied {
  copied: number;
  /** There from an earlier run. */
  kept: number;
  /** In bytes, of the copied ones. */
  sizeBytes: number;
  /** Keys whose bytes weren't in the earlier store, and those whose bytes don't match their records. */
  missing: string[];
  damaged: string[];
}

export interface CopyResult extends Copied {
  /** The store that the files are in now. */
  readonly place: string;
}

interface CopyOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: { files: number; of: number }) => void) | undefined;
}

interface Copying extends CopyOptions {
  readonly from: FileStore;
  readonly to: FileStore;
  readonly keys: (row: StoredBytesRow) => { readonly from: string; readonly to: string };
  /** Copies damaged bytes as they are. Otherwise whatever has a name in the other store is whole, and a file that can't be read is damaged. */
  readonly keepsDamaged?: boolean;
}

export const nothingCopied = (): Copied => ({
  copied: 0,
  kept: 0,
  sizeBytes: 0,
  missing: [],
  damaged: [],
});

/** Copies the bytes that aren't there yet, and adds what it did to `result`. */
export async function copyBytes(
  rows: readonly StoredBytesRow[],
  result: Copied,
  { from, to, keys, keepsDamaged = false, signal, onProgress }: Copying,
): Promise<void> {
  await forEachFile(rows, async (row, at) => {
    signal?.throwIfAborted();
    onProgress?.({ files: at, of: rows.length });
    const key = keys(row);
    if ((await to.sizeOf(key.to)) === row.sizeBytes) {
      result.kept += 1;
      return;
    }
    const stored = await from.get(key.from);
    if (!stored) {
      result.missing.push(key.to);
      return;
    }
    const bytes = await buffer(stored.stream).catch((error: unknown) => {
      // A bad sector damages one file, a network that fails stops everything.
      if (keepsDamaged || isS3(from)) throw error;
    });
    if (!bytes || contentName(bytes) !== row.sha256) {
      result.damaged.push(key.to);
      if (!bytes || !keepsDamaged) return;
    }
    await to.put(key.to, bytes);
    result.copied += 1;
    result.sizeBytes += bytes.length;
  });
  // In an order that doesn't depend on the answers of a store.
  result.missing.sort();
  result.damaged.sort();
}

/**
 * Copies what isn't there yet, until nothing is left to copy, and makes `target` the store of the database. A service with the earlier one refuses
 * uploads from then on. Interrupted, it changes nothing and goes on from there when it runs again. The earlier store keeps its files.
 */
export async function copyFiles(
  { database, files }: Stores,
  target: FileStore,
  options: CopyOptions = {},
): Promise<CopyResult> {
  const before = await database.read.selectFrom('fileFolder').selectAll().executeTakeFirstOrThrow();
  const owner = await target.readOwner();
  if (owner !== undefined && owner.split(' ')[0] !== before.id)
    throw new OtherStore(
      `The place ${target.place} has the files of another database`,
      'name another prefix or another bucket with --to',
    );
  await target.checkWritable();
  const result = nothingCopied();
  const done = new Set<string>();
  do {
    const rows = await database.read.selectFrom('storedBytes').selectAll().execute();
    await copyBytes(
      rows.filter(({ key }) => !done.has(key)),
      result,
      {
        from: files,
        to: target,
        // They move as they are: an equal upload replaces them.
        keepsDamaged: true,
        keys: ({ key }) => ({ from: key, to: key }),
        ...options,
      },
    );
    for (const { key } of rows) done.add(key);
    await target.writeOwner(ownerOf({ id: before.id, moves: Number(before.moves) + 1 }));
  } while (!(await noteMove({ database }, before.moves, target, done)));
  const still = await database.read.selectFrom('storedBytes').select('key').execute();
  const used = new Set(still.map(({ key }) => key));
  return {
    place: target.place,
    ...result,
    missing: result.missing.filter((key) => used.has(key)),
  };
}

/** False if there are files to copy still. No upload ends meanwhile, and later ones find that the files have moved. */
function noteMove(
  { database }: Pick<Stores, 'database'>,
  moves: number,
  target: FileStore,
  done: ReadonlySet<string>,
): Promise<boolean> {
  return database.write.transaction().execute(async (db) => {
    if (databaseKind(database.write) === 'postgres')
      await sql`lock table "teams" in share row exclusive mode`.execute(db);
    const now = await lockFileFolder(db);
    if (Number(now.moves) !== Number(moves))
      throw new OtherStore(
        `The files were moved to ${now.place ?? 'the data folder'} meanwhile`,
        'look where they belong, then copy them again',
      );
    const rows = await db.selectFrom('storedBytes').select('key').execute();
    if (!rows.every(({ key }) => done.has(key))) return false;
    const next = Number(moves) + 1;
    const place = isS3(target) ? target.place : null;
    await db.updateTable('fileFolder').set({ claimed: true, place, moves: next }).execute();
    await db.updateTable('teams').set({ fileMoves: next }).execute();
    return true;
  });
}
