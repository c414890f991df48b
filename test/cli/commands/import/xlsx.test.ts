/** Spreadsheets: `cs import cars cars.xlsx`, and `cs export -o xlsx`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { readXlsx, type WriteSheet, writeXlsx } from 'hucre/xlsx';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { startTestService } from '../../../helpers/service.ts';

const service = await startTestService();
const make = facility(service);
const folder = await makeFolder();
afterAll(async () => {
  await service.close();
  await removeFolder(folder);
});

const run = (line: string[], options: CliOptions = {}) =>
  cs(line, {
    cwd: folder,
    ...options,
    env: { CS_BASE_URL: service.url, CS_API_KEY: service.key, ...options.env },
  });
const sheet = async (name: string, ...sheets: WriteSheet[]) =>
  writeFile(join(folder, name), await writeXlsx({ sheets }));
/** For what the writer of the tests doesn't write. */
async function edit(name: string, path: string, ...changes: [RegExp, string][]) {
  const parts = unzipSync(await readFile(join(folder, name)));
  const text = Buffer.from(parts[path] as Uint8Array).toString();
  parts[path] = strToU8(changes.reduce((all, [from, to]) => all.replace(from, to), text));
  await writeFile(join(folder, name), zipSync(parts));
}
const cells = async (name: string) => (await readXlsx(await readFile(join(folder, name)))).sheets;
const read = async (path: string) => (await service.call('GET', path)).body.data;

