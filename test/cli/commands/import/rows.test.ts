/** The rows of a file in each format, as they are read, written back, or refused. */
import { expect, test } from 'vitest';
import {
  type RowFile,
  type RowSource,
  readRows,
} from '../../../../src/cli/commands/import/rows.ts';
import { fieldColumn } from '../../../../src/cli/output/columns.ts';
import { csvFormat } from '../../../../src/cli/output/csv.ts';
import fc from '../../../helpers/property.ts';

const read = (content: string | Uint8Array, source: Partial<RowSource> = {}) =>
  readRows(Buffer.from(content), { name: 'stdin', hasFlag: true, ...source });
/** Each row as its number and its cells, or its problem. */
const cellsOf = async (...given: Parameters<typeof read>) => {
  const file = await read(...given);
  return file.rows.map((row) => {
    const values = file.read(row);
    return [row.number, ...(typeof values === 'string' ? [values] : Object.values(values))];
  });
};
const valuesOf = (file: RowFile) => file.rows.map((row) => file.read(row));

test.each([
  ['', []],
  ['a,b', []],
  ['a,b\n1,2\n', [[2, '1', '2']]],
  ['a,b\r\n1,2', [[2, '1', '2']]],
  ['a,b\r1,2\r', [[2, '1', '2']]],
  [
    '\ufeffa,b\n\n1,\n,\n3,4',
    [
      [3, '1'],
      [5, '3', '4'],
    ],
  ],
  ['"a,b","c ""d""\r\ne"\nx,y', [[3, 'x', 'y']]],
  [
    'a,b\n"1\r\n\r2",x\r\ny,z',
    [
      [2, '1\r\n\r2', 'x'],
      [5, 'y', 'z'],
    ],
  ],
  ['a;b;c,d\n1,5;2;3', [[2, '1,5', '2', '3']]],
  ['"a;b;c",d\n1,2', [[2, '1', '2']]],
  ['a\tb\n1,5\t2\t3', [[2, 'has 3 cells, but the first line has 2']]],
  ['a,b,\n1,2,\n', [[2, '1', '2']]],
  ["a,b\n'=1+1,'x\n", [[2, '=1+1', "'x"]]],
])('csv %j', async (text, rows) => {
  expect(await cellsOf(text)).toEqual(rows);
});

test.each([
  [
    '{"a":1}\r\n\n[2]\nx',
    { name: 'a.ndjson' },
    [
      [1, 1],
      [3, "isn't an object"],
      [4, expect.stringContaining("isn't valid JSON")],
    ],
  ],
  ['{"a":"b\u2028c"}\n', {}, [[1, 'b\u2028c']]],
  [
    '{"a":{"b":1},"b":{"a":2},"c":"\\"b\\":"}\n',
    { name: 'a.ndjson' },
    [[1, { b: 1 }, { a: 2 }, '"b":']],
  ],
  [
    ' [{"a":1},\n{"a":2}]',
    {},
    [
      [1, 1],
      [2, 2],
    ],
  ],
  ['{"a":1}', { name: 'a.json' }, [[1, 1]]],
  ['{\n  "a": 1\n}\n', {}, [[1, 1]]],
  ["a\tb\n'=1\t\\n", {}, [[2, "'=1", '\\n']]],
  ["a,b\n'=1,2", { csvRaw: true }, [[2, "'=1", '2']]],
  ['a\n"x\ty"', { name: 'a.tsv' }, [[2, 'x\ty']]],
] as const)('%j of %j', async (text, source, rows) => {
  expect(await cellsOf(text, source)).toEqual(rows);
});

