import { expect, test } from 'vitest';
import { z } from 'zod';
import { check } from '../../src/contract/check.ts';
import * as fields from '../../src/contract/fields.ts';
import { querySchema } from '../../src/contract/schemas.ts';

const said = (schema: z.ZodType, value: unknown): unknown => {
  const result = check(schema, value);
  return 'issues' in result ? result.issues.map(({ message }) => message) : result.value;
};

test.each<[string, z.ZodType, unknown, unknown]>([
  [
    '__proto__ where any key may be',
    z.looseObject({}),
    JSON.parse('{"a":[{"__proto__":1}],"__proto__":1}'),
    ['is unknown', 'is unknown'],
  ],
  [
    '__proto__ where it would be told anyway',
    z.strictObject({}),
    JSON.parse('{"__proto__":1}'),
    ['is unknown'],
  ],
  ['a text', fields.name, 5, ['must be text']],
  ['an empty text', fields.name, '  ', ['must not be empty']],
  ['a long text', fields.phone, '1'.repeat(33), ['must have at most 32 characters']],
  ['a text with space around', fields.name, ' a ', 'a'],
  [
    'a text with U+0000',
    fields.notes,
    '\0',
    ['must not contain U+0000 or half of a surrogate pair'],
  ],
  [
    'a text with half a pair',
    fields.notes,
    '\udc00',
    ['must not contain U+0000 or half of a surrogate pair'],
  ],
  ['a text with a whole pair', fields.notes, '🚗', '🚗'],
  ['a whole number', fields.count, 1.5, ['must be a whole number']],
  ['a number', fields.count, '1', ['must be a number']],
  ['a number too small', fields.count, -1, ['must be at least 0']],
  ['a choice', z.enum(['a', 'b']), 'c', ['must be one of a, b']],
  ['a choice that is missing', z.enum(['a', 'b']), undefined, ['is required']],
  ['a date', z.iso.date(), '2026-02-30', ['must be a date such as 2026-11-20']],
  ['one choice', z.literal('a'), 'c', ['must be a']],
  ['a uuid', fields.id, 'x', ['must be a uuid']],
  [
    'a uuid of any version, in upper case',
    fields.id,
    'F47AC10B-58CC-4372-A567-0E02B2C3D479',
    'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  ],
  [
    'null as a time',
    fields.timestamp,
    null,
    ['must be an ISO 8601 time with an offset, such as 2026-11-20T09:00:00+01:00'],
  ],
  ['a time that is missing', fields.timestamp, undefined, ['is required']],
  [
    'a time',
    fields.timestamp,
    '2026-01-01',
    ['must be an ISO 8601 time with an offset, such as 2026-11-20T09:00:00+01:00'],
  ],
  [
    'a year outside the sortable range',
    fields.timestamp,
    '9999-12-31T23:59:59-01:00',
    ['must be in the years 0001 to 9998'],
  ],
  [
    'a year that its offset moves after the range',
    fields.timestamp,
    '9998-12-31T23:59:59-00:01',
    ['must be in the years 0001 to 9998'],
  ],
  [
    'a year that its offset moves before the range',
    fields.timestamp,
    '0001-01-01T00:00:00+00:01',
    ['must be in the years 0001 to 9998'],
  ],
  ['an e-mail address', fields.email, 'ada@', ['must be an e-mail address']],
  [
    'an address',
    fields.url,
    'photo.jpg',
    ['must be an address such as https://example.com/photo.jpg'],
  ],
  [
    'a slug',
    fields.slug,
    'Drop-off',
    ['must be lower-case letters, digits and _, starting with a letter'],
  ],
  ['a list too long', z.array(z.int()).max(1), [1, 2], ['must have at most 1 entries']],
  ['true or false', z.boolean(), 'true', ['must be true or false']],
])('%s', (_name, schema, value, expected) => {
  expect(said(schema, value)).toEqual(expected);
});

test('all issues are reported together, each with its path', () => {
  const schema = z.strictObject({ a: z.string(), b: z.strictObject({ c: z.array(z.int()) }) });
  expect(check(schema, { b: { c: [1, 'x'], d: 1 }, id: 1, e: 1 }, new Set(['id', 'd']))).toEqual({
    issues: expect.arrayContaining([
      { path: 'a', rule: 'required', message: 'is required' },
      { path: 'b.c.1', rule: 'invalid_type', message: 'must be a number' },
      { path: 'b.d', rule: 'unknown', message: 'is unknown' },
      { path: 'id', rule: 'read_only', message: 'is read-only' },
      { path: 'e', rule: 'unknown', message: 'is unknown' },
    ]),
  });
});

test('the text of a query is converted to values', () => {
  const about = '';
  const schema = querySchema({
    page: { schema: z.int().min(1), about },
    free: { schema: z.boolean(), about },
    since: { schema: fields.timestamp, about },
    ids: { schema: z.array(fields.id), about },
    q: { schema: fields.text(5), about },
  } as never);
  const id = '01890000-0000-7000-8000-000000000000';
  expect(
    check(schema, {
      page: '2',
      free: 'false',
      since: '2026-01-01T00:00:00 01:00',
      ids: `${id}, ${id}`,
      q: '7',
    }),
  ).toEqual({
    value: { page: 2, free: false, since: '2026-01-01T00:00:00+01:00', ids: [id, id], q: '7' },
  });
  expect(check(schema, {})).toEqual({ value: {} });
  for (const wrong of [
    { page: '1e3' },
    { page: '0x10' },
    { page: ' 1' },
    { page: '0' },
    { free: 'yes' },
    { free: '' },
    { ids: '' },
    { q: ['a'] },
  ]) {
    expect(check(schema, wrong)).toHaveProperty('issues');
  }
});
