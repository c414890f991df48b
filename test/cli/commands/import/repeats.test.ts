/** The same `cs import` again, after answers were lost: it goes on, repeats rows by their keys or names them, and doubles none. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CliOptions, type CliResult, cs } from '../../../helpers/cli.ts';
import { type Facility, facility } from '../../../helpers/facility.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { startTestService, type TestService } from '../../../helpers/service.ts';
import { hasSmallDisk, mainOf, onSmallDisk } from '../../../helpers/small-disk.ts';

let service: TestService;
let make: Facility;
let folder: string;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  service = await startTestService();
  make = facility(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await removeFolder(folder);
});

type Choose = Parameters<typeof startFaultyProxy>[1];
async function open(withoutKeys: boolean, choose: Choose = () => undefined) {
  const proxy = await startFaultyProxy(service.url, choose, { withoutKeys });
  closing.push(() => proxy.close());
  return proxy;
}
const run = (
  { url }: { readonly url: string },
  line: readonly string[],
  options: CliOptions = {},
) =>
  cs(['import', ...line], {
    cwd: folder,
    ...options,
    env: {
      ...{ CS_BASE_URL: url, CS_API_KEY: service.key, CS_STATE_DIR: folder, CS_RETRIES: '0' },
      ...options.env,
    },
  });
const write = (rows: readonly object[], name = 'rows.ndjson') =>
  writeFile(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
let words = 0;
const people = (count: number) => {
  const lastName = `Repeat${String.fromCharCode(65 + words++)}`;
  return {
    lastName,
    rows: Array.from({ length: count }, (_, n) => ({ firstName: `Ann${n}`, lastName })),
  };
};
const stored = async (lastName: string): Promise<string[]> =>
  (await service.call('GET', `/customers?limit=200&q=${lastName}`)).body.data
    .map((one: { firstName: string }) => one.firstName)
    .sort();
const did = ({ json }: CliResult) =>
  json.map((one: { did: string; error?: { code: string } }) => one.error?.code ?? one.did);
const resultsIn = async (name: string) =>
  (await readFile(join(folder, name), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const line = ['customers', 'rows.ndjson', '--parallel', '1'];
const again = (count: number) => Array(count).fill('already_imported');
const hours = (count: number) => ({ now: new Date(Date.now() + count * 3_600_000) });

/** An import of four rows, of which the third gets no answer. */
async function cut(withoutKeys: boolean, fault: 'lost' | 'half' | 'reset') {
  const { lastName, rows } = people(4);
  await write(rows);
  let isBroken = true;
  const server = await open(withoutKeys, ({ method, body }) =>
    isBroken && method === 'POST' && body.includes('Ann2') ? fault : undefined,
  );
  const first = await run(server, [...line, '--results', 'results.ndjson']);
  isBroken = false;
  return { server, first, lastName, names: rows.map(({ firstName }) => firstName) };
}

describe.each(['lost', 'half', 'reset'] as const)('an answer is %s', (fault) => {
  test('the row is sent again with its key where the server announces it', async () => {
    const { server, first, lastName, names } = await cut(false, fault);
    expect([first.code, did(first).slice(0, 2)]).toEqual([11, ['created', 'created']]);
    expect(first.error.hint).toBe('run it again; imported rows are skipped');
    const second = await run(server, line);
    expect([second.code, did(second)]).toEqual([0, [...again(2), 'created', 'created']]);
    expect(await stored(lastName)).toEqual(names);
    expect(did(await run(server, line))).toEqual(again(4));
  });

  test('elsewhere it is named, the others are sent, and a person decides', async () => {
    const { server, first, lastName, names } = await cut(true, fault);
    expect(first.error).toMatchObject({
      message: '1 row may be stored, 1 row was not tried.',
      hint: 'look whether it is stored; then run it again with `--skip 3` if it is, with `--again 3` if not',
    });
    const flags = ['--results', 'results.ndjson', '--rejects', 'rejects.ndjson'];
    const second = await run(server, [...line, ...flags]);
    expect([second.code, did(second)]).toEqual([11, [...again(2), 'outcome_unknown', 'created']]);
    expect(second.error.details.failed).toEqual([
      {
        id: 'line 3',
        code: 'outcome_unknown',
        message: 'An earlier run sent line 3 and got no answer: it may be stored.',
      },
    ]);
    expect(second.error.hint).toBe(first.error.hint);
    // It needs no fixing, and imported from there it might be stored twice.
    expect(await readFile(join(folder, 'rejects.ndjson'), 'utf8')).toBe('');
    const decision = fault === 'reset' ? '--again' : '--skip';
    const third = await run(server, [...line, decision, '3', '--results', 'results.ndjson']);
    const done = fault === 'reset' ? 'created' : 'skipped';
    expect([third.code, did(third)]).toEqual([
      0,
      ['already_imported', 'already_imported', done, 'already_imported'],
    ]);
    expect(await stored(lastName)).toEqual(names);
    const last = new Map((await resultsIn('results.ndjson')).map((row) => [row.row, row.did]));
    expect([...last.values()]).toEqual(['created', 'created', done, 'created']);
    expect(did(await run(server, line))[2]).toBe(done === 'created' ? 'already_imported' : done);
  });
});

