/** `cs import` on a server that doesn't recognise a repeated request: the same command again imports each row once, or says which it can't know. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CliOptions, type CliResult, cs } from '../../../helpers/cli.ts';
import { type Facility, facility } from '../../../helpers/facility.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { type OtherFacility, openOther } from '../../../helpers/other-facility.ts';
import type { Row } from '../../../helpers/other-records.ts';
import { json } from '../../../helpers/other-server.ts';
import { startTestService, type TestService } from '../../../helpers/service.ts';

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

const open = async (choose: Parameters<typeof startFaultyProxy>[1]): Promise<FaultyProxy> => {
  const proxy = await startFaultyProxy(service.url, choose, { withoutKeys: true });
  closing.push(() => proxy.close());
  return proxy;
};
const run = (
  { url }: { readonly url: string },
  line: readonly string[],
  options: CliOptions = {},
) =>
  cs(['import', ...line], {
    cwd: folder,
    ...options,
    env: { CS_BASE_URL: url, CS_API_KEY: service.key, CS_STATE_DIR: folder, ...options.env },
  });
const write = (rows: readonly object[]) =>
  writeFile(join(folder, 'rows.ndjson'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
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
const idsIn = ({ json }: CliResult) => json.map(({ id }: { id: string }) => id);
const did = (json: { did: string }[]) => json.map((one) => one.did);

describe('the answers of some rows are lost', () => {
  test.each(['lost', 'half', 'reset'] as const)(
    '%s: the next run sends only what is missing',
    async (fault) => {
      const { lastName, rows } = people(6);
      await write(rows);
      let posts = 0;
      const proxy = await open(({ method }) =>
        method === 'POST' && ++posts === 3 ? fault : undefined,
      );
      const line = ['customers', 'rows.ndjson', '--parallel', '1'];
      const first = await run(proxy, line, { env: { CS_RETRIES: '0' } });
      // A row that is found at once counts as created.
      expect([first.code, did(first.json).slice(0, 2)]).toEqual([
        fault === 'reset' ? 11 : 0,
        ['created', 'created'],
      ]);
      const second = await run(proxy, line);
      const before = fault === 'reset' ? 2 : 6;
      expect([second.code, did(second.json)]).toEqual([
        0,
        rows.map((_, n) => (n < before ? 'already_imported' : 'created')),
      ]);
      expect(await stored(lastName)).toEqual(rows.map(({ firstName }) => firstName));
      const third = await run(proxy, line);
      expect(new Set(did(third.json))).toEqual(new Set(['already_imported']));
      expect(third.json.map(({ id }: { id: string }) => id)).toEqual(
        second.json.map(({ id }: { id: string }) => id),
      );
    },
  );

  test('rows that are equal are counted', async () => {
    const { lastName } = people(0);
    await write([{ lastName }, { lastName }, { lastName }]);
    let posts = 0;
    const proxy = await open(({ method }) =>
      method === 'POST' && ++posts === 2 ? 'lost' : undefined,
    );
    const line = ['customers', 'rows.ndjson', '--parallel', '3'];
    await run(proxy, line, { env: { CS_RETRIES: '0' } });
    expect((await run(proxy, line)).code).toBe(0);
    expect(await stored(lastName)).toHaveLength(3);
  });

  test('records that belong to others', async () => {
    const car = await make.car();
    await write(
      [1, 2, 3].map((n) => ({ carId: car.id, activityType: 'inspection', notes: `Tyre ${n}` })),
    );
    let posts = 0;
    const proxy = await open(({ method }) =>
      method === 'POST' && ++posts === 2 ? 'lost' : undefined,
    );
    await run(proxy, ['car-events', 'rows.ndjson'], { env: { CS_RETRIES: '0' } });
    expect((await run(proxy, ['car-events', 'rows.ndjson'])).code).toBe(0);
    const events = (await service.call('GET', `/cars/${car.id}/events`)).body.data;
    expect(events.map(({ notes }: { notes: string }) => notes).sort()).toEqual([
      'Tyre 1',
      'Tyre 2',
      'Tyre 3',
    ]);
  });
});

test('a refused row is sent again', async () => {
  const { lastName, rows } = people(2);
  await write([...rows, { firstName: 'Ann2', lastName, externalId: `${lastName}-1` }]);
  await make.customer({ lastName, firstName: 'Zoe', externalId: `${lastName}-1` });
  const proxy = await open(() => undefined);
  const line = ['customers', 'rows.ndjson', '--continue-on-error'];
  const first = await run(proxy, line);
  expect([first.code, did(first.json)]).toEqual([11, ['created', 'created', 'failed']]);
  expect(did((await run(proxy, line)).json)).toEqual([
    'already_imported',
    'already_imported',
    'failed',
  ]);
  const again = await run(proxy, [...line, '--again']);
  expect(did(again.json)).toEqual(['created', 'created', 'failed']);
});

test('on a server with idempotency keys nothing is kept', async () => {
  const { rows } = people(2);
  await write(rows);
  expect((await run(service, ['customers', 'rows.ndjson'])).code).toBe(0);
  expect(await readdir(folder)).toEqual(['rows.ndjson']);
});

test('a row is forgotten after a day', async () => {
  const { lastName, rows } = people(1);
  await write(rows);
  const proxy = await open(() => undefined);
  const at = (hours: number) => ({ now: new Date(Date.now() + hours * 3_600_000) });
  expect(did((await run(proxy, ['customers', 'rows.ndjson'], at(0))).json)).toEqual(['created']);
  expect(did((await run(proxy, ['customers', 'rows.ndjson'], at(23))).json)).toEqual([
    'already_imported',
  ]);
  expect(did((await run(proxy, ['customers', 'rows.ndjson'], at(25))).json)).toEqual(['created']);
  expect(await stored(lastName)).toHaveLength(2);
});

describe('clocks', () => {
  const hoursFrom = (now: Date, hours: number) => new Date(now.getTime() + hours * 3_600_000);

  test.each([-26, 26])(
    'the clock of the server is %i hours off: the repeat sends nothing',
    async (hours) => {
      const { lastName, rows } = people(3);
      await write(rows);
      const proxy = await open(() => undefined);
      const now = hoursFrom(new Date(), -hours);
      const first = await run(proxy, ['customers', 'rows.ndjson'], { now });
      const second = await run(proxy, ['customers', 'rows.ndjson'], { now });
      expect([did(first.json), did(second.json)]).toEqual([
        Array(3).fill('created'),
        Array(3).fill('already_imported'),
      ]);
      expect(await stored(lastName)).toHaveLength(3);
    },
  );

  test('the clock of this machine jumps ahead for a while: nothing is forgotten', async () => {
    const { lastName, rows } = people(2);
    await write(rows);
    const proxy = await open(() => undefined);
    await run(proxy, ['customers', 'rows.ndjson']);
    await write(people(1).rows);
    expect(
      (await run(proxy, ['customers', 'rows.ndjson'], { now: hoursFrom(new Date(), 24 * 20) }))
        .code,
    ).toBe(0);
    await write(rows);
    expect(did((await run(proxy, ['customers', 'rows.ndjson'])).json)).toEqual([
      'already_imported',
      'already_imported',
    ]);
    expect(await stored(lastName)).toHaveLength(2);
  });

  test('what is older than 30 days is removed', async () => {
    await write(people(1).rows);
    const proxy = await open(() => undefined);
    const kept = async () =>
      (await readdir(join(folder, 'imports'))).filter((name) => name.endsWith('.jsonl'));
    await run(proxy, ['customers', 'rows.ndjson']);
    const [first] = await kept();
    for (const days of [29, 31]) {
      const result = await run(proxy, ['contacts', 'rows.ndjson'], {
        now: hoursFrom(new Date(), 24 * days),
      });
      expect(result.code, result.stderr).toBe(0);
      expect([days, (await kept()).includes(first as string)]).toEqual([days, days === 29]);
    }
  });
});

describe('two imports at once', () => {
  test('the second one is refused and sends nothing', async () => {
    const { lastName, rows } = people(2);
    await write(rows);
    let second: CliResult | undefined;
    const line = ['customers', 'rows.ndjson'];
    const proxy = await open(async ({ method }) => {
      if (method === 'POST' && !second) {
        second = {} as CliResult;
        second = await run(proxy, line);
      }
      return undefined;
    });
    expect((await run(proxy, line)).code).toBe(0);
    expect([second?.code, second?.error]).toMatchObject([
      7,
      { code: 'already_running', hint: expect.stringContaining('wait') },
    ]);
    expect(await stored(lastName)).toHaveLength(2);
    expect(did((await run(proxy, line)).json)).toEqual(['already_imported', 'already_imported']);
  });
});

describe.each([
  ['with idempotency keys', false],
  ['without', true],
])('a server %s', (_, withoutKeys) => {
  const openProxy = async (choose: Parameters<typeof startFaultyProxy>[1]) => {
    const proxy = await startFaultyProxy(service.url, choose, { withoutKeys });
    closing.push(() => proxy.close());
    return proxy;
  };

  test('an import with --again that was cut off is finished by the same line', async () => {
    const { lastName, rows } = people(4);
    await write(rows);
    let cut = false;
    const proxy = await openProxy(({ method, body }) =>
      cut && method === 'POST' && body.includes('Ann2') ? 'reset' : undefined,
    );
    const line = ['customers', 'rows.ndjson', '--parallel', '1'];
    await run(proxy, line);
    cut = true;
    const begun = await run(proxy, [...line, '--again'], { env: { CS_RETRIES: '0' } });
    expect(did(begun.json)).toEqual(['created', 'created', 'failed']);
    cut = false;
    const finished = await run(proxy, [...line, '--again']);
    expect(finished.code).toBe(0);
    expect(idsIn(finished).slice(0, 2)).toEqual(idsIn(begun).slice(0, 2));
    expect(await stored(lastName)).toHaveLength(8);
    expect(did((await run(proxy, [...line, '--again'])).json)).toEqual(Array(4).fill('created'));
  });

  test('a row with a relative time is the same request again', async () => {
    const car = await make.car();
    await writeFile(
      join(folder, 'rows.csv'),
      `carId,activityType,occurredAt,notes\n${[1, 2].map((n) => `${car.id},inspection,${n} hours ago,Tyre ${n}\n`).join('')}`,
    );
    const now = new Date();
    const proxy = await openProxy(() => undefined);
    const first = await run(proxy, ['car-events', 'rows.csv'], { now });
    expect([first.code, did(first.json)]).toEqual([0, ['created', 'created']]);
    const second = await run(proxy, ['car-events', 'rows.csv'], {
      now: new Date(now.getTime() + 600_000),
    });
    expect([second.code, idsIn(second)]).toEqual([0, idsIn(first)]);
    const events = (await service.call('GET', `/cars/${car.id}/events`)).body.data;
    expect(events).toHaveLength(2);
  });
});

describe('what is kept', () => {
  const keptFile = async () =>
    join(folder, 'imports', (await readdir(join(folder, 'imports')))[0] as string);

  test('holds no key and no data of the rows, and only its owner reads it', async () => {
    const { lastName, rows } = people(1);
    await write(rows);
    await run(await open(() => undefined), ['customers', 'rows.ndjson']);
    const kept = await readFile(await keptFile(), 'utf8');
    expect((await stat(await keptFile())).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'imports'))).toHaveLength(1);
    expect(kept).not.toContain(lastName);
    expect(kept).not.toContain(service.key);
  });

  test('a line that was cut off does no harm', async () => {
    const { lastName, rows } = people(3);
    await write(rows);
    const proxy = await open(() => undefined);
    await run(proxy, ['customers', 'rows.ndjson']);
    const path = await keptFile();
    await writeFile(path, `${await readFile(path, 'utf8')}{"row":"cs-imp`);
    await write([...rows, { firstName: 'Ann3', lastName }]);
    for (const expected of ['created', 'already_imported'])
      expect(did((await run(proxy, ['customers', 'rows.ndjson'])).json)).toEqual([
        ...rows.map(() => 'already_imported'),
        expected,
      ]);
  });

  test.each([
    [
      'zeros in the middle',
      (text: string) => text.replace(/\{.*\n/, (line) => `${'\0'.repeat(line.length - 1)}\n`),
    ],
    ['zeros alone', (text: string) => '\0'.repeat(text.length)],
    ['zeros at the end', (text: string) => text + '\0'.repeat(512)],
    ['a line cut in the middle', (text: string) => text.replace(/"sent".*\n/, '\n')],
    ['nothing', () => ''],
    ['a line of something else', (text: string) => `${text}hello\n`],
    ['a wrong value', (text: string) => text.replace('"state":"sent"', '"state":7')],
    [
      'another valid value',
      (text: string) =>
        text.replace(
          /"id":"\w/,
          (start) => `${start.slice(0, -1)}${start.endsWith('f') ? '0' : 'f'}`,
        ),
    ],
  ])(
    'a damaged file (%s) is named and moved aside, and nothing is sent until the person has checked',
    async (_, damage) => {
      const { lastName, rows } = people(2);
      await write(rows);
      const proxy = await open(() => undefined);
      await run(proxy, ['customers', 'rows.ndjson']);
      const path = await keptFile();
      await writeFile(path, damage(await readFile(path, 'utf8')));
      for (const _ of [1, 2]) {
        const { code, stdout, error } = await run(proxy, ['customers', 'rows.ndjson']);
        expect([code, stdout, error]).toMatchObject([
          7,
          '',
          { code: 'state_unusable', message: expect.stringContaining(`${path}.damaged`) },
        ]);
        expect(error.hint).toContain('`cs export customers --to check`');
        expect(error.hint).toContain('--again');
      }
      expect(await stored(lastName)).toHaveLength(2);
      expect(did((await run(proxy, ['customers', 'rows.ndjson', '--again'])).json)).toEqual([
        'created',
        'created',
      ]);
      await write(people(1).rows);
      expect(did((await run(proxy, ['customers', 'rows.ndjson'])).json)).toEqual(['created']);
    },
  );
});

describe('a server that does not tell what it stored', () => {
  async function lost(): Promise<{
    other: OtherFacility;
    line: string[];
    env: Record<string, string>;
  }> {
    const other = await openOther({}, () => new Date());
    closing.push(() => other.close());
    await write([
      { firstName: 'Ada', lastName: 'King', notes: 'tall' },
      { firstName: 'Bea', lastName: 'King' },
    ]);
    let posts = 0;
    const proxy = await startFaultyProxy(
      other.server.url,
      ({ method }) => (method === 'POST' && ++posts === 1 ? 'lost' : undefined),
      {
        withoutKeys: true,
      },
    );
    closing.push(() => proxy.close());
    const env = { ...other.env, CS_BASE_URL: proxy.url };
    return { other, line: ['customers', 'rows.ndjson', '--parallel', '1'], env };
  }
  const withoutNotes = ({ notes: _, ...row }: Row) => row;
  const posts = (other: OtherFacility) =>
    other.writes().filter((write) => write.startsWith('POST'));

  test('its records have the fields: nothing is sent twice', async () => {
    const { other, line, env } = await lost();
    expect((await run({ url: '' }, line, { env })).code).toBe(0);
    expect(did((await run({ url: '' }, line, { env })).json)).toEqual([
      'already_imported',
      'already_imported',
    ]);
    expect(posts(other)).toHaveLength(2);
  });

  test('its records lack a field: the row is named, and the others are sent', async () => {
    const { other, line, env } = await lost();
    other.server.spoil = ({ method }, answer) => {
      if (method !== 'GET') return answer;
      const body = JSON.parse(String(answer.body));
      return json(answer.status, { ...body, data: body.data.map(withoutNotes) });
    };
    const first = await run({ url: '' }, line, { env });
    expect([first.code, first.json]).toMatchObject([
      9,
      [{ row: 1, did: 'failed', error: { code: 'connection_lost' } }],
    ]);
    const second = await run({ url: '' }, line, { env });
    expect([second.code, second.json]).toMatchObject([
      11,
      [{ row: 1, did: 'failed', error: { code: 'outcome_unknown' } }, { did: 'created' }],
    ]);
    expect(second.error.details.failed).toMatchObject([{ id: 'line 1', code: 'outcome_unknown' }]);
    expect(second.error.hint).toContain('check which of the uncertain rows are on the server');
    expect(posts(other)).toHaveLength(2);
  });

  test('it has no list', async () => {
    const { other, line, env } = await lost();
    const proxy = await startFaultyProxy(other.server.url, () => undefined, {
      withoutKeys: true,
      lacks: ({ method, url }) => method === 'GET' && url.includes('/customers'),
    });
    closing.push(() => proxy.close());
    let sent = 0;
    const losing = await startFaultyProxy(
      proxy.url,
      ({ method }) => (method === 'POST' && ++sent === 1 ? 'lost' : undefined),
      {
        withoutKeys: true,
      },
    );
    closing.push(() => losing.close());
    const options = { env: { ...env, CS_BASE_URL: losing.url } };
    expect((await run({ url: '' }, line, options)).code).toBe(9);
    const second = await run({ url: '' }, line, options);
    expect(second.json).toMatchObject([
      { did: 'failed', error: { code: 'outcome_unknown' } },
      { did: 'created' },
    ]);
    expect(posts(other)).toHaveLength(2);
  });
});
