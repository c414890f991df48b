/** What a new resource is easily left without: columns for its fields. */
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { contract } from '../../../src/contract/contract.ts';
import type { Resource } from '../../../src/contract/resource.ts';
import { onPostgres } from '../../helpers/postgres.ts';
import { startTestService } from '../../helpers/service.ts';

const service = await startTestService();
afterAll(() => service.close());
const { read } = service.admin.database;
const stored = Object.values<Resource>(contract).filter(
  ({ computed, singleton }) => !computed && !singleton,
);

test('every field of a record has a column', async () => {
  const columns = onPostgres
    ? sql<{
        name: string;
      }>`select "table_name" || '.' || "column_name" as "name" from information_schema.columns`
    : sql<{
        name: string;
      }>`select m."name" || '.' || c."name" as "name" from sqlite_master m join pragma_table_xinfo(m."name") c`;
  const names = new Set((await columns.execute(read)).rows.map(({ name }) => name));
  const missing = stored.flatMap(({ name, fields }) =>
    Object.entries(fields)
      .filter(([, field]) => field.read)
      .map(([field]) => `${name}.${field}`)
      .filter((column) => !names.has(column)),
  );
  expect(missing).toEqual([]);
});
