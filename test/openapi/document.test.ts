import { afterAll, expect, test } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import { walk } from '../../src/contract/operations.ts';
import { problems } from '../../src/contract/problems.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { startTestService } from '../helpers/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of any depth
type Json = any;
const document: Json = openApiDocument();
const described = [...walk(contract)].map((operation) => ({
  operation,
  found: document.paths[operation.path]?.[operation.method.toLowerCase()],
}));
const service = await startTestService();
afterAll(() => service.close());

/** Every object in the document, with the way to it. */
function* objects(value: Json, path = '#'): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  yield [path, value];
  for (const [name, inner] of Object.entries(value)) yield* objects(inner, `${path}/${name}`);
}

test('the service answers it to anyone', async () => {
  const answer = await service.call('GET', '/openapi.json', undefined, null);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(document);
  expect(answer.body).toMatchObject({ openapi: '3.1.0', info: { version: '1.1.0' }, servers: [{ url: '/api/v1' }] });
});

test('it is JSON, and nothing is lost in writing it down', () => {
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
});

test('every operation of the contract is there, none besides, each with its source and scopes', () => {
  const methods = Object.values<object>(document.paths).flatMap((path) => Object.keys(path));
  expect(methods.length).toBe(described.length);
  for (const { operation, found } of described) {
    expect(found, operation.id).toMatchObject({ operationId: operation.id, 'x-source': operation.source, 'x-scopes': operation.scope });
    expect(Object.keys(found.responses), operation.id).toContain(String(operation.success));
  }
  expect(new Set(described.map(({ found }) => found.operationId)).size).toBe(described.length);
});

test('every $ref leads somewhere', () => {
  const refs = [...objects(document)].filter(([, value]) => '$ref' in value);
  expect(refs.length).toBeGreaterThan(0);
  for (const [path, { $ref }] of refs) {
    const target = ($ref as string)
      .slice(2)
      .split('/')
      .reduce<Json>((at, name) => at?.[name], document);
    expect(target, `${path} → ${$ref}`).toBeDefined();
  }
});

test('Idempotency-Key is described on every POST and nowhere else', () => {
  for (const { operation, found } of described) {
    const names = found.parameters.map(({ name }: { name: string }) => name);
    expect(names.includes('Idempotency-Key'), operation.id).toBe(operation.method === 'POST');
  }
});

test('every parameter of a path is described, and those of the query', () => {
  for (const { operation, found } of described) {
    const named = (where: string) => found.parameters.filter((one: Json) => one.in === where).map((one: Json) => one.name);
    expect(named('path')).toEqual(operation.params);
    expect(named('query').sort()).toEqual(Object.keys(operation.queryText().shape).sort());
  }
});

test('every status that an operation can refuse with is described by the error shape', () => {
  for (const { operation, found } of described) {
    for (const code of operation.problems ?? []) {
      const response = found.responses[problems[code].status];
      expect(response.description, operation.id).toContain(`${code}:`);
      expect(response.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Problem' });
    }
  }
});

test('every field of a record says where it comes from and what it is', () => {
  for (const { operation } of described.filter(({ operation }) => operation.verb === 'get')) {
    const [, schema] = [...objects(document.components.schemas)].find(([, value]) => value.description === operation.resource.about) ?? [];
    expect(schema?.required, operation.id).toEqual(Object.keys(schema.properties));
    for (const property of Object.values<Json>(schema.properties)) {
      expect(['specification', 'decision']).toContain(property['x-source']);
      expect(property.description).toMatch(/\S/);
    }
  }
});
