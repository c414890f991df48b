/** The rules of docs/other-servers.md that no other test of this folder shows, each with the line that a user would type. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Abilities } from '../../../src/client/abilities.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { noon, type OtherFacility, openOther } from '../../helpers/other-facility.ts';
import { json, type OtherRequest } from '../../helpers/other-server.ts';
import { openTerminal } from '../../helpers/terminal.ts';
import { replay } from '../../helpers/transcript.ts';
import { runOn } from './run.ts';

let facility: OtherFacility;
let folder: string;
beforeAll(async () => {
  folder = await makeFolder();
  facility = await openOther();
});
afterEach(() => facility.reset());
afterAll(async () => {
  await facility.close();
  await removeFolder(folder);
});

/** Records the requests from now on. */
function listen(): OtherRequest[] {
  const requests: OtherRequest[] = [];
  facility.server.spoil = (request, answer) => {
    requests.push(request);
    return answer;
  };
  return requests;
}

describe('2. unknown is an error, never "nothing found"', () => {
  test.each<[string, string, string, readonly string[], string]>([
    [
      'a pattern',
      "templates prune --name 'Win*' --confirm 1",
      '/marketing/templates',
      ['name'],
      'No template shows its name on this server, so nothing tells which match --name.\ndelete them by id with `cs templates delete`',
    ],
    [
      'a name of a write',
      'pickup HH-F12 --yes',
      '/cars',
      ['licensePlate', 'nickname', 'vin'],
      'The cars of this server don\'t show their names, so nothing tells which one "HH-F12" is.\nuse an id; `cs cars list` shows them',
    ],
    [
      'a channel',
      'templates prune --channel sms --confirm 2',
      '/marketing/templates',
      ['channel'],
      "can't be filtered: no record shows channel.\nleave out the filter, or name the records by their ids; `cs doctor` asks the server again what it promises",
    ],
  ])('%s in fields that no record shows: cs %s', async (_, line, collection, fields, words) => {
    facility.hide(collection, ...fields);
    const { code, stdout, told } = await runOn(facility, line);
    expect([code, stdout]).toEqual([9, '']);
    expect(told).toContain(`${words}\nfilter_ignored`);
    expect(facility.writes()).toEqual([]);
  });

  test('cs import --upsert-by: nothing is sent', async () => {
    facility.hide('/cars', 'licensePlate');
    const stdin = '{"year":1990,"make":"Fiat","model":"Uno","licensePlate":"HH-F 12"}\n';
    const line = 'import cars - --upsert-by licensePlate';
    const { code, told } = await runOn(facility, line, { stdin });
    expect([code, told]).toEqual([9, expect.stringContaining('licensePlate')]);
    expect(facility.writes()).toEqual([]);
  });

  test('cs templates prune --unused-for goes by updatedAt where no use is known, as its help says', async () => {
    facility.hide('/marketing/templates', 'lastUsedAt');
    const { code } = await runOn(facility, 'templates prune --unused-for 90d --confirm 3');
    const changedLongAgo = ['Receipt', 'Reminder', 'Winter'];
    expect([code, facility.writes().sort()]).toEqual([
      0,
      changedLongAgo.map((name) => `DELETE /marketing/templates/{${name}}`),
    ]);
  });
});

describe('5. names', () => {
  test.each([
    ["customers update 'Bob Ray' --notes secret", 14, ['{Ann}', '{Bob}']],
    ['cars update F12 --color red', 6, []],
  ])('of several records, or a part of a plate in a script: cs %s', async (line, exit, named) => {
    facility.server.records.change('/customers', facility.fill('{Ann}'), {
      companyName: 'Bob Ray',
    });
    const { code, told } = await runOn(facility, line);
    expect([code, facility.writes()]).toEqual([exit, []]);
    for (const one of named) expect(told).toContain(facility.fill(one));
  });

  test('a terminal takes a part of a plate that fits one car alone', async () => {
    const line = ['pickup', 'E 61', '--type', 'pick_up', '--no-appointment', '--notes', 'x'];
    const terminal = openTerminal(line, { env: facility.env, now: noon });
    await terminal.waitFor(/^(?!.*HH-F 12)[\s\S]*HH-E 61/);
    terminal.press('enter');
    await terminal.waitFor('Hand this car over?');
    terminal.type('y');
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect(facility.writes()).toMatchObject([expect.stringContaining('POST /cars/{Emma}/events')]);
  });
});

