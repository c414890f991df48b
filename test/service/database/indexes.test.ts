import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { contract } from '../../../src/contract/contract.ts';
import type { Resource } from '../../../src/contract/resource.ts';
import { references } from '../../../src/service/references.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService();

const question = service.database
  ? sql<{
      name: string;
      text: string;
    }>`select indexname as "name", indexdef as "text" from pg_indexes where schemaname = current_schema()`
  : sql<{
      name: string;
      text: string;
    }>`select "name", "sql" as "text" from sqlite_master where "type" = 'index' and "sql" is not null`;
const { rows: indexes } = await question.execute(service.admin.database.read);

test('every index is unique', () => {
  const groups = Map.groupBy(indexes, ({ name, text }) => text.replace(name, ''));
  const twice = [...groups.values()]
    .filter((same) => same.length > 1)
    .map((same) => same.map(({ name }) => name));
  expect(indexes.length).toBeGreaterThan(50);
  expect(twice).toEqual([]);
});

// Each create with a key deletes those that have ended: without the team in the index, it would read all of a day.
test('the ended answers to repeated requests are found by team and age', () => {
  expect(indexes.find(({ name }) => name === 'idempotencyRecords_age')?.text).toMatch(
    /\("?teamId"?, "?createdAt"?\)/,
  );
});

test('the contract declares every unique index of an externalId', () => {
  const held = indexes
    .filter(({ name, text }) => name.endsWith('_externalId') && /unique/i.test(text))
    .map(({ name }) => name);
  const declared = Object.values<Resource>(contract)
    .filter(({ unique = [] }) => unique.some(({ field }) => field === 'externalId'))
    .map(({ name }) => `${name}_externalId`);
  expect(declared.sort()).toEqual(held.sort());
});

test('every reference outside of JSON has a foreign key within the team', async () => {
  const keys = service.database
    ? sql<{
        name: string;
      }>`select c.conrelid::regclass || '.' || a.attname || ' ' || c.confrelid::regclass as "name"
        from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[2] where c.contype = 'f'`
    : sql<{ name: string }>`select m."name" || '.' || f."from" || ' ' || f."table" as "name"
        from sqlite_master m join pragma_foreign_key_list(m."name") f where m."type" = 'table' and f."seq" = 1`;
  const held = (await keys.execute(service.admin.database.read)).rows.map(({ name }) =>
    name.replaceAll('"', ''),
  );
  const named = references
    .filter(({ within }) => !within)
    .map(({ table, field, target }) => `${table}.${field} ${target}`);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !held.includes(name))).toEqual([]);
});
