/** `cs sync --to mirror.db`: a database that is consistent at any moment, and goes on where it stopped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takeLock } from '../../../../src/cli/commands/files/lock.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { type Facility, facility } from '../../../helpers/facility.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import {
  json,
  type MisbehavingServer,
  silence,
  startMisbehavingServer,
} from '../../../helpers/misbehaving-server.ts';
import { ownEnvironment } from '../../../helpers/own-home.ts';
import { startTestService, type TestService } from '../../../helpers/service.ts';

let service: TestService;
let make: Facility;
let folder: string;
let file: string;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  service = await startTestService();
  make = facility(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await makeFolder();
  file = join(folder, 'mirror.db');
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await removeFolder(folder);
});

const envOf = (url: string) => ({ CS_BASE_URL: url, CS_API_KEY: service.key });
type Options = CliOptions & { url?: string };
const run = (line: string[], { url = service.url, ...options }: Options = {}) =>
  cs(['sync', ...line], { cwd: folder, ...options, env: { ...envOf(url), ...options.env } });
const sync = (line: string[], options?: Options) => run([...line, '--to', file], options);
const proxyFor = async (choose: Parameters<typeof startFaultyProxy>[1]): Promise<FaultyProxy> => {
  const proxy = await startFaultyProxy(service.url, choose);
  closing.push(() => proxy.close());
  return proxy;
};

// biome-ignore lint/suspicious/noExplicitAny: rows of any table
function query(sql: string, ...values: string[]): any[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db.prepare(sql).all(...values);
  } finally {
    db.close();
  }
}

function execute(sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

// biome-ignore lint/suspicious/noExplicitAny: as above
async function onServer(path: string): Promise<any[]> {
  const { body } = await service.call('GET', `${path}?limit=200`);
  return body.data.sort((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1));
}

const idsAndTimes = (table: string) =>
  query(`select id, updated_at from ${table} order by id`).map(({ id, updated_at }) => [
    id,
    updated_at,
  ]);
const expected = async (path: string) =>
  (await onServer(path)).map(({ id, updatedAt }) => [id, updatedAt]);

interface ServerData {
  rows: Record<string, unknown>[];
  date: string | undefined;
  perPage: number;
  /** False: the request gets no answer. */
  before: () => boolean;
}

/** A server with these records, newest first, which heeds `ids` and `updatedAfter`. */
async function startServer(): Promise<MisbehavingServer & ServerData> {
  const server = await startMisbehavingServer(({ url }) => {
    if (!own.before()) return silence();
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname.endsWith('/me'))
      return json(404, { error: 'not here', code: 'route_not_found', details: null });
    const [after, ids] = [searchParams.get('updatedAfter'), searchParams.get('ids')?.split(',')];
    const found = own.rows
      .filter(
        ({ id, updatedAt }) =>
          (!after || String(updatedAt) >= after) && (!ids || ids.includes(String(id))),
      )
      .sort((a, b) => (String(a.updatedAt) < String(b.updatedAt) ? 1 : -1));
    const limit = Math.min(Number(searchParams.get('limit')), own.perPage);
    const page = Number(searchParams.get('page') ?? 1);
    const headers: Record<string, string> =
      own.date === undefined ? {} : { date: new Date(own.date).toUTCString() };
    return json(
      200,
      { data: found.slice((page - 1) * limit, page * limit), page, limit, total: found.length },
      headers,
    );
  });
  closing.push(() => server.close());
  const data: ServerData = { rows: [], date: undefined, perPage: 200, before: () => true };
  const own = Object.assign(server, data);
  return own;
}
const row = (id: number, hour: number, others: object = {}) => ({
  id: `c${id}`,
  updatedAt: `2026-01-01T${String(hour).padStart(2, '0')}:00:00.000Z`,
  ...others,
});