describe('8. a missing operation', () => {
  test('the hint speaks of names where the list is read for one', async () => {
    facility.server.spoil = ({ path }, answer) =>
      /^\/(locations|marketing|communications)/.test(path) ? json(404, { error: 'No' }) : answer;
    const told = [];
    for (const line of [
      'threads list',
      'assets list',
      'calendar list --from 2026-05-01T00:00:00Z --to 2026-06-01T00:00:00Z',
      'cars list --location Harbour',
    ])
      told.push((await runOn(facility, line)).told.includes('where a name was given'));
    expect(told).toEqual([false, false, false, true]);
  });

  test('what only adds a name or a check may be missing: a note says so', async () => {
    facility.server.spoil = ({ method, path }, answer) =>
      method === 'GET' && /^\/(parking|me|locations|appointments)/.test(path)
        ? json(404, { error: 'No' })
        : answer;
    for (const line of [
      'dropoff --car {Greta} --type drop_off --spot {A3} --no-appointment --yes',
      'pickup {Ferdi} --type pick_up --no-appointment --yes',
    ])
      expect((await runOn(facility, line)).code).toBe(0);
    expect(facility.writes()).toHaveLength(2);
  });
});

describe('10. parking', () => {
  test('where they show none, a place is unknown, never free', async () => {
    facility.hide('/cars', 'parkingSpotId', 'parkingZoneId');
    const zones: { spots: { name: string; state: string }[] }[] = JSON.parse(
      (await runOn(facility, 'board')).stdout,
    );
    const states = zones.flatMap(({ spots }) => spots.map(({ name, state }) => `${name} ${state}`));
    expect(states).toEqual(['A1 unknown', 'A2 unknown', 'A3 unknown', 'A4 inactive']);
    const { stdout } = await runOn(facility, 'board', { as: 'terminal', columns: 100 });
    expect(stdout).not.toMatch(/\d free/);
  });

  test('an unknown place is offered as unknown in a drop-off', async () => {
    facility.hide('/cars', 'parkingSpotId', 'parkingZoneId');
    facility.hide('/parking/spots', 'locationId');
    const line = ['dropoff', '--car', 'Greta', '--type', 'drop_off', '--no-appointment'];
    const terminal = openTerminal([...line, '--notes', 'x'], { env: facility.env, now: noon });
    const screen = await terminal.waitFor(/\? Place[\s\S]*A3/);
    expect(screen).toMatch(/A3.*unknown/);
    terminal.press('ctrl-c');
    expect(await terminal.exited).toBe(130);
    expect(facility.writes()).toEqual([]);
  });
});

describe('11. event types', () => {
  const hideRelease = () => {
    const { records } = facility.server;
    for (const { id } of records.list('/event-types'))
      records.change('/event-types', id, { config: { requiresParkingSpot: false } });
  };

  test('a pick-up needs --type where none says that it frees the place', async () => {
    hideRelease();
    const { code, told } = await runOn(facility, 'pickup Ferdi --yes');
    expect([code, told]).toEqual([2, expect.stringMatching(/--type/)]);
    expect(facility.writes()).toEqual([]);
    expect((await runOn(facility, 'pickup Ferdi --type pick_up --yes')).code).toBe(0);
  });

  test('a terminal asks for it', async () => {
    hideRelease();
    const line = ['pickup', 'Ferdi', '--no-appointment', '--notes', 'two keys'];
    const terminal = openTerminal(line, { env: facility.env, now: noon });
    await terminal.waitFor(/\? Event[\s\S]*Pick up/);
    terminal.press('ctrl-c');
    expect(await terminal.exited).toBe(130);
  });
});

test('a finished appointment is found by no name: a server without transitions would complete a cancelled one', async () => {
  expect((await runOn(facility, 'appointments cancel Ferdi')).code).toBe(0);
  const { code } = await runOn(facility, 'appointments complete Ferdi');
  expect([code, facility.writes()]).toEqual([7, [expect.stringContaining('cancelled')]]);
});

test('a server without teams is asked for them once', async () => {
  const asked: number[] = [];
  for (const line of ['move {Otto} --spot {A3} --yes', "move {Otto} --zone 'Hall A' --yes"]) {
    const requests = listen();
    const { code, told } = await runOn(facility, line, { env: { CS_STATE_DIR: folder } });
    expect([code, told]).toEqual([0, '']);
    asked.push(requests.filter(({ path }) => path === '/me').length);
  }
  expect(asked).toEqual([1, 0]);
});

