import { type Kysely, sql } from 'kysely';

/**
 * Gives an SQLite table more constraints, which it takes only when it is made: the table is made again with them, its rows and indexes as they were.
 * Others may refer to it, as long as their keys are checked at commit.
 */
export async function rebuildTable(db: Kysely<unknown>, name: string, constraints: readonly string[]): Promise<void> {
  const { rows } = await sql<{ type: string; text: string }>`
    select "type", "sql" as "text" from sqlite_master where "tbl_name" = ${name} and "sql" is not null`.execute(db);
  const table = rows.find(({ type }) => type === 'table');
  if (!table) throw new Error(`There is no table ${name}`);
  const [old, aside] = [sql.table(name), sql.table(`${name}_aside`)];
  await sql`create table ${aside} as select * from ${old}`.execute(db);
  await sql`drop table ${old}`.execute(db);
  await sql.raw(table.text.replace(/\)\s*$/, `, ${constraints.join(', ')})`)).execute(db);
  await sql`insert into ${old} select * from ${aside}`.execute(db);
  await sql`drop table ${aside}`.execute(db);
  for (const { type, text } of rows) if (type !== 'table') await sql.raw(text).execute(db);
}
