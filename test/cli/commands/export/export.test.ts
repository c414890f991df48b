/** `cs export`: whole, or not there. */
import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { rows, startListServer } from '../../../helpers/list-server.ts';
import {
  type Behaviour,
  json,
  problem,
  record,
  startMisbehavingServer,
} from '../../../helpers/misbehaving-server.ts';
import { testService } from '../../../helpers/service.ts';

const service = await testService();
const make = facility(service);
let folder: string;
const location = await make.location();
const spot = await make.spot(location.id);
const car = await make.car({
  licensePlate: 'WN AB 123',
  notes: 'Line one\nline two, "quoted"',
  nickname: '=1+1',
});
await make.event(car.id, { parkingSpotId: spot.id });
await make.event(car.id, { activityType: 'inspection' });
await make.car();
await make.customer({
  firstName: 'Zoë',
  lastName: 'Ørsted',
  tags: ['vip', 'a,b'],
  address: { city: 'Kiel' },
});
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => removeFolder(folder));

const run = (line: string[], options: CliOptions = {}) =>
  cs(['export', ...line], {
    cwd: folder,
    ...options,
    env: { CS_BASE_URL: service.url, CS_API_KEY: service.key, ...options.env },
  });
const read = (name: string) => readFile(join(folder, name), 'utf8');
const list = async (path: string) => (await service.call('GET', `${path}?limit=200`)).body.data;

