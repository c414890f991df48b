/** The team of a key, for work without the server. */
import type { Io } from '../terminal/io.ts';
import { inCache, readState } from './state.ts';

export interface Team {
  readonly id: string;
  readonly name: string;
}

/** Of a server without teams. */
const noTeam: Team = { id: '', name: '' };

/**
 * Null where the server has no teams, undefined where nobody asked. Fails for a file that can't be
 * read: work of an unknown team might go to another one.
 */
export function readTeam(io: Io, owner: string): Team | null | undefined {
  const team = readState(io, (db) =>
    db.prepare('select "id", "name" from "teams" where "owner" = ?').get(owner),
  ) as Team | undefined;
  return team?.id === noTeam.id ? null : team;
}

/** Best effort: a team that isn't stored is asked again. The names of the key are the team's. */
export function storeTeam(io: Io, owner: string, team: Team | null): void {
  const { id, name } = team ?? noTeam;
  // A gateway may answer for a while that the server has none.
  const insert = team ? 'insert or replace' : 'insert or ignore';
  inCache(io, (db) => {
    db.prepare(`${insert} into "teams" ("owner", "id", "name") values (?, ?, ?)`).run(
      owner,
      id,
      name,
    );
    if (team)
      db.prepare('update or replace "names" set "owner" = ? where "owner" = ?').run(id, owner);
  });
}