test.each([
  ['lastName,"A\n1,2\n', 'The record in line 1 has an unclosed quote.'],
  ['a,b\n1,2\n\n3,"4\n', 'The record in line 4 has an unclosed quote.'],
  ['a,b\n1,5" rim\n', 'The record in line 2 has a quote in a cell.'],
  ['a,b\n"1,2\n3,"4"\n', 'The record in line 2 has a quote in a cell.'],
  ['[{"lastName":"A"}', "The file isn't valid JSON"],
  ['a, a\n1,2\n', 'Two columns have the name "a".'],
  ['a,,b\n1,2,3\n', 'A column in the first line has no name.'],
])('%j is refused', async (text, message) => {
  await expect(read(text)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining(message),
  });
});

test.each([
  ['[{"lastName":"A"},]', 'fix it there'],
  ['{"lastName":"A"}\n{"lastName":"B"}', '.ndjson'],
])('broken JSON %j: %s', async (text, hint) => {
  await expect(read(text, { name: 'a.json' })).rejects.toMatchObject({
    hint: expect.stringContaining(hint),
  });
});

/** A cell of spaces is empty. */
const isFilled = (cell: string) => cell.trim() !== '';

test('csv gives back any cells that a program quoted', async () => {
  const anyCell = fc.string({
    unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r', ' ', 'é', '🚗'),
    minLength: 1,
  });
  const cell = anyCell.filter(isFilled);
  const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const text = [['h1', 'h2'], ...rows]
        .map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
        .join('\r\n');
      expect((await cellsOf(text)).map(([, ...cells]) => cells)).toEqual(rows);
    }),
  );
});

test('tsv is what `-o tsv` wrote, also of an unnamed file', async () => {
  const context = async () => ({ label: String, time: String, relativeTime: () => '' });
  const unit = fc.constantFrom(
    ...['a', 't', 'n', '"', '\\', '\t', '\n', '\r', ',', ';', "'", '=', ' ', 'é', '🚗', '\u2028'],
  );
  const text = fc.string({ unit, minLength: 1 }).filter(isFilled);
  const rows = fc.array(fc.record({ notes: text, name: text }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom('a.tsv', 'a.txt'), async (some, name) => {
      const format = csvFormat({
        dialect: 'tsv',
        columns: undefined,
        fields: ['notes', 'name'],
        fieldColumn,
        context,
        guard: false,
        safe: false,
      });
      const written = `${await format.records(some)}${await format.end()}`;
      expect(valuesOf(await read(written, { name }))).toEqual(some);
    }),
  );
});

test.each([
  [
    'a.csv',
    Buffer.from('a\r\nJ\xf6', 'latin1'),
    "a.csv isn't UTF-8: line 2, column 2 has the byte F6.",
  ],
  ['a.csv.gz', Buffer.from([0x1f, 0x8b, 8, 0]), 'a.csv.gz is compressed with gzip, not text.'],
  ['a.csv', Buffer.from('\ufeffa', 'utf16le'), 'a.csv is UTF-16LE: its first bytes are'],
])('%s %j is named', async (name, bytes, message) => {
  await expect(read(bytes, { name })).rejects.toThrow(message);
});

test.each([
  ['windows-1252', 'a.csv', 'a,b\r\nJörg,€\r\n'],
  ['utf-16', 'a.json', '[\n  {\n    "a": "Zoë"\n  }\n]\n'],
  ['utf-16be', 'a.ndjson', '{"a":"Zoë"}\n'],
  ['latin1', 'a.csv', 'a;b\n"x;y";"""z"\n', 'a,b\r\n"x;y","""z"\r\n'],
] as const)(
  '%s of %s is written as it was read',
  async (encoding, name, text, again: string = text) => {
    const bytes =
      encoding === 'utf-16'
        ? Buffer.from(`\ufeff${text}`, 'utf16le')
        : encoding === 'utf-16be'
          ? Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
          : Buffer.from(text.replace('€', '\x80'), 'latin1');
    const file = await read(bytes, { name, encoding });
    const written = await file.write(file.rows);
    expect(valuesOf(await read(written, { name, encoding }))).toEqual(valuesOf(file));
    const decoded = new TextDecoder(encoding === 'utf-16' ? 'utf-16le' : encoding).decode(written);
    expect(decoded).toBe(again);
  },
);