test('without keys, no more rows are noted as sent than run at a time: a person looks at each after a kill', async () => {
  await write(people(4).rows);
  const noted: number[] = [];
  const server = await open(true, async ({ method }) => {
    if (method === 'POST') noted.push((await resultsIn('results.ndjson')).length);
    return undefined;
  });
  expect(await run(server, [...line, '--results', 'results.ndjson'])).toMatchObject({ code: 0 });
  expect(noted).toEqual([1, 3, 5, 7]);
});

test('a row that got no answer is named after a day, and with another key of the team', async () => {
  const { server } = await cut(false, 'reset');
  const key = await service.keyWith(['write:customers', 'read:customers']);
  const other = { env: { CS_API_KEY: key } };
  const named = [...again(2), 'outcome_unknown', 'created'];
  expect(did(await run(server, line, hours(24)))).toEqual(named);
  expect(did(await run(server, line, other))).toEqual([
    ...again(2),
    'outcome_unknown',
    'already_imported',
  ]);
  expect(did(await run(server, line))).toEqual([...again(2), 'created', 'already_imported']);
});

test('rows are remembered for 30 days, by their content: at any place, equal ones counted', async () => {
  const { lastName, rows } = people(2);
  const [first] = rows as [object];
  await write([first, ...rows]);
  const server = await open(true);
  expect(did(await run(server, line))).toEqual(Array(3).fill('created'));
  await write([...rows, first, first]);
  expect(did(await run(server, line, hours(29 * 24)))).toEqual([...again(3), 'created']);
  expect(did(await run(server, line, hours(31 * 24)))).toEqual([
    ...['created', 'created', 'created'],
    'already_imported',
  ]);
  expect(await stored(lastName)).toHaveLength(7);
});

test('rows of another team are other rows', async () => {
  const { rows } = people(1);
  await write(rows);
  const server = await open(true);
  expect(did(await run(server, line))).toEqual(['created']);
  expect(did(await run(server, line, { env: { CS_API_KEY: service.otherKey } }))).toEqual([
    'created',
  ]);
});

test('an update is made again, and a refused row is tried again', async () => {
  const { lastName, rows } = people(1);
  await make.customer({ lastName, externalId: `${lastName}-1` });
  await write([...rows, { lastName, externalId: `${lastName}-1` }]);
  const flags = [...line, '--rejects', 'rejects.ndjson'];
  expect(did(await run(service, flags))).toEqual(['created', 'duplicate']);
  expect(did(await run(service, flags))).toEqual(['already_imported', 'duplicate']);
  const { id } = await make.customer({ lastName });
  await write([{ id, notes: 'new' }], 'updates.ndjson');
  for (const _ of [1, 2])
    expect(did(await run(service, ['customers', 'updates.ndjson', '--update']))).toEqual([
      'updated',
    ]);
});