describe('repeated runs', () => {
  test('writes everything, then nothing, then changes', async () => {
    const customers = [await make.customer(), await make.customer()];
    const { id: locationId } = await make.location();
    await make.spot(locationId);
    const known = (await onServer('/customers')).length;
    const first = await sync(['customers', 'parking-spots']);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.json).toMatchObject([
      {
        resource: 'customers',
        added: known,
        changed: 0,
        removed: 0,
        records: known,
        full: true,
        file: 'mirror.db',
      },
      { resource: 'parking-spots', full: true },
    ]);
    expect(await readdir(folder)).toEqual(['mirror.db']);
    expect(idsAndTimes('customers')).toEqual(await expected('/customers'));
    expect(idsAndTimes('parking_spots')).toEqual(await expected('/parking/spots'));

    const still = await sync(['customers', '--exit-code']);
    expect([still.code, still.json]).toEqual([
      0,
      [expect.objectContaining({ added: 0, changed: 0, full: false, records: known })],
    ]);

    await make.change(`/customers/${customers[1]?.id}`, { notes: 'Prefers mornings' });
    await make.customer();
    const changed = await sync(['customers', '--exit-code']);
    expect([changed.code, changed.json]).toEqual([
      12,
      [expect.objectContaining({ added: 1, changed: 1, full: false, records: known + 1 })],
    ]);
    expect(idsAndTimes('customers')).toEqual(await expected('/customers'));
  });

  test('columns have the types of SQL, and the names that SQL writes', async () => {
    const customer = await make.customer({
      emailOptOut: true,
      lastName: 'Lee',
      tags: ['vip'],
      address: { city: 'Lübeck' },
    });
    const car = await make.car({ year: 1964, licensePlate: 'HH-E 61H' });
    await sync(['customers', 'cars']);
    const [found] = query(
      "select *, typeof(email_opt_out) as kind, json_extract(address, '$.city') as city from customers where id = ?",
      customer.id,
    );
    expect(found).toMatchObject({
      email_opt_out: 1,
      sms_opt_out: 0,
      kind: 'integer',
      city: 'Lübeck',
      tags: '["vip"]',
      notes: null,
      extra: null,
    });
    expect(found.created_at).toBe(customer.createdAt);
    expect(query('select year + 1 as next, license_plate from cars where id = ?', car.id)).toEqual([
      { next: 1965, license_plate: 'HH-E 61H' },
    ]);
    expect(
      query(
        "select name from pragma_table_list where strict = 0 and name in ('cars', 'customers', 'cs_sync')",
      ),
    ).toEqual([]);
  });

  test('with nothing changed, one request for each resource, and one for the team', async () => {
    await make.customer();
    await make.car();
    await sync(['customers', 'cars']);
    const requests: string[] = [];
    const proxy = await proxyFor(({ url }) => {
      requests.push(url.replace(/^.*\/v1|\?.*$/g, ''));
      return undefined;
    });
    execute(`update cs_origin set server = '${proxy.url}'`);
    expect((await sync(['customers', 'cars', '--exit-code'], { url: proxy.url })).code).toBe(0);
    expect(requests).toEqual(['/me', '/customers', '/cars']);
  });

  test('reports deleted records among the newest, or beside other changes, and removes them with --full', async () => {
    const [kept, gone] = [await make.contact(), await make.contact()];
    await sync(['contacts']);
    await service.call('DELETE', `/contacts/${gone.id}`);
    expect((await sync(['contacts'])).json).toMatchObject([{ removed: 0, gone: 1 }]);
    const more = await make.contact();
    const told = await sync(['contacts']);
    expect(told.json).toMatchObject([{ added: 1, removed: 0, gone: 1 }]);
    expect(told.stderr).toContain(
      `Remove deleted ones with \`cs sync contacts --to ${file} --full\``,
    );
    expect((await sync(['contacts', '--full'])).json).toMatchObject([
      { added: 0, changed: 0, removed: 1, records: 2, gone: 0, full: true },
    ]);
    expect(query('select id from contacts order by id').map(({ id }) => id)).toEqual(
      [kept.id, more.id].sort(),
    );
    for (const { id } of [kept, more]) await service.call('DELETE', `/contacts/${id}`);
  });

  test('--full-every reads everything once the last full run is older', async () => {
    await make.customer();
    const at = (day: number) => ({ now: new Date(`2026-03-0${day}T12:00:00Z`) });
    const days = [];
    for (const day of [1, 2, 3, 4])
      days.push((await sync(['customers', '--full-every', '48h'], at(day))).json[0].full);
    expect(days).toEqual([true, false, true, false]);
  });

  test('a removed table, and one of another version, are written again', async () => {
    await make.customer();
    await sync(['customers']);
    execute('drop table customers');
    expect((await sync(['customers'])).json).toMatchObject([{ full: true }]);
    execute('alter table customers add column shoe_size text');
    const { json: again, stderr } = await sync(['customers']);
    expect([again[0].full, stderr]).toEqual([
      true,
      expect.stringContaining('has the columns of another version of cs'),
    ]);
    expect(idsAndTimes('customers')).toEqual(await expected('/customers'));
  });
});

