import { performance } from 'node:perf_hooks';
import { sql, type Transaction } from 'kysely';
import type { Tables, TeamRow } from './tables.ts';

/** A team, and the two times of one writer's changes in it: ISO 8601, UTC, milliseconds. */
export interface Stamp {
  readonly team: TeamRow;
  /** What the clock says: every moment that people read. Never later than `stamp`. */
  readonly now: string;
  /** The `updatedAt` of the changes: later than every earlier stamp of the team, also when the clock was set back. */
  readonly stamp: string;
}

interface Given {
  readonly team: TeamRow;
  /** What the clock said at the first stamp, and when that was on the monotonic clock; in milliseconds. */
  readonly clock: number;
  readonly readAt: number;
  /** The stamps given to the first writer and to the latest one, in milliseconds. */
  readonly first: number;
  last: number;
}

/** The stamp behind the oldest one there is: what the clock says now. */
export const clockTime = sql<string>`next_stamp('1970-01-01T00:00:00.000Z')`;

/**
 * Gives the writers of one transaction their stamps, each later than every earlier one of the team.
 * The first is made by the database; those behind it go on from there without asking, since the lock keeps others out until the commit.
 */
export class Stamps {
  readonly #db: Transaction<Tables>;
  readonly #given = new Map<string, Given>();

  constructor(db: Transaction<Tables>) {
    this.#db = db;
  }

  /** Undefined when there is no such team. */
  async next(teamId: string): Promise<Stamp | undefined> {
    const given = this.#given.get(teamId);
    if (!given) return this.#first(teamId);
    const clock = Math.floor(given.clock + performance.now() - given.readAt);
    given.last = Math.max(clock, given.last + 1);
    return { team: given.team, now: isoOf(clock), stamp: isoOf(given.last) };
  }

  async #first(teamId: string): Promise<Stamp | undefined> {
    const row = await this.#db
      .updateTable('teams')
      .set({ lastStamp: sql<string>`next_stamp(${sql.ref('lastStamp')})` })
      .where('id', '=', teamId)
      .returningAll()
      .returning(clockTime.as('clock'))
      .executeTakeFirst();
    if (!row) return undefined;
    const { clock: read, ...team } = row;
    const first = Date.parse(team.lastStamp);
    // The clock was read a little after the stamp was made.
    const clock = Math.min(Date.parse(read), first);
    this.#given.set(teamId, { team, clock, readAt: performance.now(), first, last: first });
    return { team, now: isoOf(clock), stamp: team.lastStamp };
  }

  /** To be called before the commit, without which the next transaction would give the same ones again. */
  async keep(): Promise<void> {
    for (const [teamId, { first, last }] of this.#given) {
      if (last === first) continue;
      await this.#db
        .updateTable('teams')
        .set({ lastStamp: isoOf(last) })
        .where('id', '=', teamId)
        .execute();
    }
  }
}

const isoOf = (milliseconds: number) => new Date(milliseconds).toISOString();
