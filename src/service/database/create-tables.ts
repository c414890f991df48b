/** Creates tables on either database from a description of them. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Column types by content.
 *
 * Text on PostgreSQL is ordered by its bytes, so that times and names sort as on SQLite, whatever the database's language is.
 * Times stay text (ISO 8601 in UTC with milliseconds): they are stored, compared and answered in one form on both databases.
 * JSON is `json`, not `jsonb`, which reorders keys: the answer is what was sent, and a PATCH to the same value changes nothing.
 */
const types = {
  id: { sqlite: 'text', postgres: 'uuid' },
  text: { sqlite: 'text', postgres: 'text collate "C"' },
  /** One of a few words, such as a status. */
  choice: { sqlite: 'text', postgres: 'text collate "C"' },
  timestamp: { sqlite: 'text', postgres: 'text collate "C"' },
  integer: { sqlite: 'integer', postgres: 'bigint' },
  boolean: { sqlite: 'boolean', postgres: 'boolean' },
  json: { sqlite: 'json text', postgres: 'json' },
} as const;

type ColumnType = keyof typeof types;

export interface ColumnSpec<Value = unknown> {
  readonly type: ColumnType;
  readonly nullable?: true;
  /** The database computes it with this expression. */
  readonly as?: string;
  /** What its values are, for the type of a row (tables.ts). Never set. */
  readonly value?: Value;
}

interface Values {
  id: string;
  text: string;
  choice: string;
  timestamp: string;
  integer: number;
  boolean: boolean;
  json: unknown;
}

export const maybe = <T extends ColumnType>(type: T): ColumnSpec<Values[T] | null> => ({
  type,
  nullable: true,
});
export const computed = (type: ColumnType, as: string): ColumnSpec => ({ type, as });
/** A column with values of a narrower type: one of some words, or JSON. */
export const of = <Value>(type: 'choice' | 'text' | 'json'): ColumnSpec<Value> => ({ type });

/** A row of a table, from the description of its columns. */
export type RowOf<Columns> = {
  -readonly [N in keyof Columns]: Columns[N] extends ColumnType
    ? Values[Columns[N]]
    : Columns[N] extends ColumnSpec<infer Value>
      ? Value
      : never;
};

export interface IndexSpec {
  /** Names of columns, or expressions; the team goes before them. */
  readonly columns: readonly string[];
  readonly unique?: true;
  /** Columns that the index stores without ordering by them. PostgreSQL only. */
  readonly include?: readonly string[];
  /** Only rows that meet this condition are in the index. */
  readonly where?: string;
  /** For queries that name no team. */
  readonly acrossTeams?: true;
}

export interface TableSpec {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType | ColumnSpec>>;
  readonly primaryKey: readonly string[];
  /** Column to the table that it refers to. The key is (teamId, column): no reference can leave its team. */
  readonly references?: Readonly<Record<string, string>>;
  readonly checks?: Readonly<Record<string, string>>;
  /** Each gets an index: the order of its lists, such as `updatedAt`, and the filtered columns. */
  readonly orderAndFilters?: readonly string[];
  /** Other indexes, by the end of their names. */
  readonly indexes?: Readonly<Record<string, IndexSpec>>;
  /** Triggers keep the number of each team's rows in `recordCounts`. */
  readonly isCounted?: true;
}

/** The table of a record: its own columns and those that every record has. */
export const recordTable = <const N extends string, const C extends TableSpec['columns']>({
  columns,
  ...spec
}: Omit<TableSpec, 'name' | 'columns' | 'primaryKey' | 'isCounted'> & { name: N; columns: C }) => ({
  ...spec,
  columns: {
    id: 'id' as const,
    teamId: 'id' as const,
    ...columns,
    createdAt: 'timestamp' as const,
    updatedAt: 'timestamp' as const,
  },
  primaryKey: ['teamId', 'id'],
  isCounted: true as const,
});

type DatabaseKind = 'sqlite' | 'postgres';
export const databaseKind = <T>(db: Kysely<T>): DatabaseKind =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';

/** Creates tables that refer to each other in any order. */
export async function createTables(
  db: Kysely<unknown>,
  tables: readonly TableSpec[],
): Promise<void> {
  const kind = databaseKind(db);
  await runAll(
    db,
    tables.map((table) => tableText(table, kind)),
  );
  for (const table of tables) {
    // SQLite takes references only with the table itself, PostgreSQL only to tables that exist.
    if (kind === 'postgres')
      await runAll(
        db,
        referencesOf(table).map((reference) => `alter table "${table.name}" add ${reference}`),
      );
    await runAll(db, indexesOf(table, kind));
    if (table.isCounted) await runAll(db, countingTriggers(table.name, kind));
  }
}

