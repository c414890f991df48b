/**
 * `cs sync`: a database that equals the server after whatever came in between. In the project for PostgreSQL the mirror is a PostgreSQL
 * database, otherwise an SQLite file.
 */
import { mkdir, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takeLock } from '../../../../src/cli/commands/files/lock.ts';
import { Mirror } from '../../../../src/cli/commands/sync/mirror.ts';
import { Interrupted } from '../../../../src/cli/errors/ended-run.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { rows, type Stored, startListServer } from '../../../helpers/list-server.ts';
import * as postgres from '../../../helpers/postgres.ts';
import { testService } from '../../../helpers/service.ts';

const { onPostgres } = postgres;
const service = await testService();
const make = facility(service);
let folder: string;
/** What --to gets, and what messages call it. */
let target: string;
let name: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await makeFolder();
  target = onPostgres ? await postgres.emptyDatabase() : join(folder, 'mirror.db');
  name = onPostgres ? target.replace(/:\w+@/, '@') : 'mirror.db';
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await removeFolder(folder);
});

type Options = CliOptions & { url?: string };
const run = (line: readonly string[], { url = service.url, ...options }: Options = {}) =>
  cs(['sync', ...line], {
    cwd: folder,
    ...options,
    env: { CS_BASE_URL: url, CS_API_KEY: service.key, ...options.env },
  });
const sync = (line: readonly string[], options?: Options) =>
  run([...line, '--to', target], options);

// biome-ignore lint/suspicious/noExplicitAny: rows of any table
async function query(sql: string): Promise<any[]> {
  if (onPostgres) return postgres.query(target, sql);
  const db = new DatabaseSync(target);
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

const startServer = async () => {
  const server = await startListServer();
  closing.push(server.close);
  return server;
};

/** Compares every value with the server. */
async function expectEqual(url = service.url): Promise<void> {
  const { code, stdout, stderr } = await run(['verify', target], { url });
  expect([code, stderr], stdout).toEqual([0, '']);
}

describe('repeated runs', () => {
  test('write everything, then nothing with one request, then changes', async () => {
    const customers = [await make.customer(), await make.customer()];
    await make.spot((await make.location()).id);
    const known = (await service.call('GET', '/customers')).body.total;
    const first = await sync(['customers', 'parking-spots']);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.json).toMatchObject([
      { resource: 'customers', added: known, changed: 0, removed: 0, records: known, full: true },
      { resource: 'parking-spots', full: true },
    ]);
    if (!onPostgres) expect(await readdir(folder)).toEqual(['mirror.db']);
    await expectEqual();

    const still = await sync(['customers', 'parking-spots', '--exit-code', '-v']);
    expect([still.code, still.json]).toMatchObject([
      0,
      [{ added: 0, changed: 0, full: false, records: known }, { added: 0 }],
    ]);
    expect(still.stderr.match(/ GET \S+/g)).toHaveLength(3);

    await make.change(`/customers/${customers[1]?.id}`, { notes: 'Prefers mornings' });
    await make.customer();
    const changed = await sync(['customers', '--exit-code']);
    expect([changed.code, changed.json]).toMatchObject([
      12,
      [{ added: 1, changed: 1, full: false, records: known + 1 }],
    ]);
    await expectEqual();
  });

  test('columns have the types of the database, and the names that SQL writes', async () => {
    const customer = await make.customer({
      lastName: 'Lee',
      emailOptOut: true,
      tags: ['a', "o'b"],
    });
    await make.car({ year: 1964, licensePlate: 'HH-E 61H' });
    await sync(['customers', 'cars']);
    const [found] = await query(`select * from customers where id = '${customer.id}'`);
    expect(found).toMatchObject(
      onPostgres
        ? { email_opt_out: true, tags: ['a', "o'b"], created_at: new Date(customer.createdAt) }
        : { email_opt_out: 1, tags: '["a","o\'b"]', created_at: customer.createdAt },
    );
    expect([found.notes, found.extra]).toEqual([null, null]);
    expect(
      await query("select year + 1 as next from cars where license_plate = 'HH-E 61H'"),
    ).toEqual([{ next: onPostgres ? '1965' : 1965 }]);
  });

  test('values of other types and unknown fields of another server are in `extra`', async () => {
    const server = await startServer();
    const odd = { emailOptOut: 'yes', loyalty: { level: 2, a: [1] }, firstName: ['Ada'] };
    server.rows = [
      { ...(rows(1)[0] as Stored), ...odd, createdAt: '2026-01-01T10:00:00+01:00', tags: ['a'] },
      { id: 'x', updatedAt: null, createdAt: '2026-03-01T10:00', tags: 'a' },
      { id: 'y', updatedAt: null },
    ];
    expect((await sync(['customers'], { url: server.url })).code).toBe(0);
    const read = await query('select * from customers order by id');
    const [first, second, third] = read.map(({ extra, created_at }) => [
      typeof extra === 'string' ? JSON.parse(extra) : extra,
      created_at && new Date(created_at).toISOString(),
    ]);
    expect(first).toEqual([odd, '2026-01-01T09:00:00.000Z']);
    expect(second).toEqual([{ createdAt: '2026-03-01T10:00', tags: 'a' }, null]);
    // What is left out is nothing of another type.
    expect(third).toEqual([null, null]);
    // The same records, written otherwise.
    server.rows = server.rows.map(({ loyalty, ...row }) => ({
      ...(loyalty ? { loyalty: { a: [1], level: 2 } } : {}),
      ...row,
    }));
    await expectEqual(server.url);
  });

  test('a column or a table that is missing is added, and everything is read again', async () => {
    await make.customer({ lastName: 'Lee', notes: 'Long' });
    await sync(['customers']);
    await query('alter table customers drop column notes');
    expect((await sync(['customers'])).json).toMatchObject([{ full: true, added: 0 }]);
    await expectEqual();
    await query('drop table customers');
    expect((await sync(['customers'])).json).toMatchObject([{ full: true, removed: 0 }]);
    await expectEqual();
  });
});

