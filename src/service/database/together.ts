/** Commits what several writers do at the same time together: most of a write is waiting for the disk, and one wait does for all of them. */
import { setImmediate } from 'node:timers/promises';
import { type ControlledTransaction, type Dialect, Kysely, SelectQueryNode, sql, type Transaction } from 'kysely';
import { DatabaseUnavailable, WriteConflict } from './failures.ts';
import { type Stamp, Stamps } from './stamps.ts';
import type { Tables } from './tables.ts';

/** `hasty` tells that what the database refuses at the commit need not be asked before: then the task runs again, and is not. */
type Task<T> = (db: Transaction<Tables>, stamp: Stamp | undefined, hasty: boolean) => Promise<T>;

/**
 * Runs a task in a transaction that it may share with others, with a stamp of its own (none when there is no such team); resolves once that is on disk.
 * A task that fails undoes what it did itself, and nothing else. It may run again, so it must change nothing but the database.
 */
export type Together = <T>(task: Task<T>) => Promise<T>;

interface Member {
  readonly teamId: string;
  readonly task: Task<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** A transaction that was undone. */
interface Undone {
  /** Who took part; unless it was undone at its end, the last of them is the one that failed. */
  readonly members: Member[];
  readonly error: unknown;
  readonly atEnd: boolean;
}

/** So that the first of many need not wait for all of them, and the lock is let go of now and then. */
const mostMembers = 64;

export interface Writing {
  readonly write: Kysely<Tables>;
  /** For tasks of one team. */
  togetherOf(teamId: string): Together;
  /** Waits for the transaction that is under way, if one has begun, to be seen by all: its stamps are older than who asks. */
  settled(): Promise<void>;
}

export function makeTogether(dialect: Dialect): Writing {
  let changes = 0;
  const write = new Kysely<Tables>({
    dialect,
    log({ query }) {
      if (!SelectQueryNode.is(query.query)) changes += 1;
    },
  });
  const queue: Member[] = [];
  let working = false;
  let group: Promise<unknown> | undefined;

  const work = async () => {
    working = true;
    while (queue.length > 0) await run(queue, 'haste');
    working = false;
  };
  const run = async (source: Member[], care: Care): Promise<void> => {
    const transaction = await beginFor(write, source);
    if (!transaction) return;
    const running = runGroup(transaction, source, { care, changes: () => changes });
    group = running;
    const undone = await running;
    group = undefined;
    if (undone) await runAgain(undone, care, run);
  };
  return {
    write,
    togetherOf:
      (teamId) =>
      <T>(task: Task<T>) =>
        new Promise<T>((resolve, reject) => {
          queue.push({ teamId, task, resolve: resolve as Member['resolve'], reject });
          if (!working) void work();
        }),
    async settled() {
      await group;
    },
  };
}

/** Where no transaction can begin, those who have waited for it have waited long enough. */
async function beginFor(write: Kysely<Tables>, source: Member[]): Promise<ControlledTransaction<Tables> | undefined> {
  try {
    return await write.startTransaction().execute();
  } catch (error) {
    for (const { reject } of source.splice(0)) reject(error);
    return undefined;
  }
}

/** First all in haste; then each behind a savepoint, so that whoever fails takes nobody along; then each in a transaction of its own. */
type Care = 'haste' | 'savepoints' | 'alone';

interface How {
  readonly care: Care;
  /** How many statements may have changed something so far. */
  readonly changes: () => number;
}

/** One transaction of those in the source, and of those who come to it while it lasts. Nobody is told anything before its end, for till then nothing is certain. */
async function runGroup(transaction: ControlledTransaction<Tables>, source: Member[], how: How): Promise<Undone | undefined> {
  const members: Member[] = [];
  const outcomes: (() => void)[] = [];
  const stamps = new Stamps(transaction);
  let kept = 0;
  let atEnd = false;
  try {
    for (let next = source.shift(); next; next = await nextOf(source, members.length)) {
      const { resolve, reject } = next;
      members.push(next);
      try {
        // Who is alone has time to ask, and need not run twice to be told what is wrong.
        const hasty = how.care === 'haste' && members.length + source.length > 1;
        const result = await runMember(transaction, stamps, next, how, hasty);
        outcomes.push(() => resolve(result));
        kept += 1;
      } catch (error) {
        if (!(error instanceof Harmless)) throw error;
        outcomes.push(() => reject(error.cause));
      }
    }
    atEnd = true;
    if (kept > 0) {
      await stamps.keep();
      await transaction.commit().execute();
    } else await transaction.rollback().execute();
  } catch (error) {
    await transaction
      .rollback()
      .execute()
      .catch(() => undefined);
    return { members, error, atEnd };
  }
  for (const tell of outcomes) tell();
  return undefined;
}

/** A task failed, and nothing of it is left in the transaction. */
class Harmless extends Error {}

async function runMember(
  transaction: Transaction<Tables>,
  stamps: Stamps,
  { teamId, task }: Member,
  { care, changes }: How,
  hasty: boolean,
) {
  const apart = care === 'savepoints';
  const stamp = await stamps.next(teamId);
  if (apart) await savepoint.set(transaction);
  const before = changes();
  try {
    const result = await task(transaction, stamp, hasty);
    // What was sent without waiting for its answer is heard of here, while it can be told whose it was.
    if (apart) await savepoint.release(transaction);
    return result;
  } catch (error) {
    if (changes() === before) throw new Harmless('', { cause: error });
    if (!apart) throw error;
    // Where even that fails, the transaction is lost, and the reason is the first error.
    await savepoint.goBack(transaction).catch(() => Promise.reject(error));
    throw new Harmless('', { cause: error });
  }
}

const savepoint = {
  set: (db: Transaction<Tables>) => sql`savepoint member`.execute(db),
  release: (db: Transaction<Tables>) => sql`release savepoint member`.execute(db),
  goBack: (db: Transaction<Tables>) => sql`rollback to savepoint member`.execute(db),
};

/** Looks once whether the requests that have arrived meanwhile bring another; when there is none, nobody waits. */
async function nextOf(source: Member[], members: number): Promise<Member | undefined> {
  if (members >= mostMembers) return undefined;
  if (source.length === 0) await setImmediate();
  return source.shift();
}

/** Hardly anyone fails after changing something, so savepoints are set only once somebody has; and a commit that is refused tells nobody whose fault it was. */
async function runAgain(
  { members, error, atEnd }: Undone,
  care: Care,
  run: (source: Member[], care: Care) => Promise<void>,
): Promise<void> {
  const unavailable = error instanceof DatabaseUnavailable && !(error instanceof WriteConflict);
  // Nobody knows whether a commit without an answer was one; and a database that is away is waited for once.
  if (members.length === 1 || (unavailable && (atEnd || care !== 'haste'))) {
    for (const { reject } of members) reject(error);
    return;
  }
  if (care === 'haste') {
    if (unavailable) members.pop()?.reject(error);
    return run(members, 'savepoints');
  }
  for (const member of members) await run([member], 'alone');
}