test('values of other types and unknown fields of another server are in `extra`', async () => {
  const server = await startServer();
  const odd = {
    firstName: ['Ada'],
    emailOptOut: 'yes',
    tags: ['a'],
    loyalty: { level: 2 },
    createdAt: '2026-01-01T10:00:00+01:00',
    notes: null,
  };
  const vague = ['2026-03-01T10:00', 'March 5', '5', '99999'];
  server.rows = [
    row(1, 1, odd),
    row(2, 2),
    ...vague.map((createdAt, n) => row(3 + n, 3, { createdAt })),
  ];
  expect((await sync(['customers'], { url: server.url })).code).toBe(0);
  const [first, second, ...times] = query('select * from customers order by id');
  expect(first).toMatchObject({
    first_name: null,
    email_opt_out: null,
    tags: '["a"]',
    created_at: '2026-01-01T09:00:00.000Z',
  });
  expect(JSON.parse(first.extra)).toEqual({
    firstName: ['Ada'],
    emailOptOut: 'yes',
    loyalty: { level: 2 },
  });
  expect(second).toMatchObject({ id: 'c2', extra: null });
  expect(times.map(({ created_at, extra }) => [created_at, JSON.parse(extra).createdAt])).toEqual(
    vague.map((time) => [null, time]),
  );
});

test('a time of the state that is none: everything is read again', async () => {
  const server = await startServer();
  server.rows = [row(1, 1)];
  await sync(['customers'], { url: server.url });
  const database = new DatabaseSync(file);
  database.exec("update cs_sync set since = 'garbage'");
  database.close();
  server.rows.push(row(2, 2));
  expect((await sync(['customers'], { url: server.url })).json).toMatchObject([
    { added: 1, full: true },
  ]);
});