describe('deleted records', () => {
  test('are removed when one of the newest is missing, beside another change, and by --full', async () => {
    const server = await startServer();
    const { url } = server;
    server.rows = rows(9);
    await sync(['contacts'], { url });
    server.rows.splice(0, 1);
    const newest = await sync(['contacts'], { url });
    expect(newest.json).toMatchObject([{ removed: 1, records: 8, full: true }]);
    expect(newest.stderr).toContain('Reading all of them');

    server.rows.splice(4, 1);
    expect((await sync(['contacts'], { url })).json).toMatchObject([{ removed: 0, records: 8 }]);
    server.rows.push({ id: 'd', updatedAt: '2026-01-01T11:00:00.000Z' });
    const beside = await sync(['contacts'], { url });
    expect(beside.json).toMatchObject([{ added: 1, removed: 1, records: 8, full: true }]);

    server.rows.splice(4, 1);
    const full = await sync(['contacts', '--full'], { url });
    expect(full.json).toMatchObject([{ added: 0, removed: 1, records: 7, full: true }]);
    await expectEqual(url);
  });

  test('of our service', async () => {
    const [, gone] = [await make.contact(), await make.contact()];
    await sync(['contacts']);
    await service.call('DELETE', `/contacts/${gone.id}`);
    expect((await sync(['contacts'])).json).toMatchObject([{ removed: 1, full: true }]);
    await expectEqual();
  });
});

test.each<[string, Stored[]]>([
  ['with its newest records in an older version', rows(9)],
  ['with newer changes', [...rows(9), { id: 'n', updatedAt: '2026-01-01T11:30:00.000Z' }]],
  ['and has no records', []],
])('a server that was restored to an older state, %s', async (_, restored) => {
  const server = await startServer();
  const at = '2026-01-01T11:00:00.000Z';
  const changed = rows(3).map((row) => ({ ...row, updatedAt: at, notes: 'Later' }));
  server.rows = [...changed, ...rows(9).slice(3), { id: 'z', updatedAt: at }];
  await sync(['contacts'], { url: server.url });
  server.rows = restored;
  expect((await sync(['contacts'], { url: server.url })).json).toMatchObject([{ full: true }]);
  await expectEqual(server.url);
});

test('writers that commit some time after their stamp, behind a Date header that runs ahead', async () => {
  const server = await startServer();
  const late = { id: 'late', updatedAt: '2026-01-01T12:00:00.100Z' };
  server.rows = [{ id: 'a', updatedAt: '2026-01-01T12:00:00.900Z' }, ...rows(5)];
  await sync(['cars'], { url: server.url });
  server.rows.push(late);
  expect((await sync(['cars'], { url: server.url })).json).toMatchObject([
    { added: 1, changed: 0, full: false },
  ]);
  await expectEqual(server.url);
});

