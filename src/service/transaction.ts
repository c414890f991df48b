import type { AfterCommit, Context, Team } from './context.ts';
import { WriteConflict } from './database/failures.ts';
import { notFound } from './problem.ts';
import type { Stores } from './stores.ts';

/**
 * Runs a task for one team: all of it is kept, or none. Tasks that wait at the same time share a transaction (database/write-queue.ts).
 *
 * The stamp is made inside the write lock and is later than every earlier one of the team, whatever the clock does (database/timestamp-allocator.ts).
 * So a write that a list read at T does not show has an `updatedAt` at or after T, and a sync that starts from T finds it.
 * The task runs again when another one stood in its way, so it must change nothing but the database.
 */
export async function inTransaction<T>(stores: Stores, team: Pick<Team, 'id'>, task: (context: Context) => Promise<T>): Promise<T> {
  const { result, after } = await retrying(() => write(stores, team, task));
  for (const then of after) await then({ ...stores, write: (next) => inTransaction(stores, team, next) });
  return result;
}

async function write<T>({ database }: Stores, { id }: Pick<Team, 'id'>, task: (context: Context) => Promise<T>) {
  return database.ofTeam(id).writeStamped(async (db, stamp) => {
    if (!stamp) throw notFound('team');
    const after: ((after: AfterCommit) => Promise<void>)[] = [];
    return { result: await task({ db, ...stamp, columnsOf: database.columnsOf, afterCommit: (then) => after.push(then) }), after };
  });
}

/** How often a transaction is tried that another one stood in the way of. */
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
