/** `cs import`: every row is checked first, then sent once, and what becomes of it is told. */
import { appendFileSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { progress } from '../../../../src/cli/commands/import/import.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { testService } from '../../../helpers/service.ts';
import { openTerminal } from '../../../helpers/terminal.ts';

let folder: string;
const proxies: FaultyProxy[] = [];
const service = await testService();
const make = facility(service);
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
const text = (name: string) => readFile(join(folder, name), 'utf8');
const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const proxyFor = async (choose: Parameters<typeof startFaultyProxy>[1] = () => undefined) => {
  const proxy = await startFaultyProxy(service.url, choose);
  proxies.push(proxy);
  return proxy;
};
const read = async (path: string) => (await service.call('GET', path)).body.data;
const customers = (word: string) => read(`/customers?limit=200&q=${word}`);
const people = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ firstName: `${word}${index}`, lastName: word }));
const did = (json: { did: string; error?: { code: string } }[]) =>
  json.map((one) => one.error?.code ?? one.did);
let words = 0;
/** A last name that no other test has. */
const word = () => `Import${String.fromCharCode(65 + (words++ % 26))}${words}`;
const car = { year: 1973, make: 'Porsche', model: '911' };

describe('values', () => {
  test('csv: cells by the type of their field, names for ids, nested fields and lists', async () => {
    const owner = await make.customer({ firstName: 'Ann', lastName: word() });
    const cars = `year,make,model,customerId,nickname,mileage,notes\r\n 1973 ,Porsche,"911, RS",Ann ${owner.lastName},"'=1+1",120,"two\r\nlines ""here"""\r\n2001,Audi,A2,, ,   ,\r\n`;
    const { code, json } = await run(['cars', '-'], { stdin: cars });
    expect([code, json.map(({ row }: { row: number }) => row)]).toEqual([0, [2, 4]]);
    expect(await read(`/cars/${json[0].id}`)).toMatchObject({
      year: 1973,
      model: '911, RS',
      customerId: owner.id,
      nickname: '=1+1',
      mileage: 120,
      notes: 'two\r\nlines "here"',
    });
    const name = word();
    const person = `lastName;tags;emailOptOut;address.city;Address.Country\n${name};vip,regular;YES;Kiel;DE\n`;
    await run(['customers', '-'], { stdin: person });
    expect((await customers(name))[0]).toMatchObject({
      tags: ['vip', 'regular'],
      emailOptOut: true,
      address: { city: 'Kiel', country: 'DE' },
    });
    const visit = 'title;startAt;endAt\nOil;2090-03-01 09:00;2090-03-01T10:00:00Z\n';
    const [{ id }] = (await run(['appointments', '-'], { stdin: visit })).json;
    const startAt = new Date(2090, 2, 1, 9).toISOString();
    expect(await read(`/appointments/${id}`)).toMatchObject({ startAt });
  });

  test.each([
    ['cars', 'year,make,model,mileage\n1964,Jaguar,E-Type,12.5\n', 'mileage'],
    ['customers', 'lastName,emailOptOut\nLee,maybe\n', 'emailOptOut'],
  ])(
    'csv of %s: a cell that is no number, or neither yes nor no, is refused',
    async (of, stdin, field) => {
      const { code, error } = await run([of, '-'], { stdin });
      expect([code, error.details.issues]).toEqual([
        3,
        [{ path: 'line 2', rule: 'row', message: expect.stringMatching(`^${field} must be`) }],
      ]);
    },
  );

  test('child records, in their order', async () => {
    const spot = await make.spot((await make.location()).id);
    const { licensePlate, id } = await make.car({ licensePlate: `IM ${word()}` });
    const events = [
      { car: licensePlate, activityType: 'drop_off', parkingSpotId: spot.name },
      { carId: id, activityType: 'pick_up' },
    ];
    const { code, json } = await run(['car-events', '-'], { stdin: lines(events) });
    expect([code, did(json)]).toEqual([0, ['created', 'created']]);
    expect((await read(`/cars/${id}`)).status).toBe('checked_out');
  });

  test('an export goes back as updates, and one without a change is unchanged', async () => {
    const name = word();
    const stdin = lines(people(name, 2));
    await run(['customers', '-'], { stdin });
    const flags = ['--update', '--skip-read-only'];
    const to = join(folder, 'out');
    await cs(['export', 'customers', '--to', to, '-o', 'csv'], { env: envOf(service.url) });
    const written = await readFile(join(to, 'customers.csv'), 'utf8');
    const changed = written.replace(`${name}0`, 'Mended');
    const { code, json } = await run(['customers', '-', ...flags], { stdin: changed });
    expect(code).toBe(0);
    expect(did(json).filter((one) => one === 'updated')).toHaveLength(1);
    expect(new Set(did(json))).toEqual(new Set(['updated', 'unchanged']));
    const found = (await customers(name)).map((one: { firstName: string }) => one.firstName);
    expect(found.sort()).toEqual([`${name}1`, 'Mended']);
    // The server writes plates in capitals.
    const { id: carId } = await make.car({ licensePlate: `HH-${name}` });
    const stdinOfCar = `id,licensePlate\n${carId},hh-${name.toLowerCase()}\n`;
    const other = await run(['cars', '-', '--update'], { stdin: stdinOfCar });
    expect(other.json).toEqual([{ row: 2, did: 'unchanged', id: carId }]);
    const { id } = await make.customer();
    const empty = await run(['customers', '-', '--update'], { stdin: `id,notes\n${id},\n` });
    expect([empty.code, empty.json]).toEqual([0, [{ row: 2, did: 'unchanged', id }]]);
  });

  test('--skip-read-only alone refuses the ids of an export, which would be second records', async () => {
    const name = word();
    const stdin = lines([await make.customer({ lastName: name })]);
    const plain = await run(['customers', '-'], { stdin });
    expect([plain.code, plain.error.hint]).toEqual([
      3,
      'update the records that the ids name with --update, or remove the ids to create new records; ignore read-only fields with --skip-read-only',
    ]);
    const { code, error } = await run(['customers', '-', '--skip-read-only'], { stdin });
    expect([code, error.details.issues[0].message]).toEqual([3, 'id is read-only']);
    // A new row of an edited export has no id.
    const added = lines([{ id: '', createdAt: null, lastName: name }]);
    const flags = ['--update', '--skip-read-only'];
    expect(did((await run(['customers', '-', ...flags], { stdin: added })).json)).toEqual([
      'created',
    ]);
    expect(await customers(name)).toHaveLength(2);
  });

  test('null of JSON clears a field, an empty cell leaves it', async () => {
    const { id } = await make.customer({ notes: 'old', lastName: 'Old' });
    const stdin = (notes: string) => `{"id":"${id}","notes":${notes},"lastName":"New"}`;
    await run(['customers', '-', '--update'], { stdin: `id,notes,lastName\n${id},,Newer\n` });
    expect(await read(`/customers/${id}`)).toMatchObject({ notes: 'old', lastName: 'Newer' });
    await run(['customers', '-', '--update'], { stdin: stdin('null') });
    expect((await read(`/customers/${id}`)).notes).toBe(null);
  });
});

