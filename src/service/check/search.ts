/** Whether what searches look in agrees with the records. */

import { searchedTables } from '../database/migrations/0016-search.ts';
import { column, keyLines, keysOf, quoted, textOf } from '../database/search/entry-sql.ts';
import type { SearchedTable } from '../database/search/search-index.ts';
import { entriesOf } from '../database/search/sqlite-search.ts';
import type { Question } from './consistency.ts';

const one = 'record that searches see otherwise than it is';
const many = 'records that searches see otherwise than they are';

export const searchQuestions = (database: 'sqlite' | 'postgres'): Question[] =>
  searchedTables.flatMap((table) =>
    (database === 'sqlite' ? inSqlite(table) : inPostgres(table)).map((sql) => ({ one, many, table: table.name, sql })),
  );

const differs = (table: SearchedTable) =>
  `e."text" is distinct from ${textOf(table, 'r')} or e."keys" is distinct from ${keyLines(table, 'r')}`;

function inSqlite(table: SearchedTable): string[] {
  const { name } = table;
  const scope = `s."teamId" = r."teamId" and s."table" = ${quoted(name)}`;
  const lost = keysOf(table, 'r').map(
    (key) =>
      `${key} is not null and not exists (select 1 from "searchKeys" k where k."scope" = s."scope" and k."key" = ${key} and k."entry" = e."entry")`,
  );
  return [
    `select r."id" from "${name}" r left join "searchScopes" s on ${scope}
      left join "searchEntries" e on e."id" = r."id" and ${entriesOf('+e."entry"', 's."scope"')} where ${[differs(table), ...lost].join(' or ')}`,
    `select e."id" from "searchScopes" s cross join "searchEntries" e on ${entriesOf('e."entry"', 's."scope"')}
      where s."table" = ${quoted(name)} and not exists (select 1 from "${name}" r where r."teamId" = s."teamId" and r."id" = e."id")`,
  ];
}

function inPostgres(table: SearchedTable): string[] {
  const { name } = table;
  const own = (row: string) =>
    `${column(row, 'teamId')} = r."teamId" and ${column(row, 'table')} = ${quoted(name)} and ${column(row, 'id')} = r."id"`;
  const lost = keysOf(table, 'r').map(
    (key) => `${key} is not null and not exists (select 1 from "searchKeys" k where ${own('k')} and k."key" = ${key})`,
  );
  return [
    `select r."id" from "${name}" r left join "searchEntries" e on ${own('e')} where ${[differs(table), ...lost].join(' or ')}`,
    `select e."id" from "searchEntries" e where e."table" = ${quoted(name)}
      and not exists (select 1 from "${name}" r where r."teamId" = e."teamId" and r."id" = e."id")`,
  ];
}