describe('import', () => {
  test('numbers, dates, long numbers as text, and the values of formulas', async () => {
    const [car, customer] = [await make.car(), await make.customer()];
    await sheet('visits.xlsx', {
      name: 'Visits',
      rows: [
        ['title', 'carId', 'customerId', 'startAt', 'endAt', 'recurrenceInterval', ''],
        [
          491711234567,
          car.id,
          customer.id,
          new Date(Date.UTC(2031, 2, 1, 14, 30)),
          '2031-03-01T15:30:00Z',
          2,
        ],
        [],
        ['', car.id, '', new Date(Date.UTC(2031, 2, 2)), new Date(Date.UTC(2031, 2, 2, 1)), null],
      ],
      cells: new Map([
        [
          '3,0',
          { value: '=not computed', formula: '"=not"&" computed"', formulaResult: '=not computed' },
        ],
      ]),
    });
    const { code, json: rows } = await run(['import', 'appointments', 'visits.xlsx']);
    expect([code, rows.map(({ row }: { row: number }) => row)]).toEqual([0, [2, 4]]);
    // A cell has no zone: it is a local time.
    expect(await read(`/appointments/${rows[0].id}`)).toMatchObject({
      title: '491711234567',
      startAt: new Date(2031, 2, 1, 14, 30).toISOString(),
      endAt: '2031-03-01T15:30:00.000Z',
      recurrenceInterval: 2,
    });
    expect(await read(`/appointments/${rows[1].id}`)).toMatchObject({
      title: '=not computed',
      startAt: new Date(2031, 2, 2).toISOString(),
    });
  });

  test('a formula without its value, an error, a time without a day and an invalid one are refused, and nothing is sent', async () => {
    await sheet('odd.xlsx', {
      name: 'Odd',
      rows: [
        ['lastName', 'notes'],
        ['Formula', null],
        ['Error', '#N/A'],
        ['Text', 'x'],
        ['Time', new Date(Date.UTC(1899, 11, 31, 12))],
        ['Invalid', new Date(Date.UTC(2031, 2, 1))],
        ['Fine', '  two spaces  '],
      ],
      cells: new Map([['1,1', { value: null, formula: 'A2&"x"' }]]),
    });
    await edit(
      'odd.xlsx',
      'xl/worksheets/sheet1.xml',
      [/<c r="B4"[^>]*>.*?<\/c>/, '<c r="B4" t="inlineStr"><is><t>#N/A</t></is></c>'],
      [/(<c r="B6"[^>]*><v>)\d+/, '$199999999999'],
    );
    const { code, error } = await run(['import', 'customers', 'odd.xlsx', '--dry-run']);
    expect([code, error.details.issues.map(({ message }: { message: string }) => message)]).toEqual(
      [
        3,
        [
          'has a formula whose value is missing (save the file in a spreadsheet program) in the column notes',
          'has the error #N/A in the column notes',
          'has a time without a day in the column notes',
          'has an invalid time in the column notes',
        ],
      ],
    );
  });

  test('another sheet is named, and chosen with --sheet', async () => {
    await sheet(
      'book.xlsx',
      { name: 'Read me', rows: [['firstName'], ['Sheet']] },
      { name: 'People', rows: [['lastName'], ['Sheet2']] },
    );
    const first = await run(['import', 'customers', 'book.xlsx', '--dry-run']);
    expect([first.code, first.stderr]).toEqual([
      0,
      'Reading the sheet Read me, not People. Choose another one with --sheet.\n',
    ]);
    const second = await run(['import', 'customers', 'book.xlsx', '--sheet', 'People']);
    const { lastName } = await read(`/customers/${second.json[0].id}`);
    expect([second.code, second.stderr, lastName]).toEqual([0, '', 'Sheet2']);
    expect(
      (await run(['import', 'customers', 'book.xlsx', '--sheet', 'Other'])).error,
    ).toMatchObject({
      message: 'book.xlsx has no sheet "Other".',
      hint: 'it has Read me and People',
    });
    await edit('book.xlsx', 'xl/workbook.xml', [/<sheets>.*<\/sheets>/s, '<sheets/>']);
    expect((await run(['import', 'customers', 'book.xlsx'])).error).toMatchObject({
      message: 'book.xlsx has no sheet.',
      hint: 'save it again as .xlsx',
    });
  });

  test('failed rows go to a sheet that the same command reads, errors of cells are refused', async () => {
    await sheet('mixed.xlsx', {
      name: 'Mixed',
      rows: [
        ['firstName', 'status'],
        ['Good', 'lead'],
        ['#N/A', 'lead'],
        ['Bad', 'nothing'],
      ],
    });
    const line = ['import', 'customers', 'mixed.xlsx', '--rejects', 'failed.xlsx'];
    const { code, error } = await run(line);
    expect(code).toBe(11);
    expect(error.details.failed).toMatchObject([
      {
        id: 'row 3',
        message: expect.stringContaining('has the error #N/A in the column firstName'),
      },
      { id: 'row 4' },
    ]);
    const [written] = await cells('failed.xlsx');
    expect(written?.rows).toEqual([
      ['firstName', 'status'],
      [null, 'lead'],
      ['Bad', 'nothing'],
    ]);
    expect(written?.cells?.get('1,0')).toMatchObject({ formula: 'NA()' });
    expect(
      (await run(['import', 'customers', 'failed.xlsx', '--dry-run'])).error.message,
    ).toContain('1 of 2 rows is invalid');
  });

  test('from stdin, by its content', async () => {
    await sheet('stdin.xlsx', { name: 'A', rows: [['firstName'], ['Stdin']] });
    const { code, json: rows } = await run(['import', 'customers', '-'], {
      stdin: await readFile(join(folder, 'stdin.xlsx')),
    });
    expect([code, rows]).toMatchObject([0, [{ row: 2, did: 'created' }]]);
  });

  test.each([
    [
      'a cut file',
      async () => (await readFile(join(folder, 'stdin.xlsx'))).subarray(0, 300),
      [],
      /^wrong\.xlsx isn't a readable \.xlsx file: .*\. delete empty rows and columns behind the data, and save it again as \.xlsx in the spreadsheet program, without a password; or save the sheet as "CSV UTF-8"$/,
    ],
    ['something else', async () => Buffer.from('firstName\nAnn\n'), [], /isn't a readable/],
    [
      'an encoding',
      async () => readFile(join(folder, 'stdin.xlsx')),
      ['--encoding', 'latin1'],
      /^--encoding is for text, not for xlsx files\. leave it out$/,
    ],
  ])('%s is refused', async (_, bytes, flags, said) => {
    await writeFile(join(folder, 'wrong.xlsx'), await bytes());
    const { error, stdout } = await run(['import', 'customers', 'wrong.xlsx', ...flags]);
    expect([stdout, `${error.message} ${error.hint}`]).toEqual(['', expect.stringMatching(said)]);
  });

  describe('a file that is larger than it looks', () => {
    /** The file of `stdin.xlsx` with more behind its rows. */
    async function swollen(rows: string) {
      const parts = unzipSync(await readFile(join(folder, 'stdin.xlsx')));
      const name = 'xl/worksheets/sheet1.xml';
      const text = Buffer.from(parts[name] ?? []).toString();
      parts[name] = strToU8(text.replace('</sheetData>', () => `${rows}</sheetData>`));
      return zipSync(parts, { level: 1 });
    }
    /** Its directory tells this size of each part. */
    async function withSizes(size: number) {
      const bytes = Buffer.from(await swollen(''));
      const entry = Buffer.from('PK\x01\x02');
      for (let at = bytes.indexOf(entry); at >= 0; at = bytes.indexOf(entry, at + 1))
        bytes.writeUInt32LE(size, at + 24);
      return bytes;
    }
    const tooLarge = 'unpacks to more than 24 MB, the most that cs reads from an .xlsx file.';
    const tooWide = 'over the 20000000 limit';

    test.each([
      ['parts of 13 MB', () => withSizes(13e6), tooLarge],
      ['parts without a size', () => withSizes(0), tooLarge],
      [
        'a cell in the last row',
        () => swollen('<row r="1048576"><c r="T1048576"><v>1</v></c></row>'),
        tooWide,
      ],
    ])('%s', async (_, bytes, message) => {
      await writeFile(join(folder, 'large.xlsx'), await bytes());
      const { code, error, stdout } = await run(['import', 'customers', 'large.xlsx', '--dry-run']);
      expect([code, error.code, stdout]).toEqual([3, 'invalid_file', '']);
      expect(error.message).toContain(message);
      expect(error.hint).toContain('save the sheet as "CSV UTF-8"');
    });

    test('empty cells with a style are no rows', async () => {
      const row = `<row>${'<c s="1"/>'.repeat(16)}</row>`;
      await writeFile(join(folder, 'styled.xlsx'), await swollen(row.repeat(1_000)));
      const { code, json } = await run(['import', 'customers', 'styled.xlsx', '--dry-run']);
      expect([code, json.length]).toEqual([0, 1]);
    });
  });
});

describe('export', () => {
  test('types stay, and formulas are text', async () => {
    const customer = await make.customer({
      firstName: '=1+1',
      lastName: '@cmd',
      phone: '+49 171 1',
      notes: 'a\nb _x0041_',
      tags: ['vip'],
      address: { city: 'Ulm' },
    });
    const car = await make.car({ year: 1964, vin: '00000000000000017', mileage: 12 });
    const exported = ['export', 'customers', 'cars', '--to', 'out', '-o', 'xlsx'];
    const { code, json: rows } = await run(exported);
    expect([code, rows]).toMatchObject([
      0,
      [{ file: 'out/customers.xlsx' }, { file: 'out/cars.xlsx' }],
    ]);
    const book = await readXlsx(await readFile(join(folder, 'out/customers.xlsx')), {
      readStyles: true,
    });
    const [header = [], ...lines] = book.sheets[0]?.rows ?? [];
    const line = lines.find(([id]) => id === customer.id) ?? [];
    const cell = (name: string) => line[header.indexOf(name)];
    expect([cell('firstName'), cell('lastName'), cell('phone'), cell('notes')]).toEqual([
      '=1+1',
      '@cmd',
      '+49 171 1',
      'a\nb _x0041_',
    ]);
    expect([cell('emailOptOut'), cell('tags'), cell('createdAt')]).toEqual([
      false,
      '["vip"]',
      expect.any(Date),
    ]);
    expect(
      [...(book.sheets[0]?.cells?.values() ?? [])].filter(({ formula }) => formula !== undefined),
    ).toEqual([]);
    const [sheetOfCars] = await cells('out/cars.xlsx');
    expect(sheetOfCars?.rows.find(([id]) => id === car.id)).toEqual(
      expect.arrayContaining([1964, '00000000000000017', 12]),
    );
  });

  test('times go back to the millisecond, also in the hour that comes twice', async () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    onTestFinished(() => void vi.unstubAllEnvs());
    const [car, customer] = [await make.car(), await make.customer()];
    const starts = [
      '2030-10-27T00:30:00.123Z',
      '2030-10-27T01:30:00.000Z',
      '2030-06-01T12:00:00.007Z',
    ];
    for (const startAt of starts)
      await service.call('POST', '/appointments', {
        startAt,
        endAt: '2031-01-01T00:00:00.456Z',
        title: 'Twice',
        carId: car.id,
        customerId: customer.id,
      });
    const list = async () =>
      (await read('/appointments?limit=200')).map(
        ({ startAt, endAt, updatedAt }: Record<string, string>) => [startAt, endAt, updatedAt],
      );
    const before = await list();
    await run(['export', 'appointments', '--to', 'times', '-o', 'xlsx', '--overwrite']);
    const back = ['import', 'appointments', 'times/appointments.xlsx', '--update'];
    expect((await run([...back, '--skip-read-only'])).code).toBe(0);
    expect(await list()).toEqual(before);
  });
});
