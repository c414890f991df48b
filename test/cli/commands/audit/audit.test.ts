/** `cs audit`: 60 spots with 5 differences, broken off twice, and lists of a script. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { openOther } from '../../../helpers/other-facility.ts';
import { resultViolations } from '../../../helpers/result-schema.ts';
import { testService } from '../../../helpers/service.ts';
import { openTerminal, type Terminal } from '../../../helpers/terminal.ts';

const service = await testService();
let state: string;
let env: Record<string, string>;
let ids: Map<string, string>;

/** 60 spots with a car on each but the last five, a car in the yard, and three that aren't here, two of one name. */
beforeEach(async () => {
  state = await makeFolder();
  const team = await service.newTeam();
  env = { CS_BASE_URL: service.url, CS_API_KEY: team.key, CS_STATE_DIR: state };
  const make = facility(team);
  const { id: locationId } = await make.location({ name: 'Main' });
  const hall = await make.zone(locationId, { name: 'Hall A' });
  const yard = await make.zone(locationId, { name: 'Yard' });
  ids = new Map();
  for (let n = 1; n <= 60; n += 1) {
    const spot = await make.spot(locationId, { name: `A${n}`, zoneId: hall.id });
    ids.set(`A${n}`, spot.id);
    if (n > 55) continue;
    const car = await make.car({ licensePlate: `HH-A ${n}` });
    ids.set(`HH-A ${n}`, car.id);
    await make.assignment({ carId: car.id, parkingSpotId: spot.id });
  }
  const inYard = await make.car({ licensePlate: 'HH-Y 1' });
  await make.assignment({ carId: inYard.id, parkingZoneId: yard.id });
  await make.car({ licensePlate: 'HH-N 1', nickname: 'Nowhere' });
  for (const licensePlate of ['HH-T 1', 'HH-T 2'])
    await make.car({ licensePlate, nickname: 'Twin' });
  return () => removeFolder(state);
});

const script = (argv: readonly string[], options: CliOptions = {}) =>
  cs(['audit', '--zone', 'Hall A', ...argv], { env, ...options });
const walk = (argv: readonly string[] = []) =>
  openTerminal(['audit', '--zone', 'Hall A', ...argv], { env, columns: 80, ownProcess: true });
const times = (count: number, text: string) => (screen: string) =>
  screen.split(text).length > count;
/** Where the server has a car now, by plate. */
const placeOf = async (plate: string): Promise<string | undefined> => {
  const { json } = await cs(['cars', 'get', plate], { env });
  return (
    [...ids].find(([, id]) => id === json.parkingSpotId)?.[0] ?? json.parkingZoneId ?? undefined
  );
};

/** Answers the spots from `first` on: Enter for all but these. */
async function answer(
  terminal: Terminal,
  first: number,
  last: number,
  others: Record<number, string>,
) {
  for (let n = first; n <= last; n += 1) {
    await terminal.waitFor(new RegExp(`A${n} \\(${n} of 60\\)`));
    terminal.type(`${others[n] ?? ''}\r`);
    if (others[n] === 'XX-Z 9') {
      await terminal.waitFor('Note it as an unknown car?');
      terminal.type('y\r');
    }
  }
}

// A car gone, an unknown one, one of the yard, and two that changed places with a gap between.
const differences = { 3: '-', 20: '-', 41: 'XX-Z 9', 57: 'hhy1', 58: 'HH-A 20' };

