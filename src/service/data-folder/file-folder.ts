/** Services on one PostgreSQL share a folder for files: one with a folder of its own couldn't read the photos of the others. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../database/database.ts';
import { fileSystem, syncFolder, writeSynced } from '../files/file-system.ts';
import { folderIdName } from './names.ts';

/** The folder isn't the one with the files of the database. */
export class OtherFolder extends Error {
  override readonly name = 'OtherFolder';
  /** The next step. */
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/**
 * Throws `OtherFolder` unless the folder has the id of the database. The first service that starts writes it, into a new folder and
 * into one from before ids. A copy of the folder and a dump of the database have it too. A check never writes it (`claim: false`):
 * whoever runs one may have forgotten --data, and the service would refuse its own folder afterwards.
 */
export async function requireFileFolder(
  database: Database,
  data: string,
  { claim = true } = {},
): Promise<void> {
  const folder = join(data, 'files');
  const path = join(folder, folderIdName);
  // The row is locked, so of several services that start at once, one writes.
  await database.write.transaction().execute(async (db) => {
    const { id, claimed } = await db
      .selectFrom('fileFolder')
      .selectAll()
      .forUpdate()
      .executeTakeFirstOrThrow();
    const found = (await readFile(path, 'utf8').catch(missing))?.trim();
    if (found !== undefined && found !== id)
      throw new OtherFolder(
        `${folder} has the files of another database`,
        `name the folder of this database with --data. If these are its files, from before a restore of an older dump, write ${id} into ${path}`,
      );
    if (found === undefined && claimed)
      throw new OtherFolder(
        `${folder} isn't the folder with the files of this database`,
        `services on one database share the folder: mount it on this machine and name it with --data. If ${folder} has all its files, write ${id} into ${path}`,
      );
    if (!claim) return;
    if (found === undefined) {
      // Under another name until it is whole.
      await fileSystem.rm(`${path}.new`, { force: true });
      await writeSynced(`${path}.new`, Buffer.from(`${id}\n`));
      await fileSystem.rename(`${path}.new`, path);
      await syncFolder(folder);
    }
    if (!claimed) await db.updateTable('fileFolder').set({ claimed: true }).execute();
  });
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
