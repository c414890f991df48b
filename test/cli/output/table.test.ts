import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { relativeTime } from '../../../src/cli/input/when.ts';
import { renderTable } from '../../../src/cli/output/table.ts';
import { type Column, idColumn, timeColumn } from '../../../src/cli/output/view.ts';
import { widthsFor } from '../../../src/cli/output/widths.ts';
import { isPlain, plainWidths } from '../../../src/cli/terminal/plain-width.ts';
import { noStyles } from '../../../src/cli/terminal/style.ts';
import * as widths from '../../../src/cli/terminal/width.ts';
import fc from '../../helpers/property.ts';

const context = {
  label: (_: string, id: unknown) => String(id),
  time: String,
  relativeTime: () => '',
};
const styles = noStyles;
const id = '01a1f775-5ed2-757e-a517-03b6c0770b4b';
const columns: Column[] = [
  { header: 'name', cell: (row) => row.name },
  { header: 'notes', cell: (row) => row.notes },
  { header: 'n', cell: (row) => row.n, align: 'right' },
  idColumn,
];
const render = (rows: object[], width?: number) =>
  renderTable({ columns, rows, context, styles, width });
const widest = (text: string) => Math.max(...text.split('\n').map((line) => stringWidth(line)));

describe('renderTable', () => {
  test("doesn't cut the identifying column while there is room", async () => {
    const some: Column[] = [
      columns[0] as Column,
      columns[1] as Column,
      { header: 'plate', cell: (row) => row.plate, minCells: 16 },
      columns[2] as Column,
    ];
    const rows = [
      {
        name: '2026-03-01 09:00',
        notes: 'a pick-up in winter',
        plate: 'HH-AB 1234',
        n: 'completed',
      },
    ];
    for (const width of [25, 30, 40, 60])
      expect(await renderTable({ columns: some, rows, context, styles, width })).toContain(
        'HH-AB 1234',
      );
  });

  test('aligns columns, and uses their full width without a limit', async () => {
    expect(
      await render([
        { name: 'Ann', notes: 'x', n: 5, id: 'a' },
        { name: 'Bartholomew', notes: '', n: 12, id: 'b' },
      ]),
    ).toBe(
      [
        'NAME         NOTES   N  ID',
        'Ann          x       5  a',
        'Bartholomew         12  b',
        '',
      ].join('\n'),
    );
  });
  test.each([80, 60, 40, 30])('fits %i cells, also with wide characters', async (width) => {
    const rows = [
      { name: '株式会社テスト自動車保管', notes: 'long '.repeat(40), n: 1, id },
      { name: '🚗🚗 car', notes: 'short', n: 100, id },
    ];
    expect(widest(await render(rows, width))).toBeLessThanOrEqual(width);
  });
  test('no line is wider than the terminal, and columns are aligned for any content', async () => {
    const word = fc.constantFrom(
      'car',
      '株式会社',
      '🚗',
      '👨‍👩‍👧',
      'é',
      'e\u0301',
      '한국',
      'ｱ',
      'ﾞ',
      '🇩🇪',
      ' ',
      '\n',
      '\u001b[2J',
      '\u200b',
      'ﷺ',
      'ß',
    );
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(word, { maxLength: 12 }).map((words) => words.join('')),
    );
    const row = fc.record({ name: text, notes: text, n: fc.integer(), id: fc.uuid() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 8, max: 120 }),
        fc.boolean(),
        async (rows, width, asked) => {
          const marked = rows.map((one) => ({ ...one, notes: `|${one.notes}` }));
          const shown = await renderTable({ columns, rows: marked, context, styles, width, asked });
          expect(widest(shown)).toBeLessThanOrEqual(width);
          const lines = shown.split('\n').slice(1, -1);
          expect(lines).toHaveLength(rows.length);
          // The second column begins in the same cell in every line.
          const starts = lines.flatMap((line) =>
            line.includes('|') && !rows.some(({ name }) => name.includes('|'))
              ? [stringWidth(line.slice(0, line.indexOf('|')))]
              : [],
          );
          expect(new Set(starts).size).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
  test("named columns are shown even if empty, and reported if they don't fit", async () => {
    const rows = [{ name: '', notes: '', n: 1, id }];
    const missing: string[] = [];
    const all = {
      columns,
      rows,
      context,
      styles,
      asked: true,
      onDropped: (headers: readonly string[]) => void missing.push(...headers),
    };
    expect((await renderTable({ ...all, width: 80 })).split('\n')[0]).toBe('NAME  NOTES  N  ID');
    expect(missing).toEqual([]);
    expect((await renderTable({ ...all, width: 30 })).split('\n')[0]).toBe('NAME  NOTES  N');
    expect(missing).toEqual(['id']);
  });
  test('shows a complete id or none', async () => {
    const rows = [{ name: 'A', notes: 'x'.repeat(60), n: 1, id }];
    expect(await render(rows, 100)).toContain(id);
    expect(await render(rows, 50)).not.toContain(id.slice(0, 6));
  });
  test('keeps an empty first column', async () => {
    expect(await render([{ name: '', notes: 'x', n: 1, id: 'a' }])).toBe(
      'NAME  NOTES  N  ID\n      x      1  a\n',
    );
  });
  test('omits empty columns', async () => {
    expect(await render([{ name: 'A', n: null, notes: '', id: 'a' }])).toBe('NAME  ID\nA     a\n');
  });
  describe('how far a near time is away', () => {
    const since = new Date('2026-03-01T12:00:00Z');
    const at = { ...context, relativeTime: (iso: unknown) => relativeTime(iso, since) };
    const timed: Column[] = [
      columns[0] as Column,
      { ...timeColumn('since', 'since'), cell: (row) => row.since.slice(0, 10) },
      idColumn,
    ];
    const rows = [
      { name: 'A', since: '2026-03-01T10:00:00Z', id },
      { name: '株式', since: '2026-01-01T10:00:00Z', id },
    ];
    const heads = async (width?: number) =>
      (await renderTable({ columns: timed, rows, context: at, styles, width }))
        .split('\n')
        .slice(0, 3);

    test('stands beside it where there is room', async () => {
      expect(await heads(80)).toEqual([
        'NAME  SINCE                    ID',
        `A     2026-03-01  2 hours ago  ${id}`,
        `株式  2026-01-01               ${id}`,
      ]);
      const dim = (text: string) => `\u001b[2m${text}\u001b[22m`;
      const dimmed = { columns: timed, rows, context: at, styles: { ...styles, dim }, width: 80 };
      const [, first] = (await renderTable(dimmed)).split('\n');
      expect(first).toBe(`A     2026-03-01  ${dim('2 hours ago')}  ${id}`);
    });
    test('takes no room of a column', async () => {
      const [, , last] = (await heads(67)) as [string, string, string];
      expect(stringWidth(last)).toBe(67);
      expect(await heads(66)).toEqual([
        'NAME  SINCE       ID',
        `A     2026-03-01  ${id}`,
        `株式  2026-01-01  ${id}`,
      ]);
      // The id is left out by then.
      expect((await heads(40))[1]).toBe('A     2026-03-01  2 hours ago');
    });
    test('is for terminals', async () => {
      expect((await heads())[1]).toBe(`A     2026-03-01  ${id}`);
    });
  });
  test('replaces line breaks and control characters', async () => {
    expect(await render([{ name: ' a \r\n\n b\u001b[2J ', id: 'x' }])).toBe(
      'NAME     ID\na b␛[2J  x\n',
    );
  });
});

test.each([
  ['hello', 5, 'hello'],
  ['hello world', 8, 'hello w…'],
  ['株式会社', 5, '株式…'],
  ['👨‍👩‍👧 family', 4, '👨‍👩‍👧…'],
])('cut %s to %i', (text, size, shown) => {
  expect(widths.cut(text, size)).toBe(shown);
});

describe('text in Latin letters', () => {
  const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code));

  test('has one cell per character', () => {
    const plain = characters.filter(isPlain);
    expect(plain).toEqual(expect.arrayContaining([...'Az09~üßéÆłş…–→']));
    expect(plain.filter((character) => stringWidth(character) !== 1)).toEqual([]);
    // Nor do any two of them join into one.
    expect(stringWidth(plain.join(''))).toBe(plain.length);
  });
  test('is measured, cut and padded like other text', () => {
    const text = fc
      .array(fc.constantFrom(...characters.filter(isPlain)), { maxLength: 12 })
      .map((letters) => letters.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 12 }), (plain, size) => {
        // A letter of another script, at the end, makes it text that is measured character by character.
        expect(plainWidths.widthOf(plain)).toBe(widths.widthOf(`${plain}я`) - 1);
        if (plain.length > size)
          expect(plainWidths.cut(plain, size)).toBe(widths.cut(`${plain}я`, size));
        expect([widths.pad(plain, size), widths.pad(plain, size, 'right')]).toEqual([
          plain.padEnd(size),
          plain.padStart(size),
        ]);
      }),
    );
  });
  test('loads no width tables', async () => {
    expect(await widthsFor(['Müller', 'Signal yellow', '…'])).toBe(plainWidths);
    expect((await widthsFor(['Müller', '株式'])).widthOf('株式')).toBe(4);
  });
});