describe('stopped', () => {
  test('after a kill at any request, the mirror is consistent, and the next run goes on there', async () => {
    const server = await startServer();
    server.perPage = 10;
    server.rows = Array.from({ length: 30 }, (_, index) => row(index + 10, 1 + (index % 20)));
    const main = new URL('../../../../src/cli/main.ts', import.meta.url).pathname;
    let stored = 0;
    let killed = true;
    for (let killAt = 0; killed; killAt++) {
      let requests = 0;
      let child: ReturnType<typeof spawn> | undefined;
      server.before = () => requests++ < killAt || !child?.kill('SIGKILL');
      child = spawn(process.execPath, [main, 'sync', 'customers', '--to', file], {
        env: { ...ownEnvironment(), ...envOf(server.url) },
        stdio: 'ignore',
      });
      const [, signal] = await once(child, 'exit');
      killed = signal === 'SIGKILL';
      if (!existsSync(file)) continue;
      const [state] = query('select * from cs_sync');
      const rows = state ? query('select id from customers') : [];
      expect(rows).toHaveLength(state?.records ?? 0);
      expect(rows.length).toBeGreaterThanOrEqual(stored);
      stored = rows.length;
      // The next time is known only at the end.
      expect(state?.since ?? null).toEqual(killed ? null : expect.any(String));
    }
    expect(stored).toBe(30);
  });

  test('after a kill in the middle of a write, status and verify show the mirror as it was before', async () => {
    const { id } = await make.customer();
    await sync(['customers']);
    const script = `
      const { DatabaseSync } = require('node:sqlite');
      const db = new DatabaseSync(process.argv[1]);
      db.exec("pragma synchronous = off; begin immediate; update customers set first_name = 'half'");
      process.kill(process.pid, 'SIGKILL');`;
    await execa(process.execPath, ['-e', script, file], {
      reject: false,
      env: ownEnvironment(),
      extendEnv: false,
    });
    expect(existsSync(`${file}-journal`)).toBe(true);
    const [status, verify] = [await run(['status', file]), await run(['verify', file])];
    expect([status.code, verify.code], status.stderr).toEqual([0, 0]);
    expect(query('select first_name from customers where id = ?', id)).not.toEqual([
      { first_name: 'half' },
    ]);
  });

  test('a failing server: what was read stays, and the next run goes on there, with the changes since the start', async () => {
    const server = await startServer();
    server.perPage = 10;
    server.rows = Array.from({ length: 40 }, (_, index) => row(index + 10, 1 + (index % 20)));
    let left = 3;
    const proxy = await startMisbehavingServer((request, index) => {
      const passOn = request.url.includes('/me') || left-- > 0;
      return (response) => {
        if (!passOn)
          return void response
            .writeHead(500, { 'content-type': 'application/json' })
            .end('{"error":"broken","code":"internal_error","details":null}');
        void fetch(server.url + request.url, { headers: { 'x-index': String(index) } }).then(
          async (answer) =>
            response
              .writeHead(answer.status, { 'content-type': 'application/json' })
              .end(await answer.text()),
        );
      };
    });
    closing.push(() => proxy.close());
    const failed = await sync(['contacts', '--retries', '0'], { url: proxy.url });
    expect([failed.code, failed.error.code]).toEqual([10, 'internal_error']);
    const stored = query('select count(*) as count from contacts')[0].count;
    expect(stored).toBeGreaterThan(0);
    const status = await run(['status', file]);
    expect(status.json).toMatchObject([
      { resource: 'contacts', ageSeconds: null, interrupted: { read: stored, total: 40 } },
    ]);
    // Behind the position: one changes, which moves it to the front, and one appears. Before it: one is deleted.
    const oldest = server.rows.find(({ updatedAt }) => String(updatedAt).includes('T01')) as Record<
      string,
      unknown
    >;
    oldest.updatedAt = '2026-01-02T00:00:00.000Z';
    const newest = server.rows.find(({ updatedAt }) => String(updatedAt).includes('T20')) as Record<
      string,
      unknown
    >;
    server.rows = [...server.rows.filter((one) => one !== newest), row(99, 23)];
    left = 100;
    server.requests.length = 0;
    const { json: result } = await sync(['contacts'], { url: proxy.url });
    expect(result).toMatchObject([{ full: true, records: 41 }]);
    expect(
      server.requests.filter(({ url }) => url.includes('/contacts') && !url.includes('ids='))
        .length,
    ).toBeLessThan(6);
    const ids = new Set(
      query('select id, updated_at from contacts').map(
        ({ id, updated_at }) => `${id} ${updated_at}`,
      ),
    );
    for (const { id, updatedAt } of server.rows) expect(ids).toContain(`${id} ${updatedAt}`);
    expect((await sync(['contacts', '--full'], { url: proxy.url })).json).toMatchObject([
      { removed: 1, records: 40 },
    ]);
  });

  test('an interrupted --full goes on, and removes what neither part has seen', async () => {
    const server = await startServer();
    server.perPage = 10;
    server.rows = Array.from({ length: 40 }, (_, index) => row(index + 10, 1 + (index % 20)));
    await sync(['contacts'], { url: server.url });
    server.rows = server.rows.slice(0, 38);
    const all = server.rows;
    // The third page is empty: the list contradicts itself, so the run stops.
    const stopping = await startMisbehavingServer((request) => (response) => {
      const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
      if (page >= 3 && request.url.includes('/contacts')) return void response.socket?.destroy();
      void fetch(server.url + request.url).then(async (answer) =>
        response
          .writeHead(answer.status, { 'content-type': 'application/json' })
          .end(await answer.text()),
      );
    });
    closing.push(() => stopping.close());
    execute(`update cs_origin set server = '${stopping.url}'`);
    expect((await sync(['contacts', '--full', '--retries', '0'], { url: stopping.url })).code).toBe(
      9,
    );
    expect(query('select count(*) as count from contacts')).toEqual([{ count: 40 }]);
    execute(`update cs_origin set server = '${server.url}'`);
    expect((await sync(['contacts'], { url: server.url })).json).toMatchObject([
      { full: true, removed: 2, records: 38 },
    ]);
    expect(query('select id from contacts order by id').map(({ id }) => id)).toEqual(
      all.map(({ id }) => id).sort(),
    );
    expect(query('select count(*) as count from cs_seen')).toEqual([{ count: 0 }]);
  });
});

