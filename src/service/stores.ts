import { join } from 'node:path';
import { type Database, openDatabase } from './database/open.ts';
import { type FileStore, openFileStore } from './files/store.ts';

/** Where everything is kept. */
export interface Stores {
  readonly database: Database;
  readonly files: FileStore;
}

/** Opens what a data folder holds, making it when it is not there. Several processes may have it open; one of them serves. */
export async function openStores(dataFolder: string): Promise<Stores> {
  const files = await openFileStore(join(dataFolder, 'files'));
  return { database: await openDatabase(dataFolder), files };
}