test('writes a file for each resource, and a manifest of their content', async () => {
  const { code, json, stderr } = await run(['cars', 'customers', '--to', '.']);
  expect([code, stderr]).toEqual([0, '']);
  expect(json).toEqual([
    { resource: 'cars', records: 2, file: 'cars.ndjson' },
    { resource: 'customers', records: 1, file: 'customers.ndjson' },
  ]);
  expect(
    (await read('cars.ndjson'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  ).toEqual(await list('/cars'));
  const manifest = JSON.parse(await read('manifest.json'));
  expect(manifest).toMatchObject({
    version: 1,
    startedAt: expect.stringMatching(/Z$/),
    finishedAt: expect.stringMatching(/Z$/),
    server: service.url,
    team: { name: 'First' },
    format: 'ndjson',
  });
  const text = await read('cars.ndjson');
  expect(manifest.resources[0]).toMatchObject({
    resource: 'cars',
    file: 'cars.ndjson',
    records: 2,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  });
  const [newest] = await list('/cars');
  expect(Date.parse(manifest.resources[0].changesSince)).toBeLessThanOrEqual(
    Date.parse(newest.updatedAt),
  );
  expect((await readdir(folder)).sort()).toEqual([
    'cars.ndjson',
    'customers.ndjson',
    'manifest.json',
  ]);
});

test('--all exports every resource, also child resources', async () => {
  const { code, json } = await run(['--all', '--to', 'everything']);
  expect(code).toBe(0);
  const counts = Object.fromEntries(
    json.map(({ resource, records }: { resource: string; records: number }) => [resource, records]),
  );
  expect(counts).toMatchObject({
    cars: 2,
    'car-events': 2,
    'event-types': 6,
    'parking-spots': 1,
    messages: 0,
  });
  const events = (await read('everything/car-events.ndjson'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(events.map(({ activityType }) => activityType).sort()).toEqual(['drop_off', 'inspection']);
});

test('as csv and as json', async () => {
  await run(['cars', '--to', 'csv', '-o', 'csv']);
  const lines = (await read('csv/cars.csv')).split('\r\n');
  expect(lines[0]).toMatch(/^id,teamId,createdAt,updatedAt,year,make,model/);
  expect(await read('csv/cars.csv')).toContain('"Line one\nline two, ""quoted"""');
  expect(await read('csv/cars.csv')).toContain(",'=1+1,");
  const result = await run(['cars', '--to', 'json', '-o', 'json'], { as: 'terminal' });
  expect(result.code).toBe(0);
  expect(JSON.parse(await read('json/cars.json'))).toEqual(await list('/cars'));
});

test('--with-names: the names of customers and places beside their ids', async () => {
  const [customer] = await list('/customers');
  const hall = await make.location({ name: 'Hall, north' });
  const spot = await make.spot(hall.id, { name: 'N1' });
  const car = await make.car({ customerId: customer.id });
  await make.event(car.id, { parkingSpotId: spot.id });
  await run(['cars', 'parking-spots', '--to', 'named', '-o', 'csv', '--with-names']);
  const [header = '', ...lines] = (await read('named/cars.csv')).split('\r\n');
  expect(header).toContain(',customerId,customerName,');
  const line = lines.find((one) => one.startsWith(car.id));
  expect(line).toContain(`,${customer.id},Zoë Ørsted,`);
  expect(line).toContain(`,${spot.id},N1,`);
  expect(await read('named/parking-spots.csv')).toContain(`,${hall.id},"Hall, north",`);
});

test('--with-names: a key without the scope of a name fails the resource, and imports leave the names out', async () => {
  const customer = await make.customer({ lastName: 'Named' });
  const car = await make.car({ customerId: customer.id, nickname: 'Named car' });
  const key = await service.keyWith(['read:cars']);
  const line = ['cars', '--to', 'unnamed', '-o', 'csv', '--with-names'];
  const { code, stderr } = await run(line, { env: { CS_API_KEY: key } });
  expect([code, stderr, await readdir(join(folder, 'unnamed'))]).toEqual([
    5,
    expect.stringMatching(/read:(customers|locations|parking)/),
    [],
  ]);
  await run(['cars', '--to', 'named', '-o', 'csv', '--with-names']);
  const imported = await cs(
    ['import', 'cars', 'named/cars.csv', '--update', '--skip-read-only', '-n'],
    { cwd: folder, env: { CS_BASE_URL: service.url, CS_API_KEY: service.key } },
  );
  expect([imported.code, imported.stdout.includes(car.id)]).toEqual([0, true]);
});

describe('what already exists', () => {
  test('is replaced only with --overwrite', async () => {
    await run(['locations', '--to', '.']);
    const before = await read('locations.ndjson');
    const { code, error } = await run(['locations', '--to', '.']);
    expect([code, error.code]).toEqual([7, 'file_exists']);
    const { id } = await make.location();
    expect((await run(['locations', '--to', '.', '--overwrite'])).code).toBe(0);
    expect([before.includes(id), (await read('locations.ndjson')).includes(id)]).toEqual([
      false,
      true,
    ]);
  });
});

test('a list that the server lacks is no empty one; a parent that is gone meanwhile has none', async () => {
  const car = { id: 'c1', make: 'Audi', model: 'A2', createdAt: '2026-01-02T03:04:05.000Z' };
  const [missing, refused] = [problem(404, 'not_found'), problem(403, 'missing_scope')];
  let [ofEvents, ofCar] = [missing, record(car)];
  const server = await startMisbehavingServer(({ url }) =>
    url.includes('/events')
      ? ofEvents
      : url.includes('/cars/')
        ? ofCar
        : json(200, { data: [car], page: 1, limit: 200, total: 1 }),
  );
  onTestFinished(() => server.close());
  const exitWith = async (events: Behaviour, parent: Behaviour) => {
    [ofEvents, ofCar] = [events, parent];
    return (await run(['car-events', '--to', '.'], { env: { CS_BASE_URL: server.url } })).code;
  };
  expect(await exitWith(missing, record(car))).toBe(6);
  // Nobody knows whether it is gone.
  expect(await exitWith(missing, refused)).toBe(5);
  // Nobody knows whether it has some.
  expect(await exitWith(refused, missing)).toBe(5);
  expect(await readdir(folder)).toEqual([]);
  expect(await exitWith(missing, missing)).toBe(0);
  expect(await read('car-events.ndjson')).toBe('');
});

test('the files of an export are on the disk before its manifest has its name', async () => {
  const handle = await open(folder);
  const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync');
  await handle.close();
  onTestFinished(() => sync.mockRestore());
  /** What stands in the folder whenever it is flushed. */
  const flushed: string[][] = [];
  sync.mockImplementation(async function (this: FileHandle) {
    if ((await this.stat()).isDirectory()) flushed.push((await readdir(folder)).sort());
  });
  await run(['cars', 'customers', '--to', '.']);
  const files = ['cars.ndjson', 'customers.ndjson'];
  const whole = [...files, 'manifest.json'];
  expect(flushed).toEqual([[], files, whole]);
  flushed.length = 0;
  await run(['cars', 'customers', '--to', '.', '--overwrite']);
  expect(flushed, 'first without a manifest').toEqual([files, files, whole]);
});

describe('an incomplete export', () => {
  test('has no manifest, and no part of a file under its name', async () => {
    const server = await startListServer();
    server.rows = rows(210);
    const proxy = await startFaultyProxy(server.url, ({ url }) =>
      /contacts.*page=2/.test(url) ? '500' : undefined,
    );
    const line = ['--to', '.', '--retries', '0', '--overwrite'];
    const env = { CS_BASE_URL: proxy.url };
    expect((await run(['contacts', ...line], { env })).code).toBe(10);
    expect(await readdir(folder)).toEqual([]);
    // What stops a run of several gives it its exit code.
    const several = await run(['cars', 'contacts', 'customers', ...line], { env });
    await proxy.close();
    await server.close();
    expect([several.code, several.error.code, await readdir(folder)]).toEqual([
      ...[10, 'internal_error', ['cars.ndjson']],
    ]);
    expect(several.json[2].error.code).toBe('not_tried');
  });

  test('with a missing scope contains the others and no manifest, also not the old one, and exits 11', async () => {
    const line = ['cars', 'customers', 'locations', 'contacts', '--to', '.'];
    expect((await run(line)).code).toBe(0);
    const env = { CS_API_KEY: await service.keyWith(['read:cars', 'read:locations']) };
    const { code, json, error } = await run([...line, '--overwrite'], { env });
    expect([code, error.code]).toEqual([11, 'partial']);
    expect(error.hint).toBe(
      'sign in with a key that has read:customers and read:contacts: `cs auth login`; `cs auth status` shows the scopes of yours; then run it again with --overwrite',
    );
    expect(json).toMatchObject([
      { resource: 'cars' },
      { resource: 'locations' },
      { resource: 'customers', error: { code: 'missing_scope' } },
      { resource: 'contacts', error: { code: 'missing_scope' } },
    ]);
    expect(await readdir(folder)).not.toContain('manifest.json');
  });

  test('leaves out a record that is deleted while its children are read', async () => {
    const thread = await make.socialEvent();
    const kept = await make.socialEvent();
    const option = await make.option(kept.id, { label: 'Perhaps', kind: 'maybe' });
    const proxy = await startFaultyProxy(service.url, async ({ url, attempt }) => {
      if (url.includes(`${thread.id}/rsvp-options`) && attempt === 0)
        await service.call('DELETE', `/marketing/social-events/${thread.id}`);
      return undefined;
    });
    const { code } = await run(['rsvp-options', '--to', '.'], { env: { CS_BASE_URL: proxy.url } });
    await proxy.close();
    const text = await read('rsvp-options.ndjson');
    expect([code, text.includes(option.id), text.includes(thread.id)]).toEqual([0, true, false]);
  });
});

test.each([
  [['cars', '--to', 'cars.XLSX'], '--to names a folder, and "cars.XLSX" is the name of a file.'],
  [
    ['cars', '--to', 'cars.sqlite'],
    '--to names a folder, and "cars.sqlite" is the name of a file.',
  ],
  [['cars', '--to', 's3://KEY:secret@bucket/x'], "--to: s3:// addresses aren't supported."],
])('cs export %j', async (line, message) => {
  const { code, stderr } = await run(line, { as: 'terminal' });
  expect([code, stderr.split('\n')[0]]).toEqual([2, `error: ${message}`]);
});

test('the address of a database is refused with the command that writes one', async () => {
  const { code, error } = await run(['cars', '--to', 'postgres://me:geheim@host/x']);
  expect([code, error.hint]).toEqual([
    2,
    'use a path on this machine: --to <folder>; `cs sync` mirrors records into a database',
  ]);
});

test('where no folder can be made it ends with an error', async () => {
  for (const to of ['/proc/x/y', '/dev/null/x']) {
    const { code, error } = await run(['cars', '--to', to]);
    expect([code, error.code]).toEqual([2, 'file_unusable']);
    expect(error.message).toContain(`Couldn't use the folder ${to}: `);
  }
});
