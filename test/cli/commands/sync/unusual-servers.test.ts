/** `cs sync` with servers that count, stamp, or delete otherwise than ours: no record is lost, and what is told is true. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import {
  json,
  type MisbehavingServer,
  silence,
  startMisbehavingServer,
} from '../../../helpers/misbehaving-server.ts';

interface Row {
  id: string;
  updatedAt: string | null;
  notes?: string;
  [field: string]: unknown;
}

let folder: string;
let file: string;
let server: MisbehavingServer;
let rows: Row[];
let date: string;
let perPage: number;
/** Pages that are answered; those after them aren't. */
let pagesLeft: number;

beforeEach(async () => {
  folder = await makeFolder();
  file = join(folder, 'mirror.db');
  rows = [];
  date = '2026-01-01T12:00:00.000Z';
  perPage = 10;
  pagesLeft = Number.POSITIVE_INFINITY;
  server = await startMisbehavingServer(({ url }) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (!/\/(cars|contacts)$/.test(pathname))
      return json(404, { error: 'not here', code: 'route_not_found', details: null });
    if (pagesLeft-- <= 0) return silence();
    const [after, ids] = [searchParams.get('updatedAfter'), searchParams.get('ids')?.split(',')];
    const found = rows
      .filter(
        ({ id, updatedAt }) =>
          (!after || (updatedAt !== null && updatedAt >= after)) && (!ids || ids.includes(id)),
      )
      .sort((a, b) => (String(a.updatedAt) < String(b.updatedAt) ? 1 : -1));
    const [page, limit] = [
      Number(searchParams.get('page') ?? 1),
      Math.min(Number(searchParams.get('limit')), perPage),
    ];
    const data = found.slice((page - 1) * limit, page * limit);
    const total = found.length;
    return json(200, { data, page, limit, total }, { date: new Date(date).toUTCString() });
  });
});
afterEach(async () => {
  await server.close();
  await removeFolder(folder);
});

const run = (line: string[], options: CliOptions = {}) =>
  cs(['sync', ...line], {
    cwd: folder,
    ...options,
    env: { CS_BASE_URL: server.url, CS_API_KEY: 'csk_key.secret', ...options.env },
  });
const sync = (line: string[], to = file) => run([...line, '--to', to]);

/** The first of `count` changed last. */
const make = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `c${String(index).padStart(3, '0')}`,
    updatedAt: new Date(Date.UTC(2026, 0, 1, 10) - index * 60_000).toISOString(),
  }));

function idsIn(table: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db
      .prepare(`select id from ${table} order by id`)
      .all()
      .map(({ id }) => String(id));
  } finally {
    db.close();
  }
}
const idsOnServer = () => rows.map(({ id }) => id).sort();

/** A run that ends after this many pages. */
async function interrupt(line: string[], pages: number): Promise<void> {
  pagesLeft = pages;
  expect((await sync([...line, '--retries', '0', '--timeout', '1s'])).code).not.toBe(0);
  pagesLeft = Number.POSITIVE_INFINITY;
}

describe('a server that deletes cars', () => {
  test.each(['mirror.db', 'backup'])(
    'the newest car is missing: the run to %s goes on and says so',
    async (to) => {
      rows = make(10);
      await sync(['cars'], to);
      rows = rows.slice(1);
      expect(await sync(['cars'], to)).toMatchObject({
        code: 0,
        json: [{ added: 0, changed: 0, gone: 1 }],
      });
      rows[5] = { ...(rows[5] as Row), updatedAt: '2026-01-01T11:00:00.000Z' };
      const { code, json: result, stderr } = await sync(['cars'], to);
      expect([code, result]).toMatchObject([0, [{ changed: 1, gone: 1 }]]);
      const [, command = ''] = /Remove deleted ones with `cs (sync .+)`/.exec(stderr) ?? [];
      expect(await run(command.split(' ').slice(1))).toMatchObject({
        code: 0,
        json: [{ removed: 1, records: 9 }],
      });
      expect(await run(['verify', to])).toMatchObject({ code: 0 });
    },
  );
});

