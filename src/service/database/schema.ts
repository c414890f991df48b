/** Whether a database file holds exactly what the migrations make: a trigger or a view of somebody else would run with every write or read. */
import type { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { NewerDatabase } from './failures.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { nodeSqliteDialect } from './node-sqlite.ts';
import type { Tables } from './tables.ts';

export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/** SQLite's own: figures for its planner. */
export const schemaQuery = `select type, name, sql from sqlite_schema where name not like 'sqlite\\_stat%' escape '\\' order by type, name`;

/** What differs from the tables that these steps make, in words; empty when nothing does. */
export async function findSchemaFaults(found: readonly SchemaObject[], steps: readonly string[]): Promise<string[]> {
  const own = new Map((await schemaAfter(steps)).map((object) => [nameOf(object), textOf(object)]));
  const faults = found.flatMap((object) => {
    const name = nameOf(object);
    const text = own.get(name);
    own.delete(name);
    if (text === undefined) return [`cs didn't make the ${name}`];
    return text === textOf(object) ? [] : [`the ${name} differs from what cs makes`];
  });
  return [...faults, ...[...own.keys()].map((name) => `the ${name} is missing`)];
}

/**
 * The steps that a database of unknown origin notes. Nothing of its schema runs: their table is read only when it is one.
 * Undefined when it has no such table; throws `NewerDatabase` for a step of a later version.
 */
export function notedSteps(db: DatabaseSync, found: readonly SchemaObject[], place: string): string[] | undefined {
  const table = found.find(({ name }) => name === 'kysely_migration');
  if (table?.type !== 'table' || !/^create table\b/i.test(table.sql ?? '')) return undefined;
  const steps = db
    .prepare('select name from kysely_migration order by name')
    .all()
    .map(({ name }) => String(name));
  const unknown = steps.find((name) => !(name in migrations));
  if (unknown) throw new NewerDatabase(`${place} was made by a newer version of cs (it has ${unknown}). Use that version.`);
  return steps;
}

async function schemaAfter(steps: readonly string[]): Promise<SchemaObject[]> {
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect({ file: ':memory:' }) });
  try {
    const own = Object.entries(migrations).filter(([name]) => steps.includes(name));
    await migrate(db, { place: 'memory', noted: false, steps: Object.fromEntries(own) });
    const { rows } = await sql.raw<SchemaObject>(schemaQuery).execute(db);
    return rows;
  } finally {
    await db.destroy();
  }
}

const nameOf = ({ type, name }: SchemaObject): string => `${type} ${JSON.stringify(name)}`;
/** Blanks and line ends mean nothing there. */
const textOf = ({ sql: text }: SchemaObject): string => (text ?? '').replace(/\s+/g, ' ').trim();
