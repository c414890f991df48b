/**
 * What a server can do, as it told a run with this key. A cache: what isn't here is asked again.
 */
import type { Io } from '../terminal/io.ts';
import { inCache, readCache } from './state.ts';

interface StoredAbilities {
  /** As stored: another version of `cs` may have written it. */
  readonly abilities: unknown;
  readonly readAt: Date;
}

export const readAbilities = (io: Io, owner: string): StoredAbilities | undefined =>
  readCache(io, (db) => {
    const row = db
      .prepare('select "abilities", "readAt" from "abilities" where "owner" = ?')
      .get(owner) as { abilities: string; readAt: number } | undefined;
    return row && { abilities: JSON.parse(row.abilities), readAt: new Date(row.readAt) };
  });

/** `abilities`: plain data. */
export const storeAbilities = (io: Io, owner: string, abilities: unknown): void =>
  void inCache(io, (db) =>
    db
      .prepare(
        'insert or replace into "abilities" ("owner", "readAt", "abilities") values (?, ?, ?)',
      )
      .run(owner, io.now().getTime(), JSON.stringify(abilities)),
  );
