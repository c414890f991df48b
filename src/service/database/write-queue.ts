import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { DatabaseUnavailable } from './failures.ts';
import { nextStamp, type StampedTask } from './stamps.ts';
import type { Tables } from './tables.ts';

interface Member {
  readonly teamId: string;
  readonly task: StampedTask<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** So that the first of many waits for a part of them only. */
const mostMembers = 64;

/**
 * Runs writes one after the other. Those that wait at the same time are committed together, since most of a write is waiting for the disk:
 * 64 at once gain a factor of 2 or more, and the slower the disk is, the more.
 */
export class WriteQueue {
  readonly #write: Kysely<Tables>;
  #waiting: Member[] = [];
  #working = false;
  #underWay: Promise<void> | undefined;

  constructor(write: Kysely<Tables>) {
    this.#write = write;
  }

  /** Resolves once the task's changes are on disk. A task may run twice, so it must change nothing but the database. */
  add<T>(teamId: string, task: StampedTask<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ teamId, task, resolve: resolve as Member['resolve'], reject });
      if (!this.#working) void this.#work();
    });
  }

  /** Waits for the transaction under way: its stamps are older than whoever asks. Not for one that waits for the write lock. */
  async settled(): Promise<void> {
    await this.#underWay;
  }

  async #work(): Promise<void> {
    this.#working = true;
    while (this.#waiting.length > 0) {
      // Requests that have arrived meanwhile join, and all others go on: SQLite answers without going back to the event loop.
      await nextLoop();
      await this.#commit(this.#waiting.splice(0, mostMembers));
    }
    this.#working = false;
  }

  /** Nobody is told of success before the commit. When one member fails, each gets a transaction of its own, so only that one is refused. */
  async #commit(members: readonly Member[]): Promise<void> {
    try {
      const results = await this.#inTransaction(members);
      for (const [n, { resolve }] of members.entries()) resolve(results[n]);
    } catch (error) {
      // Without the answer to a commit, nobody knows whether it succeeded: nothing runs again.
      if (members.length === 1 || error instanceof DatabaseUnavailable) for (const { reject } of members) reject(error);
      else for (const member of members) await this.#commit([member]);
    }
  }

  async #inTransaction(members: readonly Member[]): Promise<unknown[]> {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    try {
      return await this.#write.transaction().execute(async (db) => {
        this.#underWay = promise;
        const results = [];
        for (const { teamId, task } of members) results.push(await task(db, await nextStamp(db, teamId)));
        return results;
      });
    } finally {
      this.#underWay = undefined;
      end();
    }
  }
}
