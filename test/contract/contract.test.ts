/** The contract is consistent, as its readers (service, client, command and description) expect. */
import { expect, test } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import { walk } from '../../src/contract/operations.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { updateSchema } from '../../src/contract/schemas.ts';
import { offenders } from '../helpers/offenders.ts';

const resources = Object.values<Resource>(contract);
const operations = [...walk(contract)];

test('every part has a description and a source', async () => {
  const found = await offenders(resources, ({ fields, filters = {}, operations: verbs }) => {
    for (const { about, source } of [fields, filters, verbs].flatMap((one) => Object.values(one))) {
      expect(about).toMatch(/^[A-Za-z].*[.]$/s);
      expect(['specification', 'decision']).toContain(source);
    }
  });
  expect(found).toEqual([]);
});

test('a PATCH keeps omitted fields: its schema has no defaults', () => {
  const changing = resources.filter((one) => Object.keys(updateSchema(one).parse({})).length > 0);
  expect(changing).toEqual([]);
});

test('no two operations have the same id, or the same method and path', () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(
    operations.length,
  );
});
