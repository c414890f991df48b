/** `cs sync`: a folder that is kept equal to the server, whatever comes in between. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockFolder } from '../../../../src/cli/commands/sync/mirror-files.ts';
import { Interrupted } from '../../../../src/cli/errors/ended-run.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { type Facility, facility } from '../../../helpers/facility.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { recordFileOperations } from '../../../helpers/file-operations.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { json, startMisbehavingServer } from '../../../helpers/misbehaving-server.ts';
import { ownEnvironment } from '../../../helpers/own-home.ts';
import { startTestService, type TestService } from '../../../helpers/service.ts';

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
const sync = (
  line: string[],
  { url = service.url, ...options }: CliOptions & { url?: string } = {},
) => cs(['sync', ...line, '--to', folder], { ...options, env: { ...envOf(url), ...options.env } });
const proxyFor = async (choose: Parameters<typeof startFaultyProxy>[1]) => {
  const proxy = await startFaultyProxy(service.url, choose);
  proxies.push(proxy);
  return proxy;
};

// biome-ignore lint/suspicious/noExplicitAny: records of any resource
async function inFile(name: string): Promise<any[]> {
  const text = await readFile(join(folder, `${name}.ndjson`), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

// biome-ignore lint/suspicious/noExplicitAny: as above
async function onServer(path: string): Promise<any[]> {
  const records = [];
  for (let page = 1; ; page++) {
    const { body } = await service.call('GET', `${path}?limit=200&page=${page}`);
    records.push(...body.data);
    if (page * 200 >= body.total) return records.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

const files = async () => (await readdir(folder)).sort();

describe('repeated runs', () => {
  test('writes everything, then nothing, then changes; files are in the order of ids', async () => {
    const customers = [await make.customer(), await make.customer(), await make.customer()];
    await make.location();
    const known = (await onServer('/customers')).length;
    const first = await sync(['customers', 'locations']);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.json).toMatchObject([
      { resource: 'customers', added: known, changed: 0, removed: 0, full: true },
      { resource: 'locations', full: true },
    ]);
    expect(await inFile('customers')).toEqual(await onServer('/customers'));
    expect(await files()).toEqual(['customers.ndjson', 'locations.ndjson', 'sync.json']);

    const still = await sync(['customers', '--exit-code']);
    expect([still.code, still.json]).toEqual([
      0,
      [expect.objectContaining({ added: 0, changed: 0, removed: 0, full: false, records: known })],
    ]);

    await make.change(`/customers/${customers[1]?.id}`, { notes: 'Prefers mornings' });
    await make.customer();
    const changed = await sync(['customers', '--exit-code']);
    expect([changed.code, changed.json]).toEqual([
      12,
      [
        expect.objectContaining({
          added: 1,
          changed: 1,
          removed: 0,
          full: false,
          records: known + 1,
        }),
      ],
    ]);
    expect(await inFile('customers')).toEqual(await onServer('/customers'));
    expect((await sync(['customers', '--exit-code'])).code).toBe(0);
  });

  test('reports deleted records, and removes them with --full', async () => {
    const [kept, gone] = [await make.contact(), await make.contact()];
    await sync(['contacts']);
    await service.call('DELETE', `/contacts/${gone.id}`);
    const told = await sync(['contacts']);
    expect(told.json).toMatchObject([{ removed: 0, gone: 1 }]);
    expect(told.stderr).toContain('1 more contacts than the server');
    expect(told.stderr).toContain('Remove deleted ones with');
    const full = await sync(['contacts', '--full']);
    expect(full.json).toMatchObject([{ added: 0, changed: 0, removed: 1, gone: 0, full: true }]);
    expect((await inFile('contacts')).map(({ id }) => id)).toEqual([kept.id]);
  });

  test('writes a removed file again', async () => {
    await make.customer();
    await sync(['customers']);
    await rm(join(folder, 'customers.ndjson'));
    expect((await sync(['customers'])).json).toMatchObject([{ full: true }]);
    expect(await inFile('customers')).toEqual(await onServer('/customers'));
  });

  test('writes an empty file for an empty list', async () => {
    expect((await sync(['social-posts'])).json).toMatchObject([
      { resource: 'social-posts', records: 0, added: 0 },
    ]);
    expect(await inFile('social-posts')).toEqual([]);
    expect((await sync(['social-posts'])).code).toBe(0);
  });

  test('a terminal gets a table', async () => {
    const { stdout, stderr } = await sync(['customers', 'locations'], { as: 'terminal' });
    expect(stdout).toMatch(/^RESOURCE +ADDED +CHANGED +REMOVED +RECORDS/);
    expect(stderr).toBe('2 resources\n');
  });
});

test('a state of an earlier version, without checksums: reads everything again, with a warning', async () => {
  await make.customer();
  await sync(['customers']);
  const state = JSON.parse(await readFile(join(folder, 'sync.json'), 'utf8'));
  const { since, records, recent } = state.resources.customers;
  await writeFile(
    join(folder, 'sync.json'),
    JSON.stringify({ ...state, resources: { customers: { since, records, recent } } }),
  );
  const { json, stderr } = await sync(['customers']);
  expect(json).toMatchObject([{ full: true, added: 0, changed: 0 }]);
  expect(stderr).toContain('sync.json has no checksum');
  expect((await sync(['customers'])).json).toMatchObject([{ full: false }]);
});

describe('a server with older data', () => {
  /** A server with these customers that can be set back; it heeds `ids` and `updatedAfter`. */
  async function startServer() {
    let rows: { id: string; updatedAt: string }[] = [];
    const server = await startMisbehavingServer(({ url }) => {
      const { pathname, searchParams } = new URL(url, 'http://localhost');
      if (pathname.endsWith('/me'))
        return json(404, { error: 'not here', code: 'route_not_found', details: null });
      const [after, ids] = [searchParams.get('updatedAfter'), searchParams.get('ids')?.split(',')];
      const data = rows
        .filter(({ id, updatedAt }) => (!after || updatedAt >= after) && (!ids || ids.includes(id)))
        .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
      return json(200, {
        data,
        page: 1,
        limit: Number(searchParams.get('limit')),
        total: data.length,
      });
    });
    return Object.assign(server, {
      has: (...now: [number, number][]) => {
        rows = now.map(([id, hour]) => ({
          id: `c${id}`,
          updatedAt: `2026-01-01T${String(hour).padStart(2, '0')}:00:00.000Z`,
        }));
      },
    });
  }

  test.each<[string, string, [number, number][], number]>([
    [
      'a record that changed before it did',
      'customers',
      [
        [1, 1],
        [2, 2],
        [3, 2],
      ],
      7,
    ],
    [
      'a record that is missing',
      'customers',
      [
        [1, 1],
        [2, 2],
      ],
      0,
    ],
    [
      'the same with a newer change',
      'customers',
      [
        [1, 9],
        [2, 2],
        [3, 2],
      ],
      7,
    ],
    [
      'no difference',
      'customers',
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
      0,
    ],
    [
      'newer changes alone',
      'customers',
      [
        [1, 9],
        [2, 2],
        [3, 9],
      ],
      0,
    ],
  ])('%s', async (_, resource, now, code) => {
    const server = await startServer();
    server.has([1, 1], [2, 2], [3, 3]);
    await sync([resource], { url: server.url });
    const before = await inFile(resource);
    server.has(...now);
    const result = await sync([resource], { url: server.url });
    expect(result.code).toBe(code);
    if (code === 7) {
      expect([result.error.code, result.error.message]).toEqual([
        'data_unusable',
        expect.stringContaining('c3 '),
      ]);
      expect(await inFile(resource)).toEqual(before);
      const [, command = ''] = /`cs (.+)`/.exec(result.error.hint) ?? [];
      expect((await cs(command.split(' '), { env: envOf(server.url) })).code).toBe(0);
      expect((await inFile(resource)).map(({ id }) => id)).toEqual(now.map(([id]) => `c${id}`));
      expect((await sync([resource], { url: server.url })).code).toBe(0);
    }
    await server.close();
  });
});

