/** Which bytes in the file store the database refers to: those of all resources with content. */
import type { DatabaseSync } from 'node:sqlite';
import { contract } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import { plainKey } from '../files/store.ts';

export const tablesWithBytes: readonly string[] = Object.values<Resource>(contract).flatMap(
  ({ name, operations }) => (operations.content ? [name] : []),
);

export interface ReferencedBytes {
  /** In the file store. */
  readonly key: string;
  readonly teamId: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** All bytes that a database refers to, once each. An older database may lack some tables. */
export function referencedBytes(db: DatabaseSync): ReferencedBytes[] {
  const there = new Set(
    db
      .prepare("select name from sqlite_master where type = 'table'")
      .all()
      .map(({ name }) => String(name)),
  );
  const questions = tablesWithBytes
    .filter((name) => there.has(name))
    .map((name) => `select "teamId", "sha256", "sizeBytes" from "${name}"`);
  if (questions.length === 0) return [];
  const rows = db.prepare(questions.join(' union ')).all() as unknown as ReferencedBytes[];
  const known = there.has('storedBytes')
    ? db.prepare('select "teamId", "sha256", "key" from "storedBytes"').all()
    : [];
  const keys = new Map(
    known.map(({ teamId, sha256, key }) => [`${teamId} ${sha256}`, String(key)]),
  );
  return rows.map((row) => ({
    ...row,
    key: keys.get(`${row.teamId} ${row.sha256}`) ?? plainKey(row.teamId, row.sha256),
  }));
}
