import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { createApp } from './app.ts';
import { startCampaigns } from './campaigns/worker.ts';
import type { Caller } from './context.ts';
import { countKeyUsage } from './dashboard/key-usage.ts';
import type { DashboardOptions } from './dashboard/routes.ts';
import { lockFolder } from './data-folder/lock.ts';
import { makePrivateFolder } from './data-folder/private-files.ts';
import type { Database } from './database/database.ts';
import type { Place } from './database/open.ts';
import { type DeletionOptions, startDeletions } from './files/deletions.ts';
import { requireOwnStore } from './files/ownership.ts';
import { fetchSource, type SourceOptions } from './files/source-url.ts';
import { createLimiter, defaultLimits, type RateLimits, unlimited } from './http/rate-limits.ts';
import type { DrainBounds } from './http/refused-bodies.ts';
import { createSharedWaits } from './http/shared-waits.ts';
import { handlersFor } from './outbox/handlers.ts';
import { countWaiting } from './outbox/outbox.ts';
import type { Timing } from './outbox/timing.ts';
import type { Transport } from './outbox/transport.ts';
import { startWorker } from './outbox/worker.ts';
import { openStores, type Stores } from './stores.ts';
import { hasUsers } from './team/owner.ts';
import { canHashPasswords } from './team/passwords.ts';
import { findWarnings } from './warnings.ts';

export interface ServiceOptions extends Place {
  readonly host?: string;
  /** 0 for any free port. */
  readonly port?: number;
  readonly logger?: FastifyBaseLogger;
  /** Default: `defaultLimits`; `false` for no limits. */
  readonly rateLimits?: Partial<RateLimits> | false;
  /** Serves /metrics to everyone who can reach the port. */
  readonly metrics?: boolean;
  /** Trusted proxies, whose X-Forwarded-For is used: addresses and CIDR ranges (default: none). */
  readonly trustProxy?: readonly string[];
  /** How the team dashboard is served; false for none. */
  readonly dashboard?: Omit<DashboardOptions, 'mail' | 'unknown'> | false;
  /** How much of a refused body is read. */
  readonly drain?: DrainBounds;
  /** How long a stop waits for requests on connections that were in use (default: a second). */
  readonly quietMs?: number;
  /** What the files of a team may take, in bytes, unless it has a limit of its own (default: any amount). */
  readonly teamQuota?: number;
  /** How a sourceUrl is downloaded. */
  readonly source?: Omit<SourceOptions, 'limit'>;
  /** Delivers e-mail, and is closed with the service. Without it, messages stay queued. */
  readonly transport?: Transport;
  /** Timing of the outbox worker. */
  readonly outbox?: Partial<Timing>;
  /** When bytes without a record are deleted. */
  readonly deletions?: DeletionOptions;
}

export interface RunningService {
  readonly url: string;
  readonly data: string;
  /** Number of teams in the data. Without one there can't be a key. */
  readonly teams: number;
  /** Whether the dashboard is served, and somebody can sign in to it. */
  readonly dashboard: 'off' | 'ready' | 'without admin';
  /** Number of entries in the outbox at start. */
  readonly waiting: number;
  /** Refuses new requests, finishes open ones, and closes the database. */
  close(): Promise<void>;
}

/** Time limit for open requests at shutdown, in milliseconds. */
const graceMs = 10_000;
/** Between two deletions of what services counted together, in milliseconds. */
const cleaningMs = 60_000;
/** Younger temporary files may belong to another service that shares the files, in milliseconds. */
const othersMs = 24 * 60 * 60_000;

/**
 * Starts the service on a data folder, which it locks unless the database is PostgreSQL. Throws `FolderInUse` if another service
 * has it, `OtherStore`, `StorageUnavailable`, `DatabaseUnavailable`, `NewerDatabase` if a later version wrote the data, and the system's error if the port is taken.
 */