describe('while others write', () => {
  test('changes between pages are in this run or the next', async () => {
    const { id: locationId } = await make.location();
    const spots: { id: string }[] = [];
    for (let count = 0; count < 230; count++) spots.push(await make.spot(locationId));
    let left = 40;
    const proxy = await proxyFor(async ({ url }) => {
      if (!url.includes('/parking/spots')) return undefined;
      for (let count = 0; count < 5 && left > 0; count++, left--)
        await make.change(`/parking/spots/${spots[left * 3]?.id}`, { notes: `Change ${left}` });
      if (left > 0) spots.push(await make.spot(locationId));
      return undefined;
    });
    for (let runs = 0; runs < 12; runs++) await sync(['parking-spots'], { url: proxy.url });
    expect(left).toBe(0);
    const last = await sync(['parking-spots', '--exit-code'], { url: proxy.url });
    expect([last.code, last.json[0].full]).toEqual([0, false]);
    expect(await inFile('parking-spots')).toEqual(await onServer('/parking/spots'));
  });

  test('works with a network that breaks at every other request', async () => {
    await make.customer();
    const proxy = await proxyFor(({ attempt, number }) =>
      attempt === 0 ? (number % 2 === 0 ? 'reset' : 'lost') : undefined,
    );
    expect((await sync(['customers'], { url: proxy.url })).code).toBe(0);
    await make.customer();
    expect((await sync(['customers'], { url: proxy.url })).json).toMatchObject([
      { full: false, added: 1 },
    ]);
    expect(await inFile('customers')).toEqual(await onServer('/customers'));
  });

  test('a failing server leaves the folder unchanged', async () => {
    await make.customer();
    let broken = false;
    const proxy = await proxyFor(({ url }) =>
      broken && url.includes('/customers') ? '500' : undefined,
    );
    await sync(['customers'], { url: proxy.url });
    const before = [await inFile('customers'), await files()];
    await make.customer();
    broken = true;
    const { code, error } = await sync(['customers', '--retries', '0'], { url: proxy.url });
    expect([code, error.code]).toEqual([10, 'internal_error']);
    expect([await inFile('customers'), await files()]).toEqual(before);
    broken = false;
    expect((await sync(['customers'], { url: proxy.url })).json).toMatchObject([
      { full: false, added: 1 },
    ]);
  });
});

