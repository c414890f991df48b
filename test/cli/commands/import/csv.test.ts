import { describe, expect, test } from 'vitest';
import { readCsv } from '../../../../src/cli/commands/import/csv.ts';
import fc from '../../../helpers/property.ts';

async function read(...pieces: string[]) {
  const lines = [];
  const text = (async function* () {
    yield* pieces;
  })();
  for await (const { line, cells } of readCsv(text)) lines.push([line, ...cells]);
  return lines;
}

describe('a csv file', () => {
  test.each([
    ['', []],
    ['a', [[1, 'a']]],
    [
      'a,b\n1,2\n',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      'a\r1\r',
      [
        [1, 'a'],
        [2, '1'],
      ],
    ],
    [
      'a,b\n\n1,\n,\n',
      [
        [1, 'a', 'b'],
        [3, '1', ''],
        [4, '', ''],
      ],
    ],
    [
      '"a,b","c ""d""\r\ne",""\nx',
      [
        [1, 'a,b', 'c "d"\r\ne', ''],
        [3, 'x'],
      ],
    ],
    ['a"b,c\n', [[1, 'a"b', 'c']]],
    // Text after a closing quote: the cell is taken as it is.
    ['"a"b,"c"\n', [[1, '"a"b', 'c']]],
    [
      'a\r\n\r\n\n"1\r\n\r2"\r\n3',
      [
        [1, 'a'],
        [4, '1\r\n\r2'],
        [7, '3'],
      ],
    ],
    [
      'a;b;c,d\n1,5;2;3',
      [
        [1, 'a', 'b', 'c,d'],
        [2, '1,5', '2', '3'],
      ],
    ],
    [
      '"a;b;c",d\n1,2',
      [
        [1, 'a;b;c', 'd'],
        [2, '1', '2'],
      ],
    ],
    [
      'a\tb\n1,5\t2',
      [
        [1, 'a', 'b'],
        [2, '1,5', '2'],
      ],
    ],
  ])('%j', async (text, lines) => {
    expect(await read(text)).toEqual(lines);
    expect(await read(...text)).toEqual(lines);
  });

  test('with an unclosed quote', async () => {
    await expect(read('a,b\n1,"2\n3')).rejects.toMatchObject({
      code: 'invalid_file',
      message: expect.stringContaining('line 2'),
    });
  });

  test('with an unclosed quote after complete records of the same chunk', async () => {
    const found: (readonly string[])[] = [];
    const reading = (async () => {
      const text = (async function* () {
        yield 'a,b\n1,2\n\n3,"4\n';
      })();
      for await (const { cells } of readCsv(text)) found.push(cells);
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'invalid_file',
      message: expect.stringContaining('line 4'),
    });
    expect(found).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  test('reads back any cells, in chunks of any size', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r', ' ', 'é', '🚗'),
    });
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(rows, fc.nat(6), async (table, size) => {
        const quoted = [['h1', 'h2'], ...table]
          .map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(','))
          .join('\r\n');
        const pieces = quoted.match(new RegExp(`[^]{1,${size + 1}}`, 'gu')) ?? [];
        expect((await read(...pieces)).slice(1).map(([, ...cells]) => cells)).toEqual(table);
      }),
    );
  });
});
