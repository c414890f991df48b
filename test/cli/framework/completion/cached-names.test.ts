/** The names that completion offers: where they come from, how long they are kept, and who can read them. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Names } from '../../../../src/cli/state/names.ts';
import { cs } from '../../../helpers/cli.ts';
import { type Facility, facility, png } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { readNames } from '../../../helpers/names.ts';
import type { TeamService } from '../../../helpers/service.ts';
import { testService } from '../../../helpers/service.ts';

let team: TeamService;
let make: Facility;
let folder: string;
let env: Record<string, string>;
const service = await testService();
// Completion waits 800 ms for names. Loading what reads them can take longer, so it is loaded before.
const { key } = await service.newTeam();
const state = await makeFolder();
await readNames({ CS_STATE_DIR: state, CS_BASE_URL: service.url, CS_API_KEY: key }, ['cars']);
await removeFolder(state);
// All names of a team are offered, so each test has a team of its own.
beforeEach(async () => {
  folder = await makeFolder();
  team = await service.newTeam();
  env = {
    CS_STATE_DIR: join(folder, 'state'),
    CS_CONFIG_DIR: folder,
    CS_BASE_URL: service.url,
    CS_API_KEY: team.key,
  };
  make = facility(team);
  await make.car({ licensePlate: 'WN AB 1', make: 'Porsche', model: '911', year: 1973 });
  const greta = await make.car({ licensePlate: null, nickname: 'Greta' });
  await make.car({ licensePlate: 'HH-E 61H', nickname: 'Elsa', vin: 'ZFFZZZ1JZXW000001' });
  await make.photo(greta.id, { filename: 'front.png', base64: png(7).toString('base64') });
  const { id } = await make.location({ name: 'Main:Yard' });
  await make.zone(id, { name: 'Hall\u0007 1' });
  // Two of one name are offered once.
  const { id: other } = await make.location({ name: 'Depot' });
  for (const location of [other, id]) await make.zone(location, { name: 'Hall 2' });
});
afterEach(() => removeFolder(folder));

async function complete(
  words: string[],
  given: Record<string, string> = {},
  now?: Date,
): Promise<string[]> {
  const { code, stdout, stderr } = await cs(['__complete', ...words], {
    env: { ...env, ...given },
    now,
    background: true,
  });
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter(Boolean);
}

const stateFile = () => join(folder, 'state', 'state.db');
/** The rows of the state file. */
function rows(sql: string, ...values: string[]): Record<string, unknown>[] {
  const db = new DatabaseSync(stateFile());
  try {
    return db.prepare(sql).all(...values);
  } finally {
    db.close();
  }
}
const keptLists = () =>
  rows('select "list" from "names" where "readAt" is not null order by "list"').map(
    ({ list }) => list,
  );
const wantedLists = () =>
  rows('select "list" from "names" where "wantedAt" is not null').map(({ list }) => list);

/** The names alone. */
const namesAt = async (...given: Parameters<typeof complete>) =>
  (await complete(...given)).map((line) => line.split('\t')[0]);
const greta = 'WN AB 1\t1973 Porsche 911';

