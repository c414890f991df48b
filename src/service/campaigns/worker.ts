import type { FastifyBaseLogger } from 'fastify';
import type { Stores } from '../stores.ts';
import { inTransaction } from '../transaction.ts';
import { advance } from './phases.ts';
import { dueRuns, nextDue } from './runs.ts';

interface CampaignWorker {
  /** Finishes the piece of work under way and takes no more. */
  stop(): Promise<void>;
}

interface WorkerOptions {
  readonly stores: Stores;
  readonly logger?: FastifyBaseLogger;
  /** How long to wait at most before looking for what other processes left to do, in milliseconds. */
  readonly pollMs?: number;
}

/** How many campaigns go forward in one round, each by one piece, so that a large one does not keep the others waiting. */
const runsAtOnce = 100;

/** Starts campaigns when their time comes and carries them forward. Several processes may do so on one database. */
export function startCampaigns({ stores, logger, pollMs = 5_000 }: WorkerOptions): CampaignWorker {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function work(): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await round().catch((error: unknown) => {
        logger?.error({ err: error }, "can't read the campaigns");
        return pollMs;
      });
      await stores.campaigns.heard(waitMs, signal);
    }
  }

  /** One piece of each campaign that is due; answers how long there is nothing to do. */
  async function round(): Promise<number> {
    let failed = false;
    // This process's clock throughout: beside the database's, a run could be due to the one and not to the other, over and over.
    const now = new Date().toISOString();
    for (const { teamId, campaignId } of await dueRuns(stores.database, now, runsAtOnce)) {
      if (signal.aborted) return 0;
      await inTransaction(stores, { id: teamId }, (context) => advance(context, campaignId, now)).catch((error: unknown) => {
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
