/** Checks that a database file contains exactly what the migrations create: a foreign trigger or view would run with every write or read. */
import type { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { NewerDatabase } from '../failures.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import type { Tables } from '../tables.ts';
import { sqliteDialect } from './dialect.ts';

export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/** Without SQLite's own tables of statistics. */
export const schemaQuery = `select type, name, sql from sqlite_schema where name not like 'sqlite\\_stat%' escape '\\' order by type, name`;

/** The differences from the tables of these steps, in words. */
export async function findSchemaFaults(
  found: readonly SchemaObject[],
  steps: readonly string[],
): Promise<string[]> {
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
 * The finished steps of a database of unknown origin. Runs nothing of its schema: reads their table only if it is a plain table.
 * Undefined without such a table; throws `NewerDatabase` for a step of a later version.
 */
export function notedSteps(
  db: DatabaseSync,
  found: readonly SchemaObject[],
  place: string,
): string[] | undefined {
  const table = found.find(({ name }) => name === 'kysely_migration');
  if (table?.type !== 'table' || !/^create table\b/i.test(table.sql ?? '')) return undefined;
  const steps = db
    .prepare('select name from kysely_migration order by name')
    .all()
    .map(({ name }) => String(name));
  const unknown = steps.find((name) => !(name in migrations));
  if (unknown)
    throw new NewerDatabase(
      `${place} was made by a newer version of cs (it has ${unknown}). Use that version.`,
    );
  return steps;
}

async function schemaAfter(steps: readonly string[]): Promise<SchemaObject[]> {
  const db = new Kysely<Tables>({ dialect: sqliteDialect({ file: ':memory:' }) });
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
/** White space makes no difference. */
const textOf = ({ sql: text }: SchemaObject): string => (text ?? '').replace(/\s+/g, ' ').trim();
