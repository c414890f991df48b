import { performance } from 'node:perf_hooks';
import { sql, type Transaction } from 'kysely';
import type { Tables, TeamRow } from './tables.ts';

/** A team, and the time that one writer's changes in it are stamped with: ISO 8601, UTC, milliseconds. */
export interface Stamp {
  readonly team: TeamRow;
  readonly now: string;
}

interface Given {
  readonly team: TeamRow;
  /** The first stamp, and when it was made by a clock that never goes back; in milliseconds. */
  readonly first: number;
  readonly madeAt: number;
  last: number;
}

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
    given.last = Math.max(Math.floor(given.first + performance.now() - given.madeAt), given.last + 1);
    return { team: given.team, now: new Date(given.last).toISOString() };
  }

  async #first(teamId: string): Promise<Stamp | undefined> {
    const team = await this.#db
      .updateTable('teams')
      .set({ lastStamp: sql<string>`next_stamp(${sql.ref('lastStamp')})` })
      .where('id', '=', teamId)
      .returningAll()
      .executeTakeFirst();
    if (!team) return undefined;
    const first = Date.parse(team.lastStamp);
    this.#given.set(teamId, { team, first, madeAt: performance.now(), last: first });
    return { team, now: team.lastStamp };
  }

  /** To be called before the commit, without which the next transaction would give the same ones again. */
  async keep(): Promise<void> {
    for (const [teamId, { first, last }] of this.#given) {
      if (last === first) continue;
      await this.#db
        .updateTable('teams')
        .set({ lastStamp: new Date(last).toISOString() })
        .where('id', '=', teamId)
        .execute();
    }
  }
}