describe('columns', () => {
  test('fields or flags in any spelling, as columns and as keys, and names are looked up once', async () => {
    const owner = await make.customer({ firstName: 'Flag', lastName: word() });
    const { requests, url } = await proxyFor();
    const row = `1973;Porsche;911;Flag ${owner.lastName};HH-${word()}`;
    const cells = `year;MAKE;Model;Customer ID;license-plate\n${row}1\n${row}2\n`;
    const { json } = await run(['cars', '-'], { stdin: cells, url });
    const lookups = requests.map((one) => one.url).filter((path) => path.includes('/customers?'));
    expect(lookups).toEqual([...new Set(lookups)]);
    const keys = { Year: 1973, make: 'Porsche', MODEL: '911', license_plate: `HH-${word()}` };
    const one = lines([{ ...keys, customer: `Flag ${owner.lastName}` }]);
    const [{ id }] = (await run(['cars', '-'], { stdin: one })).json;
    for (const stored of [...json.map((one: { id: string }) => one.id), id])
      expect(await read(`/cars/${stored}`)).toMatchObject({
        ...{ ...car, customerId: owner.id, licensePlate: expect.stringContaining('HH-') },
      });
  });

  test('two of one field are refused', async () => {
    const twice = lines([{ ...car, customer: 'x', customerId: 'y' }]);
    expect((await run(['cars', '-'], { stdin: twice })).error.details.issues[0].message).toContain(
      'customer is unknown',
    );
    const both = 'Year,make,model,year,customer,Customer_Id\n1,a,b,2,c,d\n';
    expect((await run(['cars', '-'], { stdin: both })).error.details.issues).toMatchObject([
      { path: 'year', message: 'is the same field as Year' },
      { path: 'Customer_Id', message: 'is the same field as customer' },
    ]);
  });

  test('names every unknown column, with the closest field', async () => {
    const { requests, url } = await proxyFor();
    const header =
      '__proto__,constructor,Lost Name,address.town,address.__proto__,notes,createdAt,toString.a';
    const stdin = `${header}\n1,2,3,4,5,6,7,8\n`;
    const { code, error, stdout } = await run(['customers', '-', '--rejects', 'r'], { stdin, url });
    expect([code, stdout, requests]).toEqual([3, '', []]);
    expect(error).toMatchObject({
      code: 'invalid_file',
      message: "6 columns don't fit the fields of a customer; nothing was sent.",
      hint: 'rename or remove them; `cs schema customers create` shows the fields',
    });
    const told = ({ path, message }: { path: string; message: string }) => `${path} ${message}`;
    expect(error.details.issues.map(told)).toEqual([
      '__proto__ is unknown',
      'constructor is unknown',
      'Lost Name is unknown; did you mean lastName?',
      'address.town is unknown',
      'address.__proto__ is unknown',
      'toString.a is unknown',
    ]);
    const named = await run(['cars', '-'], { stdin: 'year,customerId,customerName\n1,,A\n', url });
    expect(named.error.hint).toMatch(/^leave the names beside ids out with --skip-read-only, or /);
    const keys = '{"lastName":"A","__proto__":{"a":1},"constructor":"x","emial":"a@example.com"}';
    const json = (await run(['customers', '-'], { stdin: keys, url })).error;
    expect(json.details.issues[0].message.split('; ').sort()).toEqual([
      ...['__proto__ is unknown', 'constructor is unknown', 'did you mean email?'],
      'emial is unknown',
    ]);
  });
});

