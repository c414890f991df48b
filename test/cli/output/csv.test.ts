import { describe, expect, test } from 'vitest';
import { fieldColumn } from '../../../src/cli/output/columns.ts';
import { csvFormat } from '../../../src/cli/output/csv.ts';
import { guarded } from '../../../src/cli/output/formula.ts';
import type { Row } from '../../../src/cli/output/view.ts';
import fc from '../../helpers/property.ts';

const context = async () => ({
  label: (_: string, id: unknown) => String(id),
  time: String,
  relativeTime: () => '',
});

async function written(
  dialect: 'csv' | 'tsv',
  rows: Row[],
  {
    fields,
    safe = false,
    guard = dialect === 'csv',
  }: { fields?: string[]; safe?: boolean; guard?: boolean } = {},
) {
  const format = csvFormat({
    dialect,
    columns: undefined,
    fields,
    fieldColumn,
    context,
    guard,
    safe,
  });
  // Record by record, as a long list comes.
  let text = '';
  for (const row of rows) text += await format.records([row]);
  return text + (await format.end());
}

/** Reads what RFC 4180 says, by its grammar and not by our writer. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let rest = text;
  while (rest !== '') {
    const record: string[] = [];
    for (let more = true; more; ) {
      const [cell = ''] = /^(?:"(?:[^"]|"")*"|[^",\r\n]*)/.exec(rest) ?? [];
      record.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
      rest = rest.slice(cell.length);
      more = rest.startsWith(',');
      if (more) rest = rest.slice(1);
    }
    if (!rest.startsWith('\r\n'))
      throw new Error(`No end of the record before ${JSON.stringify(rest.slice(0, 20))}`);
    rest = rest.slice(2);
    records.push(record);
  }
  return records;
}

describe('csv', () => {
  test('follows RFC 4180 for any text', async () => {
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom('a,b', 'say "x"', 'two\nlines', '\r\n', '', ' ', '"', 'ü😀', 'a\rb'),
    );
    // A formula is changed on purpose; test/cli/output/formula.test.ts has the cases.
    const harmless = cell.filter((text) => guarded(text) === text);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ a: harmless, b: harmless }), { maxLength: 5 }),
        async (rows) => {
          expect(parseCsv(await written('csv', rows, { fields: ['a', 'b'] }))).toEqual([
            ['a', 'b'],
            ...rows.map(({ a, b }) => [a, b]),
          ]);
        },
      ),
    );
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+49 151 1234', '+49 151 1234'],
    ['@SUM(A1)', "'@SUM(A1)"],
    [-5, '-5'],
    [0, '0'],
    [true, 'true'],
    [null, ''],
    [['a', 1], '["a",1]'],
    [{ x: '=1' }, '{"x":"=1"}'],
    ["it's", "it's"],
  ])('%j is %j', async (value, expected) => {
    expect(parseCsv(await written('csv', [{ value, last: 1 }]))[1]?.[0]).toBe(expected);
  });

  test('prints the header without records, and once for many', async () => {
    expect(await written('csv', [], { fields: ['id', 'name'] })).toBe('id,name\r\n');
    expect(await written('csv', [], {})).toBe('');
    expect(await written('csv', [{ id: 'a' }, { id: 'b' }], { fields: ['id', 'name'] })).toBe(
      'id,name\r\na,\r\nb,\r\n',
    );
  });

  test('a cell with a semicolon or a tab is quoted', async () => {
    expect(await written('csv', [{ a: 'x;y', b: 1 }])).toBe('a,b\r\n"x;y",1\r\n');
    expect(await written('csv', [{ a: 'x;y' }])).toBe('a\r\n"x;y"\r\n');
    expect(await written('csv', [{ a: 'x\ty', b: 1 }])).toBe('a,b\r\n"x\ty",1\r\n');
  });

  test('a formula stays as it is where that was asked for', async () => {
    expect(await written('csv', [{ '=a': '=1+1' }], { guard: false })).toBe('=a\r\n=1+1\r\n');
  });

  test("a record with one empty cell isn't an empty line", async () => {
    expect(await written('csv', [{ a: null }])).toBe('a\r\n""\r\n');
  });

  test('a pipe gets the bytes, a terminal gets visible signs', async () => {
    const rows = [{ a: 'x\u001b[31m\u009b2J' }];
    expect(await written('csv', rows)).toBe('a\r\nx\u001b[31m\u009b2J\r\n');
    expect(await written('csv', rows, { safe: true })).toBe('a\nx␛[31m\ufffd2J\n');
  });
});

describe('tsv', () => {
  test('ends lines with LF, and quotes what would break a line or a cell', async () => {
    expect(await written('tsv', [{ a: 'x\ty\nz\\', b: '"q"' }])).toBe(
      'a\tb\n"x\ty\nz\\"\t"""q"""\n',
    );
    expect(await written('tsv', [{ a: 'x, y', b: 'C:\\new' }])).toBe('a\tb\nx, y\tC:\\new\n');
  });
});