describe('a name', () => {
  test('is the first one of its record, with a description; another one where only that begins as typed, in any case', async () => {
    expect((await namesAt(['cars', 'get', ''])).sort()).toEqual(['Greta', 'HH-E 61H', 'WN AB 1']);
    expect(await complete(['cars', 'get', 'wn a'])).toEqual([greta]);
    expect(await namesAt(['cars', 'get', 'el'])).toEqual(['Elsa']);
    expect(await namesAt(['cars', 'get', 'zf'])).toEqual(['ZFFZZZ1JZXW000001']);
  });
  test('is offered wherever a record is named, that of a child by its parent', async () => {
    for (const [line, ...names] of [
      ['cars events list G', 'Greta'],
      ['parking spots list --zone ', 'Hall 2'],
      ['parking spots list --zone=Hall', '--zone=Hall 2'],
      ['cars list --location M', 'Main:Yard'],
      ['cars events log Greta --type drop', 'drop_off'],
      ['cars photos get Greta ', 'front.png'],
      ['cars photos download Greta front.png f', 'front.png'],
      ['cars photos get Elsa '],
      ['appointments check-in el', 'Elsa'],
      ['dropoff --appointment hh-e', 'HH-E 61H'],
      // A failed reading is not repeated at once.
      ['cars photos get Nobody '],
    ] as const)
      expect([line, ...(await namesAt(line.split(' ')))]).toEqual([line, ...names]);
  });
  test('of a profile is offered for profiles', async () => {
    await writeFile(
      join(folder, 'config.json'),
      JSON.stringify({ profiles: { yard: { baseUrl: 'http://127.0.0.1:9', key: 'k' } } }),
    );
    for (const line of [
      ['profiles', 'use'],
      ['profiles', 'set'],
      ['cars', 'list', '--profile'],
    ])
      expect(await complete([...line, 'y'])).toEqual(['yard\thttp://127.0.0.1:9']);
  });
});

describe('the cache', () => {
  test('is readable by its owner only, and contains no key', async () => {
    await complete(['cars', 'get', '']);
    expect((await stat(stateFile())).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'state'))).mode & 0o777).toBe(0o700);
    const content = (await readFile(stateFile())).toString('latin1');
    expect(content).toContain('WN AB 1');
    expect(content).not.toContain(team.key.slice(4, 16));
    expect(keptLists()).toEqual(['["cars"]']);
  });
  test('is used without a request, then refreshed', async () => {
    await complete(['cars', 'get', '']);
    // The order of the list; the first of those with one name.
    const names = [
      ['Old name', 'new'],
      ['Other', ''],
      ['Old name', 'older'],
    ].map(([value, about]) => ({ value, about }));
    rows('update "names" set "names" = ?', JSON.stringify(names));
    const offered = ['Old name\tnew', 'Other\t'];
    expect(await complete(['cars', 'get', ''])).toEqual(offered);
    // Old enough to be read anew, and still good enough for this Tab.
    const later = new Date(Date.now() + 3 * 60_000);
    expect(await complete(['cars', 'get', ''], {}, later)).toEqual(offered);
    await expect.poll(() => rows('select "names" from "names"')[0]?.names).toContain('WN AB 1');
    // Too old to be offered.
    rows(`update "names" set "readAt" = ${Date.now() - 25 * 3_600_000}`);
    expect(await complete(['cars', 'get', 'W'])).toEqual([greta]);
  });
  test('belongs to one server and one key', async () => {
    await complete(['cars', 'get', '']);
    expect(await complete(['cars', 'get', ''], { CS_API_KEY: service.otherKey })).toEqual([]);
    expect(keptLists()).toEqual(['["cars"]', '["cars"]']);
  });
  test('follows the profile of the line', async () => {
    const profile = { baseUrl: service.url, key: team.key };
    await writeFile(join(folder, 'config.json'), JSON.stringify({ profiles: { yard: profile } }));
    const own = { CS_BASE_URL: '', CS_API_KEY: '' };
    expect(await complete(['cars', 'get', 'W'], own)).toEqual([]);
    expect(await complete(['--profile', 'yard', 'cars', 'get', 'W'], own)).toEqual([greta]);
  });
  test('is refreshed after a write', async () => {
    await complete(['customers', 'get', '']);
    const readAt = () => Number(rows('select "readAt" from "names"')[0]?.readAt);
    const before = readAt();
    const line = 'customers create --first-name Ann --last-name Lee --email ann@example.com';
    const { code } = await cs(line.split(' '), { env });
    expect(code).toBe(0);
    expect(readAt()).toBeLessThan(before);
    await complete(['customers', 'get', '']);
    await expect.poll(() => complete(['customers', 'get', 'Ann'])).toHaveLength(1);
  });
});