describe('records deleted after an interruption', () => {
  const fullAt = async () => (await run(['status', file])).json[0].fullAt;

  test('of --full: the next --full starts over and removes them', async () => {
    rows = make(45);
    await sync(['contacts']);
    await interrupt(['contacts', '--full'], 3);
    rows = rows.slice(3);
    expect((await sync(['contacts', '--full'])).json).toMatchObject([
      { removed: 3, records: 42, gone: 0, missing: 0, full: true },
    ]);
    expect(idsIn('contacts')).toEqual(idsOnServer());
    expect(await fullAt()).toEqual(expect.any(String));
  });

  test('of the first run: the run that goes on tells how many, and a due --full-every removes them', async () => {
    rows = make(45);
    await interrupt(['contacts'], 3);
    rows = rows.slice(3);
    const { json: result, stderr } = await sync(['contacts', '--full-every', '7d']);
    expect(result).toMatchObject([{ removed: 0, records: 45, gone: 3, full: true }]);
    expect(stderr).toContain('mirror.db has 3 more contacts than the server.');
    expect(await fullAt()).toBeNull();
    expect((await sync(['contacts', '--full-every', '7d'])).json).toMatchObject([
      { removed: 3, records: 42, full: true },
    ]);
    expect(await fullAt()).toEqual(expect.any(String));
    expect((await sync(['contacts', '--full-every', '7d'])).json).toMatchObject([{ full: false }]);
  });
});

test.each(['mirror.db', 'backup'])(
  'records without a time of change: a run to %s tells that the server has more',
  async (to) => {
    rows = make(9).map((row, index) => (index % 2 ? { ...row, updatedAt: null } : row));
    await sync(['contacts'], to);
    const [first, ...others] = rows as [Row, ...Row[]];
    const fresh = ['d1', 'd2'].map((id) => ({ id, updatedAt: null }));
    rows = [{ ...first, updatedAt: '2026-01-01T11:59:59.000Z' }, ...others, ...fresh];
    const { code, json: result, stderr } = await sync(['contacts'], to);
    expect([code, result]).toMatchObject([0, [{ changed: 1, records: 9, gone: 0, missing: 2 }]]);
    expect(stderr).toContain(
      `The server has 2 more contacts than ${to}. If the next run doesn't add them, read them with`,
    );
    const [, command = ''] = /read them with `cs (sync .+)`/.exec(stderr) ?? [];
    expect(await run(command.split(' ').slice(1))).toMatchObject({
      code: 0,
      json: [{ added: 2, records: 11, missing: 0 }],
    });
    expect(await run(['verify', to])).toMatchObject({ code: 0 });
  },
);

test.each(['mirror.db', 'backup'])(
  'values that change without a time of change: verify of %s names the fields, and the command that reads them',
  async (to) => {
    rows = make(9);
    await sync(['contacts'], to);
    rows = rows.map((row, index) =>
      index === 4 ? { ...row, lastName: 'New', tags: ['vip'] } : row,
    );
    expect((await sync(['contacts'], to)).json).toMatchObject([{ added: 0, changed: 0 }]);
    const { code, json: result, stderr } = await run(['verify', to]);
    const changed = { count: 1, ids: [rows[4]?.id], fields: ['lastName', 'tags'] };
    expect([code, result]).toMatchObject([
      12,
      [{ missing: { count: 0 }, outdated: { count: 0 }, changed, gone: { count: 0 } }],
    ]);
    expect(stderr).toContain(`contacts: 1 record changed (${rows[4]?.id}; lastName and tags)`);
    const [, command = ''] = /To read all records again: `cs (sync .+)`/.exec(stderr) ?? [];
    expect(await run(command.split(' ').slice(1))).toMatchObject({ code: 0 });
    expect(await run(['verify', to])).toMatchObject({ code: 0 });
  },
);