export async function startService({
  data,
  files: s3,
  database: address,
  limits,
  pooler,
  host = '127.0.0.1',
  port = 8787,
  logger,
  rateLimits,
  metrics = false,
  trustProxy,
  dashboard = {},
  drain,
  quietMs,
  teamQuota,
  source,
  transport,
  outbox,
  deletions,
}: ServiceOptions): Promise<RunningService> {
  makePrivateFolder(data);
  const isOnlyService = address === undefined;
  const lock = isOnlyService ? lockFolder(data) : undefined;
  let stores: Stores | undefined;
  try {
    stores = await openStores({ data, files: s3, database: address, limits, pooler });
    const { database, files } = stores;
    const fileMoves = await requireOwnStore(database, files);
    // A store with a wrong key or clock would refuse every photo. A folder that can't be written is a warning of /readyz.
    if (s3) await files.checkWritable();
    await files.removeTemporary?.(isOnlyService ? 0 : othersMs);
    const isDashboardOn = dashboard !== false && canHashPasswords();
    if (dashboard && !isDashboardOn)
      logger?.warn('this Node has no argon2id for passwords, so the dashboard is off');
    const publicUrl = dashboard ? dashboard.publicUrl?.origin : undefined;
    // A link in an e-mail leads to the address that the operator gave, never to one that a request names.
    const mail = publicUrl !== undefined && transport !== undefined;
    const usage = countKeyUsage(database);
    const shared = isOnlyService ? undefined : createSharedWaits(database.write);
    const { createMetrics } = metrics ? await import('./http/metrics.ts') : {};
    const app = createApp({
      services: {
        ...stores,
        teamQuota: teamQuota ?? null,
        fileMoves,
        fetchSource: (url, limit) => fetchSource(url, { ...source, limit }),
      },
      logger,
      onCaller: recordKeyUse(database),
      onAnswer: usage.count,
      dashboard: !isDashboardOn ? undefined : { ...dashboard, mail, unknown: shared },
      limiter: createLimiter(
        rateLimits === false ? unlimited : { ...defaultLimits, ...rateLimits },
        { shared },
      ),
      metrics: createMetrics?.(() => countWaiting(database.read)),
      trustProxy,
      drain,
      quietMs,
    });
    await app.listen({ host, port });
    const url = urlOf(app.server.address() as AddressInfo);
    lock?.announce(url, publicUrl);
    const { teams } = await database.read
      .selectFrom('teams')
      .select((all) => all.fn.countAll<number>().as('teams'))
      .executeTakeFirstOrThrow();
    const served = !isDashboardOn ? 'off' : (await hasUsers(stores)) ? 'ready' : 'without admin';
    const waiting = await countWaiting(database.read);
    for (const { code, message } of findWarnings(database)) logger?.warn({ code }, message);
    // What can't be deleted now is deleted a minute later.
    const clean = () => void shared?.clean().catch(() => undefined);
    const cleaning = setInterval(clean, cleaningMs).unref();
    logger?.info({ waiting, transport: transport?.name }, 'outbox');
    // With the folder locked, no other process uses the database.
    const worker =
      transport &&
      startWorker({
        stores,
        handlers: handlersFor(publicUrl ?? ''),
        transport,
        isOnlyService,
        logger,
        ...outbox,
      });
    const campaigns = startCampaigns({ stores, logger });
    const deleting = startDeletions(stores, logger, deletions);
    return {
      url,
      data,
      teams: Number(teams),
      dashboard: served,
      waiting,
      async close() {
        clearInterval(cleaning);
        const late = setTimeout(() => app.server.closeAllConnections(), graceMs);
        await app.close();
        clearTimeout(late);
        await campaigns.stop();
        await deleting.stop();
        await worker?.stop();
        await usage.stop();
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

/** Updates `lastUsedAt` of keys once a minute: a write per request would be too expensive. */
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
      // Best effort; the next use tries again.
      .catch(() => noted.delete(keyId));
  };
}
