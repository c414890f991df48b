/** Commands that show or copy the facility as a whole, on every server of another team. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer } from '../../helpers/other-server.ts';
import { cutLists, cutsLists, hasUnknownTimes, otherFacilities, runOn, untoldTime } from './run.ts';
import { type VariationName, variationNames } from './servers.ts';

const { open, closeAll } = otherFacilities();
let folder: string;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(async () => {
  await closeAll();
  await removeFolder(folder);
});

const whole = variationNames.filter(
  (name) => !name.startsWith('specified paths alone') && !cutsLists(name),
);
const lacking = (name: VariationName) =>
  name.startsWith('lacks optional fields') || name === 'null in optional fields';
const untoldRelease: readonly VariationName[] = ['no type that frees a place'];
const untoldConfig: readonly VariationName[] = [
  'appointment types of its own',
  'event types without scope and config',
];
const unplaced = (name: VariationName) =>
  name === 'nothing tells who is parked where' || name.startsWith('assignments alone');

const nameOf = (facility: OtherFacility, names: readonly string[]) => (id: unknown) =>
  names.find((name) => facility.fill(`{${name}}`) === String(id).toLowerCase()) ?? `unknown ${id}`;

describe.each(whole)('%s', (name) => {
  test('cs today shows the visits of the day, and names the part that the server lacks', async () => {
    const { facility } = await open(name);
    const { code, stdout, told } = await runOn(facility, 'today');
    if (hasUnknownTimes(name))
      return expect([code, told]).toEqual([
        untoldTime.code,
        expect.stringMatching(untoldTime.says),
      ]);
    const { arrivals, departures, other, late, withoutPhotos, waitingForApproval } =
      JSON.parse(stdout);
    const names = nameOf(facility, [
      "Otto's pick-up",
      "Ferdi's pick-up",
      "Greta's drop-off",
      "Ann's visit",
      "Emma's pick-up",
    ]);
    const visits = (some: { appointment: { id: unknown } }[]) =>
      some.map(({ appointment }) => names(appointment.id)).sort();
    const [drops, picks] = [["Greta's drop-off"], ["Emma's pick-up", "Ferdi's pick-up"]];
    const sections = {
      arrivals: visits(arrivals),
      departures: visits(departures),
      other: visits(other),
    };
    if (untoldConfig.includes(name))
      expect(sections).toEqual({
        arrivals: [],
        departures: [],
        other: [...picks, ...drops].sort(),
      });
    else if (untoldRelease.includes(name))
      expect(sections).toEqual({ arrivals: drops, departures: [], other: picks });
    else expect(sections).toEqual({ arrivals: drops, departures: picks, other: [] });
    expect([late, withoutPhotos, visits(waitingForApproval)]).toEqual([[], null, ["Ann's visit"]]);
    expect(code).toBe(11);
    expect(told).toContain('this server has no /event-sessions, which is beyond the specification');
  });

  test('cs board shows who is parked where', async () => {
    const { facility } = await open(name);
    const { code, stdout, told } = await runOn(facility, 'board');
    expect({ code, told: code === 0 ? '' : told }).toEqual({ code: 0, told: '' });
    const zones: {
      name: string;
      occupied: number;
      isActive: boolean | null;
      spots: Spot[];
      carsWithoutSpot: { id: string }[];
    }[] = JSON.parse(stdout);
    const car = nameOf(facility, ['Emma', 'Ferdi', 'Greta', 'Otto']);
    const spots = zones.flatMap((zone) => zone.spots).sort((a, b) => a.name.localeCompare(b.name));
    if (unplaced(name)) {
      const states = spots.map((spot) => [spot.name, spot.state]);
      expect(states).toEqual(
        ['A1', 'A2', 'A3', 'A4'].map((spot) => [spot, spot === 'A4' ? 'inactive' : 'unknown']),
      );
      expect(zones.find((zone) => zone.name === 'Hall A')?.occupied).toBeNull();
      const shown = await runOn(facility, 'board', { as: 'terminal', columns: 100 });
      expect(shown.stdout).toContain('Hall A  3 of 4 spots unknown');
      expect(shown.stdout).not.toMatch(/\d free|without a spot/);
      return;
    }
    expect(spots.map((spot) => [spot.name, spot.state, spot.car && car(spot.car.id)])).toEqual([
      ['A1', 'taken', 'Emma'],
      ['A2', 'taken', 'Ferdi'],
      // Without null nothing says that it is free.
      ['A3', name === 'leaves out null' ? 'unknown' : 'free', null],
      // Nothing says that it is inactive.
      ['A4', lacking(name) ? 'free' : 'inactive', null],
    ]);
    const hall = zones.find((zone) => zone.name === 'Hall A');
    expect([hall?.occupied, hall?.carsWithoutSpot.map(({ id }) => car(id))]).toEqual([1, ['Otto']]);
    expect(hall?.isActive).toBe(lacking(name) ? null : true);
  });

  test('cs parking spots list --available shows no taken spot as free', async () => {
    const { facility } = await open(name);
    const { code, stdout, told } = await runOn(
      facility,
      'parking spots list --available -o table',
      { as: 'terminal', columns: 200 },
    );
    if (code !== 0)
      expect([code, told]).toEqual([
        9,
        expect.stringContaining('gives no sign whether it applies available'),
      ]);
    const free = stdout.split('\n').filter((line) => /\bfree\b/.test(line));
    expect(free.map((line) => line.split(' ')[0])).toEqual(
      lacking(name) || unplaced(name) || name === 'leaves out null' ? [] : ['A3'],
    );
  });

  test('cs export copies every record', async () => {
    const { facility } = await open(name);
    const to = join(folder, 'exports', name);
    const { code, told } = await runOn(facility, `export cars appointments templates --to '${to}'`);
    expect({ code, told: code === 0 ? '' : told }).toEqual({ code: 0, told: '' });
    expect(await idsIn(to, 'cars')).toEqual(ids(facility, ['Emma', 'Ferdi', 'Greta', 'Otto']));
    expect(await idsIn(to, 'templates')).toEqual(
      ids(facility, ['Post', 'Receipt', 'Reminder', 'Welcome', 'Winter']),
    );
    expect(await idsIn(to, 'appointments')).toHaveLength(5);
  });

  test('cs cars photos download and cs assets download save the files', async () => {
    const { facility } = await open(name);
    const car = name === 'four fields of a car' ? '{Emma}' : 'Emma';
    const to = join(folder, 'downloads', name);
    for (const line of [
      `cars photos download ${car}`,
      `cars photos download ${car} front.jpg --overwrite`,
    ]) {
      const { code, told } = await runOn(facility, `${line} --to '${to}'`);
      expect({ line, code, told: code === 0 ? '' : told }).toEqual({ line, code: 0, told: '' });
      expect(await readFile(join(to, 'front.jpg'), 'utf8')).toBe('the bytes of front.jpg');
    }
    for (const line of ['--all', '--folder Pictures', 'hall.png']) {
      const inside = join(to, line);
      const { code, told } = await runOn(facility, `assets download ${line} --to '${inside}'`);
      expect({ line, code, told: code === 0 ? '' : told }).toEqual({ line, code: 0, told: '' });
      const path = line === '--all' ? join('Pictures', 'hall.png') : 'hall.png';
      expect(await readFile(join(inside, path), 'utf8')).toBe('the bytes of hall.png');
    }
    expect(facility.writes()).toEqual([]);
  });

  test('cs watch shows each change once', async () => {
    const { facility } = await open(name);
    const state = join(folder, `${name}.json`);
    const poll = async (more = '') => {
      const { code, stdout, told } = await runOn(
        facility,
        `watch cars --once --state '${state}' -o ndjson${more}`,
      );
      expect({ code, told: code === 0 ? '' : told }).toEqual({ code: 0, told: '' });
      return stdout
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [String(JSON.parse(line).id).toLowerCase()]));
    };
    const { records } = facility.server;
    expect(await poll()).toEqual([]);
    const [emma, otto] = ids(facility, ['Emma', 'Otto']) as [string, string];
    records.change('/cars', emma, { color: 'red' });
    expect(await poll()).toEqual([emma]);
    records.change('/cars', otto, { color: 'blue' });
    expect(await poll()).toEqual([otto]);
    expect(await poll()).toEqual([]);
  });

  test('cs sync copies every record, and then what has changed', async () => {
    const { facility } = await open(name);
    const to = join(folder, 'syncs', name);
    const run = () => runOn(facility, `sync cars --to '${to}'`);
    expect((await run()).code).toBe(0);
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ added: 0, changed: 0, removed: 0, records: 4 }]);
    expect(await idsIn(to, 'cars')).toEqual(ids(facility, ['Emma', 'Ferdi', 'Greta', 'Otto']));
    const verified = await runOn(facility, `sync verify '${to}'`);
    expect([verified.code, JSON.parse(verified.stdout)]).toMatchObject([
      0,
      [{ records: 4, onServer: 4 }],
    ]);
    facility.server.records.delete('/cars', facility.fill('{Otto}'));
    const after = await runOn(facility, `sync verify '${to}'`);
    expect([after.code, JSON.parse(after.stdout)]).toMatchObject([
      12,
      [{ gone: { ids: [expect.stringMatching(new RegExp(`^${facility.fill('{Otto}')}$`, 'i'))] } }],
    ]);
  });

  test('cs cars photos verify finds the photos of a car, and those that it lacks', async () => {
    const { facility } = await open(name);
    await writeFile(join(folder, 'front.jpg'), 'the bytes of front.jpg');
    const car = name === 'four fields of a car' ? '{Emma}' : 'Emma';
    const { code } = await runOn(
      facility,
      `cars photos verify ${car} '${join(folder, 'front.jpg')}'`,
    );
    expect(code).toBe(12);
    expect(facility.writes()).toEqual([]);
  });
});

describe.each(variationNames)('%s', (name) => {
  test('cs auth login keeps a key that works, and cs auth status tells of it', async () => {
    const { facility } = await open(name);
    const { CS_API_KEY: key, ...env } = facility.env;
    const config = { env: { ...env, CS_CONFIG_DIR: join(folder, 'logins', name) } };
    const login = await runOn(facility, 'auth login --with-key', { ...config, stdin: key });
    expect([login.code, login.told]).toEqual([0, expect.not.stringContaining('error')]);
    expect(JSON.parse(login.stdout)).toMatchObject({
      baseUrl: facility.server.url,
      scopesFrom: 'tried',
      team: null,
    });
    const status = await runOn(facility, 'auth status', config);
    expect([status.code, JSON.parse(status.stdout)]).toMatchObject([
      0,
      { baseUrl: facility.server.url, profile: 'default' },
    ]);
    const refused = await runOn(facility, 'auth login --with-key', {
      ...config,
      stdin: 'key_wrong.key',
    });
    expect(refused.code).toBe(4);
    expect(facility.writes()).toEqual([]);
  });

  test('cs doctor finds no problem', async () => {
    const { facility } = await open(name);
    const { code, stdout } = await runOn(facility, 'doctor');
    const problems = JSON.parse(stdout).checks.filter(
      ({ state }: { state: string }) => state === 'problem',
    );
    expect([problems, code]).toEqual([[], 0]);
    expect(facility.writes()).toEqual([]);
    if (name !== 'specified paths alone' && name !== 'specified paths alone, and pages for others')
      return;
    const { checks } = JSON.parse(stdout);
    const [commands, scopes] = ['commands', 'scopes'].map((wanted) =>
      checks.find((check: { name: string }) => check.name === wanted),
    );
    expect(commands).toMatchObject({
      state: 'note',
      lines: [
        expect.stringMatching(/^not possible: .*\bcontacts list\b/),
        ...commands.lines.slice(1),
      ],
    });
    expect(commands.unknown).toBe("whether it has the operations that weren't tried");
    expect(scopes.unknown).not.toMatch(/read [^,]*contacts/);
  });
});

describe('a part of a list never passes for the whole', () => {
  const cut = 'gives two records per page, and a cursor';
  const miscounted =
    'gives two records per page, tells the limit that was asked for, and counts only them';

  test.each([
    'today',
    'board',
    'export cars --to DIR/export',
    'sync cars --to DIR/mirror',
    'cars list --all',
    'cars get Emma',
  ])('cs %s fails where the rest can not be read', async (line) => {
    const { facility } = await open(cut);
    const { code, told } = await runOn(facility, line.replace('DIR', join(folder, 'cut')));
    expect([code, told]).toEqual([cutLists.code, expect.stringMatching(cutLists.says)]);
  });

  test('cs sync --full removes no record that the server still has', async () => {
    const { facility } = await open(miscounted);
    const to = join(folder, 'full');
    for (const more of ['', ' --full', ' --full']) {
      const { code, stdout, told } = await runOn(facility, `sync cars --to '${to}'${more}`);
      expect({ code, told: code === 0 ? '' : told }).toEqual({ code: 0, told: '' });
      expect(JSON.parse(stdout)).toMatchObject([{ removed: 0, records: 4 }]);
    }
    const before = await idsIn(to, 'cars');
    const { facility: other } = await open(cut);
    expect((await runOn(other, `sync cars --full --to '${to}'`)).code).not.toBe(0);
    expect(await idsIn(to, 'cars')).toEqual(before);
  });

  test('two records with the same name are both found', async () => {
    const { facility } = await open(miscounted);
    for (const name of ['Ann', 'Bob'])
      facility.server.records.change('/customers', facility.fill(`{${name}}`), {
        firstName: 'Kim',
        lastName: 'Kay',
      });
    facility.server.records.add('/customers', { firstName: 'Kim', lastName: 'Kay' });
    const { code, told } = await runOn(facility, "customers update 'Kim Kay' --notes x");
    expect([code, told]).toEqual([14, expect.stringContaining('matches 3 customers')]);
  });

  test.each([miscounted, cut] as const)(
    'cs cars list says that there may be more: %s',
    async (name) => {
      const { facility } = await open(name);
      const { stdout, told } = await runOn(facility, 'cars list', { as: 'terminal', columns: 100 });
      expect(`${stdout}${told}`).toMatch(/2 cars, total unknown; use --all to read the rest/);
    },
  );
});

test('an asset without its folder is not downloaded as one of no folder', async () => {
  const server = await startOtherServer(
    { lacks: { fields: ['folderId'], as: 'missing' } },
    () => noon,
  );
  try {
    const facility = furnish(server);
    const { code, told } = await runOn(
      facility,
      `assets download --folder Pictures --to '${join(folder, 'none')}'`,
    );
    expect([code, told]).toEqual([
      9,
      expect.stringContaining("doesn't tell the folder of an asset"),
    ]);
  } finally {
    await server.close();
  }
});

test('a record that is missing, with a code of the server: the hint names the list', async () => {
  const { facility } = await open('plain');
  const { code, told } = await runOn(
    facility,
    'templates delete 7f3c9a52-0000-4000-8000-00000000ffff --yes',
  );
  expect([code, told]).toEqual([6, expect.stringContaining('`cs templates list` shows them')]);
});

describe('a key that the server refuses, in the words of the specification and with a code of its own', () => {
  test.each([
    [401, 'API key expired', 4, 'api_key_expired'],
    [401, 'API key revoked', 4, 'api_key_revoked'],
    [403, 'API is disabled for this team', 5, 'api_disabled'],
    [403, 'Missing scope: read:cars', 5, 'missing_scope'],
  ])('%i %s: exit %i', async (status, error, exit, code) => {
    const server = await startOtherServer({ refusal: { status, error, code: 'E-77' } }, () => noon);
    try {
      const facility = furnish(server);
      for (const line of [
        'cars list',
        'pickup Ferdi --type pick_up --yes',
        'templates prune --name x --confirm 1',
        'board',
        'today',
      ]) {
        const result = await runOn(facility, line);
        expect([line, result.code, result.told]).toEqual([
          line,
          exit,
          expect.stringContaining(error),
        ]);
        expect(result.told).toContain(code);
      }
      expect(facility.writes()).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

interface Spot {
  readonly name: string;
  readonly state: string;
  readonly car: { readonly id: string } | null;
}

const ids = (facility: OtherFacility, names: readonly string[]) =>
  names.map((name) => facility.fill(`{${name}}`)).sort();

async function idsIn(folder: string, resource: string): Promise<string[]> {
  const lines = (await readFile(join(folder, `${resource}.ndjson`), 'utf8')).trim().split('\n');
  return lines.map((line) => String(JSON.parse(line).id).toLowerCase()).sort();
}

describe('cars without updatedAt, on a server that tells its time', () => {
  let facility: OtherFacility;
  let mirror: string;
  beforeAll(async () => {
    facility = furnish(
      await startOtherServer({ lacks: { fields: ['updatedAt'], as: 'missing' } }, () => noon),
    );
    mirror = await makeFolder();
  });
  afterAll(async () => {
    await facility.server.close();
    await removeFolder(mirror);
  });
  const asked = (told: string) => told.match(/GET \S+\/cars\?\S*updatedAfter=\S+/g) ?? [];

  test('cs sync goes on from the time of the server', async () => {
    const first = await runOn(facility, `sync cars --to ${join(mirror, 'cars')} -v`);
    expect([first.code, asked(first.told)]).toEqual([0, []]);
    const second = await runOn(facility, `sync cars --to ${join(mirror, 'cars')} -v`);
    expect([second.code, asked(second.told)]).toEqual([
      0,
      expect.arrayContaining([expect.stringContaining('2026-05-05')]),
    ]);
  });

  test('the manifest of cs export has that time', async () => {
    expect(await runOn(facility, `export cars --to ${join(mirror, 'export')}`)).toMatchObject({
      code: 0,
      told: '',
    });
    const { resources } = JSON.parse(await readFile(join(mirror, 'export/manifest.json'), 'utf8'));
    expect(resources).toEqual([
      expect.objectContaining({ changesSince: expect.stringContaining('2026-05-05') }),
    ]);
  });
});
