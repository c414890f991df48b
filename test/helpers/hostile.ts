/** Hostile requests, mixed with ordinary ones: arbitraries for fast-check, derived from the contract. */

import { z } from 'zod';
import type { Operation } from '../../src/contract/operations.ts';
import type { Resource } from '../../src/contract/resource.ts';
import fc, { anyText } from './property.ts';

/** Ids of stored records by resource, for fields that refer to a record. */
export type KnownIds = ReadonlyMap<string, readonly string[]>;

export interface Hostile {
  readonly segments: readonly string[];
  readonly query: string;
  /** The raw body; undefined for operations without a body. */
  readonly body: string | undefined;
  readonly headers: Record<string, string>;
}

const deep = (open: string, inner: string, close: string, depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth);

/** JSON as text, since `JSON.stringify` can't produce all of it. */
const evil: readonly string[] = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '-0',
  '1e400',
  '-1e400',
  `1${'0'.repeat(400)}`,
  '9007199254740993',
  '2147483648',
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\ufeff\\u202e"',
  '"😀é́"',
  '"2026-02-30"',
  '"2026-02-30T00:00:00Z"',
  '"2026-11-20T24:00:00Z"',
  '"0001-01-01T00:00:00+23:59"',
  '"9998-12-31T23:59:59-23:59"',
  '"2026-11-20T08:00:00"',
  '"00000000-0000-0000-0000-000000000000"',
  `"'; drop table cars; --"`,
  '"%00%ff"',
  '"../../etc/passwd"',
  '"http://127.0.0.1/"',
  '"https://[::ffff:169.254.169.254]/"',
  '"constructor"',
  `"${'x'.repeat(20_000)}"`,
  '[]',
  '{}',
  '[null]',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"a":1,"a":2}',
  deep('[', '', ']', 5_000),
  deep('{"a":', '1', '}', 5_000),
  `[${Array(2_000).fill('"x"').join(',')}]`,
  `{${Array.from({ length: 500 }, (_, n) => `"k${n}":${n}`).join(',')}}`,
];

/** Path segments, percent-encoded. Without dot segments, because `fetch` removes them. */
const badSegments = [
  '%',
  '%zz',
  '%00',
  '%E0%A4%A',
  '%ff%fe',
  '..%2f..%2fetc',
  "'",
  '%F0%9F%9A%97',
  '0',
  'null',
  'undefined',
  '__proto__',
  'x'.repeat(3_000),
];
const badQueries = [
  '%',
  '%zz=1',
  'page=%00',
  '__proto__=1',
  'page=1&page=2',
  'page[]=1',
  'limit=1e2',
  'limit=-1',
  `ids=${'x,'.repeat(300)}`,
  '=',
  '&&&',
  'q=%ff',
  'a.b=1',
];

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Mostly valid values for a schema; invalid ones are useful tests, too. */
function valid(schema: z.ZodType, ids: readonly string[] | undefined): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodNullable)
    return fc.option(valid(schema.unwrap() as z.ZodType, ids), { freq: 6 });
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return valid(schema.unwrap() as z.ZodType, ids);
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber)
    return fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constantFrom(1886, 2026, 100_000));
  if (schema instanceof z.ZodArray)
    return fc.array(valid(schema.element as z.ZodType, ids), { maxLength: 3 });
  if (schema instanceof z.ZodObject) {
    return fc.record(
      Object.fromEntries(
        Object.entries(schema.shape).map(([name, inner]) => [
          name,
          valid(inner as z.ZodType, undefined),
        ]),
      ),
      { requiredKeys: [] },
    );
  }
  if (schema instanceof z.ZodGUID) return ids ? fc.constantFrom(...ids) : fc.uuid();
  if (schema instanceof z.ZodISODateTime) {
    return fc
      .date({ min: new Date('2025-01-01'), max: new Date('2028-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  const texts = [
    'drop_off',
    'some-text',
    'Europe/Berlin',
    'ada@example.com',
    'https://example.invalid/a.jpg',
    '+49 30 1',
    'A1',
    onePixel,
  ].filter((text) => schema.safeParse(text).success);
  const words = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => schema.safeParse(text).success);
  if (texts.length > 0)
    return fc.oneof(
      fc.constantFrom(...texts),
      texts.includes('some-text') ? words : fc.constantFrom(...texts),
    );
  return fc.jsonValue({ maxDepth: 2 });
}

const asText = (value: fc.Arbitrary<unknown>) => value.map((one) => JSON.stringify(one) ?? 'null');
const anything = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...evil) },
  { weight: 1, arbitrary: asText(fc.jsonValue()) },
);