describe('the facility as a whole', () => {
  test('cs today', async () => {
    const { code, stdout } = await runOn(facility, 'today');
    const { arrivals, departures } = JSON.parse(stdout);
    const ids = (some: { appointment: { id: string } }[]) =>
      some.map((one) => one.appointment.id).sort();
    const named = (...names: string[]) => names.map((name) => facility.fill(`{${name}}`)).sort();
    expect(code).toBe(11);
    expect(ids(arrivals)).toEqual(named("Greta's drop-off"));
    expect(ids(departures)).toEqual(named("Emma's pick-up", "Ferdi's pick-up"));
  });

  test('cs usage, which needs the time zones of the locations', async () => {
    const line = 'usage --month 2026-05 --by car -o csv --columns name,customer,days';
    const without = await runOn(facility, line);
    expect([without.code, without.stdout, without.told]).toEqual([
      ...[9, ''],
      expect.stringContaining("The server doesn't tell the time zone of Harbour"),
    ]);
    const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
    facility.server.records.change('/locations', facility.fill('{Harbour}'), { timezone });
    const { code, stdout, told } = await runOn(facility, line);
    expect([code, told, stdout.trim().split('\r\n')]).toEqual([
      ...[0, ''],
      [
        'name,customer,days',
        ...['B-OT 7,,5', 'HH-E 61,Ann Lee,5', 'HH-F 12,Bob Ray,5', 'WN-AB 123,Ann Lee,5'],
      ],
    ]);
  });

  test('cs export, cs sync, and cs cars photos download', async () => {
    await mkdir(join(folder, 'photos'));
    for (const line of [
      `export cars templates --to '${join(folder, 'export')}'`,
      `sync cars --to '${join(folder, 'mirror.db')}'`,
      `cars photos download Emma --to '${join(folder, 'photos')}'`,
    ]) {
      const { code, told } = await runOn(facility, line);
      expect({ line, code, told: code === 0 ? '' : told }).toEqual({ line, code: 0, told: '' });
    }
    expect(facility.writes()).toEqual([]);
  });

  test('cs watch shows each change once', async () => {
    const line = `watch cars --once --state seen -o ndjson`;
    const poll = async () => (await runOn(facility, line)).stdout.split('\n').filter(Boolean);
    expect(await poll()).toEqual([]);
    facility.server.records.change('/cars', facility.fill('{Emma}'), { color: 'red' });
    expect(await poll()).toEqual([expect.stringContaining(facility.fill('{Emma}'))]);
    expect(await poll()).toEqual([]);
  });
});

test('a stale answer of what the server announces is safe', async () => {
  const abilities: Abilities = {
    promisesLists: true,
    idempotencyKeys: true,
    preconditions: ['if-parked-in'],
    operations: ['GET /contacts'],
    team: null,
  };
  const { CS_BASE_URL: baseUrl, CS_API_KEY: key } = facility.env;
  async function keep(abilities: Partial<Abilities>): Promise<void> {
    const config = { currentProfile: 'old', profiles: { old: { baseUrl, key, abilities } } };
    await writeFile(join(folder, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  }
  await keep(abilities);
  const { env } = facility;
  const stale = {
    ...facility,
    env: { CS_CONFIG_DIR: folder, CS_STATE_DIR: env.CS_STATE_DIR ?? '' },
  };
  facility.server.ways = { filters: 'ignored' };
  for (const line of ['cars list --customer {Bob}', 'cars update HH-F12 --color red']) {
    const { code, told } = await runOn(stale, line);
    expect([code, told]).toEqual([9, expect.stringContaining('no longer promises')]);
    expect(told).toContain('`cs doctor` asks the server again');
  }
  // Another version of `cs` wrote it.
  for (const part of Object.keys(abilities)) {
    await keep({ ...abilities, [part]: undefined });
    const { code } = await runOn(stale, 'cars list --customer {Bob}');
    expect([part, code]).toEqual([part, 0]);
  }
  expect(facility.writes()).toEqual([]);
  facility.server.ways = {};
});

test('what people read where something is missing', async () => {
  const hide = (collection: string, ...fields: string[]) => facility.hide(collection, ...fields);
  const { records } = facility.server;
  await writeFile(join(folder, 'plates.ndjson'), '{"licensePlate":"HH-F 12"}\n');
  await replay(join(import.meta.dirname, 'told.txt'), {
    env: { ...facility.env, CS_STATE_DIR: join(folder, 'told') },
    now: facility.now,
    cwd: folder,
    hidden: { folder, Cy: facility.fill('{Cy}') },
    tasks: {
      'templates show no name': () => hide('/marketing/templates', 'name'),
      'templates show neither their last use nor their last change'() {
        for (const { id } of records.list('/marketing/templates'))
          records.change('/marketing/templates', id, {
            name: 'X',
            lastUsedAt: undefined,
            updatedAt: undefined,
          });
      },
      'cars show no plate': () => hide('/cars', 'licensePlate'),
      async 'assets show no folder'() {
        await facility.reset();
        hide('/marketing/assets', 'folderId');
      },
      "event types don't say what they do with the place"() {
        for (const { id } of records.list('/event-types'))
          records.change('/event-types', id, { config: undefined });
      },
      'lists beyond the cars are missing'() {
        facility.server.spoil = ({ path }, answer) =>
          /^\/(cars|customers)/.test(path) ? answer : json(404, { error: 'No' });
      },
      'they are answered with pages'() {
        facility.server.spoil = ({ path }, answer) =>
          /^\/(cars|customers)/.test(path)
            ? answer
            : { status: 404, type: 'text/html', body: '<p>Not found</p>' };
      },
      async 'two customers have one name'() {
        await facility.reset();
        records.change('/customers', facility.fill('{Ann}'), { companyName: 'Bob Ray' });
      },
    },
  });
});
