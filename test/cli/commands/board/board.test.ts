/** `cs board`: the picture, the records behind it, and the screen that keeps itself up to date. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { openTerminal, type TerminalOptions } from '../../../helpers/terminal.ts';
import { type Counter, linesOf, openCounter } from '../counter/counter.ts';

let counter: Counter;
let wandering: Awaited<ReturnType<Counter['car']>>;
beforeAll(async () => {
  ({ counter, wandering } = await openFacility());
});
afterAll(() => counter.service.close());

async function openFacility() {
  const counter = await openCounter();
  const { make, harbour, hall } = counter;
  const spots = await Promise.all(
    ['A1', 'A2', 'A10'].map((name) => make.spot(harbour.id, { zoneId: hall.id, name })),
  );
  const lift = await make.spot(harbour.id, { zoneId: hall.id, name: 'L1', kind: 'lift' });
  await make.change(`/parking/spots/${spots[2]?.id}`, { isActive: false });
  const wandering = await counter.car({ licensePlate: 'HH-RS 73' });
  await make.event(wandering.id, { parkingSpotId: spots[0]?.id });
  await make.event((await counter.car({ licensePlate: '品川 12' })).id, { parkingSpotId: lift.id });
  await make.event((await counter.car({ licensePlate: 'HH-AB 1' })).id, { parkingZoneId: hall.id });
  await make.spot(harbour.id, { name: 'Gate' });
  const mill = await make.location({ name: 'Mill' });
  const yard = await make.zone(mill.id, { name: 'Yard' });
  await make.event((await counter.car({ licensePlate: 'HH-YD 1' })).id, { parkingZoneId: yard.id });
  await make.event((await counter.car({ licensePlate: 'HH-YD 2' })).id, { parkingZoneId: yard.id });
  const closed = await make.location({ name: 'Closed' });
  await make.spot(closed.id, { name: 'C1' });
  await make.change(`/locations/${closed.id}`, { isActive: false });
  return { counter, wandering };
}

/** For a test that changes something, which the others would see. */
async function openOwnFacility(): Promise<Counter> {
  const { counter } = await openFacility();
  onTestFinished(() => counter.service.close());
  return counter;
}

const board = (argv: readonly string[] = [], options: Parameters<typeof cs>[1] = {}) =>
  cs(['board', ...argv], { env: counter.env(), ...options });
const open = (argv: readonly string[] = [], { env, ...options }: TerminalOptions = {}) =>
  openTerminal(['board', ...argv], { env: { ...counter.env(), ...env }, rows: 40, ...options });

const picture = [
  'Harbour',
  '',
  '  Hall A  1 of 4 spots free · without a spot ▮▯ 1 of 2',
  '  ┌───────────┬───────────┬───────────┬───────────┐',
  '  │ ● A1      │ ○ A2      │ ✕ A10     │ ● L1 lift │',
  '  │ HH-RS 73  │           │ inactive  │ 品川 12   │',
  '  └───────────┴───────────┴───────────┴───────────┘',
  '    ● HH-AB 1',
  '',
  '  No zone  1 of 1 spot free',
  '  ┌────────┐',
  '  │ ○ Gate │',
  '  │        │',
  '  └────────┘',
  '',
  'Mill',
  '',
  '  Yard  2 cars without a spot, no limit',
  '    ● HH-YD 1   ● HH-YD 2',
  '',
  '5 spots: 2 free, 2 taken, 1 inactive · 3 cars without a spot',
  '○ free   ● taken   ✕ inactive',
  '',
];

describe('the drawing', () => {
  test('every location, zone and spot, without colour', async () => {
    const { stdout, stderr, code } = await board([], { as: 'terminal' });
    expect([code, stderr]).toEqual([0, '']);
    expect(linesOf(stdout)).toEqual(picture);
  });

  test('a terminal without Unicode gets a frame of ASCII', async () => {
    const { stdout } = await board(['Hall A'], {
      as: 'terminal',
      env: { ...counter.env(), LANG: 'de_DE.ISO-8859-1' },
    });
    expect(linesOf(stdout).slice(2, 7)).toEqual([
      '  Hall A  1 of 4 spots free - without a spot #. 1 of 2',
      '  +-----------+-----------+-----------+-----------+',
      '  | # A1      | o A2      | x A10     | # L1 lift |',
      '  | HH-RS 73  |           | inactive  | ???? 12   |',
      '  +-----------+-----------+-----------+-----------+',
    ]);
    expect(stdout).toContain('o free   # taken   x inactive');
  });

  test('shows the named zones, and one location', async () => {
    expect(linesOf((await board(['yard'], { as: 'terminal' })).stdout).slice(0, 3)).toEqual([
      'Mill',
      '',
      picture[17],
    ]);
    expect(
      (await board(['--location', 'mill', '-o', 'json'])).json.map(
        ({ name }: { name: string }) => name,
      ),
    ).toEqual(['Yard']);
  });

  test('-o csv has a row per spot, and one per car without a spot', async () => {
    const columns = 'location,zone,spot,kind,state,licensePlate';
    const { stdout } = await board(['--location', 'Harbour', '-o', 'csv', '--columns', columns]);
    expect(stdout.trimEnd().split('\r\n')).toEqual([
      columns,
      'Harbour,Hall A,A1,standard,taken,HH-RS 73',
      'Harbour,Hall A,A2,standard,free,',
      'Harbour,Hall A,A10,standard,inactive,',
      'Harbour,Hall A,L1,lift,taken,品川 12',
      'Harbour,Hall A,,,taken,HH-AB 1',
      'Harbour,,Gate,standard,free,',
    ]);
  });

  test('uses colour on a terminal with colours', async () => {
    expect((await board(['--color', 'always'], { as: 'terminal' })).stdout).toContain('\u001b[');
  });
});

