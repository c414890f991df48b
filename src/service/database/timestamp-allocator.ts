import { sql, type Transaction } from 'kysely';
import type { Tables, TeamRow } from './tables.ts';

/** A team and the two times of a transaction's changes in it: ISO 8601, UTC, milliseconds. */
export interface Stamp {
  readonly team: TeamRow;
  /** The clock's time: every moment that people read. Never later than `stamp`. */
  readonly now: string;
  /** The `updatedAt` of the changes: later than every earlier stamp of the team, also when the clock was set back. */
  readonly stamp: string;
}

/** `stamp` is undefined when the team doesn't exist. */
export type StampedTask<T> = (db: Transaction<Tables>, stamp: Stamp | undefined) => Promise<T>;

/** The stamp after the oldest possible one: the time of the database's clock. */
export const clockTime = sql<string>`next_stamp('1970-01-01T00:00:00.000Z', 1)`;

/** Allocates the next stamps of a team; none if it doesn't exist. Until the commit, the write lock stops others from allocating one. */
export async function allocateStamps(
  db: Transaction<Tables>,
  teamId: string,
  count: number,
): Promise<Stamp[]> {
  const row = await db
    .updateTable('teams')
    .set({ lastStamp: sql<string>`next_stamp(${sql.ref('lastStamp')}, ${count})` })
    .where('id', '=', teamId)
    .returningAll()
    .returning(clockTime.as('clock'))
    .executeTakeFirst();
  if (!row) return [];
  const { clock, ...team } = row;
  const last = Date.parse(team.lastStamp);
  return Array.from({ length: count }, (_, n) => {
    const stamp = new Date(last - count + 1 + n).toISOString();
    // The database reads the clock a little after it computes the stamps.
    return { team: { ...team, lastStamp: stamp }, now: clock < stamp ? clock : stamp, stamp };
  });
}
