/** Messages of PostgreSQL, however they are cut on their way: marked results become one row of JSON, all else stays as it is. */
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { jsonRows, Rewriter } from '../../../src/service/database/postgres/json-rows.ts';

const { TEXT, BOOL, INT8, JSON: JSON_TEXT } = pg.types.builtins;

function message(letter: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([Buffer.from(letter), int32(body.length + 4), body]);
}
function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}
function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
const column = (name: string, type: number, size: number, modifier: number) =>
  Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(type), int16(size), int32(modifier), int16(0)]);
const described = (columns: [name: string, type: number][]) =>
  message('T', int16(columns.length), ...columns.map(([name, type]) => column(name, type, -1, -1)));
const row = (...values: (string | null)[]) =>
  message(
    'D',
    int16(values.length),
    ...values.flatMap((value) => (value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), value])),
  );

const columns: [string, number][] = [
  ['id', TEXT],
  ['a "name"', TEXT],
  ['count', INT8],
  ['isActive', BOOL],
  ['tags', JSON_TEXT],
];
const marked = described([...columns, [jsonRows, TEXT]]);
const plain = described(columns);
const [done, ready] = [message('C', 'SELECT 2\0'), message('Z', 'I')];
const failed = message('E', 'SERROR\0\0');
const one = ['1', 'Ü "😀"\\\n\u0001\u007f', '7', 't', '["x"]'];
const two = ['2', null, null, 'f', null];
const json =
  '{"id":"1","a \\"name\\"":"Ü \\"😀\\"\\\\\\n\\u0001\u007f","count":7,"isActive":true,"tags":["x"]},{"id":"2","a \\"name\\"":null,"count":null,"isActive":false,"tags":null}';
const text = (value: string) => [described([['text', TEXT]]), row(value)];

const cases: [name: string, sent: Buffer[], arriving: Buffer[]][] = [
  ['a marked result', [marked, row(...one, null), row(...two, null), done, ready], [...text(json), done, ready]],
  ['one without rows', [marked, done, ready], [...text(''), done, ready]],
  ['one that is not marked', [plain, row(...one), row(...two), done, ready], [plain, row(...one), row(...two), done, ready]],
  [
    'one that fails half way',
    [marked, row(...one, null), failed, ready, plain, row(...two), done],
    [text('')[0] as Buffer, failed, ready, plain, row(...two), done],
  ],
  [
    'several behind each other',
    [plain, row(...one), done, marked, row(...one, null), row(...two, null), done, marked, done, ready],
    [plain, row(...one), done, ...text(json), done, ...text(''), done, ready],
  ],
];

describe.each(cases)('%s', (_name, sent, arriving) => {
  const bytes = Buffer.concat(sent);
  test.each([1, 2, 3, 5, 7, 11, 64, bytes.length])('in pieces of %i', (size) => {
    const parts: Buffer[] = [];
    const rewriter = new Rewriter((part) => parts.push(Buffer.from(part)));
    for (let at = 0; at < bytes.length; at += size) rewriter.take(bytes.subarray(at, at + size));
    expect(Buffer.concat(parts).toString('latin1')).toBe(Buffer.concat(arriving).toString('latin1'));
  });
});

test('more than there is room for at first', () => {
  const long = 'x'.repeat(1_000_000);
  const parts: Buffer[] = [];
  new Rewriter((part) => parts.push(Buffer.from(part))).take(
    Buffer.concat([
      described([
        ['a', TEXT],
        [jsonRows, TEXT],
      ]),
      row(long, null),
      row('', null),
      done,
    ]),
  );
  expect(Buffer.concat(parts).equals(Buffer.concat([...text(`{"a":"${long}"},{"a":""}`), done]))).toBe(true);
});