test('a write that is stamped during a long run, and shown after it, is in the next one', async () => {
  const server = await startServer();
  server.rows = rows(30);
  const clock = new Date('2026-01-01T12:00:00Z');
  server.before = () => clock.setTime(clock.getTime() + 60_000);
  await sync(['cars'], { url: server.url, now: clock });
  const newest = Math.max(...server.rows.map(({ updatedAt }) => Date.parse(String(updatedAt))));
  server.rows.push({ id: 'late', updatedAt: new Date(newest - 50_000).toISOString() });
  expect((await sync(['cars'], { url: server.url, now: clock })).json).toMatchObject([
    { added: 1, full: false },
  ]);
  // The time goes back once, not with every run that finds nothing.
  const status = async () => (await query('select since from cs_sync'))[0].since;
  const since = await status();
  await sync(['cars'], { url: server.url, now: clock });
  expect(await status()).toBe(since);
  await expectEqual(server.url);
});

describe('stopped', () => {
  test('between a new table or column and the first request: the next run reads everything', async () => {
    const place = {
      name,
      given: undefined,
      ...(onPostgres ? { address: target } : { file: target }),
    };
    const origin = { server: service.url, team: null, key: '' };
    const prepare = async () => {
      const mirror = await Mirror.toWrite(place, origin);
      try {
        return await mirror.prepare('locations');
      } finally {
        await mirror.close();
      }
    };
    await prepare();
    expect(await query('select since from cs_sync')).toEqual([{ since: null }]);
    await query("update cs_sync set since = '2026-01-01T00:00:00.000Z'");
    await query('alter table locations drop column notes');
    await prepare();
    expect(await query('select since from cs_sync')).toEqual([{ since: null }]);
  });

  test('in a full run: the next run is full, so that deleted records go', async () => {
    const server = await startServer();
    server.rows = rows(600);
    const { url } = server;
    await sync(['contacts'], { url });
    server.rows.splice(500, 1);
    const stopping = new AbortController();
    server.before = (page) => page === 3 && stopping.abort(new Interrupted('SIGINT'));
    expect((await sync(['contacts', '--full'], { url, signal: stopping.signal })).code).toBe(130);
    server.before = () => undefined;
    expect((await sync(['contacts'], { url })).json).toMatchObject([{ full: true, removed: 1 }]);
    await expectEqual(url);
  });

  test('by a server that fails in the middle: what was read stays, and the bookmark with it', async () => {
    const server = await startServer();
    server.rows = rows(210);
    let broken = true;
    const proxy = await startFaultyProxy(server.url, ({ url }) =>
      broken && url.includes('page=2') ? '500' : undefined,
    );
    closing.push(() => proxy.close());
    const { code, error } = await sync(['contacts', '--retries', '0'], { url: proxy.url });
    expect([code, error.code]).toEqual([10, 'internal_error']);
    expect(await query('select since from cs_sync')).toEqual([{ since: null }]);
    expect(await query('select id from contacts')).toHaveLength(200);
    broken = false;
    expect((await sync(['contacts'], { url: proxy.url })).code).toBe(0);
    await expectEqual(proxy.url);
  });
});

