/** Where each `cs watch --state NAME` goes on, and which changes it has handled. */
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Io } from '../terminal/io.ts';
import { writeState } from './state.ts';

export interface WatchPosition {
  /** Everything before it is done; by the server's clock. Undefined: nothing. */
  readonly since: string | undefined;
  /** The versions of the records since then that are done, by id. */
  readonly done: ReadonlyMap<string, string>;
}

/** A resource in a watch of this name. `owner`: of `ownerOf`. */
export interface WatchKey {
  readonly owner: string;
  readonly name: string;
  readonly resource: string;
}

/** A hash of the content, since two changes can have the same time stamp. */
export const versionOf = (record: object): string =>
  createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 16);

export const readWatch = (io: Io, key: WatchKey): WatchPosition | undefined =>
  writeState(io, (db) => {
    const id = idOf(db, key);
    if (id === undefined) return undefined;
    const { since } = db.prepare('select "since" from "watches" where "id" = ?').get(id) ?? {};
    const rows = db.prepare('select "record", "version" from "watched" where "watch" = ?').all(id);
    return {
      since: typeof since === 'string' ? since : undefined,
      done: new Map(rows.map(({ record, version }) => [String(record), String(version)])),
    };
  });

export function saveWatch(io: Io, key: WatchKey, { since, done }: WatchPosition): void {
  writeState(io, (db) => {
    db.prepare(
      'insert into "watches" ("owner", "name", "resource", "since") values (?, ?, ?, ?) on conflict do update set "since" = excluded."since"',
    ).run(key.owner, key.name, key.resource, since ?? null);
    const id = idOf(db, key) as number;
    db.prepare('delete from "watched" where "watch" = ?').run(id);
    const insert = db.prepare('insert into "watched" values (?, ?, ?)');
    for (const [record, version] of done) insert.run(id, record, version);
  });
}

export function noteDone(io: Io, key: WatchKey, record: string, version: string): void {
  writeState(io, (db) => {
    db.prepare('insert or replace into "watched" values (?, ?, ?)').run(
      idOf(db, key) as number,
      record,
      version,
    );
  });
}

const idOf = (db: DatabaseSync, { owner, name, resource }: WatchKey): number | undefined =>
  db
    .prepare('select "id" from "watches" where "owner" = ? and "name" = ? and "resource" = ?')
    .get(owner, name, resource)?.id as number | undefined;
