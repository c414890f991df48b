/** `cs import`: a record for each row, once, whatever happens on the way. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { progress } from '../../../../src/cli/commands/import/import.ts';
import { Interrupted } from '../../../../src/cli/errors/ended-run.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { type Facility, facility } from '../../../helpers/facility.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { ownEnvironment } from '../../../helpers/own-home.ts';
import { startTestService, type TestService } from '../../../helpers/service.ts';
import { openTerminal } from '../../../helpers/terminal.ts';

let service: TestService;
let make: Facility;
let folder: string;
const proxies: FaultyProxy[] = [];
beforeAll(async () => {
  service = await startTestService();
  make = facility(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
  await removeFolder(folder);
});

const envOf = (url: string) => ({ CS_BASE_URL: url, CS_API_KEY: service.key });
const run = (
  line: string[],
  { url = service.url, ...options }: CliOptions & { url?: string } = {},
) => cs(['import', ...line], { cwd: folder, ...options, env: { ...envOf(url), ...options.env } });
const file = (name: string, text: string) => writeFile(join(folder, name), text);
const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const proxyFor = async (choose: Parameters<typeof startFaultyProxy>[1]) => {
  const proxy = await startFaultyProxy(service.url, choose);
  proxies.push(proxy);
  return proxy;
};
const customers = async (word: string) =>
  (await service.call('GET', `/customers?limit=200&q=${word}`)).body.data;
const people = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ firstName: `${word}${index}`, lastName: word }));
let words = 0;
/** A last name that no other test has. */
const word = () => `Import${String.fromCharCode(65 + (words++ % 26))}${words}`;

describe('file formats', () => {
  test('ndjson, with empty lines and a byte order mark', async () => {
    const name = word();
    await file(
      'a.ndjson',
      `\ufeff${lines(people(name, 2))}\n${lines([{ firstName: 'Z', lastName: name, tags: ['a,b', 'c'] }])}`,
    );
    const { code, json, stderr } = await run(['customers', 'a.ndjson']);
    expect([code, stderr]).toEqual([0, '']);
    expect(json).toEqual([1, 2, 4].map((row) => ({ row, did: 'created', id: expect.any(String) })));
    expect((await customers(name)).map(({ tags }: { tags: string[] }) => tags)).toContainEqual([
      'a,b',
      'c',
    ]);
  });

  test('an array of JSON, from stdin', async () => {
    const name = word();
    const { json } = await run(['customers', '-'], {
      stdin: JSON.stringify(people(name, 3), null, 2),
    });
    expect(json.map(({ row }: { row: number }) => row)).toEqual([1, 2, 3]);
    expect(await customers(name)).toHaveLength(3);
  });

  test('csv, with cells converted by the type of the field, and names for ids', async () => {
    const owner = await make.customer({ firstName: 'Ann', lastName: word() });
    await file(
      'cars.csv',
      `year,make,model,customerId,nickname,mileage,notes\r\n1973,Porsche,"911, RS",Ann ${owner.lastName},"'=1+1",120,"two\r\nlines ""here"""\r\n2001,Audi,A2,,,,\r\n`,
    );
    const { code, json } = await run(['cars', 'cars.csv']);
    expect([code, json.map(({ row }: { row: number }) => row)]).toEqual([0, [2, 4]]);
    const { body } = await service.call('GET', `/cars/${json[0].id}`);
    expect(body.data).toMatchObject({
      ...{
        year: 1973,
        model: '911, RS',
        customerId: owner.id,
        nickname: '=1+1',
        mileage: 120,
        notes: 'two\r\nlines "here"',
      },
    });
  });

  test('--csv-raw takes every cell as it is, as an export with it writes them', async () => {
    const name = word();
    const { json } = await run(['customers', '-', '--csv-raw'], {
      stdin: `firstName,lastName,notes\r\n${name},${name},'=already\r\n`,
    });
    expect(json).toMatchObject([{ did: 'created' }]);
    expect(await customers(name)).toMatchObject([{ notes: "'=already" }]);
  });

  test('tsv is never guarded, so an apostrophe in it belongs to the text', async () => {
    const name = word();
    const { json } = await run(['customers', '-'], {
      stdin: `firstName\tlastName\tnotes\r\n${name}\t${name}\t'=already\r\n`,
    });
    expect(json).toMatchObject([{ did: 'created' }]);
    expect(await customers(name)).toMatchObject([{ notes: "'=already" }]);
  });

  test('csv with semicolons, lists, booleans, times and nested fields', async () => {
    const name = word();
    await file(
      'a.csv',
      `lastName;tags;emailOptOut;address.city;address.country\n${name};vip,regular;yes;Kiel;DE\n`,
    );
    await run(['customers', 'a.csv']);
    expect((await customers(name))[0]).toMatchObject({
      tags: ['vip', 'regular'],
      emailOptOut: true,
      address: { city: 'Kiel', country: 'DE' },
    });
    await file('b.csv', 'title;startAt;endAt\nOil;2090-03-01 09:00;2090-03-01T10:00:00Z\n');
    const { json } = await run(['appointments', 'b.csv']);
    expect((await service.call('GET', `/appointments/${json[0].id}`)).body.data.startAt).toBe(
      new Date(2090, 2, 1, 9).toISOString(),
    );
  });

  test('child records, in their order', async () => {
    const spot = await make.spot((await make.location()).id);
    const car = await make.car({ licensePlate: `IM ${word()}` });
    await file(
      'events.ndjson',
      lines([
        { carId: car.licensePlate, activityType: 'drop_off', parkingSpotId: spot.name },
        { carId: car.id, activityType: 'pick_up' },
      ]),
    );
    const { code, json } = await run(['car-events', 'events.ndjson']);
    expect([code, json.map(({ did }: { did: string }) => did)]).toEqual([
      0,
      ['created', 'created'],
    ]);
    expect((await service.call('GET', `/cars/${car.id}`)).body.data.status).toBe('checked_out');
  });

  test('imports an export: as updates, and as csv', async () => {
    const name = word();
    await run(['customers', '-'], { stdin: lines(people(name, 2)) });
    for (const format of ['ndjson', 'json', 'csv']) {
      const to = join(folder, format);
      await cs(['export', 'customers', '--to', to, '-o', format], { env: envOf(service.url) });
      const stdout = await readFile(join(to, `customers.${format}`), 'utf8');
      const changed = stdout.replaceAll(`${name}0`, `${name}${format}`);
      const { code, json } = await run(['customers', '-', '--update', '--skip-read-only'], {
        stdin: changed,
      });
      expect([code, json.every(({ did }: { did: string }) => did === 'updated')]).toEqual([
        0,
        true,
      ]);
      const found = (await customers(name)).map(
        ({ firstName }: { firstName: string }) => firstName,
      );
      expect(found.sort()).toEqual([`${name}1`, `${name}${format}`].sort());
      expect(
        (await run(['customers', '-', '--update', '--skip-read-only'], { stdin: stdout })).code,
      ).toBe(0);
    }
  });
});