describe('stopped', () => {
  test('after a kill at any request, the folder is unchanged and the next run completes it', async () => {
    const { id: locationId } = await make.location();
    for (let count = 0; count < 210; count++) await make.spot(locationId);
    let killAt = -1;
    let child: ReturnType<typeof spawn> | undefined;
    let asked = 0;
    const proxy = await proxyFor(async () => {
      if (asked++ !== killAt || !child) return undefined;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      return 'reset';
    });
    await sync(['parking-spots'], { url: proxy.url });
    const requests = asked;
    expect(requests).toBeGreaterThan(2);
    for (killAt = 0; killAt < requests; killAt++) {
      await make.spot(locationId);
      const before = await inFile('parking-spots');
      asked = 0;
      const main = new URL('../../../../src/cli/main.ts', import.meta.url).pathname;
      child = spawn(process.execPath, [main, 'sync', 'parking-spots', '--full', '--to', folder], {
        env: { ...ownEnvironment(), ...envOf(proxy.url) },
        stdio: 'ignore',
      });
      const [, signal] = await once(child, 'exit');
      expect(signal).toBe('SIGKILL');
      expect(await inFile('parking-spots')).toEqual(before);
    }
    killAt = -1;
    await sync(['parking-spots'], { url: proxy.url });
    expect(await inFile('parking-spots')).toEqual(await onServer('/parking/spots'));
    expect(await files()).toEqual(['parking-spots.ndjson', 'sync.json']);
  });

  test('after a kill between state and file, the next run repeats the change', async () => {
    const customer = await make.customer();
    await sync(['customers']);
    const before = await readFile(join(folder, 'customers.ndjson'), 'utf8');
    await make.change(`/customers/${customer.id}`, { notes: 'Once' });
    await sync(['customers']);
    // The state is written first, so this is what a kill between the two leaves.
    await writeFile(join(folder, 'customers.ndjson'), before);
    await writeFile(join(folder, '.sync-0'), 'half a rec');
    await writeFile(join(folder, 'customers.ndjson.0123abcd.part'), 'half a rec');
    expect((await sync(['customers'])).json).toMatchObject([{ added: 0, changed: 1, full: false }]);
    expect(await inFile('customers')).toEqual(await onServer('/customers'));
    expect(await files()).toEqual(['customers.ndjson', 'sync.json']);
  });

  test('after a kill in a full run over an unknown file, the next run is full too', async () => {
    await make.customer();
    await writeFile(join(folder, 'customers.ndjson'), 'not mine');
    await sync(['customers']);
    await writeFile(join(folder, 'customers.ndjson'), 'not mine');
    expect((await sync(['customers'])).json).toMatchObject([{ full: true }]);
    expect(await inFile('customers')).toEqual(await onServer('/customers'));
  });

  test('by a power cut: bytes and state are synced before the rename, and the rename before the end', async () => {
    const customer = await make.customer();
    await sync(['customers']);
    await make.change(`/customers/${customer.id}`, { notes: 'Twice' });
    const operations = await recordFileOperations(() => sync(['customers']));
    const name = basename(folder);
    expect(operations).toEqual([
      'sync customers.ndjson.part',
      'sync sync.json.part',
      'rename sync.json.part sync.json',
      `sync ${name}`,
      'rename customers.ndjson.part customers.ndjson',
      `sync ${name}`,
    ]);
  });

  test('with Ctrl-C', async () => {
    const stop = new AbortController();
    const proxy = await proxyFor(({ url }) => {
      if (url.includes('/customers')) stop.abort(new Interrupted('SIGINT'));
      return undefined;
    });
    expect((await sync(['customers'], { url: proxy.url, signal: stop.signal })).code).toBe(130);
    expect(await files()).toEqual([]);
  });
});