describe('another server clock', () => {
  test('a clock that was set back: everything is read, and later changes arrive', async () => {
    const server = await startServer();
    server.date = '2030-01-01T00:00:00Z';
    server.rows = [{ id: 'c1', updatedAt: '2030-01-01T00:00:00.000Z' }, row(2, 2)];
    await sync(['customers'], { url: server.url });
    server.date = '2026-01-01T09:00:00Z';
    server.rows = [server.rows[0] as Record<string, unknown>, row(2, 8)];
    const { json: result, stderr } = await sync(['customers'], { url: server.url });
    expect([result[0].full, result[0].changed, stderr]).toEqual([
      true,
      1,
      expect.stringContaining("The server's clock is behind the last run"),
    ]);
    server.rows = [server.rows[0] as Record<string, unknown>, row(2, 10)];
    server.date = '2026-01-01T11:00:00Z';
    const again = await sync(['customers'], { url: server.url });
    expect([again.json[0].full, again.json[0].changed, again.stderr]).toEqual([false, 1, '']);
  });
});

describe('a server with older data', () => {
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
    server.rows = [row(1, 1), row(2, 2), row(3, 3)];
    await sync([resource], { url: server.url });
    const before = idsAndTimes(resource);
    server.rows = now.map(([id, hour]) => row(id, hour));
    const result = await sync([resource], { url: server.url });
    expect(result.code).toBe(code);
    if (code !== 7) return;
    expect([result.error.code, result.error.message]).toEqual([
      'data_unusable',
      expect.stringContaining('c3 '),
    ]);
    expect(idsAndTimes(resource)).toEqual(before);
    const [, command = ''] = /`cs (.+)`/.exec(result.error.hint) ?? [];
    expect((await cs(command.split(' '), { env: envOf(server.url) })).code).toBe(0);
    expect(idsAndTimes(resource).map(([id]) => id)).toEqual(now.map(([id]) => `c${id}`));
    expect((await sync([resource], { url: server.url })).code).toBe(0);
  });
});

describe('refused', () => {
  test('a second run at the same time', async () => {
    await sync(['customers']);
    const lock = await takeLock(`${file}-lock`);
    const { code, error } = await sync(['customers']);
    expect([code, error.code, error.hint]).toEqual([
      7,
      'already_running',
      'wait until it ends, or choose another file',
    ]);
    lock?.release();
    expect((await sync(['customers'])).code).toBe(0);
  });

  test('a second run at the same time through a link to the file; alone, it goes on with the same file', async () => {
    await sync(['customers']);
    const link = join(folder, 'link.db');
    await symlink(file, link);
    const lock = await takeLock(`${file}-lock`);
    const through = () => run(['customers', '--to', link]);
    expect(await through()).toMatchObject({ code: 7, error: { code: 'already_running' } });
    lock?.release();
    expect(await through()).toMatchObject({ code: 0, json: [{ added: 0, removed: 0 }] });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });

  test('the records of another team, and of another server', async () => {
    await sync(['customers']);
    const team = await sync(['customers', '--full'], { env: { CS_API_KEY: service.otherKey } });
    expect([team.code, team.error.code]).toEqual([7, 'other_origin']);
    const proxy = await proxyFor(() => undefined);
    const server = await sync(['customers'], { url: proxy.url });
    expect([server.code, server.error.hint]).toEqual([
      7,
      expect.stringContaining('change "server" in its table cs_origin'),
    ]);
  });

  test('a database of another program, which stays as it is', async () => {
    execute('create table mine (a); insert into mine values (1)');
    const { code, error } = await sync(['customers']);
    expect([code, error.code]).toEqual([7, 'state_unusable']);
    expect(query('select a from mine')).toEqual([{ a: 1 }]);
  });

  test.each([
    ['a deleted row', 'delete from customers where id in (select id from customers limit 1)'],
    ['another row', "insert into customers (id) values ('x')"],
  ])('%s, and the command in the hint repairs it', async (_, sql) => {
    await make.customer();
    await sync(['customers']);
    execute(sql);
    const { code, error } = await sync(['customers']);
    expect([code, error.code, error.message]).toEqual([
      7,
      'state_unusable',
      expect.stringContaining('The table customers'),
    ]);
    const [, command = ''] = /`cs (.+)`/.exec(error.hint) ?? [];
    expect((await cs(command.split(' '), { env: envOf(service.url) })).code).toBe(0);
    expect(idsAndTimes('customers')).toEqual(await expected('/customers'));
    expect((await sync(['customers', '--exit-code'])).code).toBe(0);
  });
});