test('60 spots, broken off twice: the same line goes on, finds the 5 and moves what was confirmed', async () => {
  const first = walk(['--fix']);
  await answer(first, 1, 12, differences);
  await first.waitFor('A13 (13 of 60)');
  first.kill();
  const second = walk(['--fix']);
  await answer(second, 13, 44, differences);
  await second.waitFor('A45 (45 of 60)');
  second.type('\u0003');
  expect(await second.exited).toBe(130);
  const third = walk(['--fix']);
  await answer(third, 45, 60, differences);
  await third.waitFor(/60 of 60 noted +Enter compares, Esc goes back/);
  third.type('\r');
  const screen = await third.waitFor('Move 2 cars to where they were found?');
  third.type('y\r');
  expect(await third.exited).toBe(12);
  expect(third.screen()).toContain('HH-Y 1 is moved from Yard to A57');
  expect(screen).toMatch(/missing +HH-A 3/);
  expect(screen).toMatch(/elsewhere +HH-Y 1 +A57 +Yard/);
  expect(screen).toMatch(/elsewhere +HH-A 20 +A58 +A20/);
  expect(screen).toMatch(/missing +HH-A 41/);
  expect(screen).toMatch(/unexpected +XX-Z 9 +A41/);
  expect(await Promise.all(['HH-Y 1', 'HH-A 20', 'HH-A 3', 'HH-A 41'].map(placeOf))).toEqual([
    ...['A57', 'A58', 'A3', 'A41'],
  ]);
  const moves = (await cs(['parking', 'assignments', 'list', '--all'], { env })).json;
  expect(moves).toHaveLength(56 + 2);
  // The notes stay until nothing differs, and what differs is asked again.
  const again = walk();
  await again.waitFor(/60 of 60 spots are noted, the first at \d{4}-.*; --again\s+starts over\./);
  await answer(again, 3, 3, {});
  await answer(again, 41, 41, {});
  await again.waitFor('60 of 60 noted');
  again.type('\r');
  expect(await again.exited).toBe(0);
});

describe('on a terminal', () => {
  test('a scanner may send an address, an id or half a code, and a car twice', async () => {
    const terminal = walk();
    await terminal.waitFor('A1 (1 of 60)');
    // All at once, as a scanner types.
    terminal.type(`http://127.0.0.1/dashboard/cars/${ids.get('HH-A 2')}\r`);
    await terminal.waitFor('A2 (2 of 60)');
    terminal.type(`${ids.get('HH-A 2')?.slice(0, 9)}\r`);
    await terminal.waitFor('Note it as an unknown car?');
    terminal.type('\r');
    await terminal.waitFor(times(2, 'A2 (2 of 60)'));
    terminal.type(`${ids.get('HH-A 1')}\r`);
    await terminal.waitFor('A3 (3 of 60)');
    terminal.type('HH-A 1\r');
    await terminal.waitFor('HH-A 1 was noted in A2. Is it here now?');
    terminal.type('n\r');
    await terminal.waitFor(times(2, 'A3 (3 of 60)'));
    terminal.type('\u001b');
    await terminal.waitFor(times(3, 'A2 (2 of 60)'));
    // The label of a spot goes there, and then on with the first one without a note.
    terminal.type(`${ids.get('A9')}\r`);
    await terminal.waitFor('A9 (9 of 60)');
    terminal.type('\r');
    await terminal.waitFor(times(4, 'A2 (2 of 60)'));
    // A name of two cars; then a car whose earlier note is dropped, and its spot is asked for again.
    terminal.type('Twin\r');
    await terminal.waitFor('"Twin" is the name of several cars: type the plate, or the id.');
    await terminal.waitFor(times(5, 'A2 (2 of 60)'));
    terminal.type('HH-A 9\r');
    await terminal.waitFor('HH-A 9 was noted in A9. Is it here now?');
    terminal.type('y\r');
    for (const n of [3, 4, 5, 6, 7, 8]) {
      await terminal.waitFor(times(n === 3 ? 2 : 1, `A${n} (${n} of 60)`));
      terminal.type('\r');
    }
    await terminal.waitFor(times(2, 'A9 (9 of 60)'));
    terminal.kill();
  });

  test('Esc at the end goes back to the last spot that was noted; what another counter does meanwhile is told', async () => {
    const site = await cs(['locations', 'list'], { env });
    const where = ['--zone', 'Small', '--location', site.json[0].id];
    await cs(['parking', 'zones', 'create', '--name', 'Small', '--location', site.json[0].id], {
      env,
    });
    for (const name of ['B1', 'B2'])
      await cs(['parking', 'spots', 'create', '--name', name, ...where], { env });
    const terminal = openTerminal(['audit', '--zone', 'Small', '--fix'], { env, columns: 80 });
    for (const name of ['B1 (1 of 2)', 'B2 (2 of 2)']) {
      await terminal.waitFor(name);
      terminal.type('\r');
    }
    await terminal.waitFor('2 of 2 noted');
    terminal.type('\u001b');
    await terminal.waitFor(times(2, 'B2 (2 of 2)'));
    terminal.type('hhy1\r');
    await terminal.waitFor(/hhy1[\s\S]*2 of 2 noted/);
    const put = (...words: string[]) => cs(words, { env });
    await put('parking', 'assignments', 'create', '--car', 'HH-N 1', '--spot', 'B1');
    terminal.type('\r');
    await terminal.waitFor(/Changed meanwhile, please look again: B1\.[\s\S]*B1 \(1 of 2\)/);
    terminal.type('\r');
    await terminal.waitFor(/HH-N 1 ·[\s\S]*2 of 2 noted/);
    terminal.type('\r');
    await terminal.waitFor('Move 1 car to where it was found?');
    await put('move', 'HH-Y 1', '--zone', 'Small');
    terminal.type('y\r');
    expect(await terminal.exited).toBe(12);
    expect(terminal.screen()).toMatch(/elsewhere +HH-Y 1 +B2 +Yard/);
    expect(terminal.screen().replace(/\s+/g, ' ')).toContain(
      "HH-Y 1 isn't in Yard any more: another counter moved it, so it stays where it is.",
    );
    const again = openTerminal(['audit', '--zone', 'Small', '--again'], { env, columns: 80 });
    expect(await again.waitFor('B1 (1 of 2)')).not.toContain('noted');
  });
});

