import { describe, expect, test } from 'vitest';
import {
  compareDescriptions,
  isDescription,
  isSame,
} from '../../../../src/cli/commands/doctor/drift.ts';
import type { Drift } from '../../../../src/cli/commands/doctor/shape.ts';
import { openApiDocument } from '../../../../src/openapi/document.ts';

type Json = Record<string, unknown>;
const json = (schema: Json) => ({ content: { 'application/json': { schema } } });
const object = (properties: Json, required: string[] = []): Json => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };
/** A description with one operation on `/cars`. */
const description = ({
  record = object({ id: text }),
  body,
  query,
  path = '/cars',
  method = 'post',
}: Partial<Record<'record' | 'body', Json>> & {
  query?: Json[];
  path?: string;
  method?: string;
}) => ({
  paths: {
    [path]: {
      [method]: {
        ...(query ? { parameters: query } : {}),
        ...(body ? { requestBody: json(body) } : {}),
        responses: { 201: json(object({ data: record })) },
      },
    },
  },
});
const nothing = { missingFields: [], unknownFields: [], requiredFields: [], types: [], values: [] };

test('our description equals itself after a round trip', () => {
  const document = openApiDocument();
  expect(isSame(compareDescriptions(document, JSON.parse(JSON.stringify(document))))).toBe(true);
});

describe('operations', () => {
  test('are compared by method and path, whatever the parameter names and the prefix', () => {
    const here = { paths: { '/cars/{id}': { get: {}, patch: {} }, '/cars': { get: {} } } };
    const there = {
      paths: { '/api/v1/cars/{carId}': { get: {}, delete: {} }, '/api/v1/cars/': { get: {} } },
    };
    expect(compareDescriptions(here, there)).toEqual({
      missingOperations: ['PATCH /cars/{id}'],
      unknownOperations: ['DELETE /cars/{carId}'],
      parts: [],
    });
  });
  test('that share a record share an entry', () => {
    const both = (record: Json) => ({
      paths: {
        '/cars': {
          get: { responses: { 200: json(object({ data: { type: 'array', items: record } })) } },
        },
        '/cars/{id}': { get: { responses: { 200: json(object({ data: record })) } } },
      },
    });
    const { parts } = compareDescriptions(
      both(object({ id: text, vin: text })),
      both(object({ id: text })),
    );
    expect(parts).toEqual([
      {
        ...nothing,
        operations: ['GET /cars', 'GET /cars/{id}'],
        part: 'record',
        missingFields: ['vin'],
      },
    ]);
  });
});

const rows: [
  string,
  Parameters<typeof description>[0],
  Parameters<typeof description>[0],
  Drift['parts'][number] | undefined,
][] = [
  [
    'a field more',
    { record: object({ id: text }) },
    { record: object({ id: text, color: text }) },
    { ...nothing, operations: [], part: 'record', unknownFields: ['color'] },
  ],
  [
    'fields of an object inside, the object alone when it is missing',
    { record: object({ address: object({ city: text, zip: text }), config: object({ a: text }) }) },
    { record: object({ address: object({ city: text }) }) },
    { ...nothing, operations: [], part: 'record', missingFields: ['address.zip', 'config'] },
  ],
  [
    'a body field that is required by the server',
    { body: object({ vin: text }) },
    { body: object({ vin: text }, ['vin']) },
    { ...nothing, operations: [], part: 'body', requiredFields: ['vin'] },
  ],
  [
    'a parameter less',
    { query: [{ name: 'q', in: 'query', schema: text }] },
    { query: [] },
    { ...nothing, operations: [], part: 'query', missingFields: ['q'] },
  ],
  [
    'a header is no parameter of the query',
    { query: [{ name: 'h', in: 'header', schema: text }] },
    { query: [] },
    undefined,
  ],
  [
    'values of a choice',
    { record: object({ status: { type: 'string', enum: ['a', 'b'] } }) },
    { record: object({ status: { type: ['string', 'null'], enum: ['b', 'c', null] } }) },
    {
      ...nothing,
      operations: [],
      part: 'record',
      values: [{ field: 'status', missing: ['a'], unknown: ['c'] }],
    },
  ],
  [
    'values of a list of choices',
    { record: object({ days: { type: 'array', items: { enum: [0, 1] } } }) },
    { record: object({ days: { type: 'array', items: { enum: [0] } } }) },
    {
      ...nothing,
      operations: [],
      part: 'record',
      values: [{ field: 'days', missing: ['1'], unknown: [] }],
    },
  ],
  [
    'another type',
    { record: object({ year: { type: 'integer' } }) },
    { record: object({ year: text }) },
    {
      ...nothing,
      operations: [],
      part: 'record',
      types: [{ field: 'year', here: 'integer', there: 'string' }],
    },
  ],
  [
    'a number where we say integer is none',
    { record: object({ year: { type: 'integer' } }) },
    { record: object({ year: { type: 'number' } }) },
    undefined,
  ],
  [
    'null or not is none',
    { record: object({ vin: { type: ['string', 'null'] } }) },
    { record: object({ vin: { anyOf: [text, { type: 'null' }] } }) },
    undefined,
  ],
  [
    'a record of which nothing is said',
    { record: object({ vin: text }) },
    { record: { type: 'object' } },
    undefined,
  ],
  [
    'put together from parts',
    { record: object({ id: text, vin: text }) },
    { record: { allOf: [object({ id: text }), object({ vin: text })] } },
    undefined,
  ],
];
test.each(rows)('%s', (_, here, there, part) => {
  const { parts } = compareDescriptions(description(here), description(there));
  expect(parts).toEqual(part ? [{ ...part, operations: ['POST /cars'] }] : []);
});

describe('odd documents', () => {
  test('follows references, also circular and dangling ones', () => {
    const there = {
      ...description({ record: { $ref: '#/components/schemas/Car' } }),
      components: {
        schemas: {
          Car: object({
            id: text,
            next: { $ref: '#/components/schemas/Car' },
            gone: { $ref: '#/nowhere' },
            self: { $ref: '#/components/schemas/Loop' },
          }),
          Loop: { $ref: '#/components/schemas/Loop' },
        },
      },
    };
    const { parts } = compareDescriptions(description({ record: object({ id: text }) }), there);
    expect(parts[0]?.unknownFields).toEqual(['next', 'gone', 'self']);
  });
  test.each([
    [null],
    ['text'],
    [[]],
    [{}],
    [{ paths: null }],
    [{ paths: { '/cars': null } }],
    [{ paths: { '/cars': { get: 'x', post: { responses: [] } } } }],
  ])('%j is compared without a failure', (document) => {
    expect(
      compareDescriptions(openApiDocument(), document).missingOperations.length,
    ).toBeGreaterThan(50);
  });
  test.each([
    [{}, false],
    [{ paths: {} }, false],
    [{ data: [] }, false],
    [null, false],
    [{ paths: { '/cars': {} } }, true],
  ])('%j describes an interface: %s', (document, is) => {
    expect(isDescription(document)).toBe(is);
  });
});
