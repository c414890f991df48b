/** The team of a key, for work without the server. */
import type { Io } from '../terminal/io.ts';
import { inCache, readState } from './state.ts';

export interface Team {
  readonly id: string;
  readonly name: string;
}

/** Fails for a file that can't be read: work of an unknown team might go to another one. */
export const readTeam = (io: Io, owner: string): Team | undefined =>
  readState(io, (db) =>
    db.prepare('select "id", "name" from "teams" where "owner" = ?').get(owner),
  ) as Team | undefined;

/** Best effort: a team that isn't stored is asked again. */
export const storeTeam = (io: Io, owner: string, { id, name }: Team): void =>
  void inCache(io, (db) =>
    db
      .prepare('insert or replace into "teams" ("owner", "id", "name") values (?, ?, ?)')
      .run(owner, id, name),
  );
