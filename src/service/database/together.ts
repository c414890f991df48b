/** Commits what several writers do at the same time together: most of a write is waiting for the disk, and one wait does for all of them. */
import { setImmediate } from 'node:timers/promises';
import { type ControlledTransaction, type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

type Task<T> = (db: Transaction<Tables>) => Promise<T>;

/** Runs a task in a transaction that it may share with others; resolves once that is on disk. A task that fails undoes what it did itself, and nothing else. */
export type Together = <T>(task: Task<T>) => Promise<T>;

interface Member {
  readonly task: Task<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** So that the first of many need not wait for all of them, and the lock is let go of now and then. */
const mostMembers = 32;

/** `settled` waits for the transaction that is under way, if one has begun, to be seen by all: its stamps are older than who asks. */
export function makeTogether(write: Kysely<Tables>): { together: Together; settled: () => Promise<void> } {
  const queue: Member[] = [];
  let working = false;
  let group: Promise<void> | undefined;
  const work = async () => {
    working = true;
    while (queue.length > 0) {
      const transaction = await beginFor(write, queue);
      group = transaction && runGroup(transaction, queue);
      await group;
      group = undefined;
    }
    working = false;
  };
  return {
    together: <T>(task: Task<T>) =>
      new Promise<T>((resolve, reject) => {
        queue.push({ task, resolve: resolve as Member['resolve'], reject });
        if (!working) void work();
      }),
    settled: async () => group,
  };
}

/** Where no transaction can begin, those who have waited for it have waited long enough. */
async function beginFor(write: Kysely<Tables>, queue: Member[]): Promise<ControlledTransaction<Tables> | undefined> {
  try {
    return await write.startTransaction().execute();
  } catch (error) {
    for (const { reject } of queue.splice(0)) reject(error);
    return undefined;
  }
}

/** One transaction of whoever is in the queue, and of those who come while it lasts. Nobody is told anything before its end, for till then nothing is certain. */
async function runGroup(transaction: ControlledTransaction<Tables>, queue: Member[]): Promise<void> {
  const members: Member[] = [];
  const outcomes: (() => void)[] = [];
  try {
    for (let next = queue.shift(); next; next = await nextOf(queue, members.length)) {
      members.push(next);
      outcomes.push(await runMember(transaction, next, members.length === 1));
    }
    await transaction.commit().execute();
  } catch (error) {
    await transaction
      .rollback()
      .execute()
      .catch(() => undefined);
    for (const { reject } of members) reject(error);
    return;
  }
  for (const tell of outcomes) tell();
}

/** Looks once whether the requests that have arrived meanwhile bring another; when there is none, nobody waits. */
async function nextOf(queue: Member[], members: number): Promise<Member | undefined> {
  if (members >= mostMembers) return undefined;
  if (queue.length === 0) await setImmediate();
  return queue.shift();
}

/** The first needs no savepoint: when it fails, there is nothing else to be kept. Savepoints of the same name hide each other, so none is released. */
async function runMember(transaction: Transaction<Tables>, { task, resolve, reject }: Member, first: boolean): Promise<() => void> {
  if (!first) await sql`savepoint member`.execute(transaction);
  try {
    const result = await task(transaction);
    return () => resolve(result);
  } catch (error) {
    if (first) throw error;
    // Where even that fails, the transaction is lost, and the reason is the first error.
    await sql`rollback to savepoint member`.execute(transaction).catch(() => Promise.reject(error));
    return () => reject(error);
  }
}
