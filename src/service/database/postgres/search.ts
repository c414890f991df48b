/**
 * Search on PostgreSQL: `pg_trgm` over the entries.
 *
 * Under row-level security, a request uses an index only with leakproof operators, and `like` isn't one.
 * So `find_entries` (postgres/functions.ts) reads the trigrams: it runs as the owner of the tables and adds the condition on the team itself.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { runAll } from '../create-tables.ts';
import {
  type Condition,
  column,
  isChanged,
  keyLines,
  keysOf,
  quoted,
  type SearchedTable,
  type SearchIndex,
  type SearchScope,
  searchedTables,
  sources,
  textOf,
} from '../search-index.ts';
import { afterAll, keyLine } from '../search-text.ts';

export async function createPostgresSearch(db: Kysely<unknown>): Promise<void> {
  const text = 'text collate "C" not null';
  await runAll(db, [
    `create table "searchEntries" ("teamId" uuid not null references "teams" ("id"), "table" ${text}, "id" uuid not null, "text" ${text}, "keys" ${text},
      constraint "searchEntries_key" primary key ("teamId", "table", "id"))`,
    `create table "searchKeys" ("teamId" uuid not null references "teams" ("id"), "table" ${text}, "key" ${text}, "id" uuid not null,
      constraint "searchKeys_key" primary key ("teamId", "table", "key", "id"))`,
    ...searchedTables.flatMap(triggersOf),
  ]);
}

/**
 * Creates the trigram index unless it exists. False where the extension can't be created; then searches read every text of the team.
 * Called at each start, since an administrator can create the extension at any time.
 */
export async function ensureTrigrams<T>(db: Kysely<T>): Promise<boolean> {
  const missing = sql<{
    missing: boolean;
  }>`select to_regclass('"searchEntries"') is not null and to_regclass('"searchEntries_trigrams"') is null as missing`;
  if (!(await missing.execute(db)).rows[0]?.missing) return true;
  return db.transaction().execute(async (transaction) => {
    // Several processes may start at once.
    await sql`lock table "searchEntries" in share row exclusive mode`.execute(transaction);
    if (!(await missing.execute(transaction)).rows[0]?.missing) return true;
    const trigrams = await findExtension(transaction, 'pg_trgm');
    if (!trigrams) return false;
    // With it, a search reads nothing of other teams.
    const columns = (await findExtension(transaction, 'btree_gin'))
      ? sql`"teamId", "table", `
      : sql``;
    await sql`create index "searchEntries_trigrams" on "searchEntries" using gin (${columns}"text" ${sql.id(trigrams, 'gin_trgm_ops')})`.execute(
      transaction,
    );
    return true;
  });
}

/** The schema of an extension. Creates the extension where that is allowed. */
async function findExtension<T>(db: Kysely<T>, name: string): Promise<string | undefined> {
  await sql`do $$ begin create extension if not exists ${sql.id(name)}; exception when others then null; end $$`.execute(
    db,
  );
  const { rows } = await sql<{
    schema: string;
  }>`select extnamespace::regnamespace::text as schema from pg_extension where extname = ${name}`.execute(
    db,
  );
  return rows[0]?.schema;
}

function triggersOf(table: SearchedTable): string[] {
  const { name } = table;
  const literal = quoted(name);
  const own = (row: string) =>
    `"teamId" = ${column(row, 'teamId')} and "table" = ${literal} and "id" = ${column(row, 'id')}`;
  const addEntry = `insert into "searchEntries" ("teamId", "table", "id", "text", "keys")
    values (new."teamId", ${literal}, new."id", ${textOf(table, 'new')}, ${keyLines(table, 'new')})`;
  const addKeys = `insert into "searchKeys" ("teamId", "table", "key", "id") select distinct new."teamId", ${literal}, k, new."id"
    from unnest(array[${keysOf(table, 'new').join(', ')}]) k where k is not null`;
  const removeKeys = `delete from "searchKeys" where ${own('old')} and "key" in (${keysOf(table, 'old').join(', ')})`;
  const trigger = (verb: string, when: string, body: string, condition = '') => [
    `create function "${name}_search_${verb}"() returns trigger language plpgsql as $$ begin ${body}; return null; end $$`,
    `create trigger "${name}_search_${verb}" after ${when} on "${name}" for each row ${condition} execute function "${name}_search_${verb}"()`,
  ];
  return [
    ...trigger('added', 'insert', `${addEntry}; ${addKeys}`),
    ...trigger(
      'removed',
      'delete',
      `${removeKeys}; delete from "searchEntries" where ${own('old')}`,
    ),
    ...trigger(
      'changed',
      `update of ${sources(table)
        .map((field) => `"${field}"`)
        .join(', ')}`,
      `${removeKeys}; update "searchEntries" set "text" = ${textOf(table, 'new')}, "keys" = ${keyLines(table, 'new')} where ${own('new')}; ${addKeys}`,
      `when (${isChanged(table)})`,
    ),
  ];
}

const inScope = (row: string, { teamId, table }: SearchScope) =>
  sql<boolean>`${sql.ref(`${row}.teamId`)} = ${teamId} and ${sql.ref(`${row}.table`)} = ${table}`;

export const postgresSearch: SearchIndex = {
  holds: (field, part) => sql<boolean>`strpos(e.${sql.ref(field)}, ${part}) > 0`,
  byKey: (scope, whole) =>
    sql`select k."id" as "foundId" from "searchKeys" k where ${inScope('k', scope)} and k."key" = ${whole}`,
  // A subquery looks each entry up by its id, whatever number of them the planner expects.
  byBeginning: (scope, beginning, condition, most) =>
    sql`select distinct k."id" as "foundId" from "searchKeys" k
      where ${inScope('k', scope)} and k."key" >= ${beginning} and k."key" < ${afterAll(beginning)} and ${ofId(scope, sql.ref('k.id'), condition)} limit ${most}`,
  byParts: (scope, { parts, whole }, _condition, most) =>
    sql`select f as "foundId"
      from find_entries(${scope.table}, ${JSON.stringify(parts.map((words) => words.map(pattern)))}, ${keyLine(whole)}, ${most}) f`,
  countAll: (scope, condition) =>
    sql`select count(*) as "total" from "searchEntries" e where ${inScope('e', scope)} and ${condition}`,
  ofRow: (scope, condition) => ofId(scope, sql.ref(`${scope.table}.id`), condition),
};

const ofId = (scope: SearchScope, id: RawBuilder<unknown>, condition: Condition) =>
  sql<boolean>`coalesce((select ${condition} from "searchEntries" e where ${inScope('e', scope)} and e."id" = ${id}), false)`;

/** The word as a pattern of `like`, with % and _ taken literally. */
const pattern = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;