describe('files', () => {
  test('without rows: nothing to do', async () => {
    expect(await run(['customers', '-'], { stdin: 'lastName,email\n,\n' })).toMatchObject({
      code: 0,
      stdout: '[]\n',
      stderr: expect.stringContaining('There are no rows to import.'),
    });
  });

  test('one that is still being written is refused', async () => {
    await file('growing.ndjson', '\n'.repeat(20_000_000));
    const writing = setInterval(() => appendFileSync(join(folder, 'growing.ndjson'), '\n'), 1);
    const { code, error } = await run(['customers', 'growing.ndjson']);
    clearInterval(writing);
    expect([code, error.message, error.hint]).toEqual([
      3,
      'growing.ndjson changed while it was read; nothing was sent.',
      'run it again when the program that writes the file has finished',
    ]);
  });

  test('--results may be a pipe or a device', async () => {
    await file('a.ndjson', lines(people(word(), 2)));
    const { code } = await run(['customers', 'a.ndjson', '--results', '/dev/null']);
    expect(code).toBe(0);
  });
});

describe('before anything is sent', () => {
  test.each([[[]], [['--dry-run']]])('checks every row %j', async (flags) => {
    const { requests, url } = await proxyFor();
    const stdin = lines([{ firstName: 'A' }, { lastNam: 'B' }, { id: 'x', email: 'nobody' }]);
    const { code, error, stdout } = await run(['customers', '-', ...flags], { stdin, url });
    expect([code, stdout, requests]).toEqual([3, '', []]);
    expect(error).toMatchObject({
      code: 'validation_failed',
      message: '2 of 3 rows are invalid; nothing was sent.',
      hint: 'update the records that the ids name with --update, or remove the ids to create new records',
    });
    const [first, second] = error.details.issues;
    expect(first).toMatchObject({
      path: 'line 2',
      message: 'lastNam is unknown; did you mean lastName?',
    });
    expect([second.path, second.message.split('; ').sort()]).toEqual([
      'line 3',
      [expect.stringMatching(/^email must be/), 'id is read-only'],
    ]);
  });

  test('suggests --rejects only where it helps', async () => {
    const stdin = lines([{ lastNam: 'B' }]);
    for (const flags of [[], ['-n'], ['-n', '--rejects', 'rejects']]) {
      const { code, error } = await run(['customers', '-', ...flags], { stdin });
      expect([code, error.hint]).toEqual([3, 'fix them and run it again']);
    }
    const some = await run(['customers', '-'], { stdin: `${stdin}{"lastName":"A"}` });
    expect(some.error.hint).toContain('add --rejects FILE');
  });

  test('--dry-run shows the requests with ids in place of names, and with --rejects the invalid rows', async () => {
    const { requests, url } = await proxyFor();
    const owner = await make.customer({ firstName: 'Ann', lastName: word() });
    const stdin = lines([{ ...car, customer: `Ann ${owner.lastName}` }, { lastNam: 'B' }]);
    const line = ['cars', '-', '--dry-run', '--rejects', 'rejects'];
    const { code, json, error } = await run(line, { stdin, url });
    const body = { ...car, customerId: owner.id };
    expect([code, json]).toEqual([
      11,
      [{ dryRun: true, method: 'POST', path: '/api/v1/cars', body }],
    ]);
    expect(error).toMatchObject({
      code: 'partial',
      message: '1 of 2 rows is invalid; nothing was sent.',
      hint: 'fix them and run it again',
      details: { failed: [{ id: 'line 2', code: 'validation_failed' }] },
    });
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('leaves out the rows of --skip, also invalid ones and in a preview', async () => {
    const name = word();
    const stdin = lines([{ lastNam: name }, { lastName: name }]);
    const preview = await run(['customers', '-', '--skip', '1', '-n'], { stdin });
    expect([preview.code, preview.json.length]).toEqual([0, 1]);
    const { code, json } = await run(['customers', '-', '--skip', '1'], { stdin });
    expect([code, did(json)]).toEqual([0, ['skipped', 'created']]);
    // It was in no doubt: without the flag it is a row as any other.
    const valid = lines(people(name, 2));
    await run(['customers', '-', '--skip', '1'], { stdin: valid });
    expect(did((await run(['customers', '-'], { stdin: valid })).json)).toEqual([
      'created',
      'already_imported',
    ]);
  });

  test('--update refuses the second row with an id', async () => {
    const { id } = await make.customer({ lastName: word() });
    const stdin = lines([
      { id, notes: 'one' },
      { id, notes: 'two' },
    ]);
    const { code, error } = await run(['customers', '-', '--update'], { stdin });
    expect([code, error.details.issues]).toEqual([
      3,
      [{ path: 'line 2', rule: 'row', message: 'id is the same as in line 1' }],
    ]);
  });

  test('a row may name one before it, of the same file', async () => {
    const [top, middle, low] = [word(), word(), word()];
    const stdin = lines([
      { name: top },
      { name: middle, parentId: top },
      { name: low, parentId: middle },
    ]);
    const { code, json } = await run(['asset-folders', '-'], { stdin });
    expect([code, did(json)]).toEqual([0, Array(3).fill('created')]);
  });

  test('a name that nothing has yet is looked for again once a row has created it', async () => {
    const late = word();
    const stdin = lines([
      { name: word(), parentId: late },
      { name: late },
      { name: word(), parentId: late },
    ]);
    const line = ['asset-folders', '-', '--rejects', 'rejects', '--parallel', '1'];
    const { code, json } = await run(line, { stdin });
    expect([code, did(json)]).toEqual([11, ['not_found', 'created', 'created']]);
  });

  test('names that the key may not look up end it before anything is sent', async () => {
    const env = { CS_API_KEY: await service.keyWith(['read:cars', 'write:cars']) };
    const stdin = lines([car, { ...car, customerId: 'Somebody' }]);
    const before = (await read('/cars?limit=200')).length;
    const { code, stdout, error } = await run(['cars', '-', '--rejects', 'r'], { stdin, env });
    expect([code, stdout, error.code]).toEqual([5, '', 'missing_scope']);
    expect(await read('/cars?limit=200')).toHaveLength(before);
  });

  test('an unknown or ambiguous name fails its row, with the candidates', async () => {
    const name = word();
    const twin = await make.customer({ firstName: 'Two', lastName: name });
    await make.customer({ firstName: 'Two', lastName: name });
    const stdin = lines([
      { ...car, customerId: `Nobody ${name}` },
      { ...car, customerId: `Two ${name}` },
      car,
    ]);
    const { code, json } = await run(['cars', '-', '--rejects', 'rejects'], { stdin });
    expect([code, did(json)]).toEqual([
      ...[11, ['validation_failed', 'validation_failed', 'created']],
    ]);
    expect(json[1].error.message).toContain(`${twin.id} is Two ${name}`);
    expect(json[1].error.message).toContain('Use the id of one of them.');
  });

  test('looks a zone up at the location of its row, or of its record', async () => {
    const zone = `Hall ${word()}`;
    const [east, west] = [
      await make.location({ name: word() }),
      await make.location({ name: word() }),
    ];
    for (const { id } of [east, west]) await make.zone(id, { name: zone });
    const { json } = await run(['parking-spots', '-'], {
      stdin: lines([{ zoneId: zone, name: word(), locationId: east.name }]),
    });
    expect((await make.read(`/parking/spots/${json[0].id}`)).locationId).toBe(east.id);
    const moved = lines([{ id: (await make.spot(west.id, { name: word() })).id, zoneId: zone }]);
    expect((await run(['parking-spots', '-', '--update'], { stdin: moved })).code).toBe(0);
  });
});

describe('rows that fail', () => {
  test('end the import, and untried rows are counted', async () => {
    const name = word();
    const taken = { lastName: name, externalId: `${name}-taken` };
    await make.customer(taken);
    const rows = [{ lastName: name, firstName: 'first' }, taken, ...people(name, 20)];
    const { code, json, error } = await run(['customers', '-', '--parallel', '1'], {
      stdin: lines(rows),
    });
    // A row that is left out isn't one that wasn't tried.
    const skipping = await run(['customers', '-', '--parallel', '1', '--skip', '1'], {
      stdin: lines([{}, taken, ...people(word(), 3)]),
    });
    expect(skipping.error.message).toBe('1 row failed, 3 rows were not tried.');
    expect([code, error.code, error.message]).toEqual([
      ...[11, 'partial', '1 row failed, 20 rows were not tried.'],
    ]);
    expect(did(json)).toEqual(['created', 'duplicate']);
    expect(error.details.failed).toMatchObject([{ id: 'line 2', code: 'duplicate' }]);
    const shown = await run(['customers', '-', '--parallel', '1', '--skip', '1'], {
      stdin: lines([{}, ...people(word(), 1), taken, ...people(word(), 3)]),
      as: 'terminal',
    });
    expect(shown.stdout).toBe(
      '1 customer created, 1 row skipped, 1 row failed, 3 rows not tried\n',
    );
  });

  test('--rejects keeps those that failed, and the others are imported', async () => {
    const name = word();
    await make.customer({ lastName: name, externalId: name });
    const header = 'firstName,lastName,email,externalId\r\n';
    const failing = `"b ""b""",${name},nobody,\r\nc,${name},,${name}\r\n`;
    await file('a.csv', `${header}a,${name},a@example.com,\r\n${failing}d,${name},,\r\n`);
    const flags = ['--rejects', 'failed', '--results', 'results'];
    const result = await run(['customers', 'a.csv', ...flags]);
    expect([result.code, did(result.json)]).toEqual([
      ...[11, ['created', 'validation_failed', 'duplicate', 'created']],
    ]);
    expect(result.error.hint).toBe('fix the rows in failed and import that file');
    expect(await text('failed')).toBe(`${header}${failing}`);
    expect((await stat(join(folder, 'failed'))).mode & 0o777).toBe(0o600);
    const told = (await text('results'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const key = expect.stringMatching(/^cs-import-/);
    expect(told).toEqual(result.json.map((row: object) => ({ ...row, key })));
    await file('failed.csv', (await text('failed')).replace('nobody', 'b@example.com'));
    await run(['customers', 'failed.csv', '--rejects', 'failed']);
    const emails = (await customers(name)).map(({ email }: { email: string }) => email);
    expect(emails).toContain('b@example.com');
  });

  test('the exit code is that of the rows if all failed the same way', async () => {
    const stdin = lines([{ id: '00000000-0000-4000-8000-000000000000', notes: 'x' }]);
    const line = ['customers', '-', '--update', '--rejects', 'rejects'];
    expect(await run(line, { stdin })).toMatchObject({ code: 6, error: { code: 'not_found' } });
  });

  test.each([
    ['reset', 9, 'connection_lost', ''],
    ['500', 10, 'internal_error', ''],
    ['429', 8, 'rate_limited', 'wait a minute'],
  ] as const)(
    '%s stops the import with its own code, also after others',
    async (fault, code, problem, hint) => {
      const name = word();
      const { url } = await proxyFor(({ method, body }) =>
        method === 'POST' && body.includes(`${name}1`) ? fault : undefined,
      );
      const stdin = lines([{ lastName: name, email: 'nobody' }, ...people(name, 4)]);
      const line = ['customers', '-', '--rejects', 'r', '--parallel', '1', '--retries', '0'];
      const stopped = await run(line, { stdin, url });
      expect([stopped.code, did(stopped.json).slice(0, 2)]).toEqual([
        ...[code, ['validation_failed', 'created']],
      ]);
      expect(stopped.error).toMatchObject({
        code: problem,
        message: '2 rows failed, 2 rows were not tried.',
        hint: expect.stringContaining('run it again; imported rows are skipped'),
      });
      expect(stopped.error.hint).toContain(hint);
      expect(stopped.error.hint).toContain('fix the rows in r');
      const again = await run(line, { stdin });
      expect([again.code, await customers(name)]).toEqual([11, expect.any(Array)]);
      expect(await customers(name)).toHaveLength(4);
    },
  );

  test('a key without the scope ends the import even with --rejects, and the hint names it', async () => {
    const env = { CS_API_KEY: await service.keyWith(['read:customers']) };
    const line = ['customers', '-', '--rejects', 'rejects', '--parallel', '1'];
    const { code, json, error } = await run(line, { stdin: lines(people(word(), 5)), env });
    expect([code, json]).toEqual([5, [expect.objectContaining({ row: 1, did: 'failed' })]]);
    expect(`${json[0].error.message} ${error.hint}`).toContain('write:customers');
  });

  test('a row that is too large for the server is refused by its name', async () => {
    const stdin = lines([{ lastName: word() }, { lastName: 'A', tags: ['x'.repeat(2_000_000)] }]);
    const { code, json } = await run(['customers', '-', '--rejects', 'r'], { stdin });
    expect([code, did(json)]).toEqual([11, ['created', 'validation_failed']]);
  });

  test('a terminal shows counts', async () => {
    const name = word();
    const stdin = lines([...people(name, 3), { lastName: name, email: 'nobody' }]);
    const line = ['customers', '-', '--rejects', 'rejects'];
    const { code, stdout, stderr } = await run(line, { stdin, as: 'terminal' });
    expect([code, stdout]).toEqual([11, '3 customers created, 1 row failed\n']);
    expect(stderr).toContain('  line 4  validation_failed: email must be');
    const one = { stdin: lines(people(word(), 1)), as: 'terminal' } as const;
    expect((await run(['customers', '-'], one)).stdout).toBe('1 customer created\n');
    expect((await run(['customers', '-'], one)).stdout).toBe('1 customer already imported\n');
    const { id } = await make.customer({ lastName: name });
    const change = { stdin: lines([{ id, notes: 'x' }]), as: 'terminal' } as const;
    const told = async () => (await run(['customers', '-', '--update'], change)).stdout;
    expect([await told(), await told()]).toEqual([
      '1 customer updated\n',
      '1 customer unchanged\n',
    ]);
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
