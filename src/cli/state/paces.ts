/**
 * The paces of a key, shared by all runs of `cs` on this machine. Loaded after the first refusal for a rate limit. A cache: a run that
 * can't use it waits alone.
 */
import type { DatabaseSync } from 'node:sqlite';
import { createLocalPaces, type Pace, type PaceStore } from '../../client/pacing.ts';
import type { Io } from '../terminal/io.ts';
import { inTransaction, openCache } from './state.ts';

/** `note` gets a line if the paces can't be shared. */
export function openPaces(
  io: Pick<Io, 'env' | 'home' | 'platform'>,
  owner: string,
  note: (text: string) => void,
): PaceStore {
  const local = createLocalPaces();
  let db: DatabaseSync | undefined;
  let usable = true;
  return {
    async update(limit, change) {
      if (usable)
        try {
          db ??= openCache(io);
          return updateIn(db, { owner, limit }, change);
        } catch (error) {
          usable = false;
          db?.close();
          note(
            `waits for the rate limit aren't shared with other runs: ${error instanceof Error ? error.message : String(error)}`,
          );
        }
      return local.update(limit, change);
    },
  };
}

function updateIn(
  db: DatabaseSync,
  { owner, limit }: { owner: string; limit: string },
  change: (pace: Pace | undefined) => Pace,
): Pace {
  return inTransaction(db, () => {
    const stored = db
      .prepare(
        'select "closedUntil", "nextTurn", "nextUrgentTurn", "interval" from "paces" where "owner" = ? and "limit" = ?',
      )
      .get(owner, limit) as Pace | undefined;
    const { closedUntil, nextTurn, nextUrgentTurn, interval } = change(stored);
    db.prepare('insert or replace into "paces" values (?, ?, ?, ?, ?, ?)').run(
      owner,
      limit,
      closedUntil,
      nextTurn,
      nextUrgentTurn,
      interval,
    );
    return { closedUntil, nextTurn, nextUrgentTurn, interval };
  });
}
