/** `cs move`, by flags and on a real pseudo-terminal. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { openTerminal, type TerminalOptions } from '../../../helpers/terminal.ts';
import { counterOfFile, leave, linesOf, pick } from '../counter/counter.ts';

const counter = counterOfFile();

const move = (argv: readonly string[], options: { env?: Record<string, string> } = {}) =>
  cs(['move', ...argv], { env: counter.env(), ...options });
const open = (argv: readonly string[] = [], { env, ...options }: TerminalOptions = {}) =>
  openTerminal(['move', ...argv], { env: { ...counter.env(), ...env }, ...options });

describe('in a script', () => {
  test('to a spot: prints the old and the new place, logs no event', async () => {
    const [{ car, spot }, to] = [await counter.parkedCar(), await counter.spot()];
    const result = await move([car.licensePlate, '--spot', to.name, '--notes', 'makes room']);
    expect(result.code, result.stderr).toBe(0);
    expect(result.json).toMatchObject({
      car: { id: car.id },
      from: { spot: { id: spot.id, name: spot.name }, zone: null },
      to: { spot: { id: to.id, name: to.name }, zone: null },
      moved: true,
      assignment: { carId: car.id, parkingSpotId: to.id, notes: 'makes room', endedAt: null },
    });
    const stored = await counter.storedOf(car.id);
    expect(stored.car).toMatchObject({ status: 'stored', parkingSpotId: to.id });
    expect([stored.events.length, stored.assignments.length]).toEqual([1, 2]);
  });

  test('an assignment of the place where it is says what the server kept', async () => {
    const { car, spot } = await counter.parkedCar();
    const line = [
      ...'parking assignments create --car'.split(' '),
      car.id,
      '--spot',
      spot.id,
      '--notes',
      'makes room',
    ];
    const { code, stderr } = await cs(line, { env: counter.env() });
    expect([code, stderr]).toEqual([
      0,
      "The server's answer doesn't show notes, or shows it otherwise than sent: check whether it was stored.\n",
    ]);
  });

  test('to a zone of a given location', async () => {
    const { car } = await counter.parkedCar();
    const other = await counter.make.location({ name: 'Mill' });
    const zone = await counter.make.zone(other.id, { name: 'Hall A' });
    const result = await move([car.id, '--zone', 'Hall A', '--location', 'mill']);
    expect(result.json).toMatchObject({ to: { zone: { id: zone.id } }, moved: true });
  });

  test("looks an ambiguous name up at the car's location first; --location selects another one", async () => {
    const [{ car }, east, west] = [
      await counter.parkedCar(),
      await counter.make.location({ name: 'East' }),
      await counter.make.location({ name: 'West' }),
    ];
    for (const { id } of [east, west, counter.harbour])
      await counter.make.zone(id, { name: 'Wash' });
    const here = await move([car.id, '--zone', 'Wash']);
    expect(here.json).toMatchObject({ to: { zone: { locationId: counter.harbour.id } } });
    for (const { id } of [east, west]) await counter.make.zone(id, { name: 'Far' });
    expect((await move([car.id, '--zone', 'Far'])).error).toMatchObject({
      code: 'ambiguous_name',
      exitCode: 14,
      hint: 'give --location, or use the id',
    });
  });

  test('to its current place: changes nothing, and prints a note', async () => {
    const { car, spot } = await counter.parkedCar();
    const result = await move([car.id, '--spot', spot.id, '--notes', 'makes room']);
    expect([result.code, result.json.moved, result.stderr]).toEqual([0, false, '']);
    const told = await cs(['move', car.id, spot.id], { env: counter.env(), as: 'terminal' });
    expect(told.stdout).toContain('nothing was changed');
    expect(told.stdout).not.toContain('cs undo');
    expect((await counter.storedOf(car.id)).assignments).toHaveLength(1);
  });

  test("where the old place can't be read: moves the car, and tells no way back", async () => {
    const [{ car, spot }, to] = [await counter.parkedCar(), await counter.spot()];
    const proxy = await startFaultyProxy(counter.service.url, ({ url }) =>
      url.endsWith(spot.id) ? '500' : undefined,
    );
    onTestFinished(() => proxy.close());
    const env = { ...counter.env(undefined, proxy.url), CS_RETRIES: '0' };
    const told = await cs(['move', car.id, to.id], { env, as: 'terminal' });
    expect([told.code, told.stderr]).toEqual([0, '']);
    expect(told.stdout).toContain(`is parked in ${to.name}`);
    expect(told.stdout).not.toMatch(/Before|Undo/);
  });

  test('to an occupied spot: exit 7 with the car in it, and what asks the same server next', async () => {
    const [{ car }, { car: other, spot }] = [await counter.parkedCar(), await counter.parkedCar()];
    const server = ['--base-url', counter.service.url];
    const result = await move([car.id, '--spot', spot.name, ...server]);
    expect(result.error).toMatchObject({
      code: 'parking_spot_occupied',
      exitCode: 7,
      message: `The spot ${spot.name} is taken by ${other.licensePlate}. Nothing was stored.`,
      hint: `free spots: \`cs parking spots list --available --base-url ${counter.service.url}\``,
    });
    expect((await counter.storedOf(car.id)).assignments).toHaveLength(1);
  });
});

test('on a terminal: shows the current place without offering it, and near places first', async () => {
  const far = await counter.make.location({ name: 'Airfield' });
  await counter.make.spot(far.id, { name: 'F1' });
  const near = await counter.make.zone(counter.harbour.id, { name: 'Zebra hall', capacity: 2 });
  const [from, next] = [
    await counter.spot({ zoneId: near.id, name: 'Z1' }),
    await counter.spot({ zoneId: near.id, name: 'Z2' }),
  ];
  const car = await counter.car({ nickname: 'Wanderer' });
  await counter.make.event(car.id, { parkingSpotId: from.id });
  const terminal = open();
  await pick(terminal, '? Car', 'wander', `❯ ${car.licensePlate}`);
  const shown = linesOf(await terminal.waitFor(/❯ {3}Z2[\s\S]*type to search/));
  expect(shown.slice(1, 6)).toEqual([
    '  Parked in  Z1 · Zebra hall · Harbour',
    '? Place      a spot, or anywhere in a zone',
    ' Harbour',
    '  Zebra hall · 1 spot free',
    '❯   Z2',
  ]);
  expect(shown).not.toContain('    Z1');
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
  expect((await counter.storedOf(car.id)).car.parkingSpotId).toBe(next.id);
});

test('on a terminal: a car given as an argument is shown before the answer that moves it, its zone is not offered', async () => {
  const zone = await counter.make.zone(counter.harbour.id, { name: 'Quiet corner' });
  const car = await counter.car();
  await counter.make.event(car.id, { parkingZoneId: zone.id });
  const terminal = open([car.licensePlate]);
  const shown = linesOf(await terminal.waitFor(/\? Place[\s\S]*type to search/));
  expect(shown.slice(0, 3)).toEqual([
    expect.stringMatching(new RegExp(`^ {2}Car +${car.licensePlate} · `)),
    '  Parked in  Quiet corner · Harbour',
    expect.stringMatching(/^\? Place/),
  ]);
  terminal.type('quiet corner');
  expect(await terminal.waitFor('Quiet corner · here now')).not.toMatch(/❯ .*Quiet corner/);
  await leave(terminal);
});