/** Runs SQL as another program would. */
function edit(sql: string) {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

test.each(['mirror.db', 'backup'])(
  'the same records written otherwise in each answer: verify of %s finds them equal',
  async (to) => {
    const first = {
      isActive: true,
      address: { city: 'Kiel', zip: '1' },
      own: { x: 1, y: [2, { b: 1, a: 2 }] },
      other: null,
    };
    rows = make(3).map((row) => ({ ...row, createdAt: '2026-01-01T09:00:00.000Z', ...first }));
    await sync(['contacts'], to);
    const again = {
      own: { y: [2, { a: 2, b: 1 }], x: 1 },
      address: { zip: '1', city: 'Kiel' },
      isActive: true,
    };
    rows = rows.map(({ id, updatedAt }) => ({
      ...again,
      createdAt: '2026-01-01T10:00:00+01:00',
      updatedAt: String(updatedAt).replace('.000', ''),
      id,
    }));
    expect(await run(['verify', to])).toMatchObject({ code: 0, stderr: '' });
  },
);

describe('what another program did to the database', () => {
  beforeEach(async () => {
    rows = make(3).map((row) => ({ ...row, tags: ['a'], own: 1 }));
    await sync(['contacts', 'cars']);
  });

  test.each([
    ['a value', "update contacts set last_name = 'Edited' where id = 'c000'", ['lastName']],
    [
      'a value beside a column of its own',
      "alter table contacts add column mine text; update contacts set last_name = 'Edited' where id = 'c000'",
      ['lastName'],
    ],
    [
      'extra that is no JSON',
      "update contacts set extra = '{bad' where id = 'c000'",
      ['extra', 'own', 'tags'],
    ],
    [
      'a dropped column',
      "alter table contacts drop column last_name; update contacts set notes = 1 where id = 'c000'",
      ['notes'],
    ],
  ])('%s: verify names the fields, and --full mends it', async (_, sql, fields) => {
    edit(sql);
    const { code, json: result, stderr } = await run(['verify', file, 'contacts']);
    expect([code, result]).toMatchObject([12, [{ changed: { count: 1, ids: ['c000'], fields } }]]);
    const [, command = ''] = /`cs (sync .+)`/.exec(stderr) ?? [];
    expect((await run(command.split(' ').slice(1))).code).toBe(0);
    expect((await run(['verify', file])).code).toBe(0);
  });

  test.each(['drop table contacts', 'alter table contacts rename column id to own_id'])(
    '%s: status and verify name it, with the command that makes it again',
    async (sql) => {
      edit(sql);
      const [status, verify] = [
        await run(['status', file, '--profile', 'main']),
        await run(['verify', file]),
      ];
      expect([status.code, status.json[0].records]).toEqual([0, 0]);
      expect([verify.code, verify.error.message]).toEqual([
        7,
        `The table contacts of ${file} is missing.`,
      ]);
      expect(verify.error.hint).toBe(`read all records again: \`cs sync contacts --to ${file}\``);
      expect(status.stderr).toContain(`\`cs sync contacts --to ${file} --profile main\``);
      expect((await run(['verify', file, 'cars'])).code).toBe(0);
      expect((await sync(['contacts'])).json).toMatchObject([{ added: 3, records: 3 }]);
      expect((await run(['verify', file])).code).toBe(0);
    },
  );
});

describe('a Date header that runs ahead of the time stamps', () => {
  const dayBefore = { id: 'c', updatedAt: '2026-01-01T09:00:00.000Z' };
  const [a, b] = [
    { id: 'a', updatedAt: '2026-01-01T12:00:00.900Z' },
    { id: 'b', updatedAt: '2026-01-01T12:00:00.100Z' },
  ];
  beforeEach(() => {
    date = '2026-01-01T12:00:30.000Z';
  });

  test.each(['mirror.db', 'backup'])(
    'a car that is committed late arrives once in %s',
    async (to) => {
      rows = [a, dayBefore];
      await sync(['cars'], to);
      rows = [a, b, dayBefore];
      expect((await sync(['cars'], to)).json).toMatchObject([{ added: 1, changed: 0, records: 3 }]);
      expect((await sync(['cars', '--exit-code'], to)).code).toBe(0);
      expect(await run(['verify', to])).toMatchObject({ code: 0 });
    },
  );

  test('also from a list in another order', async () => {
    const noTime = { id: 'n', updatedAt: null };
    rows = [noTime, dayBefore, a];
    await sync(['cars']);
    rows = [noTime, dayBefore, a, b];
    expect((await sync(['cars'])).json).toMatchObject([{ added: 1, records: 4 }]);
  });
});
