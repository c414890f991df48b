/** The contract is consistent, as its readers (service, client, command and description) expect. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { contract } from '../../src/contract/contract.ts';
import { operationsOf, walk } from '../../src/contract/operations.ts';
import { problems } from '../../src/contract/problems.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { createSchema, kindOf, shownFields, updateSchema } from '../../src/contract/schemas.ts';
import { missingScope, scopes } from '../../src/contract/scopes.ts';

const resources: [string, Resource][] = Object.entries(contract);
const operations = [...walk(contract)];

describe.each(resources)('%s', (key, resource) => {
  const own = Object.entries(resource.fields);
  const shown = Object.keys(shownFields(resource));

  test('its name is its key in the contract', () => {
    expect(resource.name).toBe(key);
    expect(resource.path).toMatch(/^(\/[a-z-]+)+(\/\{id\}(\/[a-z-]+)+)?$/);
  });

  const references = own.flatMap(([, { references, innerReferences = {} }]) => [
    references,
    ...Object.values(innerReferences),
  ]);
  const referenced = [...references, resource.parent?.resource].filter(
    (name) => name !== undefined,
  );
  if (referenced.length > 0) {
    test('references and parents name resources', () => {
      for (const name of referenced) expect(contract).toHaveProperty(name);
      if (resource.parent) expect(shown).toContain(resource.parent.field);
    });
  }

  const compared = [
    ...Object.values(resource.filters ?? {}).flatMap((filter) =>
      'field' in filter ? filter.field : 'fields' in filter ? filter.fields : [],
    ),
    ...(resource.unique ?? []).flatMap(({ field, within = field, unless }) => [
      field,
      within,
      unless?.field ?? field,
    ]),
  ];
  if (compared.length > 0) {
    test('filters and unique values name fields of the record', () => {
      expect(shown).toEqual(expect.arrayContaining(compared));
    });
  }

  test('every part has a description and a source', () => {
    const parts = [
      ...own.map(([, field]) => field),
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

  test('an omitted field of a create is null or has a valid default', () => {
    const left = own.filter(
      ([, field]) => field.create === 'optional' && field.read && field.initial !== undefined,
    );
    for (const [name, field] of left)
      expect(field.schema.safeParse(field.initial).success, name).toBe(true);
    expect(() => createSchema(resource)).not.toThrow();
  });

  test('records are JSON: their schemas can be converted to JSON Schema', () => {
    for (const schema of Object.values(shownFields(resource))) {
      expect(() => z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })).not.toThrow();
      expect(['boolean', 'integer', 'timestamp', 'json', 'text']).toContain(kindOf(schema));
    }
  });
});

test('no two operations have the same id, or the same method and path', () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(
    operations.length,
  );
});

test('scopes and codes exist, without duplicate codes', () => {
  for (const { id, scope, bodyScope, problems: codes = [], body, resource } of operations) {
    const asked = 'all' in scope ? scope.all : 'any' in scope ? scope.any : [];
    for (const one of [...asked, ...(bodyScope ? [bodyScope.scope] : [])])
      expect(scopes, id).toContain(one);
    for (const code of codes) expect(problems, id).toHaveProperty(code);
    expect(new Set(codes).size, id).toBe(codes.length);
    if (bodyScope)
      for (const field of bodyScope.fields)
        expect(Object.keys(body?.().shape ?? {}), id).toContain(field);
    expect(resource.operations).toBeDefined();
  }
});

test('the walker: the verbs of a resource with their methods and paths', () => {
  const shape = (resource: Resource) =>
    [...operationsOf(resource)].map(({ method, path, success }) => `${method} ${path} ${success}`);
  expect(shape(contract.me)).toEqual(['GET /me 200']);
  expect(shape(contract.locations)).toEqual([
    'GET /locations 200',
    'GET /locations/{id} 200',
    'POST /locations 201',
    'PATCH /locations/{id} 200',
    'DELETE /locations/{id} 200',
  ]);
  expect(shape(contract.carPhotos)).toEqual([
    'GET /cars/{id}/photos 200',
    'GET /cars/{id}/photos/{photoId} 200',
    'POST /cars/{id}/photos 201',
    'DELETE /cars/{id}/photos/{photoId} 200',
    'GET /cars/{id}/photos/{photoId}/content 200',
  ]);
});

test('missingScope returns the scope to report', () => {
  const held = new Set(['read:cars', 'write:parking']);
  expect(missingScope({ all: ['read:cars', 'write:cars'] }, held)).toBe('write:cars');
  expect(missingScope({ all: ['read:cars', 'write:parking'] }, held)).toBeUndefined();
  expect(missingScope({ any: ['read:appointments', 'read:cars'] }, held)).toBeUndefined();
  expect(missingScope({ any: ['read:forms', 'write:forms'] }, held)).toBe('read:forms');
  expect(missingScope({ none: true }, new Set())).toBeUndefined();
});