test('rejects that were mended by hand are kept when the same line is typed again', async () => {
  const { lastName, rows } = people(1);
  await make.customer({ lastName, externalId: lastName });
  await write([...rows, { lastName, externalId: lastName }, { lastName, email: 'nobody' }]);
  const flags = [...line, '--rejects', 'rejects.ndjson'];
  await run(service, flags);
  const text = (name: string) => readFile(join(folder, name), 'utf8');
  const rejected = await text('rejects.ndjson');
  expect((await run(service, flags)).stderr).not.toContain('~');
  const mended = rejected.replace('nobody', 'ann@example.com');
  await writeFile(join(folder, 'rejects.ndjson'), mended);
  const { stderr } = await run(service, flags);
  expect(stderr).toContain('rejects.ndjson had other rows: they are in rejects.ndjson~ now.');
  expect(await text('rejects.ndjson')).toBe(rejected);
  // A third time changes nothing.
  await run(service, flags);
  expect(await text('rejects.ndjson~')).toBe(mended);
});

describe.each([
  ['with idempotency keys', false],
  ['without', true],
])('a server %s', (_, withoutKeys) => {
  test('--again all imports rows anew whose records are gone; the same line finishes it', async () => {
    const { lastName, rows } = people(4);
    await write(rows);
    let isBroken = false;
    const server = await open(withoutKeys, ({ method, body }) =>
      isBroken && method === 'POST' && body.includes('Ann2') ? 'reset' : undefined,
    );
    const contacts = ['contacts', ...line.slice(1)];
    for (const { id } of (await run(server, contacts)).json)
      await service.call('DELETE', `/contacts/${id}`);
    isBroken = true;
    const begun = await run(server, [...contacts, '--again', 'all']);
    expect(did(begun).slice(0, 2)).toEqual(['created', 'created']);
    isBroken = false;
    const finished = await run(server, [...contacts, '--again', 'all']);
    expect(did(finished)).toEqual([
      ...again(2),
      withoutKeys ? 'outcome_unknown' : 'created',
      'created',
    ]);
    if (withoutKeys) await run(server, [...contacts, '--again', '3']);
    expect(did(await run(server, [...contacts, '--again', 'all']))).toEqual(again(4));
    const { data } = (await service.call('GET', `/contacts?limit=200&q=${lastName}`)).body;
    expect(data).toHaveLength(4);
  });

  test('a row with a relative time is the same request again', async () => {
    const car = await make.car();
    const text = [1, 2].map((n) => `${car.id},inspection,${n} hours ago,Tyre ${n}\n`).join('');
    await writeFile(join(folder, 'rows.csv'), `carId,activityType,occurredAt,notes\n${text}`);
    let isBroken = true;
    const server = await open(withoutKeys, ({ method }) =>
      isBroken && method === 'POST' ? 'lost' : undefined,
    );
    const now = new Date();
    await run(server, ['car-events', 'rows.csv'], { now });
    isBroken = false;
    const flags = withoutKeys ? ['--skip', '2'] : [];
    const later = { now: new Date(now.getTime() + 600_000) };
    const second = await run(server, ['car-events', 'rows.csv', ...flags], later);
    expect([second.code, did(second)]).toEqual([
      0,
      [withoutKeys ? 'skipped' : 'created', 'created'],
    ]);
    const { data } = (await service.call('GET', `/cars/${car.id}/events`)).body;
    expect(data).toHaveLength(2);
  });
});

test('a second import of the resource at the same time is refused, and sends nothing', async () => {
  const { lastName, rows } = people(2);
  await write(rows);
  let second: CliResult | undefined;
  const server = await open(true, async ({ method }) => {
    if (method === 'POST' && !second) {
      second = {} as CliResult;
      second = await run(server, line);
    }
    return undefined;
  });
  expect((await run(server, line)).code).toBe(0);
  expect([second?.code, second?.error]).toMatchObject([
    7,
    { code: 'already_running', hint: expect.stringContaining('wait') },
  ]);
  expect(await stored(lastName)).toHaveLength(2);
});

