import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { createApp } from './app.ts';
import { startCampaigns } from './campaigns/worker.ts';
import type { Caller } from './context.ts';
import { lockFolder } from './data-folder/lock.ts';
import { type ExposedPaths, makePrivateFolder, restrictToOwner } from './data-folder/private-files.ts';
import type { Database } from './database/database.ts';
import type { Place } from './database/open.ts';
import { fetchSource, type SourceOptions } from './files/source-url.ts';
import { createMetrics } from './http/metrics.ts';
import { createLimiter, defaultLimits, type RateLimits, unlimited } from './http/rate-limits.ts';
import type { DrainBounds } from './http/refused-bodies.ts';
import { handlers } from './outbox/handlers.ts';
import { countWaiting } from './outbox/outbox.ts';
import type { Timing } from './outbox/timing.ts';
import type { Transport } from './outbox/transport.ts';
import { startWorker } from './outbox/worker.ts';
import { openStores, type Stores } from './stores.ts';
import { createWarningLog } from './warnings.ts';

export interface ServiceOptions extends Place {
  readonly host?: string;
  /** 0 for any free one. */
  readonly port?: number;
  readonly logger?: FastifyBaseLogger;
  /** How much may be asked in a minute; the standard unless stated, `false` for no limit at all. */
  readonly rateLimits?: Partial<RateLimits> | false;
  /** Answers /metrics, to anyone who reaches the port. */
  readonly metrics?: boolean;
  /** Proxies whose X-Forwarded-For is believed: addresses and CIDR ranges; nobody's unless stated. */
  readonly trustProxy?: readonly string[];
  /** How much is read of a body that was refused; what production needs unless stated. */
  readonly drain?: DrainBounds;
  /** How bytes are fetched from a sourceUrl; the limits that production needs unless stated. */
  readonly source?: Omit<SourceOptions, 'limit'>;
  /** What carries e-mail, SMS and posts, closed with the service. What nothing carries stays queued. */
  readonly transports?: readonly Transport[];
  /** How patiently things are handed over; what production needs unless stated. */
  readonly outbox?: Partial<Timing>;
}

export interface RunningService {
  readonly url: string;
  readonly data: string;
  /** How many teams the data holds: with none, nobody can have a key. */
  readonly teams: number;
  /** How many things were in the outbox at the start. */
  readonly waiting: number;
  /** What other users of the machine could read or change in the data folder. */
  readonly exposedPaths: ExposedPaths;
  /** Stops taking requests, lets those under way finish, and closes the database. */
  close(): Promise<void>;
}

/** How long requests under way may take once the service stops, in milliseconds. */
const graceMs = 10_000;
/** How often the log looks for new warnings, in milliseconds. */
const warningsMs = 60_000;
/** A write of another service that shares the files takes less than this, in milliseconds. */
const othersMs = 24 * 60 * 60_000;

/**
 * Starts the service on a data folder, with which it is alone unless the records are in a PostgreSQL.
 * Throws `FolderInUse` when another one has it, `DatabaseUnavailable` when there is no reaching it, `NewerDatabase` when its data is of a later version, and the system's error when the port is taken.
 */
export async function startService({
  data,
  database: address,
  limits,
  pooler,
  host = '127.0.0.1',
  port = 8787,
  logger,
  rateLimits,
  metrics = false,
  trustProxy,
  drain,
  source,
  transports = [],
  outbox,
}: ServiceOptions): Promise<RunningService> {
  makePrivateFolder(data);
  const exposedPaths = restrictToOwner(data);
  const alone = address === undefined;
  const lock = alone ? lockFolder(data) : undefined;
  let stores: Stores | undefined;
  try {
    stores = await openStores({ data, database: address, limits, pooler });
    const { database, files } = stores;
    await files.removeTemporary(alone ? 0 : othersMs);
    const app = createApp({
      services: { ...stores, fetchSource: (url, limit) => fetchSource(url, { ...source, limit }) },
      logger,
      onCaller: recordKeyUse(database),
      limiter: createLimiter(rateLimits === false ? unlimited : { ...defaultLimits, ...rateLimits }),
      metrics: metrics ? createMetrics() : undefined,
      trustProxy,
      drain,
    });
    await app.listen({ host, port });
    const url = urlOf(app.server.address() as AddressInfo);
    lock?.announce(url);
    const { teams } = await database.read
      .selectFrom('teams')
      .select((all) => all.fn.countAll<number>().as('teams'))
      .executeTakeFirstOrThrow();
    const waiting = await countWaiting(database.read);
    if (exposedPaths.closed.length > 0) logger?.info({ paths: exposedPaths.closed }, 'restricted files that other users could access');
    if (exposedPaths.open.length > 0) logger?.info({ paths: exposedPaths.open }, 'files that other users can access');
    const logWarnings = createWarningLog(database, logger);
    await logWarnings();
    const warningTimer = setInterval(logWarnings, warningsMs).unref();
    logger?.info({ waiting, transports: transports.map(({ name }) => name) }, 'outbox');
    // Where the folder is locked, nobody else works on the database in it.
    const worker = transports.length > 0 ? startWorker({ stores, handlers, transports, alone, logger, ...outbox }) : undefined;
    const campaigns = startCampaigns({ stores, logger });
    return {
      url,
      data,
      teams: Number(teams),
      waiting,
      exposedPaths,
      async close() {
        clearInterval(warningTimer);
        const late = setTimeout(() => app.server.closeAllConnections(), graceMs);
        await app.close();
        clearTimeout(late);
        await campaigns.stop();
        await worker?.stop();
        await database.close();
        lock?.release();
      },
    };
  } catch (error) {
    await stores?.database.close();
    lock?.release();
    throw error;
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

/** Keeps `lastUsedAt` of keys, to the minute: a write for every request would cost more than it tells. */
function recordKeyUse(database: Database): (caller: Caller) => void {
  const noted = new Map<string, number>();
  return ({ keyId, team }) => {
    const now = Date.now();
    if (now - (noted.get(keyId) ?? 0) < 60_000) return;
    noted.set(keyId, now);
    database
      .ofTeam(team.id)
      .write.updateTable('apiKeys')
      .set({ lastUsedAt: new Date(now).toISOString() })
      .where('teamId', '=', team.id)
      .where('id', '=', keyId)
      .execute()
      // Losing the note of a use loses nothing that was promised; the next use notes it again.
      .catch(() => noted.delete(keyId));
  };
}
