import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { photoLimit } from '../contract/cars.ts';
import { createApp } from './app.ts';
import type { Caller } from './context.ts';
import type { Database } from './database/open.ts';
import { fetchSource, type SourceOptions } from './files/source-url.ts';
import { lockFolder } from './folder-lock.ts';
import { openStores, type Stores } from './stores.ts';

export interface ServiceOptions {
  /** The data folder; made when it is not there. */
  readonly data: string;
  readonly host?: string;
  /** 0 for any free one. */
  readonly port?: number;
  readonly logger?: FastifyBaseLogger;
  /** How photos are fetched from a sourceUrl; the limits that production needs unless stated. */
  readonly source?: Partial<SourceOptions>;
}

export interface RunningService {
  readonly url: string;
  readonly data: string;
  /** How many teams the data holds: with none, nobody can have a key. */
  readonly teams: number;
  /** Stops taking requests, lets those under way finish, and closes the database. */
  close(): Promise<void>;
}

/** How long requests under way may take once the service stops, in milliseconds. */
const graceMs = 10_000;

/**
 * Starts the service on a data folder.
 * Throws `FolderInUse` when another one has it, `NewerDatabase` when its data is of a later version, and the system's error when the port is taken.
 */
export async function startService({ data, host = '127.0.0.1', port = 8787, logger, source }: ServiceOptions): Promise<RunningService> {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const lock = lockFolder(data);
  let stores: Stores | undefined;
  try {
    stores = await openStores(data);
    const { database, files } = stores;
    await files.sweepTemporary();
    const app = createApp({
      services: { database, files, fetchSource: (url) => fetchSource(url, { limit: photoLimit, ...source }) },
      logger,
      onCaller: noteUse(database),
    });
    await app.listen({ host, port });
    const url = urlOf(app.server.address() as AddressInfo);
    lock.announce(url);
    const { teams } = await database.read
      .selectFrom('teams')
      .select((all) => all.fn.countAll<number>().as('teams'))
      .executeTakeFirstOrThrow();
    return {
      url,
      data,
      teams: Number(teams),
      async close() {
        const late = setTimeout(() => app.server.closeAllConnections(), graceMs);
        await app.close();
        clearTimeout(late);
        await database.close();
        lock.release();
      },
    };
  } catch (error) {
    await stores?.database.close();
    lock.release();
    throw error;
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

/** Keeps `lastUsedAt` of keys, to the minute: a write for every request would cost more than it tells. */
function noteUse(database: Database): (caller: Caller) => void {
  const noted = new Map<string, number>();
  return ({ keyId }) => {
    const now = Date.now();
    if (now - (noted.get(keyId) ?? 0) < 60_000) return;
    noted.set(keyId, now);
    database.write
      .updateTable('apiKeys')
      .set({ lastUsedAt: new Date(now).toISOString() })
      .where('id', '=', keyId)
      .execute()
      // Losing the note of a use loses nothing that was promised; the next use notes it again.
      .catch(() => noted.delete(keyId));
  };
}
