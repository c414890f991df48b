import type { AfterCommit, Context, Team } from './context.ts';
import { notFound } from './refusal.ts';
import type { Stores } from './stores.ts';

/**
 * Runs a task as one transaction of one team: all of it is kept, or none.
 *
 * The stamp is made inside the write lock and is later than every earlier one of the team, whatever the clock does.
 * So a write that a list read at T does not show has an `updatedAt` at or after T, and a sync that starts from T finds it.
 */
export async function inWrite<T>(stores: Stores, team: Pick<Team, 'id'>, task: (context: Context) => Promise<T>): Promise<T> {
  const after: ((after: AfterCommit) => Promise<void>)[] = [];
  const result = await stores.database.write.transaction().execute(async (db) => {
    const row = await db.selectFrom('teams').selectAll().where('id', '=', team.id).executeTakeFirst();
    if (!row) throw notFound('team');
    const now = new Date(Math.max(Date.now(), Date.parse(row.lastStamp) + 1)).toISOString();
    await db.updateTable('teams').set({ lastStamp: now }).where('id', '=', team.id).execute();
    return task({ db, team: row, now, afterCommit: (then) => after.push(then) });
  });
  for (const then of after) await then({ files: stores.files, write: (next) => inWrite(stores, team, next) });
  return result;
}
