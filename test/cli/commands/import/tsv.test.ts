/** What `import` reads of tsv is what `export` and `-o tsv` wrote. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatOf, openRows } from '../../../../src/cli/commands/import/rows.ts';
import { fieldColumn } from '../../../../src/cli/output/columns.ts';
import { csvFormat } from '../../../../src/cli/output/csv.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import fc from '../../../helpers/property.ts';

let folder: string;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => removeFolder(folder));

type Cells = Readonly<Record<string, string>>;

async function written(rows: readonly Cells[], fields: string[]): Promise<string> {
  const context = async () => ({
    label: (_: string, id: unknown) => String(id),
    time: String,
    relativeTime: () => '',
  });
  const format = csvFormat({
    dialect: 'tsv',
    columns: undefined,
    fields,
    fieldColumn,
    context,
    guard: false,
    safe: false,
  });
  return (await format.records(rows)) + (await format.end());
}

async function read(text: string, name = 'a.tsv') {
  const path = join(folder, name);
  await writeFile(path, text);
  const source = { path, name };
  return Array.fromAsync(openRows(source, await formatOf(source)).rows());
}

const values = async (text: string, name?: string) =>
  (await read(text, name)).map(({ value, problem }) => value ?? problem);

test('any cells, also of an unnamed file', async () => {
  const unit = fc.constantFrom(
    'a',
    't',
    'n',
    '"',
    '\\',
    '\t',
    '\n',
    '\r',
    ',',
    ';',
    "'",
    '=',
    ' ',
    'é',
    '🚗',
    '\u2028',
  );
  const row = fc.record({
    notes: fc.string({ unit, minLength: 1 }),
    name: fc.string({ unit, minLength: 1 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('a.tsv', 'a.txt'),
      async (rows, name) => {
        expect(await values(await written(rows, ['notes', 'name']), name)).toEqual(rows);
      },
    ),
  );
});

test('a single column, by the name of the file', async () => {
  const rows = [{ notes: 'a\tb' }, { notes: '"quoted"' }, { notes: 'C:\\temp, or D;' }];
  expect(await values(await written(rows, ['notes']))).toEqual(rows);
});

test('a long file, in more than one piece', async () => {
  const rows = Array.from({ length: 5000 }, (_, index) => ({
    notes: `${index}\\`.repeat(4),
    name: '\t\n"',
  }));
  expect(await values(await written(rows, ['notes', 'name']))).toEqual(rows);
});

test.each([
  ['quotes of a spreadsheet', 'a\tb\r\n"x\ty"\t"say ""hi"""\r\n', [{ a: 'x\ty', b: 'say "hi"' }]],
  ['a backslash is a backslash', 'a\tb\nC:\\temp\tC:\\new\n', [{ a: 'C:\\temp', b: 'C:\\new' }]],
  ['a byte order mark, empty lines and no end', '\uFEFFa\tb\n\nx\t1', [{ a: 'x', b: '1' }]],
])('%s', async (_, text, expected) => {
  expect(await values(text)).toEqual(expected);
});

test('lines are counted, and a row with too many cells is told', async () => {
  expect(await read('a\tb\n\n1\t2\n1\t2\t3\n')).toMatchObject([
    { number: 3, value: { a: '1', b: '2' } },
    { number: 4, problem: 'has 3 cells, but the first line has 2' },
  ]);
});

test('csv stays csv', async () => {
  for (const name of ['a.csv', 'a.tsv'])
    expect(await values('a,b\n"x\ty",2\n', name)).toEqual([{ a: 'x\ty', b: '2' }]);
});