describe('refused', () => {
  test('a second run at the same time', async () => {
    const lock = await lockFolder(folder, 'cs sync');
    const { code, error } = await sync(['customers']);
    expect([code, error.code, error.hint]).toEqual([
      7,
      'already_running',
      'wait until it ends, or choose another folder',
    ]);
    lock.release();
    expect((await sync(['customers'])).code).toBe(0);
  });

  test('the records of another team', async () => {
    await sync(['customers']);
    const { code, error } = await sync(['customers', '--full'], {
      env: { CS_API_KEY: service.otherKey },
    });
    expect([code, error.code]).toEqual([7, 'other_origin']);
    expect(error.message).toContain('belongs to the team First, and this key to Second');
    const shown = await sync(['customers', '--full'], {
      env: { CS_API_KEY: service.otherKey },
      as: 'terminal',
    });
    expect(shown.stderr).toContain('belongs to the team First');
    expect(shown.stderr).not.toContain('{');
    expect(
      (
        await sync(['customers'], {
          env: { CS_API_KEY: await service.keyWith(['read:customers']) },
        })
      ).code,
    ).toBe(0);
  });

  test('another server', async () => {
    await sync(['customers']);
    const proxy = await proxyFor(() => undefined);
    const { code, error } = await sync(['customers'], { url: proxy.url });
    expect([code, error.code, error.hint]).toEqual([
      7,
      'other_origin',
      expect.stringContaining('change "server"'),
    ]);
  });

  test.each([
    ['cut in the middle of a line', (text: string) => text.slice(0, -20), 'it has'],
    ['emptied', () => '', 'it has 0 records'],
    ['without one of its lines', (text: string) => text.slice(text.indexOf('\n') + 1), 'it has'],
    ['with a line more', (text: string) => `${text}{"id":"z"}\n`, 'it has'],
    [
      'with another word',
      (text: string) => text.replace('"updatedAt"', '"updatedat"'),
      'its checksum differs',
    ],
    ['in another order', () => '{"id":"b"}\n{"id":"a"}\n', 'it has'],
  ])('a file %s, and the command in the hint repairs it', async (_, damage, why) => {
    const customers = [await make.customer(), await make.customer(), await make.customer()];
    await sync(['customers']);
    const path = join(folder, 'customers.ndjson');
    const [whole, state] = [
      await readFile(path, 'utf8'),
      await readFile(join(folder, 'sync.json'), 'utf8'),
    ];
    await writeFile(path, damage(whole));
    await make.change(`/customers/${customers[0]?.id}`, { notes: 'New' });
    const requests: string[] = [];
    const proxy = await proxyFor(({ url }) => {
      requests.push(url);
      return undefined;
    });
    const moved = state.replaceAll(service.url, proxy.url);
    await writeFile(join(folder, 'sync.json'), moved);
    const { code, error, stdout } = await sync(['customers'], { url: proxy.url });
    expect([code, error.code, stdout]).toEqual([7, 'state_unusable', '']);
    expect(error.message).toContain(why);
    // Nothing was asked of the server but whose key it is, and nothing was written.
    expect(requests.filter((url) => url.includes('/customers'))).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe(damage(whole));
    const [, command = ''] = /`cs (.+)`/.exec(error.hint) ?? [];
    expect(command).toBe(`sync customers --to ${folder} --full`);
    // Also when another resource of the same run is whole.
    const both = await sync(['customers', 'locations'], { url: proxy.url });
    expect([both.code, both.error.code]).toEqual([7, 'state_unusable']);
    expect(both.error.hint).toBe(error.hint);
    expect((await cs(command.split(' '), { env: envOf(proxy.url) })).code).toBe(0);
    expect(await inFile('customers')).toEqual(await onServer('/customers'));
    expect((await sync(['customers', '--exit-code'], { url: proxy.url })).code).toBe(0);
  });

  test('an invalid state file', async () => {
    await sync(['customers']);
    await writeFile(join(folder, 'sync.json'), '{}');
    expect(await sync(['customers'])).toMatchObject({ code: 7, error: { code: 'state_unusable' } });
  });

  test.each([
    ['cut off', (text: string) => text.slice(0, text.length / 2)],
    ['emptied', () => ''],
    ['overwritten with zeros', (text: string) => '\0'.repeat(text.length)],
  ])(
    'a state file that was %s: it is named and moved aside, and only the next run starts over',
    async (_, damage) => {
      const { id } = await make.customer();
      await sync(['customers']);
      const path = join(folder, 'sync.json');
      const damaged = damage(await readFile(path, 'utf8'));
      await writeFile(path, damaged);
      for (const word of ['status', 'verify']) {
        const looked = await cs(['sync', word, folder], { env: envOf(service.url) });
        expect(looked).toMatchObject({ code: 7, error: { code: 'state_unusable' } });
      }
      const { code, error } = await sync(['customers']);
      expect([code, error.code, error.details]).toEqual([
        7,
        'state_unusable',
        { movedTo: `${path}.damaged` },
      ]);
      expect(error.message).toContain(`${path} is damaged`);
      expect(await readFile(`${path}.damaged`, 'utf8')).toBe(damaged);
      expect((await sync(['customers'])).json).toMatchObject([
        { full: true, added: 0, removed: 0 },
      ]);
      expect((await inFile('customers')).map((one) => one.id)).toContain(id);
    },
  );

  test('a deleted file: status and verify name it, with the command that writes it again', async () => {
    await make.customer();
    await sync(['customers', 'locations']);
    const path = join(folder, 'customers.ndjson');
    await rm(path);
    const look = (word: string) => cs(['sync', word, folder], { env: envOf(service.url) });
    const [status, verify] = [await look('status'), await look('verify')];
    expect(status.json[0]).toMatchObject({ resource: 'customers', records: 0 });
    expect([verify.code, verify.error.message]).toEqual([7, `${path} is missing.`]);
    for (const text of [status.stderr, verify.error.hint]) {
      const [, command = ''] = /`cs (.*)`/.exec(text) ?? [];
      await rm(path, { force: true });
      expect(await cs(command.split(' '), { env: envOf(service.url) })).toMatchObject({ code: 0 });
      expect(await look('verify')).toMatchObject({ code: 0 });
    }
    expect(status.stderr).toContain(`${path} is missing.`);
    expect((await look('status')).stderr).toBe('');
  });

  test.each([{ recent: 5 }, { since: 'garbage' }])(
    'a damaged part of the state, %j: it is named with the command that repairs it',
    async (part) => {
      await sync(['customers']);
      const path = join(folder, 'sync.json');
      const state = JSON.parse(await readFile(path, 'utf8'));
      await writeFile(
        path,
        JSON.stringify({
          ...state,
          resources: { customers: { ...state.resources.customers, ...part } },
        }),
      );
      const { code, error } = await sync(['customers']);
      expect([code, error.code, error.message]).toEqual([
        7,
        'state_unusable',
        expect.stringContaining('customers.ndjson'),
      ]);
      const command = /`cs (.*)`/.exec(error.hint)?.[1] ?? '';
      expect((await cs(command.split(' '), { env: envOf(service.url) })).code).toBe(0);
      expect((await sync(['customers'])).code).toBe(0);
    },
  );

  test.each([
    [['car'], 2, undefined],
    [['cras'], 2, 'did you mean cars?'],
    [['car-events'], 2, undefined],
    [['me'], 2, undefined],
  ])('cs sync %j', async (line, code, hint) => {
    const result = await sync(line);
    if (line[0] === 'car') expect(result.code).toBe(0);
    else
      expect([result.code, hint === undefined || result.error.hint === hint]).toEqual([code, true]);
  });

  test('a resource without the scope', async () => {
    const { code, error } = await sync(['locations'], {
      env: { CS_API_KEY: await service.keyWith(['read:customers']) },
    });
    expect([code, error.code]).toEqual([5, 'missing_scope']);
  });

  test('one of several resources without the scope: the others are written', async () => {
    const key = await service.keyWith(['read:customers', 'read:contacts']);
    const { code, json, error } = await sync(['customers', 'locations', 'contacts'], {
      env: { CS_API_KEY: key },
    });
    expect([code, error.code, error.details.failed]).toEqual([
      11,
      'partial',
      [expect.objectContaining({ id: 'locations', code: 'missing_scope' })],
    ]);
    expect(json).toMatchObject([
      { resource: 'customers' },
      { resource: 'contacts' },
      { resource: 'locations', error: { code: 'missing_scope' } },
    ]);
    expect(await files()).toEqual(['contacts.ndjson', 'customers.ndjson', 'sync.json']);
  });

  test("a folder where the lock can't be created", async () => {
    await mkdir(join(folder, '.lock'));
    expect(await sync(['customers'])).toMatchObject({
      code: 2,
      error: { code: 'file_unusable' },
    });
  });

  test('a file in place of the folder', async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    expect(await sync(['customers'])).toMatchObject({
      code: 2,
      error: { code: 'file_unusable' },
    });
  });
});
