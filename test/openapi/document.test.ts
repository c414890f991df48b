import { describe, expect, test, vi } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import { walk } from '../../src/contract/operations.ts';
import { problems } from '../../src/contract/problems.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { expectDescribed } from '../helpers/described.ts';
import { testService } from '../helpers/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of any depth
type Json = any;
const document: Json = openApiDocument();
const described = [...walk(contract)].map((operation) => ({
  operation,
  found: document.paths[operation.path]?.[operation.method.toLowerCase()],
}));
const service = await testService();

const resolved = (value: Json): Json =>
  value.$ref
    ? value.$ref
        .slice(2)
        .split('/')
        .reduce((inner: Json, name: string) => inner[name], document)
    : value;

/** Every object in the document, with its path. */
function* objects(value: Json, path = '#'): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  yield [path, value];
  for (const [name, inner] of Object.entries(value)) yield* objects(inner, `${path}/${name}`);
}

test('the first serialization yields to other work after each operation', async () => {
  vi.resetModules();
  const { openApiText } = await import('../../src/openapi/document.ts');
  let turns = 0;
  const text = await openApiText(async () => {
    turns += 1;
  });
  expect(JSON.parse(text)).toEqual(document);
  expect(turns).toBeGreaterThan(described.length);
});

test('the service returns it without a key', async () => {
  const answer = await service.call('GET', '/openapi.json', undefined, null);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(document);
  expect(answer.body).toMatchObject({
    openapi: '3.1.0',
    info: { version: '1.1.0' },
    servers: [{ url: '/api/v1' }],
  });
});

test('it has exactly the operations of the contract, each with its source and scopes', () => {
  const ids = Object.values<object>(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(ids.sort()).toEqual(
    [...described.map(({ operation }) => operation.id), 'openapi.get'].sort(),
  );
  for (const { operation, found } of described) {
    expect(found, operation.id).toMatchObject({
      operationId: operation.id,
      'x-source': operation.source,
      'x-scopes': operation.scope,
    });
    expect(Object.keys(found.responses), operation.id).toContain(String(operation.success));
  }
});

test('every $ref has a target', () => {
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

test('all path and query parameters are described', () => {
  for (const { operation, found } of described) {
    const named = (where: string) =>
      found.parameters.filter((one: Json) => one.in === where).map((one: Json) => one.name);
    expect(named('path')).toEqual(operation.params);
    expect(named('query').sort()).toEqual(Object.keys(operation.queryText().shape).sort());
  }
});

test('every refusal of an operation is described with the error shape', () => {
  for (const { operation, found } of described) {
    for (const code of operation.problems ?? []) {
      const response = resolved(found.responses[problems[code].status]);
      expect(response.description, operation.id).toContain(`\`${code}\`: ${problems[code].about}`);
      expect(response['x-codes']).toContain(code);
      const { schema, examples } = response.content['application/json'];
      expect(schema).toEqual({ $ref: '#/components/schemas/Problem' });
      expect(resolved(examples[code]).value).toMatchObject({ code });
    }
  }
});

test('every schema has a source: the specification if it is the source of all its fields', () => {
  const schemas = Object.entries<Json>(document.components.schemas);
  expect(
    schemas
      .filter(([, schema]) => !['specification', 'decision'].includes(schema['x-source']))
      .map(([name]) => name),
  ).toEqual([]);
  const whole = schemas
    .filter(([, schema]) => schema['x-source'] === 'specification')
    .map(([name]) => name);
  expect(whole.sort()).toEqual(['Appointment', 'AppointmentCreate', 'Problem']);
});

test('no body has a default that generated clients would demand', () => {
  const bodies = Object.entries<Json>(document.components.schemas).filter(([name]) =>
    /(Create|Update)$/.test(name),
  );
  expect(bodies.length).toBeGreaterThan(30);
  // A schema, not the names of properties.
  const demanding = [...objects(Object.fromEntries(bodies))].filter(
    ([path, value]) => 'default' in value && !path.endsWith('properties'),
  );
  expect(demanding.map(([path]) => path)).toEqual([]);
  const { ParkingZoneCreate, CustomerUpdate, Customer } = document.components.schemas;
  expect(ParkingZoneCreate.properties.isActive).toMatchObject({
    description: expect.stringMatching(/ Default: `true`\.$/),
    'x-default': true,
  });
  expect(CustomerUpdate.properties.address.properties.city).toMatchObject({ 'x-default': null });
  // Answers carry every field.
  expect(Customer.properties.address.properties.city).toMatchObject({ default: null });
});

test('the example of a body is valid for its schema', () => {
  for (const { operation, found } of described.filter(({ operation: { body } }) => body)) {
    const [[, example]] = Object.entries<Json>(
      found.requestBody.content['application/json'].examples,
    ) as [[string, Json]];
    expect(
      operation.body?.().safeParse(resolved(example).value).error?.issues ?? [],
      operation.id,
    ).toEqual([]);
  }
});

test('all operations except the description require a key, in one of two headers', () => {
  for (const { operation, found } of described)
    expect(found.security, operation.id).toEqual([{ apiKey: [] }, { bearer: [] }]);
  expect(document.paths['/openapi.json'].get.security).toEqual([]);
});

test('patterns use only portable syntax', () => {
  const patterns = [...objects(document)]
    .map(([, { pattern }]) => pattern)
    .filter((pattern) => typeof pattern === 'string');
  expect(patterns.length).toBeGreaterThan(0);
  for (const pattern of patterns) expect(pattern).not.toMatch(/\\p\{|\(\?/);
});

describe('the check of every answer against the description', () => {
  const good = {
    status: 200,
    headers: new Headers({
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': '0192f0c1-0000-7000-8000-000000000000',
      'accept-preconditions': 'If-Parked-In',
    }),
    bytes: new Uint8Array(),
    body: resolved(
      document.paths['/cars/{id}'].get.responses[200].content['application/json'].examples.Car,
    ).value,
  };
  const expectCar = (changed: object) => expectDescribed('GET', '/cars/1', { ...good, ...changed });
  const withField = (field: object) => ({ body: { data: { ...good.body.data, ...field } } });

  test('accepts a correct answer', () => expectCar({}));
  test.each<[string, object]>([
    ['another status', { status: 201 }],
    ['no request id', { headers: new Headers({ 'content-type': 'application/json' }) }],
    [
      'another media type',
      {
        headers: new Headers({ ...Object.fromEntries(good.headers), 'content-type': 'text/html' }),
      },
    ],
    ['a field of another type', withField({ year: '1973' })],
    ['a time without a zone', withField({ createdAt: '2026-11-20T08:00:00' })],
    ['a missing field', withField({ notes: undefined })],
    ['an error in another shape', { status: 404, body: { message: 'Not found' } }],
    [
      'a code of another operation',
      { status: 422, body: { error: 'x', code: 'form_closed', details: null } },
    ],
  ])('notices %s', (_name, changed) => {
    expect(() => expectCar(changed)).toThrow();
  });
});
