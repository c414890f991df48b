/** Bytes in a body become base64 within its JSON, in Node and elsewhere. */
import { describe, expect, test } from 'vitest';
import { encodeBody } from '../../src/client/body.ts';
import { base64Within as inNode } from '../../src/client/platform.ts';
import { base64Within as elsewhere } from '../../src/client/platform-fetch.ts';

const bytes = Uint8Array.from({ length: 100_001 }, (_, index) => (index * 7) % 256);
const base64 = Buffer.from(bytes).toString('base64');
const textOf = (body: string | Uint8Array) =>
  typeof body === 'string' ? body : Buffer.from(body).toString();

test.each<[string, Record<string, unknown>]>([
  ['beside other fields', { sessionId: 'one', filename: 'Käfer "rot" 🚗.jpg', base64: bytes }],
  ['before other fields', { base64: bytes, filename: 'a.jpg' }],
  ['beside fields without a value', { sessionId: undefined, base64: bytes }],
  ['alone', { 'ima"ge': bytes }],
  ['of a part of a buffer, and empty', { base64: new Uint8Array(bytes.buffer, 3, 0) }],
])('bytes %s', (_name, body) => {
  const encoded = encodeBody(body);
  const expected = Object.entries(body).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  ]);
  expect(encoded).toBeInstanceOf(Uint8Array);
  expect(JSON.parse(textOf(encoded))).toEqual(
    JSON.parse(JSON.stringify(Object.fromEntries(expected))),
  );
});

test('a body without bytes is JSON as a text', () => {
  for (const body of [{ year: 1973, notes: null }, ['a'], 'text', null])
    expect(encodeBody(body)).toBe(JSON.stringify(body));
});

describe('base64 within a text', () => {
  test.each([
    ['in Node', inNode],
    ['elsewhere', elsewhere],
  ])('%s', (_name, base64Within) => {
    expect(textOf(base64Within('ä"', bytes, '"ö'))).toBe(`ä"${base64}"ö`);
  });
});