describe('damaged', () => {
  test.each<[string, (path: string) => Promise<void>]>([
    ['cut', (path) => truncate(path, 8_192)],
    ['emptied', (path) => truncate(path, 0)],
    [
      'overwritten',
      async (path) =>
        writeFile(path, 'not a database, but long enough to look like a file'.repeat(100)),
    ],
    [
      'with a broken page',
      async (path) => {
        const bytes = await readFile(path);
        bytes.fill(0xff, 4_096);
        await writeFile(path, bytes);
      },
    ],
  ])('%s: it is named and moved aside, and only the next run starts over', async (_, damage) => {
    await make.customer();
    await sync(['customers', 'locations']);
    await damage(file);
    const bytes = await readFile(file);
    const { code, error } = await sync(['customers', 'locations']);
    expect([code, error.code]).toEqual([7, 'state_unusable']);
    expect(await readFile(`${file}.damaged`)).toEqual(bytes);
    expect(existsSync(file)).toBe(false);
    expect((await sync(['customers'])).json).toMatchObject([{ full: true }]);
    await damage(file);
    expect((await sync(['customers'])).error.message).toContain(`${file}.damaged-2`);
  });

  test('status and verify name it, and leave it in place', async () => {
    await sync(['customers']);
    await truncate(file, 0);
    for (const word of ['status', 'verify'])
      expect(await run([word, file])).toMatchObject({ code: 7, error: { code: 'state_unusable' } });
    expect(existsSync(file)).toBe(true);
  });
});

/** A disk of a few megabytes, which only the processes started there see; where the system lets this user make one. */
const onSmallDisk = (disk: string, command: string) =>
  execa(
    'unshare',
    ['-rm', 'sh', '-c', `mount -t tmpfs -o size=1m none "$0" && cd "$0" && ${command}`, disk],
    {
      env: { ...ownEnvironment(), ...envOf(service.url) },
      extendEnv: false,
      reject: false,
    },
  );

