import { join } from 'node:path';
import type { IngestContext } from './context.ts';
import { makePrivateFolder, restrictToOwner } from './data-folder/private-files.ts';
import { refuseUnfinishedRestore } from './data-folder/unfinished-restore.ts';
import type { Database } from './database/database.ts';
import { openDatabase, type Place } from './database/open.ts';
import { openFolder } from './files/folder.ts';
import type { FileStore } from './files/store.ts';
import { createNotifier, type Notifier } from './outbox/notifier.ts';

/** All storage, and the notifiers of the workers that use it. */
export interface Stores {
  readonly database: Database;
  readonly files: FileStore;
  /** Notified after an entry was added to the outbox. */
  readonly outbox: Notifier;
  /** Notified when a campaign has work to do. */
  readonly campaigns: Notifier;
}

/** What requests use. */
export interface Services
  extends Stores,
    Pick<IngestContext, 'fetchSource' | 'teamQuota' | 'fileMoves'> {}

/**
 * Opens the storage, creating it if missing. Several processes can open it; one of them can serve a data folder, any number a
 * PostgreSQL database. Throws `UnfinishedRestore`.
 */
export async function openStores(place: Place): Promise<Stores> {
  refuseUnfinishedRestore(place.data);
  makePrivateFolder(place.data);
  restrictToOwner(place.data);
  // The folder for files is made after the database, so one without a database has lost it.
  const database = await openDatabase(place);
  try {
    return {
      database,
      files: await openFiles(place),
      outbox: createNotifier(),
      campaigns: createNotifier(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

export async function openFiles({ data, files }: Place): Promise<FileStore> {
  if (!files) return openFolder(join(data, 'files'));
  const { openS3 } = await import('./files/s3.ts');
  return openS3(files);
}