describe('what is remembered', () => {
  test('holds no data of the rows, and only its owner reads it', async () => {
    const { lastName, rows } = people(1);
    await write(rows);
    await run(service, [...line, '--results', 'results.ndjson']);
    const text = await readFile(join(folder, 'results.ndjson'), 'utf8');
    expect(`${text}${await readFile(join(folder, 'state.db'), 'latin1')}`).not.toMatch(
      new RegExp(`${lastName}|${service.key}`),
    );
    expect((await stat(join(folder, 'results.ndjson'))).mode & 0o777).toBe(0o600);
    expect(await resultsIn('results.ndjson')).toMatchObject([
      { row: 1, key: expect.stringMatching(/^cs-import-/), did: 'sent' },
      { row: 1, did: 'created', id: expect.any(String) },
    ]);
  });

  test('a new file of results has every row', async () => {
    await write(people(2).rows);
    await run(service, line);
    await run(service, [...line, '--results', 'results.ndjson']);
    expect(await resultsIn('results.ndjson')).toMatchObject([
      { row: 1, did: 'created', id: expect.any(String) },
      { row: 2, did: 'created' },
    ]);
  });

  test('--results goes on on another machine; a line that was cut off does no harm', async () => {
    const { lastName, rows } = people(3);
    await write(rows.slice(0, 2));
    const server = await open(true);
    await run(server, [...line, '--results', 'results.ndjson']);
    const path = join(folder, 'results.ndjson');
    await writeFile(path, `${await readFile(path, 'utf8')}{"row":3,"key":"cs-imp`);
    await write(rows);
    await mkdir(join(folder, 'other'));
    const env = { CS_STATE_DIR: join(folder, 'other') };
    for (const third of ['created', 'already_imported'])
      expect(did(await run(server, [...line, '--results', 'results.ndjson'], { env }))).toEqual([
        ...again(2),
        third,
      ]);
    expect(await stored(lastName)).toHaveLength(3);
  });

  test.each([
    ['a file of something else', 'results.ndjson', 3, "isn't a file of results: line 1"],
    ['the imported file', './rows.ndjson', 2, '--results names the file that is imported.'],
    ['a folder', 'folder', 2, 'it is a folder'],
    ['a file in no folder', 'none/results.ndjson', 2, 'no such file'],
    ['the file of rejects', 'rejects.ndjson', 2, '--rejects and --results name one file.'],
  ])('%s as --results is refused, and nothing is sent', async (_, name, code, message) => {
    const { lastName, rows } = people(1);
    await write(rows);
    await write([{ firstName: 'Ann' }], 'results.ndjson');
    await mkdir(join(folder, 'folder'));
    const flags = ['--results', name, '--rejects', 'rejects.ndjson'];
    const result = await run(service, [...line, ...flags]);
    expect([result.code, result.stdout, result.error.message]).toEqual([
      ...[code, ''],
      expect.stringContaining(message),
    ]);
    expect(await stored(lastName)).toEqual([]);
  });

  test("where it can't be written, nothing is sent", async () => {
    const { lastName, rows } = people(1);
    await write(rows);
    await run(service, line);
    const db = new DatabaseSync(join(folder, 'state.db'));
    db.exec('drop table "imported"');
    db.close();
    await write(people(1).rows);
    const { code, error, stdout } = await run(service, line);
    expect([code, error.code, stdout]).toEqual([7, 'state_unusable', '']);
    expect(await stored(lastName)).toHaveLength(1);
  });

  test('a full disk and one that cannot be written: nothing more is sent, and the same line goes on', async (context) => {
    if (!(await hasSmallDisk(folder))) context.skip();
    const { lastName, rows } = people(60);
    const text = rows.map((row) => JSON.stringify(row)).join('\n');
    const cs = `"${process.execPath}" "${mainOf}" import customers rows.ndjson -o ndjson`;
    const { stdout, stderr } = await onSmallDisk(
      folder,
      [
        `printf '%s' '${text}' > rows.ndjson; mkdir state`,
        'mount -o remount,ro .',
        `${cs}; echo "exit $?"`,
        'mount -o remount,rw .',
        `${cs} --again 1 > /dev/null 2>&1; dd if=/dev/zero of=filling bs=1k 2>/dev/null`,
        `${cs}; echo "exit $?"`,
        'rm filling',
        `${cs} > again; echo "exit $?"; grep -c did again`,
      ].join('\n'),
      {
        ...{ CS_BASE_URL: service.url, CS_API_KEY: service.key, CS_RETRIES: '0' },
        CS_STATE_DIR: join(folder, 'state'),
      },
    );
    expect(stdout.match(/exit \d+/g)).toEqual(['exit 7', 'exit 7', 'exit 0']);
    expect(stderr.match(/state\.db, where commands keep what they remember: [^"]+/g)).toEqual([
      expect.stringContaining('the disk is read-only.'),
      expect.stringMatching(/disk (is full|I\/O error)\./),
    ]);
    expect(await stored(lastName)).toHaveLength(60);
  });
});
