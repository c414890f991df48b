/**
 * Search on SQLite: FTS5 with trigrams over the entries.
 *
 * The entries of one table of one team have a range of row numbers of their own, and FTS5 reads only that range: other teams slow no search down.
 * The index holds which entries have a trigram, without positions (`detail=none`, a third of the size).
 * A condition on the entry itself decides whether the trigrams follow each other.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { runAll } from '../create-tables.ts';
import {
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
import { afterAll } from '../search-text.ts';

/** Entries in a range, which begins at a multiple of it. Numbers up to 2^53 leave room for two million scopes. */
const rangeSize = 2 ** 32;

export async function createSqliteSearch(db: Kysely<unknown>): Promise<void> {
  const remove = `insert into "searchTrigrams" ("searchTrigrams", rowid, "text") values ('delete', old."entry", old."text")`;
  const add = `insert into "searchTrigrams" (rowid, "text") values (new."entry", new."text")`;
  await runAll(db, [
    `create table "searchScopes" ("scope" integer primary key, "teamId" text not null references "teams" ("id"), "table" text not null,
      unique ("teamId", "table"))`,
    `create table "searchEntries" ("entry" integer primary key, "id" text not null, "text" text not null, "keys" text not null)`,
    `create index "searchEntries_id" on "searchEntries" ("id")`,
    `create table "searchKeys" ("scope" integer not null, "key" text not null, "entry" integer not null,
      primary key ("scope", "key", "entry")) without rowid`,
    `create virtual table "searchTrigrams" using fts5 ("text", content = 'searchEntries', content_rowid = 'entry',
      tokenize = 'trigram case_sensitive 1', detail = none, columnsize = 0)`,
    `create trigger "searchEntries_added" after insert on "searchEntries" begin ${add}; end`,
    `create trigger "searchEntries_removed" after delete on "searchEntries" begin ${remove}; end`,
    `create trigger "searchEntries_changed" after update of "text" on "searchEntries" when old."text" <> new."text" begin ${remove}; ${add}; end`,
    ...searchedTables.flatMap(triggersOf),
  ]);
}

function triggersOf(table: SearchedTable): string[] {
  const { name } = table;
  const literal = quoted(name);
  const scopeOf = (row: string) =>
    `(select "scope" from "searchScopes" where "teamId" = ${column(row, 'teamId')} and "table" = ${literal})`;
  const entryOf = (row: string) =>
    `(select e."entry" from "searchScopes" s join "searchEntries" e on e."entry" between ${rangeOf('s."scope"')}
      where s."teamId" = ${column(row, 'teamId')} and s."table" = ${literal} and e."id" = ${column(row, 'id')})`;
  const addScope = `insert or ignore into "searchScopes" ("teamId", "table") values (new."teamId", ${literal})`;
  const addEntry = `insert into "searchEntries" ("entry", "id", "text", "keys")
    select coalesce((select "entry" from "searchEntries" where "entry" between ${rangeOf('s."scope"')} order by "entry" desc limit 1),
      s."scope" * ${rangeSize}) + 1, new."id", ${textOf(table, 'new')}, ${keyLines(table, 'new')}
    from "searchScopes" s where s."teamId" = new."teamId" and s."table" = ${literal}`;
  const addKeys = `insert into "searchKeys" select ${scopeOf('new')}, "key", ${entryOf('new')}
    from (${keysOf(table, 'new')
      .map((key) => `select ${key} as "key"`)
      .join(' union ')}) where "key" is not null`;
  const removeKeys = `delete from "searchKeys" where "scope" = ${scopeOf('old')} and "key" in (${keysOf(table, 'old').join(', ')})
    and "entry" = ${entryOf('old')}`;
  return [
    `create trigger "${name}_search_added" after insert on "${name}" begin ${addScope}; ${addEntry}; ${addKeys}; end`,
    `create trigger "${name}_search_removed" after delete on "${name}" begin
      ${removeKeys}; delete from "searchEntries" where "entry" = ${entryOf('old')}; end`,
    `create trigger "${name}_search_changed" after update of ${sources(table)
      .map((field) => `"${field}"`)
      .join(', ')} on "${name}"
      when ${isChanged(table)} begin ${removeKeys};
      update "searchEntries" set "text" = ${textOf(table, 'new')}, "keys" = ${keyLines(table, 'new')} where "entry" = ${entryOf('new')};
      ${addKeys}; end`,
  ];
}

/** Whether an entry is in a scope. */
export const entriesOf = (entry: string, scope: string): string =>
  `${entry} between ${rangeOf(scope)}`;

const rangeOf = (scope: string): string =>
  `${scope} * ${rangeSize} and ${scope} * ${rangeSize} + ${rangeSize - 1}`;

const scopeOf = ({ teamId, table }: SearchScope) =>
  sql`(select "scope" from "searchScopes" where "teamId" = ${teamId} and "table" = ${table})`;
const inScope = (number: RawBuilder<unknown>, scope: SearchScope) =>
  sql<boolean>`${number} between ${scopeOf(scope)} * ${sql.lit(rangeSize)} and ${scopeOf(scope)} * ${sql.lit(rangeSize)} + ${sql.lit(rangeSize - 1)}`;

export const sqliteSearch: SearchIndex = {
  holds: (field, part) => sql<boolean>`instr(e.${sql.ref(field)}, ${part}) > 0`,
  byKey: (scope, whole) =>
    sql`select e."id" as "foundId" from "searchKeys" k cross join "searchEntries" e
      where k."scope" = ${scopeOf(scope)} and k."key" = ${whole} and e."entry" = k."entry"`,
  byBeginning: (scope, beginning, condition, most) =>
    sql`select distinct e."id" as "foundId" from "searchKeys" k cross join "searchEntries" e
      where k."scope" = ${scopeOf(scope)} and k."key" >= ${beginning} and k."key" < ${afterAll(beginning)} and e."entry" = k."entry" and ${condition} limit ${most}`,
  byParts: (scope, { parts }, condition, most) =>
    sql`select e."id" as "foundId" from "searchTrigrams" t cross join "searchEntries" e
      where "searchTrigrams" match ${parts.map(trigramsOf).join(' OR ')} and ${inScope(sql`t.rowid`, scope)} and e."entry" = t.rowid and ${condition}
      limit ${most}`,
  countAll: (scope, condition) =>
    sql`select count(*) as "total" from "searchEntries" e where ${inScope(sql`e."entry"`, scope)} and ${condition}`,
  ofRow: (scope, condition) =>
    sql<boolean>`coalesce((select ${condition} from "searchEntries" e
      where e."id" = ${sql.ref(`${scope.table}.id`)} and ${inScope(sql`+e."entry"`, scope)}), false)`,
};

/** FTS5 takes everything within quotes literally. */
function trigramsOf(words: readonly string[]): string {
  const all = words.flatMap((word) => {
    const letters = [...word];
    return letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''));
  });
  return `(${[...new Set(all)].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')})`;
}