test('a full disk: a clear error, an intact mirror, and the next run goes on', async (context) => {
  if ((await onSmallDisk(folder, 'true')).exitCode !== 0) context.skip();
  const { id: locationId } = await make.location();
  for (let count = 0; count < 450; count++)
    await make.spot(locationId, { notes: 'x'.repeat(1_500) });
  const main = new URL('../../../../src/cli/main.ts', import.meta.url).pathname;
  const command = `"${process.execPath}" "${main}" sync parking-spots --to mirror.db`;
  const look = `"${process.execPath}" "${main}" sync status mirror.db`;
  const fill = 'dd if=/dev/zero of=filling bs=1k count=300 2>/dev/null';
  const { stdout, stderr } = await onSmallDisk(
    folder,
    `${fill}; ${command}; echo "exit $?"; ${look}; rm filling; mount -o remount,size=16m .; ${command}`,
  );
  expect(stderr).toContain('the disk is full');
  expect(JSON.parse(stderr.split('\n')[0] ?? '').error).toMatchObject({
    code: 'file_unusable',
    exitCode: 1,
  });
  const [, before = '', after = ''] = /exit 1\n(\[.*?\n\])\n(\[.*)/s.exec(stdout) ?? [stdout];
  expect(JSON.parse(before)[0].syncedAt).toBeNull();
  expect(JSON.parse(after)).toMatchObject([
    { records: (await service.call('GET', '/parking/spots?limit=1')).body.total },
  ]);
});

describe('status and verify', () => {
  test.each(['mirror.db', 'folder'])('of %s', async (name) => {
    const to = join(folder, name);
    const { id } = await make.customer();
    const contact = await make.contact();
    await run(['customers', 'contacts', '--to', to], { now: new Date('2026-03-01T12:00:00Z') });
    const status = await run(['status', to], { now: new Date('2026-03-01T14:00:00Z') });
    expect(status.json).toMatchObject([
      {
        resource: 'customers',
        ageSeconds: 7_200,
        syncedAt: '2026-03-01T12:00:00.000Z',
        interrupted: null,
      },
      { resource: 'contacts' },
    ]);
    const screen = await run(['status', to], {
      as: 'terminal',
      columns: 120,
      now: new Date('2026-03-01T14:00:00Z'),
    });
    expect(screen.stdout).toMatch(/^RESOURCE +RECORDS +AGE/);
    expect(screen.stdout).toMatch(/customers +\d+ +2 hours/);

    const equal = await run(['verify', to]);
    expect([equal.code, equal.stderr]).toEqual([0, '']);
    await make.change(`/customers/${id}`, { notes: 'New' });
    const fresh = await make.customer();
    await service.call('DELETE', `/contacts/${contact.id}`);
    const { code, json: found } = await run(['verify', to]);
    expect([code, found]).toMatchObject([
      12,
      [
        {
          resource: 'customers',
          missing: { count: 1, ids: [fresh.id] },
          outdated: { count: 1, ids: [id] },
          gone: { count: 0 },
        },
        { resource: 'contacts', missing: { count: 0 }, gone: { count: 1, ids: [contact.id] } },
      ],
    ]);
    expect(
      (await run(['verify', to, 'customers'], { as: 'terminal', columns: 200 })).stderr,
    ).toContain(`1 record missing (${fresh.id}), 1 record outdated (${id})`);
    await run(['customers', 'contacts', '--to', to, '--full']);
    expect((await run(['verify', to])).code).toBe(0);
  });

  test('verify names a file of a folder that was changed, and the command that mends it', async () => {
    const to = join(folder, 'edited');
    await make.customer({ firstName: 'Ada' });
    await run(['customers', '--to', to]);
    const path = join(to, 'customers.ndjson');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"Ada"', '"Eve"'));
    const { code, error } = await run(['verify', to]);
    expect([code, error.code, error.message]).toEqual([
      7,
      'state_unusable',
      `${path} was changed since the last run: its checksum differs.`,
    ]);
    expect(error.hint).toContain(`cs sync customers --to ${to} --full`);
  });

  test.each([
    [['status', 'nothing.db'], 2],
    [['status', '.'], 2],
    [['verify', 'nothing.db'], 2],
  ])('cs sync %j', async (line, code) => {
    expect((await run(line)).code).toBe(code);
  });

  test('verify of a resource that the mirror lacks', async () => {
    await sync(['customers']);
    expect(await run(['verify', file, 'cars'])).toMatchObject({
      code: 6,
      error: { hint: 'it has customers' },
    });
  });
});

test('without --to', async () => {
  expect(await run(['customers'])).toMatchObject({
    code: 2,
    error: { message: 'Missing required flag: --to.' },
  });
});

test('no folder is made in place of another database', async () => {
  const { code, error } = await run(['customers', '--to', `${file}.duckdb`]);
  expect([code, error.message]).toEqual([
    2,
    `--to names a folder or an SQLite database, and "${file}.duckdb" is another file.`,
  ]);
  expect(existsSync(`${file}.duckdb`)).toBe(false);
});
