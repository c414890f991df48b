/** Deletes the bytes that no record uses any more. Outside of transactions, since a store can take its time. */
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Stores } from '../stores.ts';
import { forEachFile } from './at-once.ts';

export interface DeletionOptions {
  /** An answer that began before the deletion may still look for the bytes, in milliseconds (default: a minute). */
  readonly graceMs?: number;
  /** Time between two looks, in milliseconds (default: ten seconds). */
  readonly pollMs?: number;
}

interface DeletionWorker {
  /** Finishes the current piece of work and stops. */
  stop(): Promise<void>;
}

/** Files in one piece of work. */
const batch = 200;

/** Several services can share one database: a file that two of them delete is gone. */
export function startDeletions(
  stores: Stores,
  logger: FastifyBaseLogger | undefined,
  { graceMs = 60_000, pollMs = 10_000 }: DeletionOptions = {},
): DeletionWorker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const work = async () => {
    while (!signal.aborted) {
      const done = await deleteDue(stores, graceMs).catch((error: unknown) => {
        logger?.error({ err: error }, "can't delete files that no record uses");
        return 0;
      });
      if (done < batch) await wait(pollMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const worked = work();
  return {
    stop() {
      stopping.abort();
      return worked;
    },
  };
}

/** The number of files that are gone now. */
export async function deleteDue({ database, files }: Stores, graceMs: number): Promise<number> {
  const due = await database.read
    .selectFrom('deletedBytes')
    .select('key')
    .where('at', '<=', new Date(Date.now() - graceMs).toISOString())
    .orderBy('at')
    .limit(batch)
    .execute();
  const [deleted, failures] = [[] as string[], [] as unknown[]];
  await forEachFile(due, ({ key }) =>
    files.remove(key).then(
      () => deleted.push(key),
      // One that can't be deleted holds back no other.
      (error: unknown) => failures.push(error),
    ),
  );
  if (deleted.length > 0)
    await database.write.deleteFrom('deletedBytes').where('key', 'in', deleted).execute();
  if (failures.length > 0) throw failures[0];
  return deleted.length;
}