describe('offers and prints nothing', () => {
  test.each<[string, Record<string, string>]>([
    ['without a key', { CS_API_KEY: '' }],
    ['with a key that is refused', { CS_API_KEY: 'csk_nobody.nothing' }],
    ['when nobody listens', { CS_BASE_URL: 'http://127.0.0.1:9' }],
    ['with a profile that is not there', { CS_PROFILE: 'nobody' }],
    ['where nothing can be kept', { CS_STATE_DIR: '/dev/null/state' }],
  ])('%s', async (_, given) => {
    expect(await complete(['cars', 'get', ''], given)).toEqual([]);
  });
  test('with a broken state file', async () => {
    await complete(['cars', 'get', '']);
    await writeFile(stateFile(), 'not a database');
    expect(await complete(['cars', 'get', 'W'])).toEqual([]);
  });
});

describe('a key command', () => {
  const ran = () => readFile(join(folder, 'ran'), 'utf8').catch(() => '');
  const command = (name: string) => `echo ${name} >> '${join(folder, 'ran')}'; echo ${team.key}`;
  const given = () => ({ CS_API_KEY: '', CS_KEY_COMMAND: command('ran') });
  const list = (of: Record<string, string>, ...flags: string[]) =>
    cs([...flags, 'locations', 'list'], { env: { ...env, ...of } });

  test("isn't run by completion; the next command with the key reads the names, and reads stale ones again", async () => {
    expect([await complete(['cars', 'get', 'WN'], given()), await ran()]).toEqual([[], '']);
    expect(await list(given())).toMatchObject({ code: 0, stderr: '' });
    expect(await complete(['cars', 'get', 'WN'], given())).toEqual([greta]);
    await make.car({ licensePlate: 'WN AB 2' });
    const later = new Date(Date.now() + 10 * 60_000);
    expect(await complete(['cars', 'get', 'WN'], given(), later)).toEqual([greta]);
    await list(given());
    expect(await complete(['cars', 'get', 'WN'], given())).toHaveLength(2);
    expect(await ran()).toBe('ran\n'.repeat(2));
  });
  test('reads all wanted names, skips unreadable ones, and tries each once', async () => {
    for (const line of ['cars photos get Nobody ', 'cars get ', 'cars photos get None '])
      await complete(line.split(' '), given());
    await list(given());
    expect([keptLists(), wantedLists()]).toEqual([['["cars"]'], []]);
  });
  test('belongs to the profile of the command, not the one in use at completion', async () => {
    const own = { CS_BASE_URL: '', CS_API_KEY: '' };
    const use = (currentProfile: string) => {
      const profile = (name: string) => ({ baseUrl: service.url, keyCommand: command(name) });
      const profiles = { a: profile('a'), b: profile('b') };
      return writeFile(join(folder, 'config.json'), JSON.stringify({ currentProfile, profiles }));
    };
    await use('a');
    expect(await complete(['cars', 'get', 'WN'], own)).toEqual([]);
    await use('b');
    expect([(await list(own, '--profile', 'a')).code, await ran()]).toEqual([0, 'a\n']);
    expect(await complete(['cars', 'get', 'WN'], own)).toEqual([]);
    expect(await complete(['--profile', 'a', 'cars', 'get', 'WN AB 1'], own)).toEqual([greta]);
  });
});

test('one process at a time refreshes names, and another one after 15 seconds if it ends before it is done', () => {
  const start = Date.parse('2026-03-01T12:00:00Z');
  const reserve = (seconds: number) => {
    const io = {
      env: { CS_STATE_DIR: join(folder, 'state') },
      now: () => new Date(start + seconds * 1_000),
    };
    const names = new Names(io as never, 'owner');
    names.want([['cars']]);
    return names.reserve();
  };
  // The last one: a clock that was wrong before.
  expect([0, 14, 15, 29, 30, -3_600].map(reserve)).toEqual([true, false, true, false, true, true]);
});