describe('status and verify', () => {
  test('show the age, and each kind of difference with the command that repairs it', async () => {
    const { id } = await make.customer();
    const contact = await make.contact();
    await sync(['customers', 'contacts'], { now: new Date('2026-03-01T12:00:00Z') });
    const later = { now: new Date('2026-03-01T14:00:00Z') };
    expect((await run(['status', target], later)).json).toMatchObject([
      { resource: 'contacts' },
      { resource: 'customers', ageSeconds: 7_200, syncedAt: '2026-03-01T12:00:00.000Z' },
    ]);

    await expectEqual();
    await query(`update customers set last_name = 'Edited' where id = '${id}'`);
    const fresh = await make.customer();
    await service.call('DELETE', `/contacts/${contact.id}`);
    const { code, json: found, stderr } = await run(['verify', target]);
    expect([code, found]).toMatchObject([
      12,
      [
        { resource: 'contacts', gone: 1, ids: { gone: [contact.id] } },
        {
          resource: 'customers',
          ...{ missing: 1, different: 1, gone: 0 },
          ids: { missing: [fresh.id], different: [id], gone: [] },
          fields: ['lastName'],
        },
      ],
    ]);
    const csv = await run(['verify', target, 'contacts', '-o', 'csv']);
    const { records, onServer } = found[0];
    expect(csv.stdout).toBe(
      `resource,records,onServer,missing,different,gone,error\r\ncontacts,${records},${onServer},0,0,1,\r\n`,
    );
    expect(stderr).toContain(
      `1 record missing (${fresh.id}), 1 record different (${id}; lastName)`,
    );
    const [, command = ''] = /`cs sync (.+)`/.exec(stderr) ?? [];
    expect(command).toBe(`contacts customers --to ${onPostgres ? name : target} --full`);
    await sync(['contacts', 'customers', '--full']);
    await expectEqual();
  });

  test('without a mirror', async () => {
    for (const word of ['status', 'verify'])
      expect(
        await run([word, onPostgres ? await postgres.emptyDatabase() : 'no.db']),
      ).toMatchObject({
        code: 2,
        error: { message: expect.stringMatching(/^The mirror .* (is empty|doesn't exist)\.$/) },
      });
  });
});

describe('refused', () => {
  test('the mirror of another team, and of another server', async () => {
    await sync(['customers']);
    const team = await sync(['customers', '--full'], { env: { CS_API_KEY: service.otherKey } });
    expect([team.code, team.error.code, team.error.message]).toEqual([
      7,
      'other_origin',
      `${name} belongs to the team First, and this key to Second.`,
    ]);
    const proxy = await startFaultyProxy(service.url, () => undefined);
    closing.push(() => proxy.close());
    const server = await sync(['customers'], { url: proxy.url });
    expect([server.code, server.error.hint]).toEqual([
      7,
      expect.stringContaining('change "server" in its table cs_mirror'),
    ]);
  });

  test('a database of another program, and a table of one, which stay as they are', async () => {
    await query('create table mine (a integer)');
    const { code, error } = await sync(['customers']);
    expect([code, error.code, error.message]).toEqual([
      7,
      'state_unusable',
      `${name} is a database of another program: it has the table mine.`,
    ]);
    expect(await query('select * from mine')).toEqual([]);
    await query('drop table mine');
    await sync(['customers']);
    await query('create table cars (a integer)');
    expect((await sync(['cars'])).error).toMatchObject({
      code: 'state_unusable',
      message: `The table cars in ${name} isn't of cs sync.`,
      hint: 'rename it, or give an empty database with --to',
    });
  });

  test('a second run at the same time', async () => {
    const server = await startServer();
    server.rows = rows(3);
    const second = new Promise<Awaited<ReturnType<typeof sync>>>((resolve) => {
      server.before = () => {
        server.before = () => undefined;
        return sync(['contacts'], { url: server.url }).then(resolve);
      };
    });
    expect((await sync(['contacts'], { url: server.url })).code).toBe(0);
    expect(await second).toMatchObject({
      code: 7,
      error: {
        code: 'already_running',
        message: `Another program is writing ${name}.`,
        hint: 'wait until it ends, or choose another database',
      },
    });
  });

  test.each([
    ['a file of another kind', 'mirror.jsonl', 'cs export customers --to mirror -o ndjson`'],
    ['another database', 'mysql://me:geheim@host/x', '--to <file.db|postgres://…>'],
    ['an address without a database', 'postgres://me:geheim@host', 'postgres://user@host/database'],
  ])('%s', async (_, to, hint) => {
    const { code, error, stderr } = await run(['customers', '--to', to]);
    expect([code, error.hint]).toEqual([2, expect.stringContaining(hint)]);
    expect(stderr).not.toContain('geheim');
    expect(await readdir(folder)).toEqual([]);
  });

  test('a database that cannot be reached, without its password', async () => {
    const result = await run(['customers', '--to', 'postgres://me:geheim@127.0.0.1:1/x']);
    expect(result).toMatchObject({
      code: 9,
      error: {
        code: 'connection_failed',
        message: "Couldn't reach postgres://me@127.0.0.1:1/x: connection refused.",
        hint: 'check that the database runs and can be reached, and run it again',
      },
    });
    expect(result.stderr).not.toContain('geheim');
  });
});

test('CS_MIRROR_URL_FILE names a file with the address, also for status and verify', async () => {
  await writeFile(join(folder, 'url'), `${target}\n`);
  const env = { CS_MIRROR_URL_FILE: 'url' };
  if (!onPostgres) {
    expect((await run(['customers'], { env })).error.message).toContain('CS_MIRROR_URL_FILE');
    return;
  }
  expect(await run(['customers'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect((await run(['status'], { env })).json).toMatchObject([{ resource: 'customers' }]);
  expect((await run(['verify', 'customers'], { env })).code).toBe(0);
});

// A run on one database doesn't have the tests of the other one.
describe(onPostgres ? 'PostgreSQL' : 'SQLite', onPostgres ? ofPostgres : ofSqlite);

function ofPostgres(): void {
  test.each<[string, object, string, number]>([
    ['a wrong password', { password: 'geheim' }, 'password authentication', 2],
    ['no such database', { pathname: '/nowhere' }, 'does not exist', 2],
  ])('%s: told without the password', async (_, change, words, code) => {
    const url = new URL(target);
    const { password } = url;
    Object.assign(url, change);
    const result = await run(['customers', '--to', url.href, '-v']);
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(words)]);
    for (const secret of ['geheim', `:${password}@`]) expect(result.stderr).not.toContain(secret);
  });

  test('another schema of a database that others use', async () => {
    await query('create table mine (a integer)');
    await query('create schema cars_and_more');
    const url = new URL(target);
    url.searchParams.set('options', '-csearch_path=cars_and_more');
    expect(await run(['customers', '--to', url.href])).toMatchObject({ code: 0, stderr: '' });
    expect((await run(['verify', url.href])).code).toBe(0);
  });

  test('a database that is shut down in the middle', async () => {
    const server = await startServer();
    server.rows = rows(600);
    server.before = (page) =>
      page === 2 &&
      postgres.query(
        target,
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cs sync' and datname = current_database()",
      );
    const { code, error } = await sync(['contacts'], { url: server.url });
    expect([code, error.code]).toEqual([9, 'connection_failed']);
    server.before = () => undefined;
    expect((await sync(['contacts'], { url: server.url })).code).toBe(0);
    await expectEqual(server.url);
  });
}

function ofSqlite(): void {
  test.each<[string, () => Promise<void>]>([
    ['cut', () => truncate(target, 8_192)],
    ['overwritten', () => writeFile(target, 'not a database, but long enough'.repeat(100))],
    [
      'with a broken page',
      async () => {
        const bytes = await readFile(target);
        await writeFile(target, bytes.fill(0xff, 4_096));
      },
    ],
  ])('a file that was %s is named with the command that sets it aside', async (_, damage) => {
    await make.customer();
    await sync(['customers', 'locations']);
    await damage();
    for (const line of [
      ['customers', '--to', target],
      ['verify', target],
    ]) {
      const { code, error } = await run(line);
      expect([code, error.code, error.message]).toEqual([
        7,
        'state_unusable',
        expect.stringContaining('mirror.db is damaged'),
      ]);
      expect(error.hint).toContain(`mv ${target} ${target}.damaged`);
    }
  });

  test('one lock for the file, whatever link leads to it', async () => {
    await sync(['customers']);
    await symlink(target, join(folder, 'link.db'));
    const lock = await takeLock(`${target}-lock`);
    expect((await run(['customers', '--to', 'link.db'])).error.code).toBe('already_running');
    lock?.release();
    expect((await run(['customers', '--to', 'link.db'])).code).toBe(0);
  });

  test('a folder in place of the file, and a folder that cannot be made', async () => {
    await mkdir(target);
    const given = await sync(['customers']);
    expect([given.code, given.error.message, given.error.hint]).toEqual([
      2,
      `${target} is a folder.`,
      'give the name of a file, which is created if missing',
    ]);
    const { code, error } = await run(['customers', '--to', '/proc/x/mirror.db']);
    expect([code, error.code]).toEqual([2, 'file_unusable']);
    // As in a folder that nobody else may enter, it can't be looked at.
    await symlink('loop.db', join(folder, 'loop.db'));
    const loop = await run(['customers', '--to', 'loop.db']);
    expect([loop.code, loop.error.code]).toEqual([2, 'file_unusable']);
  });
}
