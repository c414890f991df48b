import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { DatabaseUnavailable } from './failures.ts';
import type { Tables } from './tables.ts';
import { allocateStamps, type Stamp, type StampedTask } from './timestamp-allocator.ts';

interface QueuedWrite {
  readonly teamId: string;
  readonly task: StampedTask<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Limits how long the first of many writes waits for the others. */
const maxWritesPerCommit = 64;

/**
 * Runs writes one after the other. Writes that wait at the same time share a commit, since most of a write is waiting for the disk:
 * 64 at once gain a factor of 2 or more, and more on slower disks.
 */
export class WriteQueue {
  readonly #write: Kysely<Tables>;
  #waiting: QueuedWrite[] = [];
  #isRunning = false;
  #pendingCommit: Promise<void> | undefined;

  constructor(write: Kysely<Tables>) {
    this.#write = write;
  }

  /** Resolves once the task's changes are on disk. A task may run twice, so it must change nothing but the database. */
  add<T>(teamId: string, task: StampedTask<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ teamId, task, resolve: resolve as QueuedWrite['resolve'], reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  /** Waits for the current transaction, whose stamps are older than the caller. Doesn't wait for one that has no write lock yet. */
  async awaitPendingCommit(): Promise<void> {
    await this.#pendingCommit;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // New requests can join, and all others continue: SQLite answers without returning to the event loop.
      await nextLoop();
      await this.#commit(this.#waiting.splice(0, maxWritesPerCommit));
    }
    this.#isRunning = false;
  }

  /** Resolves the writes after the commit. When one fails, each runs again in its own transaction, so only that one is rejected. */
  async #commit(writes: readonly QueuedWrite[]): Promise<void> {
    try {
      const results = await this.#inTransaction(writes);
      for (const [n, { resolve }] of writes.entries()) resolve(results[n]);
    } catch (error) {
      // Without the answer to a commit its outcome is unknown, so nothing runs again.
      if (writes.length === 1 || error instanceof DatabaseUnavailable)
        for (const { reject } of writes) reject(error);
      else for (const write of writes) await this.#commit([write]);
    }
  }

  async #inTransaction(writes: readonly QueuedWrite[]): Promise<unknown[]> {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    try {
      return await this.#write.transaction().execute(async (db) => {
        this.#pendingCommit = promise;
        const results = [];
        const stamps = new Map<string, (Stamp | undefined)[]>();
        for (const [teamId, own] of Map.groupBy(writes, (write) => write.teamId))
          stamps.set(teamId, await allocateStamps(db, teamId, own.length));
        for (const { teamId, task } of writes)
          results.push(await task(db, stamps.get(teamId)?.shift()));
        return results;
      });
    } finally {
      this.#pendingCommit = undefined;
      end();
    }
  }
}
