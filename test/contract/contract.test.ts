/** The contract is consistent, as its readers (service, client, command and description) expect. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import { walk } from '../../src/contract/operations.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { updateSchema } from '../../src/contract/schemas.ts';

const resources: [string, Resource][] = Object.entries(contract);
const operations = [...walk(contract)];

describe.each(resources)('%s', (_name, resource) => {
  test('every part has a description and a source', () => {
    const parts = [
      ...Object.values(resource.fields),
      ...Object.values(resource.filters ?? {}),
      ...Object.values(resource.operations),
    ];
    for (const { about, source } of parts) {
      expect(about).toMatch(/^[A-Za-z].*[.]$/s);
      expect(['specification', 'decision']).toContain(source);
    }
  });

  test('a PATCH keeps omitted fields: its schema has no defaults', () => {
    expect(updateSchema(resource).parse({})).toEqual({});
  });
});

test('no two operations have the same id, or the same method and path', () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(
    operations.length,
  );
});