/** Fields as `"name":value`: half of the bodies are plausible, the others have invalid values, unknown fields and repeated fields. */
function bodyOf(
  { fields }: Resource,
  verb: 'create' | 'update',
  known: KnownIds,
): fc.Arbitrary<string> {
  const given = Object.entries(fields).filter(([, field]) =>
    verb === 'create' ? field.create !== 'never' : field.update,
  );
  const object = (evilness: number, strays: fc.Arbitrary<string[]>) => {
    const parts = given.map(([name, { schema, references, create }]) => {
      const good = asText(valid(schema, references ? known.get(references) : undefined));
      const value = fc.oneof(
        { weight: 8, arbitrary: good },
        { weight: evilness, arbitrary: anything },
      );
      const needed = verb === 'create' && create === 'required';
      const part = value.map((text) => [`${JSON.stringify(name)}:${text}`]);
      return fc.oneof(
        { weight: needed ? 40 : 1, arbitrary: part },
        { weight: needed ? evilness : 2, arbitrary: fc.constant([]) },
      );
    });
    return fc.tuple(...parts, strays).map((all) => `{${all.flat().join(',')}}`);
  };
  const names = fc.constantFrom(
    '__proto__',
    'constructor',
    'id',
    'teamId',
    '',
    '\\u0000',
    '\\ud800',
    ...given.map(([name]) => name),
  );
  const stray = fc.tuple(names, anything).map(([name, text]) => `"${name}":${text}`);
  const bad = object(
    1,
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<string[]>([]) },
      { weight: 1, arbitrary: fc.array(stray, { maxLength: 2 }) },
    ),
  );
  const broken = bad.chain((text) =>
    fc.integer({ min: 0, max: text.length }).map((at) => text.slice(0, at)),
  );
  return fc.oneof(
    { weight: 8, arbitrary: object(0, fc.constant([])) },
    { weight: 6, arbitrary: bad },
    { weight: 1, arbitrary: broken },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: fc.string() },
  );
}

function queryOf(operation: Operation): fc.Arbitrary<string> {
  const names = [...Object.keys(operation.queryText().shape), 'nonsense'];
  const values = fc.oneof(
    fc.constantFrom(
      '1',
      '50',
      'true',
      'false',
      'x',
      '',
      '2026-01-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-01-01T00:00:00 01:00',
      crypto.randomUUID(),
    ),
    fc.constantFrom(...evil.filter((text) => text.length < 500)),
    anyText,
  );
  const pair = fc
    .tuple(fc.constantFrom(...names), values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  const pairs = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: pair },
      { weight: 1, arbitrary: fc.constantFrom(...badQueries) },
    ),
    {
      maxLength: 3,
    },
  );
  return pairs.map((all) => (all.length > 0 ? `?${all.join('&')}` : ''));
}

/** Requests for an operation; `ids` are the path ids of a record. */
export function hostileTo(
  operation: Operation,
  ids: readonly string[],
  known: KnownIds,
): fc.Arbitrary<Hostile> {
  const { resource, verb, params } = operation;
  const good = fc.constant(ids);
  const bad = fc.tuple(
    ...params.map((_, at) =>
      fc.oneof(fc.constant(ids[at] ?? ''), fc.uuid(), fc.constantFrom(...badSegments)),
    ),
  );
  const takesBody = verb === 'create' || verb === 'update';
  const headers = fc.record(
    {
      'idempotency-key': fc.constantFrom('a', 'b', ' ', 'x'.repeat(300)),
      'content-type': fc.constantFrom(
        'application/json; charset=utf-8',
        'text/plain',
        'multipart/form-data',
        ';',
      ),
    },
    { requiredKeys: [] },
  );
  return fc.record({
    segments: fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: bad }),
    query:
      verb === 'list'
        ? queryOf(operation)
        : fc.oneof(
            { weight: 8, arbitrary: fc.constant('') },
            { weight: 1, arbitrary: queryOf(operation) },
          ),
    body: takesBody ? bodyOf(resource, verb, known) : fc.constant(undefined),
    headers: takesBody
      ? fc.oneof({ weight: 12, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers })
      : fc.constant({}),
  });
}
