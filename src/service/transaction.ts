import type { AfterCommit, Context, Team } from './context.ts';
import { WriteConflict } from './database/failures.ts';
import { notFound } from './problem.ts';
import type { Stores } from './stores.ts';

/**
 * Runs a task for one team in a transaction. Waiting tasks can share one (database/write-queue.ts). The timestamp is allocated
 * inside the write lock and is later than all earlier ones of the team, whatever the clock does (database/timestamp-allocator.ts): a write that
 * a list at T doesn't show has an `updatedAt` at or after T, so a sync from T finds it. After a conflict the task runs again, so
 * it must change nothing but the database.
 */
export async function inTransaction<T>(
  stores: Stores,
  team: Pick<Team, 'id'>,
  task: (context: Context) => Promise<T>,
): Promise<T> {
  const { result, after } = await retrying(() => write(stores, team, task));
  // The change is stored, so its answer is a success.
  for (const then of after) await then(stores).catch(() => undefined);
  return result;
}

async function write<T>(
  { database }: Stores,
  { id }: Pick<Team, 'id'>,
  task: (context: Context) => Promise<T>,
) {
  return database.ofTeam(id).writeStamped(async (db, stamp) => {
    if (!stamp) throw notFound('team');
    const after: ((after: AfterCommit) => Promise<void>)[] = [];
    return {
      result: await task({
        db,
        ...stamp,
        keyName: null,
        columnsOf: database.columnsOf,
        afterCommit: (then) => after.push(then),
      }),
      after,
    };
  });
}

/** Attempts of a transaction that conflicts with others. */
const attempts = 5;

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof WriteConflict) || attempt === attempts) throw error;
    }
  }
}