describe('the records', () => {
  test('zones with their spots, and spots without a zone', async () => {
    const { json } = await board();
    expect(json).toMatchObject([
      {
        id: counter.hall.id,
        location: { name: 'Harbour' },
        capacity: 2,
        occupied: 1,
        carsWithoutSpot: [{ licensePlate: 'HH-AB 1' }],
        spots: [
          { name: 'A1', state: 'taken', car: { id: wandering.id, licensePlate: 'HH-RS 73' } },
          { name: 'A2', state: 'free', car: null },
          { name: 'A10', state: 'inactive' },
          { name: 'L1', state: 'taken', kind: 'lift' },
        ],
      },
      { id: null, name: null, capacity: null, occupied: null, spots: [{ name: 'Gate' }] },
      { name: 'Yard' },
    ]);
  });

  test('-o id prints the ids of the zones', async () => {
    const { stdout, stderr } = await board(['-o', 'id']);
    expect(stderr).toBe(
      'Ids of zones. Spots without a zone are left out: `cs parking spots list -o id`\n',
    );
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect(stdout).toContain(counter.hall.id);
  });

  test('without read:cars occupied spots have no car; without read:parking: exit 5', async () => {
    const blind = await board([], {
      env: counter.env(await counter.service.keyWith(['read:parking'])),
      as: 'terminal',
    });
    expect(blind.code).toBe(0);
    expect(blind.stdout).toContain('│ taken ');
    expect(blind.stdout).toContain(`location ${counter.harbour.id}`);
    const rows = await board(['hall a', '-o', 'csv', '--columns', 'spot,licensePlate,carId'], {
      env: counter.env(await counter.service.keyWith(['read:parking'])),
    });
    expect(rows.stdout.split('\r\n')[1]).toBe(`A1,,${wandering.id}`);
    const { error } = await board([], {
      env: counter.env(await counter.service.keyWith(['read:cars'])),
    });
    expect(error).toMatchObject({ code: 'missing_scope', exitCode: 5 });
  });

  test('an unknown zone exits 6, an ambiguous name exits 14', async () => {
    const own = await openOwnFacility();
    const env = own.env();
    expect((await board(['Nowhere'], { env })).error).toMatchObject({
      code: 'not_found',
      exitCode: 6,
    });
    const twin = await own.make.location({ name: 'Twin' });
    await own.make.zone(twin.id, { name: 'Hall A' });
    expect((await board(['Hall A'], { env })).error).toMatchObject({
      code: 'ambiguous_name',
      exitCode: 14,
      hint: 'give --location, or use the id',
    });
    expect((await board(['Hall A', '--location', 'Harbour'], { env })).code).toBe(0);
  });
});

describe('--watch', () => {
  test('shows changes', async () => {
    const own = await openOwnFacility();
    const spot = await own.spot({ name: 'W1' });
    const terminal = open(['Yard', '--watch', '1'], { env: own.env() });
    await terminal.waitFor('HH-YD 2');
    expect(linesOf(await terminal.waitFor('q to quit'))[0]).toMatch(
      /^Updated \d\d:\d\d:\d\d, every 1 s$/,
    );
    const car = await own.car({ licensePlate: 'HH-NEW 1' });
    await own.make.event(car.id, {
      parkingZoneId: (await own.make.read('/parking/zones')).find(
        (zone: { name: string }) => zone.name === 'Yard',
      ).id,
    });
    await terminal.waitFor('HH-NEW 1');
    await own.make.event(car.id, { parkingSpotId: spot.id });
    await terminal.waitFor(/Yard {2}2 cars/);
    expect(terminal.screen()).not.toContain('HH-NEW 1');
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
  });

  test('Ctrl-C also ends it: exit 130 without a message', async () => {
    const terminal = open(['--watch']);
    await terminal.waitFor('q to quit');
    terminal.press('ctrl-c');
    expect(await terminal.exited).toBe(130);
    expect(terminal.screen()).toBe('');
    expect(terminal.raw()).toContain('\u001b[?25h\u001b[?1049l');
  });

  test('scrolls a board that is longer than the screen', async () => {
    const terminal = open(['--watch'], { rows: 10 });
    expect(await terminal.waitFor(/\d+ lines more below/)).toContain('Harbour');
    for (let count = 0; count < 40; count++) terminal.press('down');
    const end = await terminal.waitFor('✕ inactive');
    expect(end).not.toContain('Harbour');
    expect(end).not.toContain('more below');
    // It ends with the last line, however often it is asked for the next.
    terminal.press('up');
    await terminal.waitFor('· 1 line more below');
    for (let count = 0; count < 40; count++) terminal.press('up');
    await terminal.waitFor('Harbour');
    terminal.type('\u001b[6~');
    await terminal.waitFor(/^(?![\s\S]*Harbour)/);
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
  });

  test('requests only changes', async () => {
    const proxy = await startFaultyProxy(counter.service.url, () => undefined);
    onTestFinished(() => proxy.close());
    const terminal = open(['--watch', '1'], { env: { CS_BASE_URL: proxy.url } });
    const isOfChanges = ({ url }: { readonly url: string }) => url.includes('updatedAfter=');
    await expect.poll(() => proxy.requests.filter(isOfChanges).length).toBeGreaterThan(3);
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
    const first = proxy.requests.findIndex(isOfChanges);
    // Three lists, the location, and whether lists can be filtered.
    expect(first).toBeLessThanOrEqual(5);
    expect(proxy.requests.slice(first).every(isOfChanges)).toBe(true);
  });
});
