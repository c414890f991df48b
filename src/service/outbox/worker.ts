import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { OutboxRow } from '../database/tables.ts';
import type { Stores } from '../stores.ts';
import {
  type Claimed,
  claim,
  close,
  type DeliveryResult,
  deadLetter,
  dueEntries,
  type Handlers,
  nextEntry,
  postpone,
} from './claims.ts';
import { endClaims, type OutboxMessage } from './outbox.ts';
import { type Timing, timing } from './timing.ts';
import { redactAddresses, type Transport, TransportError } from './transport.ts';

export interface WorkerOptions extends Partial<Timing> {
  readonly stores: Stores;
  readonly handlers: Handlers;
  readonly transport: Transport;
  /** Whether no other process uses this database: then claims found at start are stale. */
  readonly isOnlyService: boolean;
  readonly logger?: FastifyBaseLogger;
}

export interface Worker {
  /** Finishes deliveries in flight, takes no more, and closes the transport. */
  stop(): Promise<void>;
}

/**
 * Delivers outbox entries, a few in parallel: messages before campaigns, and in turns between teams, so
 * that no team waits for another's whole queue. An entry is claimed in one transaction and closed in another. If the process dies
 * in between, the entry is delivered again after its claim ends, with the same message id.
 */
export function startWorker({
  stores,
  handlers,
  transport,
  isOnlyService,
  logger,
  ...own
}: WorkerOptions): Worker {
  const { atOnce, deliveryMs, faultMs, leaseMs, pollMs, retryAfterMs } = { ...timing, ...own };
  const stopping = new AbortController();
  const { signal } = stopping;

  const underWay = new Set<Promise<void>>();
  /** The turn in which each team was last served. */
  const turns = new Map<string, number>();
  let turn = 0;

  async function work(): Promise<void> {
    let fresh = isOnlyService;
    while (!signal.aborted) {
      try {
        if (fresh) await endClaims(stores.database);
        fresh = false;
        const first = await nextEntry(stores.database.read);
        const wait = first ? Date.parse(first.dueAt) - Date.now() : pollMs;
        if (wait > 0) await stores.outbox.wait(Math.min(wait, pollMs), signal);
        else await claimNext();
        if (underWay.size >= atOnce) await Promise.race(underWay);
      } catch (error) {
        logger?.error({ err: error }, "can't process the outbox");
        await pause();
      }
    }
    await Promise.all(underWay);
  }

  async function claimNext(): Promise<void> {
    const due = await dueEntries(stores.database.read);
    const last = ({ teamId }: OutboxRow) => turns.get(teamId) ?? 0;
    const next = due.toSorted((a, b) => last(a) - last(b) || a.dueAt.localeCompare(b.dueAt))[0];
    if (!next) return;
    turns.set(next.teamId, ++turn);
    const claimed = await claimEntry(next);
    if (!claimed) return;
    const done = deliverClaimed(claimed).finally(() => underWay.delete(done));
    underWay.add(done);
  }

  async function claimEntry(next: OutboxRow): Promise<Claimed | undefined> {
    return claim(stores, next, { handlers, leaseMs }).catch(async (error: unknown) => {
      logger?.error({ ...about(next), err: error }, "can't read an outbox entry");
      await postpone(stores, next, retryAfterMs(next.attempts + 1) ?? leaseMs);
      return undefined;
    });
  }

  async function deliverClaimed(claimed: Claimed): Promise<void> {
    try {
      await recordOutcome(claimed, await deliver(transport, claimed.message, deliveryMs));
    } catch (error) {
      logger?.error(
        { ...about(claimed.row), err: error },
        "can't make an outbox entry a dead letter; it may be sent again",
      );
    }
  }

  async function recordOutcome(claimed: Claimed, result: DeliveryResult): Promise<void> {
    const { row } = claimed;
    const end = Date.parse(row.dueAt);
    for (;;) {
      try {
        const outcome = await close(stores, claimed, result, { handlers, retryAfterMs });
        const level = result instanceof Error ? 'warn' : 'info';
        const { reason, error } =
          result instanceof TransportError
            ? { reason: result.reason, error: redactAddresses(result) }
            : {};
        // The retry may be due before the worker's next wake-up.
        if (outcome === 'retrying') stores.outbox.notify();
        logger?.[level](
          { ...about(row), outcome, reason, error, transport: transport.name },
          reason ? `not delivered: ${reason}` : 'delivered',
        );
        return;
      } catch (error) {
        logger?.error({ ...about(row), err: error }, "can't record the outcome of a delivery");
        if (signal.aborted || Date.now() + faultMs > end) break;
        await pause();
      }
    }
    await deadLetter(stores, row, "couldn't record the outcome of its delivery");
  }

  const pause = () => setTimeout(faultMs, undefined, { signal }).catch(() => undefined);
  const worked = work();
  return {
    async stop() {
      stopping.abort();
      await worked;
      await transport.close();
    },
  };
}

/** Without the message: recipients and content stay out of the log. */
const about = ({ kind, recordId, attempts }: OutboxRow) => ({ kind, recordId, attempts });

async function deliver(
  transport: Transport,
  message: OutboxMessage,
  ms: number,
): Promise<DeliveryResult> {
  const timeUp = AbortSignal.timeout(ms);
  // For transports that ignore the signal.
  const late = new Promise<never>((_resolve, reject) => {
    const error = new TransportError(`Not accepted within ${ms / 1000} seconds`, {
      permanent: false,
      reason: 'ETIMEDOUT',
    });
    timeUp.addEventListener('abort', () => reject(error), { once: true });
  });
  try {
    return await Promise.race([transport.send(message, timeUp), late]);
  } catch (error) {
    if (error instanceof TransportError) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new TransportError(message, { permanent: false, reason: 'unexpected', cause: error });
  }
}