describe('in a pipe', () => {
  const rows = (change: Record<string, string> = {}) =>
    Array.from({ length: 60 }, (_, index) => {
      const name = `A${index + 1}`;
      return `${name},${change[name] ?? (index < 55 ? `HH-A ${index + 1}` : '')}`;
    });
  const list = (change?: Record<string, string>) => ['spot,plate', ...rows(change), ''].join('\n');

  test('nothing differs; columns are found by their names', async () => {
    const same = await script(['--from', '-'], { stdin: list() });
    expect([same.code, same.json, same.stderr]).toEqual([0, [], '']);
    const input = ['License plate;Zone;SPOT', 'HH-A 1;Hall A;A1', ';Hall A;A2'].join('\n');
    const { code, json } = await script(['--from', '-'], { stdin: input });
    expect(code).toBe(12);
    expect(json.slice(0, 2)).toMatchObject([
      { finding: 'missing', recorded: 'A2' },
      { finding: 'unchecked', recorded: 'A3' },
    ]);
  });

  test('cars without a spot are told', async () => {
    const all = (change?: Record<string, string>) =>
      cs(['audit', '--from', '-'], { env, stdin: list(change) });
    expect((await all()).stderr).toContain("1 car without a spot isn't checked.");
    expect((await all({ A60: 'HH-Y 1' })).stderr).not.toContain('without a spot');
    const dropoff = ['dropoff', '--car', 'Nowhere', '--type', 'drop_off', '--zone', 'Yard'];
    expect((await cs([...dropoff, '--yes'], { env })).code).toBe(0);
    expect((await all()).stderr).toContain("2 cars without a spot aren't checked.");
  });

  test('differences, and --fix in the order in which spots become free', async () => {
    const change = { A1: '', A2: 'HH-A 1', A56: 'HH-A 2', A57: 'Nowhere', A58: 'XX-Z 9' };
    const input = list(change);
    const found = await script(['--from', '-'], { stdin: input });
    const row = (finding: string, car: string, at: string, recorded: string | null) => ({
      finding,
      car,
      carId: ids.get(car) ?? expect.anything(),
      found: at,
      foundId: ids.get(at),
      recorded,
      recordedId: recorded && ids.get(recorded),
      moved: false,
    });
    const expected = [
      row('elsewhere', 'HH-A 1', 'A2', 'A1'),
      row('elsewhere', 'HH-A 2', 'A56', 'A2'),
      row('unexpected', 'HH-N 1', 'A57', null),
      { ...row('unexpected', 'XX-Z 9', 'A58', null), carId: null },
    ];
    expect([found.code, found.json]).toEqual([12, expected]);
    expect(await resultViolations('audit', found.json)).toEqual([]);
    expect((await script(['--from', '-', '--fix'], { stdin: input })).code).toBe(2);
    expect(await placeOf('HH-A 1')).toBe('A1');
    const fixed = await script(['--from', '-', '--fix', '--yes'], { stdin: input });
    expect([fixed.code, fixed.json.map(({ moved }: { moved: boolean }) => moved)]).toEqual([
      ...[12, [true, true, false, false]],
    ]);
    expect([await placeOf('HH-A 1'), await placeOf('HH-A 2')]).toEqual(['A2', 'A56']);
  });

  test('cars that changed places stay, and a spot that the list leaves out is told', async () => {
    const input = rows({ A1: 'HH-A 2', A2: 'HH-A 1' }).slice(0, 59).join('\n');
    const { code, json, stderr } = await script(['--from', '-', '--fix', '--yes'], {
      stdin: input,
    });
    expect(stderr).toContain(
      "HH-A 2 isn't moved: A1 is recorded as taken. Move or pick up that car first, then run this again.\n",
    );
    expect([
      code,
      json.map(({ finding, moved }: Record<string, unknown>) => [finding, moved]),
    ]).toEqual([
      ...[
        12,
        [
          ['elsewhere', false],
          ['elsewhere', false],
          ['unchecked', false],
        ],
      ],
    ]);
    const part = await script(['--from', '-'], { stdin: rows().slice(0, 59).join('\n') });
    expect([part.code, part.json]).toMatchObject([11, [{ finding: 'unchecked', recorded: 'A60' }]]);
  });

  test('a move that is refused is told, and the others are made', async () => {
    const wanted = ['parking', 'assignments', 'create', '--car', 'HH-N 1', '--spot', 'A56'];
    let isFirst = true;
    const proxy = await startFaultyProxy(service.url, async ({ method }) => {
      if (method !== 'POST' || !isFirst) return undefined;
      isFirst = false;
      await cs(wanted, { env });
      return undefined;
    });
    const { code, json, stderr } = await script(['--from', '-', '--fix', '--yes'], {
      env: { ...env, CS_BASE_URL: proxy.url },
      stdin: list({ A1: '', A3: '', A56: 'HH-A 1', A57: 'HH-A 3' }),
    });
    await proxy.close();
    expect(stderr).toContain("HH-A 1 isn't moved to A56: The spot A56 is taken by HH-N 1");
    expect([code, json.map(({ moved }: { moved: boolean }) => moved)]).toEqual([12, [false, true]]);
    expect([await placeOf('HH-A 1'), await placeOf('HH-A 3')]).toEqual(['A1', 'A57']);
  });

  const wrong = [
    ['A1,HH-A 1\nA1,HH-A 2', 'A1 is in the list twice'],
    ['A1,HH-A 1\nA2,HH-A 1', 'HH-A 1 is in the list twice'],
    ['B1,HH-A 1', 'is no spot here'],
    ['A1,Twin', 'is the name of several cars. Nothing was compared.'],
    ['A1,Hall A,HH-A 1', 'it has 3 cells instead of 2'],
    ['spot,zone\nA1,Hall A', 'it needs one column spot and one column plate'],
    ['spot,zone,plate\nA1,Hall A', 'Line 2 of the list: it has no cell for the plate'],
  ] as const;
  test('a wrong list is refused', async () => {
    for (const [input, why] of wrong) {
      const { code, stdout, stderr } = await script(['--from', '-'], { stdin: input });
      expect([code, stdout, stderr]).toEqual([3, '', expect.stringContaining(why)]);
    }
  });
});

test('a server of the specification with lists: the same result', async () => {
  const other = await openOther();
  const input = 'spot,plate\nA1,HH-F 12\n';
  const { code, json } = await cs(['audit', '--from', '-'], { env: other.env, stdin: input });
  expect([code, json]).toEqual([
    12,
    expect.arrayContaining([expect.objectContaining({ finding: 'unchecked' })]),
  ]);
  other.hide('/cars', 'parkingSpotId');
  const unknown = await cs(['audit', '--from', '-'], { env: other.env, stdin: input });
  expect([unknown.code, unknown.error.message]).toEqual([
    9,
    "The server doesn't tell which cars are parked, so nothing can be compared.",
  ]);
  await other.close();
});
