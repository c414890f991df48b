import { join } from 'node:path';
import { makePrivateFolder, restrictToOwner } from './data-folder/private-files.ts';
import { refuseUnfinishedRestore } from './data-folder/unfinished-restore.ts';
import type { Database } from './database/database.ts';
import { openDatabase, type Place } from './database/open.ts';
import { type FileStore, openFileStore } from './files/store.ts';
import { createNotifier, type Notifier } from './outbox/notifier.ts';

/** Where everything is kept. */
export interface Stores {
  readonly database: Database;
  readonly files: FileStore;
  /** Rung when something was put into the outbox. */
  readonly outbox: Notifier;
  /** Rung when there is something to do for a campaign. */
  readonly campaigns: Notifier;
}

/**
 * Opens what is kept, making it when it is not there. Several processes may have it open;
 * one of them serves when the database is in the data folder, any number when it is a PostgreSQL. Throws `UnfinishedRestore`.
 */
export async function openStores(place: Place): Promise<Stores> {
  refuseUnfinishedRestore(place.data);
  makePrivateFolder(place.data);
  restrictToOwner(place.data);
  const files = await openFileStore(join(place.data, 'files'));
  return { database: await openDatabase(place), files, outbox: createNotifier(), campaigns: createNotifier() };
}
