/**
 * How many rows each team has in each table of records, so that a list tells its exact total without counting.
 * Triggers keep it, in the transaction of whatever adds or removes rows: no writer can forget it, one by hand neither.
 */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function createCounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('recordCounts')
    .addColumn('teamId', 'text', (team) => team.notNull().references('teams.id'))
    .addColumn('table', 'text', (table) => table.notNull())
    .addColumn('count', 'integer', (count) => count.notNull())
    .addPrimaryKeyConstraint('recordCounts_key', ['teamId', 'table'])
    .execute();
}

/** Counts the rows of a table from now on, those that it has included. */
export async function countRecords(db: Kysely<unknown>, name: string): Promise<void> {
  const table = sql.table(name);
  const literal = sql.lit(name);
  await sql`insert into "recordCounts" select "teamId", ${literal}, count(*) from ${table} group by "teamId"`.execute(db);
  const [added, removed] = [sql.id(`${name}_added`), sql.id(`${name}_removed`)];
  if (isPostgres(db)) {
    // Once a statement, however many rows it has; count_rows is made in postgres/functions.ts.
    await sql`create trigger ${added} after insert on ${table} referencing new table as changed for each statement execute function count_rows('1')`.execute(
      db,
    );
    await sql`create trigger ${removed} after delete on ${table} referencing old table as changed for each statement execute function count_rows('-1')`.execute(
      db,
    );
    return;
  }
  await sql`create trigger ${added} after insert on ${table} begin
    insert into "recordCounts" values (new."teamId", ${literal}, 1) on conflict do update set "count" = "count" + 1;
  end`.execute(db);
  await sql`create trigger ${removed} after delete on ${table} begin
    update "recordCounts" set "count" = "count" - 1 where "teamId" = old."teamId" and "table" = ${literal};
  end`.execute(db);
}

/** Whether the step that began counting was done. */
export async function areCounted(db: Kysely<unknown>): Promise<boolean> {
  const found = isPostgres(db)
    ? sql`to_regclass('"recordCounts"') is not null`
    : sql`exists (select 1 from sqlite_master where name = 'recordCounts')`;
  const { rows } = await sql<{ found: unknown }>`select ${found} as found`.execute(db);
  return Boolean(rows[0]?.found);
}

const isPostgres = (db: Kysely<unknown>): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/** The tables of records that are there. */
export async function recordTables(db: Kysely<unknown>): Promise<string[]> {
  const tables = await db.introspection.getTables();
  const stored = ['id', 'teamId', 'createdAt', 'updatedAt'];
  return tables.filter(({ columns }) => stored.every((field) => columns.some(({ name }) => name === field))).map(({ name }) => name);
}
