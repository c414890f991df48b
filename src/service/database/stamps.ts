import { sql, type Transaction } from 'kysely';
import type { Tables, TeamRow } from './tables.ts';

/** A team, and the two times of a transaction's changes in it: ISO 8601, UTC, milliseconds. */
export interface Stamp {
  readonly team: TeamRow;
  /** What the clock says: every moment that people read. Never later than `stamp`. */
  readonly now: string;
  /** The `updatedAt` of the changes: later than every earlier stamp of the team, also when the clock was set back. */
  readonly stamp: string;
}

/** `stamp` is undefined when there is no such team. */
export type StampedTask<T> = (db: Transaction<Tables>, stamp: Stamp | undefined) => Promise<T>;

/** The stamp behind the oldest one there is: what the clock says now. */
export const clockTime = sql<string>`next_stamp('1970-01-01T00:00:00.000Z')`;

/** The next stamp of a team. The write lock keeps others from making one until the commit. */
export async function nextStamp(db: Transaction<Tables>, teamId: string): Promise<Stamp | undefined> {
  const row = await db
    .updateTable('teams')
    .set({ lastStamp: sql<string>`next_stamp(${sql.ref('lastStamp')})` })
    .where('id', '=', teamId)
    .returningAll()
    .returning(clockTime.as('clock'))
    .executeTakeFirst();
  if (!row) return undefined;
  const { clock, ...team } = row;
  // The database reads the clock a little after it makes the stamp.
  return { team, now: clock < team.lastStamp ? clock : team.lastStamp, stamp: team.lastStamp };
}
