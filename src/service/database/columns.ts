import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import { areCounted, countRecords } from './counts.ts';
import { rebuildTable } from './rebuild.ts';

/** The column types that the tables use, by what they hold. */
export const column = {
  id: 'text',
  text: 'text',
  integer: 'integer',
  /** ISO 8601 in UTC with milliseconds: the order of the texts is the order of the times. */
  timestamp: 'text',
  boolean: sql`boolean`,
  json: sql`json text`,
} as const;

type ColumnType = (typeof column)[keyof typeof column];
type Table = CreateTableBuilder<string, never>;

/** A column: its type, and `null` when it may be empty. */
export type ColumnSpec = ColumnType | { type: ColumnType; empty: true } | { type: ColumnType; as: RawBuilder<unknown> };

export const maybe = (type: ColumnType): ColumnSpec => ({ type, empty: true });
export const computed = (type: ColumnType, as: RawBuilder<unknown>): ColumnSpec => ({ type, as });

export interface TableSpec {
  name: string;
  columns: Record<string, ColumnSpec>;
  /** Column to the table it refers to. The key is (teamId, column), so that no reference can leave its team. */
  references?: Record<string, string>;
  checks?: Record<string, RawBuilder<unknown>>;
}

/** References of the tables that are being made, until all of these are there; by the transaction that makes them. */
const waiting = new WeakMap<object, (() => Promise<void>)[]>();

/** Lets tables refer to those that come after them, where a reference to a table that is not there yet is refused. */
export async function withLateReferences(db: Kysely<unknown>, makeTables: () => Promise<void>): Promise<void> {
  const late: (() => Promise<void>)[] = [];
  waiting.set(db, late);
  await makeTables();
  for (const add of late) await add();
}

/**
 * Creates the table of a resource: its own columns beside id, teamId, createdAt and updatedAt,
 * and the index in which lists are read.
 * References are checked at commit, since an event, its session and its assignment name each other.
 */
export async function createRecordTable(db: Kysely<unknown>, { name, columns, references = {}, checks = {} }: TableSpec): Promise<void> {
  let table = db.schema.createTable(name) as unknown as Table;
  const all: Record<string, ColumnSpec> = {
    id: column.id,
    teamId: column.id,
    ...columns,
    createdAt: column.timestamp,
    updatedAt: column.timestamp,
  };
  for (const [columnName, spec] of Object.entries(all)) {
    const { type, empty, as } =
      typeof spec === 'object' && 'type' in spec ? { empty: false, as: undefined, ...spec } : { type: spec, empty: false, as: undefined };
    table = table.addColumn(columnName as never, type as never, (builder) =>
      as ? builder.generatedAlwaysAs(as) : empty ? builder : builder.notNull(),
    ) as unknown as Table;
  }
  table = table.addPrimaryKeyConstraint(`${name}_key`, ['teamId', 'id'] as never) as unknown as Table;
  table = table.addForeignKeyConstraint(`${name}_teamId`, ['teamId'] as never, 'teams', ['id']) as unknown as Table;
  const late = waiting.get(db);
  for (const [columnName, target] of Object.entries(references)) {
    if (late) {
      late.push(() => addReference(db, name, columnName, target));
      continue;
    }
    table = table.addForeignKeyConstraint(`${name}_${columnName}`, ['teamId', columnName] as never, target, ['teamId', 'id'], (key) =>
      key.deferrable().initiallyDeferred(),
    ) as unknown as Table;
  }
  for (const [checkName, condition] of Object.entries(checks)) {
    table = table.addCheckConstraint(`${name}_${checkName}`, condition) as unknown as Table;
  }
  await table.execute();
  await db.schema.createIndex(`${name}_recent`).on(name).columns(['teamId', 'updatedAt desc', 'id desc']).execute();
  // Tables older than the counts were counted when these were made.
  if (await areCounted(db)) await countRecords(db, name);
}

/** Makes columns of a table that an earlier step made refer to a table that came after it. */
export async function addReferences(db: Kysely<unknown>, name: string, references: Record<string, string>): Promise<void> {
  const late = waiting.get(db);
  if (late) {
    for (const [column, target] of Object.entries(references)) late.push(() => addReference(db, name, column, target));
    return;
  }
  const constraints = Object.entries(references).map(
    ([column, target]) =>
      `constraint "${name}_${column}" foreign key ("teamId", "${column}") references "${target}" ("teamId", "id") deferrable initially deferred`,
  );
  await rebuildTable(db, name, constraints);
}

function addReference(db: Kysely<unknown>, name: string, column: string, target: string): Promise<void> {
  return db.schema
    .alterTable(name)
    .addForeignKeyConstraint(`${name}_${column}`, ['teamId', column], target, ['teamId', 'id'], (key) =>
      key.deferrable().initiallyDeferred(),
    )
    .execute();
}
