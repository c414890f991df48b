/** Moves the files of a database to another store: copies them, also while services run, and then notes the new place. */
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { databaseKind } from '../database/create-tables.ts';
import type { StoredBytesRow } from '../database/tables.ts';
import type { Stores } from '../stores.ts';
import { lockFileFolder, OtherStore, ownerOf } from './ownership.ts';
import { contentName, type FileStore } from './store.ts';

export interface CopyResult {
  /** The store that the files are in now. */
  readonly place: string;
  readonly copied: number;
  /** There from an earlier run. */
  readonly kept: number;
  /** In bytes, of the copied ones. */
  readonly sizeBytes: number;
  /** Keys whose bytes weren't in the earlier store, and those whose bytes don't match their records. */
  readonly missing: readonly string[];
  readonly damaged: readonly string[];
}

interface CopyOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: { files: number; of: number }) => void;
}

/**
 * Copies what isn't there yet, until nothing is left to copy, and makes `target` the store of the database. A service with the earlier one refuses
 * uploads from then on. Interrupted, it changes nothing and goes on from there when it runs again. The earlier store keeps its files.
 */
export async function copyFiles(
  { database, files }: Stores,
  target: FileStore,
  { signal, onProgress }: CopyOptions = {},
): Promise<CopyResult> {
  const before = await database.read.selectFrom('fileFolder').selectAll().executeTakeFirstOrThrow();
  const owner = await target.readOwner();
  if (owner !== undefined && owner.split(' ')[0] !== before.id)
    throw new OtherStore(
      `${target.place} has the files of another database`,
      'name another prefix or another bucket with --to',
    );
  await target.checkWritable();
  const result = {
    place: target.place,
    copied: 0,
    kept: 0,
    sizeBytes: 0,
    missing: [] as string[],
    damaged: [] as string[],
  };
  const done = new Set<string>();
  const copy = async ({ key, sha256, sizeBytes }: StoredBytesRow) => {
    if ((await target.sizeOf(key)) === sizeBytes) {
      result.kept += 1;
      return;
    }
    const stored = await files.get(key);
    if (!stored) {
      result.missing.push(key);
      return;
    }
    const bytes = await buffer(stored.stream);
    // They move as they are: an equal upload replaces them.
    if (contentName(bytes) !== sha256) result.damaged.push(key);
    await target.put(key, bytes);
    result.copied += 1;
    result.sizeBytes += bytes.length;
  };
  do {
    const rows = await database.read.selectFrom('storedBytes').selectAll().execute();
    for (const row of rows) {
      signal?.throwIfAborted();
      if (done.has(row.key)) continue;
      await copy(row);
      done.add(row.key);
      onProgress?.({ files: done.size, of: rows.length });
    }
    await target.writeOwner(ownerOf({ id: before.id, moves: Number(before.moves) + 1 }));
  } while (!(await noteMove({ database }, before.moves, target.place, done)));
  const still = await database.read.selectFrom('storedBytes').select('key').execute();
  const used = new Set(still.map(({ key }) => key));
  return { ...result, missing: result.missing.filter((key) => used.has(key)) };
}

/** False if there are files to copy still. No upload ends meanwhile, and later ones find that the files have moved. */
function noteMove(
  { database }: Pick<Stores, 'database'>,
  moves: number,
  place: string,
  done: ReadonlySet<string>,
): Promise<boolean> {
  return database.write.transaction().execute(async (db) => {
    if (databaseKind(database.write) === 'postgres')
      await sql`lock table "teams" in share row exclusive mode`.execute(db);
    const now = await lockFileFolder(db);
    if (Number(now.moves) !== Number(moves))
      throw new OtherStore(
        `The files were moved to ${now.place} meanwhile`,
        'look where they belong, then copy them again',
      );
    const rows = await db.selectFrom('storedBytes').select('key').execute();
    if (!rows.every(({ key }) => done.has(key))) return false;
    const next = Number(moves) + 1;
    await db.updateTable('fileFolder').set({ claimed: true, place, moves: next }).execute();
    await db.updateTable('teams').set({ fileMoves: next }).execute();
    return true;
  });
}
