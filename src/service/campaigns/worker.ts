import type { FastifyBaseLogger } from 'fastify';
import type { Stores } from '../stores.ts';
import { inTransaction } from '../transaction.ts';
import { advance } from './phases.ts';
import { dueRuns, nextDue } from './runs.ts';

interface CampaignWorker {
  /** Finishes the current piece of work and stops. */
  stop(): Promise<void>;
}

interface WorkerOptions {
  readonly stores: Stores;
  readonly logger?: FastifyBaseLogger;
  /** Polling interval for work of other processes, in milliseconds. */
  readonly pollMs?: number;
}

/** Campaigns per round, one piece of work each, so that a large one doesn't block the others. */
const runsAtOnce = 100;

/** Starts campaigns at their time and advances them. Several processes can share one database. */
export function startCampaigns({ stores, logger, pollMs = 5_000 }: WorkerOptions): CampaignWorker {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function work(): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await round().catch((error: unknown) => {
        logger?.error({ err: error }, "can't read the campaigns");
        return pollMs;
      });
      await stores.campaigns.wait(waitMs, signal);
    }
  }

  /** Advances each due campaign by one piece; returns how long to wait. */
  async function round(): Promise<number> {
    let failed = false;
    // This process's clock throughout: if the database's clock differed, a run could be due by one and not by the other, in a loop.
    const now = new Date().toISOString();
    for (const { teamId, campaignId } of await dueRuns(stores.database, now, runsAtOnce)) {
      if (signal.aborted) return 0;
      await inTransaction(stores, { id: teamId }, (context) =>
        advance(context, campaignId, now),
      ).catch((error: unknown) => {
        failed = true;
        logger?.error({ err: error, campaignId }, "can't advance the campaign");
      });
    }
    const next = await nextDue(stores.database);
    const waitMs = next ? Math.max(0, Date.parse(next) - Date.now()) : pollMs;
    return Math.min(waitMs, pollMs) || (failed ? pollMs : 0);
  }

  const worked = work();
  return {
    stop() {
      stopping.abort();
      return worked;
    },
  };
}