export async function runAll(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

function tableText(table: TableSpec, kind: DatabaseKind): string {
  const columns = Object.keys(table.columns).map((name) => {
    const { type, nullable, as } = columnOf(table, name);
    const rest = as
      ? ` generated always as (${as}) ${kind === 'postgres' ? 'stored' : 'virtual'}`
      : nullable
        ? ''
        : ' not null';
    return `"${name}" ${types[type][kind]}${rest}`;
  });
  const checks = Object.entries(table.checks ?? {}).map(
    ([name, condition]) => `constraint "${table.name}_${name}" check (${condition})`,
  );
  const key = `constraint "${table.name}_key" primary key (${table.primaryKey.map((name) => `"${name}"`).join(', ')})`;
  const references = kind === 'sqlite' ? referencesOf(table) : [];
  return `create table "${table.name}" (${[...columns, key, ...checks, ...references].join(', ')})`;
}

const columnOf = ({ columns }: TableSpec, name: string): ColumnSpec => {
  const column = columns[name];
  return typeof column === 'string' ? { type: column } : (column as ColumnSpec);
};

/** Checked at commit, since an event, its session and its assignment refer to each other. */
function referencesOf({ name, columns, references = {} }: TableSpec): string[] {
  const team =
    'teamId' in columns
      ? [`constraint "${name}_teamId" foreign key ("teamId") references "teams" ("id")`]
      : [];
  const others = Object.entries(references).map(
    ([column, target]) =>
      `constraint "${name}_${column}" foreign key ("teamId", "${column}") references "${target}" ("teamId", "id") deferrable initially deferred`,
  );
  return [...team, ...others];
}

/**
 * Indexes are ascending, also where lists are descending: both databases read them in either direction,
 * but split a page in half for each new entry that comes before all others.
 */
function indexesOf(table: TableSpec, kind: DatabaseKind): string[] {
  const { name, columns, orderAndFilters = [], indexes = {} } = table;
  const create = (
    suffix: string,
    { columns: given, unique, include = [], where, acrossTeams }: IndexSpec,
  ): string => {
    const [first = ''] = given;
    // On PostgreSQL an id is enough: it belongs to one team. SQLite prefers the index with the most columns to compare, so it needs the team too.
    const isOfTeam =
      kind === 'postgres' && first in columns && columnOf(table, first).type === 'id';
    const all = acrossTeams || isOfTeam ? given : ['teamId', ...given];
    const list = all.map((column) => (column in columns ? `"${column}"` : column)).join(', ');
    const included =
      include.length > 0 ? ` include (${include.map((column) => `"${column}"`).join(', ')})` : '';
    return `create ${unique ? 'unique ' : ''}index "${name}_${suffix}" on "${name}" (${list})${included}${where ? ` where ${where}` : ''}`;
  };
  return [
    ...orderAndFilters.map((column) => create(column, listIndex(table, column, kind))),
    ...Object.entries(indexes).map(([suffix, spec]) => create(suffix, spec)),
  ];
}

/**
 * The index of a list's order or of a filter. On SQLite the index of a filter also holds the order of the list; without it, SQLite would
 * read the whole list in its order.
 * PostgreSQL knows how many rows have a value, and decides between sorting these rows and reading the list.
 * So its index needs no order: it stores each value once, in a tenth of the space, and counts the rows faster.
 * Many rows have the same choice. The index of the order includes it, so that a page in the middle reads this index alone.
 */
function listIndex(table: TableSpec, column: string, kind: DatabaseKind): IndexSpec {
  if (column === 'updatedAt') {
    const choices = (table.orderAndFilters ?? []).filter(
      (filter) => columnOf(table, filter).type === 'choice',
    );
    return { columns: ['updatedAt', 'id'], include: kind === 'postgres' ? choices : [] };
  }
  const { type, nullable } = columnOf(table, column);
  const where = nullable ? `"${column}" is not null` : undefined;
  if (kind === 'sqlite') return { columns: [column, 'updatedAt', 'id'], where };
  // The team last: PostgreSQL would use an index that begins with it for other queries of a table that it hasn't analyzed yet.
  return { columns: type === 'id' ? [column] : [column, 'teamId'], where, acrossTeams: true };
}

/** Also for rows that are added or removed by hand. */
function countingTriggers(name: string, kind: DatabaseKind): string[] {
  if (kind === 'postgres')
    // Once for each statement, however many rows it has. `count_rows` is created in postgres/functions.ts.
    return [
      `create trigger "${name}_added" after insert on "${name}" referencing new table as changed for each statement execute function count_rows('1')`,
      `create trigger "${name}_removed" after delete on "${name}" referencing old table as changed for each statement execute function count_rows('-1')`,
    ];
  return [
    `create trigger "${name}_added" after insert on "${name}" begin
      insert into "recordCounts" values (new."teamId", '${name}', 1) on conflict do update set "count" = "count" + 1;
    end`,
    `create trigger "${name}_removed" after delete on "${name}" begin
      update "recordCounts" set "count" = "count" - 1 where "teamId" = old."teamId" and "table" = '${name}';
    end`,
  ];
}
