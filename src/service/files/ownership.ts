/** A store belongs to one database: a service with another store couldn't read the photos of the others. */
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { folderIdName } from '../data-folder/names.ts';
import { databaseKind } from '../database/create-tables.ts';
import type { Database, Reader } from '../database/database.ts';
import type { FileFolderRow, Tables } from '../database/tables.ts';
import { Refusal } from '../problem.ts';
import type { FileStore } from './store.ts';

/** The store isn't the one with the files of the database. */
export class OtherStore extends Refusal {
  override readonly name = 'OtherStore';
}

interface Ownership {
  /** A check claims no store: whoever runs it may have forgotten --data, and the service would refuse its own store afterwards. */
  readonly claim?: boolean;
}

/** What the store of a database names as its owner: the id of the database, and how often its files moved. */
export const ownerOf = ({ id, moves }: Pick<FileFolderRow, 'id' | 'moves'>): string =>
  Number(moves) === 0 ? id : `${id} ${moves}`;

/**
 * Throws `OtherStore` unless the store is the one of the database; resolves with the number of its moves, which each upload compares. The first
 * service that starts notes the id of the database in a new store, and in a folder from before ids. A copy of the folder and a dump of the
 * database have it too.
 */
export async function requireOwnStore(
  database: Database,
  files: FileStore,
  { claim = true }: Ownership = {},
): Promise<number> {
  const known = await database.read.selectFrom('fileFolder').selectAll().executeTakeFirstOrThrow();
  const moves = Number(known.moves);
  // The folder of an SQLite database needs no id, unless the files have moved.
  if (databaseKind(database.write) === 'sqlite' && !isS3(files) && known.place === null)
    return moves;
  const found = await requireMatch(database.read, known, files);
  if (!claim || (known.claimed && found !== undefined)) return moves;
  await files.checkWritable();
  // Once in the life of a database, with the store asked inside the transaction: the row is locked, so of several services that start at once, one
  // claims a store.
  await database.write.transaction().execute(async (db) => {
    const locked = await lockFileFolder(db);
    const owner = await requireMatch(db, locked, files);
    if (owner === undefined) await files.writeOwner(ownerOf(locked));
    const place = isS3(files) ? files.place : null;
    if (!locked.claimed) await db.updateTable('fileFolder').set({ claimed: true, place }).execute();
  });
  return moves;
}

export const lockFileFolder = (db: Kysely<Tables>): Promise<FileFolderRow> =>
  db
    .updateTable('fileFolder')
    .set(({ ref }) => ({ id: ref('id') }))
    .returningAll()
    .executeTakeFirstOrThrow();

export const isS3 = ({ place }: FileStore): boolean => place.startsWith('s3://');

/** Resolves with the owner that the store names. */
async function requireMatch(
  db: Reader,
  known: FileFolderRow,
  files: FileStore,
): Promise<string | undefined> {
  const found = await files.readOwner();
  if (found === ownerOf(known)) return found;
  const { place } = files;
  const kind = isS3(files) ? 'store' : 'folder';
  const copy = `copy them with \`cs admin files copy --to ${place}\``;
  const isFormer = known.place === null && isS3(files) && found?.split(' ')[0] === known.id;
  if (isFormer || (known.place !== null && known.place !== place))
    throw new OtherStore(
      `The files of this database are in ${known.place ?? 'the data folder'}, not in ${place}`,
      `start ${known.place ? `with --files ${known.place}` : 'without --files'}${isS3(files) ? `, or ${copy}` : ''}`,
    );
  // A place doesn't name its endpoint.
  if (known.place === place)
    throw new OtherStore(
      `The store ${place} isn't the one with the files of this database`,
      `check CS_FILES_ENDPOINT and the bucket. If the bucket was lost, keep the records and go on without its files: write "${ownerOf(known)}" into the object ${place}/${folderIdName}, and \`cs admin check\` names what is missing`,
    );
  const path = join(place, folderIdName);
  if (found !== undefined)
    throw new OtherStore(
      `The ${kind} ${place} has the files of another database`,
      isS3(files)
        ? 'name another prefix or another bucket with --files'
        : `name the folder of this database with --data. If these are its files, from before a restore of an older dump, write ${known.id} into ${path}`,
    );
  if (known.claimed)
    throw new OtherStore(
      `The ${kind} ${place} isn't the one with the files of this database`,
      isS3(files)
        ? copy
        : `services on one database share the folder: mount it on this machine and name it with --data. If ${place} has all its files, write ${known.id} into ${path}`,
    );
  if (isS3(files) && (await hasFiles(db)))
    throw new OtherStore(
      `The photos and assets of this database aren't in ${place}`,
      `${copy}, or start without --files`,
    );
  return undefined;
}

const hasFiles = async (db: Reader): Promise<boolean> =>
  (await db.selectFrom('storedBytes').select('key').limit(1).execute()).length > 0;