describe('the encoding of a file', () => {
  const windows1252 = (name: string) =>
    Buffer.from(`firstName;lastName;notes\r\nJ\xf6rg;${name};50 \x80\r\n`, 'latin1');

  test('refuses a windows-1252 file with the position, and sends nothing', async () => {
    const { requests, url } = await proxyFor(() => undefined);
    await writeFile(join(folder, 'a.csv'), windows1252(word()));
    const { code, error, stdout } = await run(['customers', 'a.csv'], { url });
    expect([code, stdout, requests]).toEqual([3, '', []]);
    expect(error).toMatchObject({
      code: 'invalid_file',
      message: "a.csv isn't UTF-8: line 2, column 2 has the byte F6.",
      hint: 'if a spreadsheet program saved it, add `--encoding windows-1252`',
      details: { file: 'a.csv', line: 2, column: 2 },
    });
    const person = await run(['customers', 'a.csv'], { url, as: 'terminal' });
    expect(person.stderr).toBe(
      "error: a.csv isn't UTF-8: line 2, column 2 has the byte F6.\nhint: if a spreadsheet program saved it, add `--encoding windows-1252`\n(invalid_file)\n",
    );
  });

  test('--encoding reads it, and --rejects writes it the same way', async () => {
    const name = word();
    const other = Buffer.from(
      `firstName;lastName;email\r\nJ\xf6rg;${name};nobody\r\nÄnne;${name};a@example.com\r\n`,
      'latin1',
    );
    await writeFile(join(folder, 'a.csv'), windows1252(name));
    await writeFile(join(folder, 'b.csv'), other);
    expect((await run(['customers', 'a.csv', '--encoding', 'windows-1252'])).code).toBe(0);
    expect((await customers(name))[0]).toMatchObject({ firstName: 'Jörg', notes: '50 €' });
    await run(['customers', 'b.csv', '--encoding', 'windows-1252', '--rejects', 'left.csv']);
    expect(await readFile(join(folder, 'left.csv'), 'latin1')).toBe(
      `firstName,lastName,email\r\nJörg,${name},nobody\r\n`,
    );
  });

  test.each([
    ['utf-16', 'json', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['latin1', 'ndjson', (text: string) => Buffer.from(text, 'latin1')],
  ] as const)('--encoding %s, of %s', async (encoding, format, encoded) => {
    const name = word();
    await writeFile(
      join(folder, `a.${format}`),
      encoded(JSON.stringify({ firstName: 'Zoë', lastName: name })),
    );
    expect((await run(['customers', `a.${format}`, '--encoding', encoding])).code).toBe(0);
    expect((await customers(name))[0].firstName).toBe('Zoë');
  });

  test.each([
    [
      'a.csv.gz',
      Buffer.from([0x1f, 0x8b, 8, 0, 0]),
      'unpack it first: `gunzip -c a.csv.gz | cs import customers -`',
    ],
    [
      'a.xlsx',
      Buffer.from('PK\x03\x04abcd'),
      'save it again as .xlsx in the spreadsheet program, without a password; or save the sheet as "CSV UTF-8"',
    ],
    ['a.csv', Buffer.from('\ufeffa', 'utf16le'), 'add `--encoding utf-16`'],
  ])('%s is named', async (name, bytes, hint) => {
    await writeFile(join(folder, name), bytes);
    expect(await run(['customers', name])).toMatchObject({ code: 3, stdout: '', error: { hint } });
  });
});

describe('bad files', () => {
  const long = 'x'.repeat(1_000_000);
  const endless = (start: string) =>
    Readable.from(
      (function* () {
        yield start;
        for (let megabytes = 0; megabytes < 40; megabytes++) yield long;
      })(),
    );

  test.each([
    ['ndjson', '{"lastName":"', 'Line 1 begins'],
    ['csv, in the header', 'lastName', 'Line 1 begins'],
    ['csv, in a row', 'lastName\nA\n', 'Line 3 begins'],
    ['csv, in a quote that never ends', 'lastName\nA\n"', 'Line 3 begins'],
  ])("a line without an end isn't read whole: %s", async (_, start, message) => {
    await writeFile(join(folder, 'a.txt'), endless(start));
    const { code, error } = await run(['customers', 'a.txt']);
    expect([code, error.code, error.message]).toEqual([
      ...[3, 'invalid_file'],
      `${message} a row of more than 16 million characters.`,
    ]);
  });

  test('a header alone imports nothing, and a folder is refused', async () => {
    await file('a.csv', 'firstName,lastName\r\n');
    expect(await run(['customers', 'a.csv'])).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(await run(['customers', '.'])).toMatchObject({
      code: 2,
      error: { message: `Couldn't read ${folder}: it isn't a file.` },
    });
  });

  test("a file that changes before it is sent isn't sent, and one that changes later is told", async () => {
    const name = word();
    const rows = people(name, 3);
    const owner = await make.customer({ lastName: word() });
    const change = () => file('a.ndjson', lines([...rows, { lastName: name }]));
    const changing = async (chosen: string) =>
      proxyFor(async ({ method }) => {
        if (method === chosen) await change();
        return undefined;
      });
    await file(
      'b.ndjson',
      lines([{ year: 1973, make: 'VW', model: '1', customer: owner.lastName }]),
    );
    await symlink('b.ndjson', join(folder, 'link'));
    const looking = await proxyFor(async ({ url }) => {
      if (url.includes('/customers')) await file('b.ndjson', '');
      return undefined;
    });
    expect(await run(['cars', 'b.ndjson'], { url: looking.url })).toMatchObject({
      code: 3,
      stdout: '',
      error: { message: 'b.ndjson was changed while it was read. Nothing was sent.' },
    });
    await file('a.ndjson', lines(rows));
    const { url } = await changing('POST');
    expect(await run(['customers', 'a.ndjson'], { url })).toMatchObject({
      code: 3,
      error: { message: 'a.ndjson was changed while it was read. Rows may be missing.' },
    });
    expect((await run(['customers', 'a.ndjson'])).code).toBe(0);
    expect(await customers(name)).toHaveLength(4);
  });

  test("--rejects that can't be written is told before anything is sent", async () => {
    const name = word();
    await file('a.ndjson', lines(people(name, 2)));
    const { code, error } = await run(['customers', 'a.ndjson', '--rejects', 'none/rejects']);
    expect([code, error.code]).toEqual([1, 'file_unusable']);
    expect(await customers(name)).toEqual([]);
  });
});

describe('before anything is sent', () => {
  test('columns and keys are also the flags of create, and names are looked up once', async () => {
    const owner = await make.customer({ firstName: 'Flag', lastName: word() });
    const { requests, url } = await proxyFor(() => undefined);
    const named = `Flag ${owner.lastName}`;
    const row = `1973,Porsche,911,${named},HH-FL`;
    const text = `year,make,model,customer,license-plate\n${row} 1\n${row} 2\n`;
    const { code, json } = await run(['cars', '-'], { stdin: text, url });
    expect(code).toBe(0);
    for (const [index, { id }] of json.entries())
      expect((await service.call('GET', `/cars/${id}`)).body.data).toMatchObject({
        customerId: owner.id,
        licensePlate: `HH-FL ${index + 1}`,
      });
    const lookups = requests.map((one) => one.url).filter((path) => path.includes('/customers?'));
    expect(lookups).toEqual([...new Set(lookups)]);
    const both = `year,make,model,customer,customerId\n1973,Porsche,911,${named},${owner.id}\n`;
    expect((await run(['cars', '-'], { stdin: both })).error.details.issues).toMatchObject([
      { path: 'customerId', message: 'is filled by two columns' },
    ]);
    const twice = lines([
      { year: 1973, make: 'A', model: 'B', customer: 'x', customerId: owner.id },
    ]);
    expect((await run(['cars', '-'], { stdin: twice })).error.details.issues[0].message).toContain(
      'customer is unknown',
    );
  });

  test('names every unknown column, with the closest field', async () => {
    const { requests, url } = await proxyFor(() => undefined);
    const header =
      '__proto__,constructor,Last Name,e-mail,address.town,address.__proto__,notes,createdAt,toString.a';
    const { code, error, stdout } = await run(['customers', '-'], {
      stdin: `${header}\n1,2,3,4,5,6,7,8,9\n`,
      url,
    });
    expect([code, stdout, requests]).toEqual([3, '', []]);
    expect(error).toMatchObject({
      code: 'invalid_file',
      message: "7 columns aren't fields of a customer; nothing was sent.",
      hint: 'rename or remove them; `cs schema customers create` shows the fields',
    });
    expect(
      error.details.issues.map(
        ({ path, message }: { path: string; message: string }) => `${path} ${message}`,
      ),
    ).toEqual([
      '__proto__ is unknown',
      'constructor is unknown',
      'Last Name is unknown; did you mean lastName?',
      'e-mail is unknown; did you mean email?',
      'address.town is unknown',
      'address.__proto__ is unknown',
      'toString.a is unknown',
    ]);
    // With --rejects too: no row of the file can be meant.
    expect(
      (await run(['customers', '-', '--rejects', 'rejects'], { stdin: `lastNam\nA\n`, url })).code,
    ).toBe(3);
    expect(requests).toEqual([]);
  });

  test('keys of JSON that every object has are unknown fields too', async () => {
    const stdin =
      '{"lastName":"A","__proto__":{"a":1},"constructor":"x","emial":"a@example.com"}\n';
    const { code, error } = await run(['customers', '-'], { stdin });
    expect(code).toBe(3);
    expect(error.details.issues[0].message.split('; ').sort()).toEqual([
      '__proto__ is unknown',
      'constructor is unknown',
      'did you mean email?',
      'emial is unknown',
    ]);
  });

  const wrong = lines([{ firstName: 'A' }, { lastNam: 'B' }, { id: 'x', email: 'nobody' }]);

  test.each([[[]], [['--dry-run']]])(
    'checks every row, and reports problems by row and field %j',
    async (flags) => {
      const { requests, url } = await proxyFor(() => undefined);
      const { code, error, stdout } = await run(['customers', '-', ...flags], {
        stdin: wrong,
        url,
      });
      expect([code, stdout, requests]).toEqual([3, '', []]);
      expect(error).toMatchObject({
        code: 'validation_failed',
        message: '2 of 3 rows are invalid; nothing was sent.',
      });
      expect(
        error.details.issues.map(
          ({ path, message }: { path: string; message: string }) => `${path}: ${message}`,
        ),
      ).toEqual([
        'line 2: lastNam is unknown; did you mean lastName?',
        expect.stringMatching(
          /^line 3: (email must be .*; id is read-only|id is read-only; email must be .*)$/,
        ),
      ]);
      expect(error.hint).toContain('--skip-read-only');
    },
  );

  test('--dry-run with --rejects shows the good rows and tells the others, with the exit code of the run itself', async () => {
    const { requests, url } = await proxyFor(() => undefined);
    const stdin = lines([{ firstName: 'A' }, { lastNam: 'B' }, { firstName: 'C' }]);
    const { code, json, error } = await run(['customers', '-', '-n', '--rejects', 'rejects'], {
      stdin,
      url,
    });
    expect([code, requests, json.map(({ body }: { body: object }) => body)]).toEqual([
      11,
      [],
      [{ firstName: 'A' }, { firstName: 'C' }],
    ]);
    expect(error).toMatchObject({
      code: 'partial',
      message: '1 of 3 rows is invalid; nothing was sent.',
      hint: 'fix them and run it again',
      details: {
        failed: [
          {
            id: 'line 2',
            code: 'validation_failed',
            message: 'lastNam is unknown; did you mean lastName?',
          },
        ],
      },
    });
    const person = await run(['customers', '-', '-n', '--rejects', 'rejects'], {
      stdin: stdin.repeat(3),
      url,
      as: 'terminal',
    });
    expect(person.stderr).toContain('and 3 more');
    expect(person.stderr).toContain('6 rows are valid; nothing was sent.');
  });

  test('says so where a file has no rows', async () => {
    for (const stdin of ['', 'lastName\n', '[]'])
      expect(await run(['customers', '-'], { stdin })).toMatchObject({
        ...{ code: 0, stdout: '[]\n' },
        stderr: expect.stringContaining('There are no rows to import.'),
      });
  });

  test('leaves out the rows of --skip, also invalid ones and in a preview', async () => {
    const name = word();
    const stdin = lines([{ lastNam: name }, { lastName: name }]);
    const preview = await run(['customers', '-', '--skip', '1', '-n'], { stdin });
    expect([preview.code, preview.json.length]).toEqual([0, 1]);
    const { code, json } = await run(['customers', '-', '--skip', '1'], { stdin });
    expect([code, json.map(({ did }: { did: string }) => did)]).toEqual([
      0,
      ['skipped', 'created'],
    ]);
  });

  test('suggests --rejects only where it helps', async () => {
    const stdin = lines([{ lastNam: 'B' }]);
    for (const flags of [[], ['-n'], ['-n', '--rejects', 'rejects']]) {
      const { code, error } = await run(['customers', '-', ...flags], { stdin });
      expect([code, error.code, error.hint]).toEqual([
        3,
        'validation_failed',
        'fix them and run it again',
      ]);
    }
  });

  test('--dry-run shows the requests, with ids in place of names, and sends nothing', async () => {
    const { requests, url } = await proxyFor(() => undefined);
    const owner = await make.customer({ firstName: 'Ann', lastName: word() });
    const car = { year: 1973, make: 'Porsche', model: '911' };
    const stdin = lines([{ ...car, customer: `Ann ${owner.lastName}` }]);
    const { code, json } = await run(['cars', '-', '--dry-run'], { stdin, url });
    expect(json).toEqual([
      {
        dryRun: true,
        method: 'POST',
        path: '/api/v1/cars',
        body: { ...car, customerId: owner.id },
      },
    ]);
    expect([code, requests.filter(({ method }) => method !== 'GET')]).toEqual([0, []]);
    const person = await run(['cars', '-', '--dry-run'], {
      stdin: stdin.repeat(5),
      url,
      as: 'terminal',
    });
    expect(person.stdout.match(/POST \/api\/v1\/cars/g)).toHaveLength(3);
    expect(person.stderr).toContain('and 2 more');
    expect(person.stderr).toContain('5 rows are valid; nothing was sent.');
  });

  test.each([
    ['{"a":1}\nnot json\n', "line 2: isn't valid JSON"],
    ['{"a":1}\n[1]\n', "line 2: isn't an object"],
    ['lastName,tags\nA,b,c\n', 'line 2: has 3 cells, but the first line has 2'],
  ])('%j', async (stdin, message) => {
    const { code, stderr } = await run(['customers', '-'], { stdin });
    expect(code).toBe(3);
    expect(stderr).toContain(message.split(': ')[1]);
  });

  test.each([
    ['lastName,"A\n1,2\n', 3, 'The record in line 1 has an unclosed quote.'],
    ['[{"lastName":"A"}', 3, "The file isn't valid JSON"],
    ['a,a\n1,2\n', 2, 'Two columns have the name "a".'],
  ])('%j', async (stdin, code, message) => {
    const result = await run(['customers', '-'], { stdin });
    expect([result.code, result.error.message]).toEqual([code, expect.stringContaining(message)]);
  });

  test('rows of separators alone are no rows', async () => {
    const { code, json } = await run(['customers', '-', '--dry-run', '-o', 'json'], {
      stdin: 'lastName,email\nEk,\n,\nLee,\n,\n',
    });
    expect([
      code,
      JSON.stringify(json).match(/Ek|Lee/g),
      json.length ?? json.requests?.length,
    ]).toEqual([0, ['Ek', 'Lee'], 2]);
  });

  test('an empty file imports nothing', async () => {
    expect(await run(['customers', '-'], { stdin: '' })).toMatchObject({ code: 0, stdout: '[]\n' });
  });
});

describe('rows that fail', () => {
  test('end the import, and untried rows are reported', async () => {
    const name = word();
    const taken = { lastName: name, externalId: `${name}-taken` };
    await make.customer(taken);
    const rows = [{ lastName: name, firstName: 'first' }, taken, ...people(name, 20)];
    await file('a.ndjson', lines(rows));
    const { code, json, error } = await run(['customers', 'a.ndjson', '--parallel', '1']);
    expect([code, error.code, error.message]).toEqual([
      11,
      'partial',
      '1 row failed, 20 rows were not tried.',
    ]);
    expect(json).toMatchObject([
      { row: 1, did: 'created' },
      { row: 2, did: 'failed', error: { code: 'duplicate' } },
    ]);
    expect(error.details.failed).toMatchObject([{ id: 'line 2', code: 'duplicate' }]);
  });

  test('--rejects is another file than the import, also through a link', async () => {
    const text = lines(people(word(), 2));
    await file('a.ndjson', text);
    await symlink(join(folder, 'a.ndjson'), join(folder, 'link.ndjson'));
    for (const name of ['a.ndjson', './a.ndjson', 'link.ndjson']) {
      const { code, error } = await run(['customers', 'a.ndjson', '--rejects', name]);
      expect([code, error.message]).toEqual([2, '--rejects names the file that is imported.']);
    }
    expect(await readFile(join(folder, 'a.ndjson'), 'utf8')).toBe(text);
  });

  test('rows whose request got no answer need no mending: the same command goes on', async () => {
    const proxy = await proxyFor(({ method }) => (method === 'POST' ? 'reset' : undefined));
    await file('a.ndjson', lines(people(word(), 2)));
    const { code, error } = await run(['customers', 'a.ndjson', '--retries', '0'], {
      url: proxy.url,
    });
    expect([code, error.hint]).toEqual([9, 'run it again; imported rows are skipped']);
  });

  test.each(['ndjson', 'json', 'csv'])(
    '--rejects keeps those that failed, and the others are imported, as %s',
    async (format) => {
      const name = word();
      await make.customer({ lastName: name, externalId: name });
      const rows = [
        { firstName: 'a', lastName: name, email: 'a@example.com' },
        { firstName: 'b "b"', lastName: name, email: 'nobody' },
        { firstName: 'c', lastName: name, externalId: name },
        { firstName: 'd', lastName: name, email: 'd@example.com' },
      ];
      const header = ['firstName', 'lastName', 'email', 'externalId'] as const;
      const cell = (text = '') => (text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text);
      const csv = (some: typeof rows) =>
        [
          header.join(','),
          ...some.map((row) =>
            header.map((field) => cell((row as Partial<Record<string, string>>)[field])).join(','),
          ),
        ]
          .map((line) => `${line}\r\n`)
          .join('');
      const textOf = {
        ndjson: lines,
        json: (some: typeof rows) => `${JSON.stringify(some, null, 2)}\n`,
        csv,
      }[format] as (some: typeof rows) => string;
      await file(`a.${format}`, textOf(rows));
      const { code, json } = await run(['customers', `a.${format}`, '--rejects', 'failed']);
      expect([code, json.map(({ did }: { did: string }) => did)]).toEqual([
        11,
        ['created', 'failed', 'failed', 'created'],
      ]);
      expect(await readFile(join(folder, 'failed'), 'utf8')).toBe(textOf(rows.slice(1, 3)));

      const mended = (await readFile(join(folder, 'failed'), 'utf8'))
        .replace('nobody', 'b@example.com')
        .replaceAll(`${name}"}`, 'other"}');
      await file(`failed.${format}`, mended);
      await run(['customers', `failed.${format}`, '--rejects', 'failed']);
      expect(
        (await customers(name)).some(({ email }: { email: string }) => email === 'b@example.com'),
      ).toBe(true);
    },
  );

  test('an unknown or ambiguous name fails its row', async () => {
    const name = word();
    await make.customer({ firstName: 'Two', lastName: name });
    await make.customer({ firstName: 'Two', lastName: name });
    const car = { year: 1973, make: 'Porsche', model: '911' };
    const stdin = lines([
      { ...car, customerId: `Nobody ${name}` },
      { ...car, customerId: `Two ${name}` },
      car,
    ]);
    const { code, json } = await run(['cars', '-', '--rejects', 'rejects'], { stdin });
    expect([
      code,
      json.map(({ did, error }: { did: string; error?: { code: string } }) => error?.code ?? did),
    ]).toEqual([11, ['validation_failed', 'validation_failed', 'created']]);
  });

  test('looks a zone up at the location of its row; without one, the error lists the candidates and a hint', async () => {
    const zone = `Hall ${word()}`;
    const [east, west] = [
      await make.location({ name: word() }),
      await make.location({ name: word() }),
    ];
    for (const { id } of [east, west]) await make.zone(id, { name: zone });
    const { code, json } = await run(['parking-spots', '-'], {
      stdin: lines([{ zoneId: zone, name: word(), locationId: east.name }]),
    });
    expect(code).toBe(0);
    expect((await make.read(`/parking/spots/${json[0].id}`)).locationId).toBe(east.id);
    // Of a spot that is there, the location is where it is.
    const moved = lines([{ id: (await make.spot(west.id, { name: word() })).id, zoneId: zone }]);
    expect((await run(['parking-spots', '-', '--update'], { stdin: moved })).code).toBe(0);
    const [twin] = [
      await make.customer({ firstName: 'Two', lastName: zone }),
      await make.customer({ firstName: 'Two', lastName: zone }),
    ];
    const { error } = await run(['cars', '-'], {
      stdin: lines([{ year: 1973, make: 'Porsche', model: '911', customerId: `Two ${zone}` }]),
    });
    expect(error.details.issues[0].message).toContain(`${twin.id} is Two ${zone}`);
    expect(error.details.issues[0].message).toContain('Use the id of one of them.');
  });

  test('the exit code is that of the rows if all failed the same way, such as a deleted id', async () => {
    const stdin = lines([{ id: '00000000-0000-4000-8000-000000000000', notes: 'x' }]);
    expect(
      await run(['customers', '-', '--update', '--rejects', 'rejects'], { stdin }),
    ).toMatchObject({
      code: 6,
      error: { code: 'not_found' },
    });
  });

  test('a refused key ends the import even with --rejects', async () => {
    const key = await service.keyWith(['read:customers']);
    const { code, json } = await run(
      ['customers', '-', '--rejects', 'rejects', '--parallel', '1'],
      {
        stdin: lines(people(word(), 5)),
        env: { CS_API_KEY: key },
      },
    );
    expect([code, json]).toEqual([5, [expect.objectContaining({ row: 1, did: 'failed' })]]);
  });

  test('a terminal shows counts', async () => {
    const name = word();
    const stdin = lines([...people(name, 3), { lastName: name, email: 'nobody' }]);
    const { code, stdout, stderr } = await run(['customers', '-', '--rejects', 'rejects'], {
      stdin,
      as: 'terminal',
    });
    expect([code, stdout]).toEqual([11, '3 customers created, 1 row failed\n']);
    expect(stderr).toContain('  line 4  validation_failed: email must be');
    expect(
      (await run(['customers', '-'], { stdin: lines(people(word(), 1)), as: 'terminal' })).stdout,
    ).toBe('1 customer created\n');
  });
});

test('a terminal shows how many rows are sent, how fast, and the time left', async () => {
  expect([progress(1, 3, 900), progress(1_200, 2_000, 5_000)]).toEqual([
    '1 of 3',
    '1,200 of 2,000, 240 a second, 3 seconds left',
  ]);
  const [name, held] = [word(), Promise.withResolvers<void>()];
  const proxy = await proxyFor(async ({ method, body }) => {
    if (method === 'POST' && body.includes(`${name}1`)) await held.promise;
    return undefined;
  });
  await file('rows.ndjson', lines(people(name, 3)));
  const line = ['import', 'customers', 'rows.ndjson', '--parallel', '1'];
  const terminal = openTerminal(line, { cwd: folder, env: envOf(proxy.url) });
  await terminal.waitFor('Sending customers: 1 of 3');
  held.resolve();
  await terminal.waitFor('3 customers created');
  expect(await terminal.exited).toBe(0);
});

describe('nothing is imported twice', () => {
  test('by a second run of the same or a corrected file, also with --again', async () => {
    const name = word();
    const [first, ...rest] = people(name, 4);
    const again = { lastName: name };
    const stdin = lines([first, again, again, ...rest]);
    const once = await run(['customers', '-'], { stdin });
    const twice = await run(['customers', '-'], { stdin });
    expect(twice.json).toEqual(
      once.json.map((row: object) => ({ ...row, did: 'already_imported' })),
    );
    expect([twice.code, twice.stderr]).toEqual([0, '']);
    const mended = lines([
      { lastName: name, notes: 'new' },
      ...rest,
      again,
      again,
      { ...first, notes: 'changed' },
    ]);
    await run(['customers', '-'], { stdin: mended });
    expect(await customers(name)).toHaveLength(6 + 2);
    await run(['customers', '-', '--again', 'all'], { stdin });
    const { code, json, stderr } = await run(['customers', '-', '--again', '2'], { stdin });
    expect([code, json, stderr]).toEqual([
      ...[0, twice.json],
      expect.stringContaining(`The record of line 2 is stored as ${json[1].id}.`),
    ]);
    expect(await customers(name)).toHaveLength(6 + 2);
  });

  test('a record that was deleted since was imported all the same, and --again imports it again', async () => {
    const name = word();
    await file('b.ndjson', lines(people(name, 2)));
    const first = await run(['contacts', 'b.ndjson']);
    const [{ id }] = first.json;
    await service.call('DELETE', `/contacts/${id}`);
    const second = await run(['contacts', 'b.ndjson']);
    expect([second.code, second.json[0]]).toEqual([0, { row: 1, did: 'already_imported', id }]);
    expect(
      (await run(['contacts', 'b.ndjson', '--again', '1'])).json.map(
        ({ did }: { did: string }) => did,
      ),
    ).toEqual(['created', 'already_imported']);
    await service.call('DELETE', `/contacts/${first.json[1].id}`);
    for (const second of ['created', 'already_imported'])
      expect(
        (await run(['contacts', 'b.ndjson', '--again', 'all'])).json.map(
          ({ did }: { did: string }) => did,
        ),
      ).toEqual(['already_imported', second]);
  });

  test('a terminal shows the number of already imported rows', async () => {
    const stdin = lines(people(word(), 2));
    await run(['customers', '-'], { stdin });
    expect(await run(['customers', '-'], { stdin, as: 'terminal' })).toMatchObject({
      code: 0,
      stdout: '2 customers already imported\n',
      stderr: '',
    });
  });

  test('by a network that loses every other answer', async () => {
    const name = word();
    const proxy = await proxyFor(({ method, attempt, number }) =>
      method === 'POST' && attempt === 0 && number % 2 === 0 ? 'lost' : undefined,
    );
    const { code, json } = await run(['customers', '-'], {
      stdin: lines(people(name, 12)),
      url: proxy.url,
    });
    expect([code, json.map(({ row }: { row: number }) => row)]).toEqual([
      0,
      Array.from({ length: 12 }, (_, index) => index + 1),
    ]);
    expect(await customers(name)).toHaveLength(12);
  });

  test('when it is killed in the middle and run again', async () => {
    const name = word();
    const rows = people(name, 30);
    await file('a.ndjson', lines(rows));
    let child: ReturnType<typeof spawn> | undefined;
    let posts = 0;
    const proxy = await proxyFor(async ({ method }) => {
      if (method !== 'POST' || ++posts !== 11 || !child) return undefined;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      // What was under way is carried out, and nobody hears of it.
      return 'lost';
    });
    const main = new URL('../../../../src/cli/main.ts', import.meta.url).pathname;
    child = spawn(process.execPath, [main, 'import', 'customers', join(folder, 'a.ndjson')], {
      env: { ...ownEnvironment(), ...envOf(proxy.url) },
      stdio: 'ignore',
    });
    expect((await once(child, 'exit'))[1]).toBe('SIGKILL');
    child = undefined;
    const { code, json } = await run(['customers', 'a.ndjson'], { url: proxy.url });
    expect([code, json.length]).toEqual([0, 30]);
    const found = (await customers(name)).map(({ firstName }: { firstName: string }) => firstName);
    expect(found.sort()).toEqual(rows.map(({ firstName }) => firstName).sort());
  });

  test('when it is stopped with Ctrl-C', async () => {
    const name = word();
    const stop = new AbortController();
    let posts = 0;
    const proxy = await proxyFor(({ method }) => {
      if (method === 'POST' && ++posts === 5) stop.abort(new Interrupted('SIGINT'));
      return undefined;
    });
    const stdin = lines(people(name, 12));
    const stopped = await run(['customers', '-'], { stdin, url: proxy.url, signal: stop.signal });
    expect([stopped.code, stopped.stderr]).toEqual([
      130,
      expect.stringContaining('run the same command to continue'),
    ]);
    expect((await run(['customers', '-'], { stdin })).code).toBe(0);
    expect(await customers(name)).toHaveLength(12);
  });
});

test('waits when the server limits the rate', async () => {
  const limited = await startTestService({ rateLimits: { requestsPerMinute: 6_000, burst: 5 } });
  const { code, json } = await cs(['import', 'customers', '-', '--parallel', '8'], {
    stdin: lines(people(word(), 12)),
    env: { CS_BASE_URL: limited.url, CS_API_KEY: limited.key },
    // The limit refills in real time: 200 ms fill it again.
    waiting: { sleep: () => setTimeout(200) },
  });
  expect([code, json.length]).toEqual([0, 12]);
  await limited.close();
});

test.each([
  [['event-types', '-'], "event types can't be imported."],
  [['car-events', '-', '--update'], "car events can't be updated."],
  [
    ['customers', 'nowhere.csv'],
    expect.stringMatching(/^Couldn't read .*nowhere\.csv: no such file\.$/),
  ],
  [['customers', '-', '--parallel', '0'], '--parallel 0 is out of range.'],
  [['customers', '-', '--format', 'xml'], '--format: "xml" isn\'t one of ndjson, json, csv, xlsx.'],
  [['customers', '-', '--skip', '17'], '--skip: the file has no line 17.'],
  [['customers', '-', '--again', '1,3-5'], '--again: the file has no line 3-5.'],
  [['customers', '-', '--skip', '17-'], '--skip: "17-" isn\'t a list of rows.'],
])('cs import %j', async (line, message) => {
  const { code, error } = await run(line, { stdin: '{}' });
  expect([code, error.message]).toEqual([2, message]);
});
