import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely';

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
  for (const [columnName, target] of Object.entries(references)) {
    table = table.addForeignKeyConstraint(`${name}_${columnName}`, ['teamId', columnName] as never, target, ['teamId', 'id'], (key) =>
      key.deferrable().initiallyDeferred(),
    ) as unknown as Table;
  }
  for (const [checkName, condition] of Object.entries(checks)) {
    table = table.addCheckConstraint(`${name}_${checkName}`, condition) as unknown as Table;
  }
  await table.execute();
  await db.schema.createIndex(`${name}_recent`).on(name).columns(['teamId', 'updatedAt desc', 'id desc']).execute();
}
