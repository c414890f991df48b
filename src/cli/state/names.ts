/** Names of records, for completion and for work without the server. A cache: it never fails. */

import type { DatabaseSync } from 'node:sqlite';
import { parseAddress } from '../../client/address.ts';
import type { Settings } from '../config/settings.ts';
import type { Io } from '../terminal/io.ts';
import { inCache, inTransaction, ownerOf, readCache } from './state.ts';

export interface Candidate {
  readonly value: string;
  readonly about: string;
  /** Other names, suggested when the typed text matches them and not `value`. */
  readonly also?: readonly string[];
  /** Of the record. */
  readonly id?: string;
}

/** A resource and the names of the parent records. */
export type NameList = readonly [resource: string, ...within: string[]];

export interface CachedNames {
  readonly names: readonly Candidate[];
  readonly fresh: boolean;
  readonly readAt: Date;
}

/** The age after which names are refreshed, while the old ones are still suggested. */
const freshMs = 2 * 60_000;
/** The age after which names are no longer suggested. */
const maxAgeMs = 24 * 3_600_000;
/**
 * How long a refresh keeps other processes from starting one, in case it ends before it is done.
 */
const refreshMs = 15_000;

/**
 * The names of a team; of one server and key until that is known. Undefined without a key. Throws
 * the error of an invalid configuration.
 */
export function openNames(io: Io, settings: Settings): Names | undefined {
  const { baseUrl, key } = settings.connection();
  if (key.value === undefined) return undefined;
  const owner = ownerOf(parseAddress(baseUrl.value).baseUrl, key.value);
  const team = readCache(io, (db) =>
    db.prepare('select "id" from "teams" where "owner" = ?').get(owner),
  );
  return new Names(io, String(team?.id || owner));
}

export class Names {
  readonly #io: Io;
  readonly #owner: string;

  constructor(io: Io, owner: string) {
    this.#io = io;
    this.#owner = owner;
  }

  read(list: NameList): CachedNames | undefined {
    return this.#use((db, now) => {
      const row = db
        .prepare(
          'select "names", "readAt" from "names" where "owner" = ? and "list" = ? and "readAt" >= ?',
        )
        .get(this.#owner, keyOf(list), now - maxAgeMs) as
        | { names: string; readAt: number }
        | undefined;
      return (
        row && {
          names: JSON.parse(row.names),
          fresh: now - row.readAt <= freshMs,
          readAt: new Date(row.readAt),
        }
      );
    });
  }

  /** Notes which names somebody wants and nobody has read lately. Whether there are any. */
  want(lists: readonly NameList[]): boolean {
    const old = lists.filter((list) => !this.read(list)?.fresh);
    if (old.length === 0) return false;
    return (
      inCache(this.#io, (db) =>
        inTransaction(db, () => {
          const note = db.prepare(
            'insert into "names" ("owner", "list", "wantedAt") values (?, ?, ?) on conflict do update set "wantedAt" = excluded."wantedAt"',
          );
          for (const list of old) note.run(this.#owner, keyOf(list), this.#io.now().getTime());
          return true;
        }),
      ) ?? false
    );
  }

  /** Whether the caller may refresh them: one process at a time does. */
  reserve(): boolean {
    const reserved = this.#use(
      (db, now) =>
        db
          .prepare(
            `insert into "refreshes" values (?, ?) on conflict do update set "until" = excluded."until" where "until" <= ? or "until" > ?`,
          )
          // A time further ahead was noted by a wrong clock.
          .run(this.#owner, now + refreshMs, now, now + refreshMs).changes,
    );
    return Number(reserved ?? 0) > 0;
  }

  wanted(): NameList[] {
    const rows = this.#use((db) =>
      db
        .prepare(
          'select "list" from "names" where "owner" = ? and "wantedAt" is not null order by "wantedAt", "list"',
        )
        .all(this.#owner),
    );
    return (rows ?? []).map(({ list }) => JSON.parse(list as string));
  }

  store([...list]: NameList, names: readonly Candidate[]): void {
    this.#use((db, now) => {
      db.prepare('delete from "names" where coalesce("readAt", "wantedAt") < ?').run(
        now - maxAgeMs,
      );
      db.prepare(
        'insert or replace into "names" ("owner", "list", "readAt", "names") values (?, ?, ?, ?)',
      ).run(this.#owner, keyOf(list), now, JSON.stringify(names));
    });
  }

  /** Nobody wants them any more, such as names that this key may not read. */
  forgetWish(list: NameList): void {
    this.#use((db) =>
      db
        .prepare('update "names" set "wantedAt" = null where "owner" = ? and "list" = ?')
        .run(this.#owner, keyOf(list)),
    );
  }

  /**
   * Lets another process refresh them. A failed refresh keeps the reservation, so that the next one
   * waits a while.
   */
  release(): void {
    this.#use((db) => db.prepare('delete from "refreshes" where "owner" = ?').run(this.#owner));
  }

  /** After a write: names are still suggested, and refreshed at the next completion. */
  markStale(): void {
    this.#use((db, now) =>
      db
        .prepare('update "names" set "readAt" = ? where "owner" = ? and "readAt" > ?')
        .run(now - freshMs - 1, this.#owner, now - freshMs - 1),
    );
  }

  /** Only `want` makes the file: most runs have no names. */
  #use<T>(use: (db: DatabaseSync, now: number) => T): T | undefined {
    return readCache(this.#io, (db) => use(db, this.#io.now().getTime()));
  }
}

const keyOf = (list: NameList): string => JSON.stringify(list);
