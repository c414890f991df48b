/** What `import` reads equals what `export` wrote: any values in every field of every resource, as csv, xlsx and ndjson. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listableResources, resourceOf } from '../../../../src/cli/commands/bulk/resources.ts';
import { rowReader } from '../../../../src/cli/commands/import/columns.ts';
import { readRows } from '../../../../src/cli/commands/import/rows.ts';
import type { Resource } from '../../../../src/contract/resource.ts';
import { kindOf, shownFields } from '../../../../src/contract/schemas.ts';
import { cs } from '../../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import {
  json,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../../../helpers/misbehaving-server.ts';
import fc, { long } from '../../../helpers/property.ts';

type Row = Record<string, unknown>;

let server: MisbehavingServer;
let folder: string;
/** Of the list that is exported. */
let records: readonly Row[] = [];
let path = '';
const parentId = '00000000-0000-4000-8000-000000000001';
beforeAll(async () => {
  folder = await makeFolder();
  server = await startMisbehavingServer(({ url }) => {
    const { pathname } = new URL(url, 'http://localhost');
    const isList = pathname === `/api/v1${path}`;
    const data = isList ? records : [{ id: parentId, updatedAt: '2026-01-01T00:00:00.000Z' }];
    return json(200, { data, page: 1, limit: 200, total: data.length });
  });
});
afterAll(async () => {
  await server.close();
  await removeFolder(folder);
});

const text = fc
  .string({
    unit: fc.constantFrom(
      ...['a', 'B', '0', '1', ' ', '"', "'", '=', '+', '-', '@', ',', ';', '\t', '\n', '\\'],
      ...['é', '🚗', '\u2028', '_x0041_', '<', '&', '[', '{', 'true', '01', '1e5'],
    ),
    minLength: 1,
    maxLength: 12,
  })
  // A cell of spaces is empty.
  .filter((one) => one.trim() !== '');
const time = fc
  .integer({ min: Date.UTC(1970, 0), max: Date.UTC(2090, 0) })
  .map((at) => new Date(at).toISOString());

const valuesOf = (schema: Parameters<typeof kindOf>[0]): fc.Arbitrary<unknown> => {
  const kind = kindOf(schema);
  if (kind === 'boolean') return fc.boolean();
  if (kind === 'integer') return fc.integer();
  if (kind === 'timestamp') return time;
  const isList = kind === 'json' && 'element' in unwrapped(schema);
  return isList
    ? fc.array(text, { maxLength: 3 })
    : kind === 'json'
      ? fc.dictionary(fc.constantFrom('city', 'other'), text)
      : text;
};

// biome-ignore lint/suspicious/noExplicitAny: zod's wrappers
const unwrapped = (schema: any): object =>
  schema.unwrap && !('element' in schema) ? unwrapped(schema.unwrap()) : schema;

function recordsOf(resource: Resource) {
  const fields = Object.entries(shownFields(resource)).map(
    ([name, schema]) =>
      // Records below another one name it.
      [
        name,
        name === resource.parent?.field ? fc.constant(parentId) : fc.option(valuesOf(schema)),
      ] as const,
  );
  const fixed = { id: fc.uuid(), updatedAt: time, createdAt: time };
  return fc.uniqueArray(fc.record({ ...Object.fromEntries(fields), ...fixed }), {
    selector: ({ id }) => id,
    minLength: 4,
    maxLength: 8,
  });
}

test.each(listableResources)('%s', async (name) => {
  const resource = resourceOf(name);
  path = resource.path.replaceAll(/\{\w+\}/g, parentId);
  const own = Object.keys(resource.fields).filter((field) => resource.fields[field]?.read);
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(recordsOf(resource), async (some) => {
      records = some;
      for (const format of ['csv', 'xlsx', 'ndjson']) {
        const to = join(folder, `${name}-${format}-${runs++}`);
        const env = { CS_BASE_URL: server.url, CS_API_KEY: 'test-key' };
        const line = ['export', name, '--to', to, '-o', format];
        const { code, json: told, stderr } = await cs(line, { env });
        expect(code, stderr).toBe(0);
        const [{ file: written }] = told;
        const file = await readRows(await readFile(join('/', written)), { name: written });
        const read = rowReader(resource, file.header !== undefined);
        const found = file.rows.map((row) => {
          const values = file.read(row);
          return typeof values === 'string' ? values : read(values, new Date());
        });
        // An empty cell has no value.
        const isThere = (value: unknown) => value !== null && value !== undefined;
        const known = (row: unknown) =>
          Object.fromEntries(
            ['id', ...own].flatMap((field) => {
              const value = (row as Row)[field];
              return isThere(value) ? [[field, value]] : [];
            }),
          );
        expect(found.map(known), format).toEqual(some.map(known));
      }
    }),
    // Not shrunk, which would take minutes: the difference shows the field.
    { numRuns: long ? 25 : 1, endOnFailure: true },
  );
});
