/** Unfinished work of a car, and further work on it: stored in the order in which it happened, and once, or not at all. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { lockBeside } from '../../../../src/cli/commands/files/lock.ts';
import { cs } from '../../../helpers/cli.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { readNames } from '../../../helpers/names.ts';
import { openTerminal } from '../../../helpers/terminal.ts';
import { type Counter, openCounter } from '../counter/counter.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await openCounter();
});
afterAll(() => counter.service.close());

let state: string;
let proxy: FaultyProxy;
/** What happens to events that are sent; after a lost answer the server is away. */
let fault: '500' | 'lost' | undefined;
let isAway: boolean;
/** The car of those events (default: any). */
let ofCar: string;
beforeEach(async () => {
  state = await makeFolder();
  [fault, isAway, ofCar] = [undefined, false, ''];
  proxy = await startFaultyProxy(counter.service.url, ({ method, url }) => {
    if (fault && isAway) return 'reset';
    if (method !== 'POST' || !url.endsWith(`${ofCar}/events`)) return undefined;
    isAway = fault === 'lost';
    return fault;
  });
  onTestFinished(async () => {
    await proxy.close();
    await removeFolder(state);
  });
});

const env = () => ({
  ...counter.env(counter.service.key, proxy.url),
  CS_STATE_DIR: state,
  CS_RETRIES: '0',
});
const run = (argv: readonly string[], now = new Date()) =>
  cs(argv, { env: env(), waiting: proxy.waiting, now });
/** The error after what was told of the queue. */
const errorIn = ({ stderr }: { stderr: string }) =>
  JSON.parse(stderr.slice(stderr.indexOf('{'))).error;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const typesOf = async (carId: string) =>
  (await counter.storedOf(carId)).events.map(({ activityType }) => activityType).sort();

/** A parked car whose pick-up is queued, and the line that drops it off again. */
async function queuedPickup() {
  const [car, spot] = [await counter.car(), await counter.spot()];
  await counter.make.event(car.id, {
    parkingSpotId: spot.id,
    occurredAt: minutesAgo(60).toISOString(),
  });
  const queued = await run(['pickup', car.licensePlate, '--offline', '--yes'], minutesAgo(10));
  const dropoff = ['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', spot.name];
  return { car, spot, id: queued.json.queued.id as string, dropoff };
}

test('work on a car whose queued pick-up is not stored waits for it in a script', async () => {
  const { car, id, dropoff } = await queuedPickup();
  fault = '500';
  const refused = await run([...dropoff, '--yes']);
  expect(errorIn(refused)).toMatchObject({
    code: 'unfinished',
    exitCode: 7,
    hint: expect.stringContaining(`cs pending resume ${id}`),
    details: { id },
  });
  expect(await typesOf(car.id)).toEqual(['drop_off']);
  fault = undefined;
  // By itself, once it can be sent.
  const again = await run([...dropoff, '--yes']);
  expect(again.code, again.stderr).toBe(0);
  expect(await typesOf(car.id)).toEqual(['drop_off', 'drop_off', 'pick_up']);
  expect((await counter.storedOf(car.id)).car.status).toBe('stored');
});

test('work on another car goes on', async () => {
  const { car: first } = await queuedPickup();
  const [car, spot] = [await counter.car(), await counter.spot()];
  fault = '500';
  ofCar = first.id;
  const other = await run([
    'dropoff',
    car.licensePlate,
    '--type',
    'drop_off',
    '--spot',
    spot.name,
    '--yes',
  ]);
  expect(other.code, other.stderr).toBe(0);
});

test('while another process sends it, a script is told to wait', async () => {
  const { car, id, dropoff } = await queuedPickup();
  const [name] = (await readdir(join(state, 'journal'))).filter((one) =>
    one.endsWith(`${id}.jsonl`),
  );
  const lock = await lockBeside(join(state, 'journal', name as string));
  const refused = await run([...dropoff, '--yes']);
  lock?.release();
  expect(errorIn(refused)).toMatchObject({
    code: 'already_running',
    exitCode: 7,
    hint: expect.stringMatching(/^wait for it/),
  });
  const [warning] = refused.stderr.split('\n');
  expect(warning).toMatch(
    /^The queued pick-up of .* isn't finished\. .* Wait for it, then look at `cs pending list`\.$/,
  );
  expect(await typesOf(car.id)).toEqual(['drop_off']);
});

test('a person is asked, and can stop', async () => {
  const { car, id, dropoff } = await queuedPickup();
  fault = '500';
  const terminal = openTerminal(dropoff, { env: env() });
  await terminal.waitFor('Notes');
  terminal.press('enter');
  await terminal.waitFor('Photos');
  terminal.press('enter');
  await terminal.waitFor('Store this drop-off');
  terminal.press('enter');
  await terminal.waitFor('Stop, and finish that first');
  terminal.press('enter');
  expect(await terminal.exited).toBe(7);
  expect(terminal.screen()).toContain(`cs pending resume ${id}`);
  expect(await typesOf(car.id)).toEqual(['drop_off']);
});

test('the same line as one in the queue does not overtake what happened before it', async () => {
  const { car, id, dropoff } = await queuedPickup();
  await run([...dropoff, '--offline', '--yes'], minutesAgo(5));
  fault = '500';
  const refused = await run([...dropoff, '--yes']);
  expect(errorIn(refused)).toMatchObject({ code: 'unfinished', details: { id } });
  expect(await typesOf(car.id)).toEqual(['drop_off']);
  fault = undefined;
  const both = await run(['pending', 'resume']);
  expect(both.code, both.stderr).toBe(0);
  expect(await typesOf(car.id)).toEqual(['drop_off', 'drop_off', 'pick_up']);
});

test('the same car under another name is not dropped off twice', async () => {
  const [car, spot] = [await counter.car({ nickname: 'Twice' }), await counter.spot()];
  const line = (name: string) => [
    'dropoff',
    name,
    '--type',
    'drop_off',
    '--spot',
    spot.name,
    '--yes',
  ];
  fault = 'lost';
  expect((await run(line('Twice'))).code).toBe(9);
  fault = undefined;
  const [{ id }] = (await run(['pending', 'list'])).json;
  const again = await run(line(car.licensePlate));
  expect(errorIn(again)).toMatchObject({ code: 'unfinished', exitCode: 7, details: { id } });
  expect(await typesOf(car.id)).toEqual(['drop_off']);
  expect((await run(['pending', 'resume', id])).code).toBe(0);
  expect(await typesOf(car.id)).toEqual(['drop_off']);
});

/** A drop-off and then a pick-up in the queue, the car under two names, and the line of the drop-off. */
async function queuedUnderTwoNames() {
  const [car, spot] = [await counter.car({ nickname: `Emma ${Date.now()}` }), await counter.spot()];
  const line = ['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', spot.name, '--yes'];
  await run([...line, '--offline'], minutesAgo(30));
  await run(['pickup', String(car.nickname), '--yes', '--offline'], minutesAgo(20));
  return { car, spot, line };
}

const readCars = () => readNames(env(), ['cars']);
const queueLength = async () => (await run(['pending', 'list'])).json.length;

describe('a line that is queued already, after later work', () => {
  test.each([true, false])(
    'on the same car under another name is new work; a script says so with --at where no names are known (known: %s)',
    async (isKnown) => {
      const { car, spot, line } = await queuedUnderTwoNames();
      if (isKnown) await readCars();
      else {
        const refused = await run([...line, '--offline'], minutesAgo(10));
        expect([refused.code, refused.error.code]).toEqual([7, 'unfinished']);
        expect(refused.error.message).toMatch(
          /by the same line, and the pick-up of .* may be about the same car\. Nothing was queued again\.$/,
        );
        expect(await queueLength()).toBe(2);
      }
      const again = await run(
        [...line, '--offline', ...(isKnown ? [] : ['--at', '10 minutes ago'])],
        isKnown ? minutesAgo(10) : undefined,
      );
      expect([again.code, again.stderr]).toEqual([0, '']);
      expect(await queueLength()).toBe(3);
      const resumed = await run(['pending', 'resume']);
      expect(resumed.code, resumed.stderr).toBe(0);
      expect(await typesOf(car.id)).toEqual(['drop_off', 'drop_off', 'pick_up']);
      expect((await counter.storedOf(car.id)).car.parkingSpotId).toBe(spot.id);
    },
  );

  test('online, the queue is sent first, and the line is new work', async () => {
    const { car, spot, line } = await queuedUnderTwoNames();
    const online = await run(line);
    expect(online.code, online.stderr).toBe(0);
    expect(await queueLength()).toBe(0);
    expect(await typesOf(car.id)).toEqual(['drop_off', 'drop_off', 'pick_up']);
    expect((await counter.storedOf(car.id)).car.parkingSpotId).toBe(spot.id);
  });

  test('on another car, as the names tell, is the queued one', async () => {
    const [cars, spots] = [
      [await counter.car(), await counter.car()],
      [await counter.spot(), await counter.spot()],
    ] as const;
    await readCars();
    const [first, second] = cars.map(({ licensePlate }, index) => [
      'dropoff',
      licensePlate,
      '--type',
      'drop_off',
      '--spot',
      String(spots[index]?.name),
      '--yes',
    ]) as [string[], string[]];
    for (const line of [first, second, first, second]) await run([...line, '--offline']);
    expect(await queueLength()).toBe(2);
    const online = await run(first);
    expect(online.code, online.stderr).toBe(0);
    expect((await run(['pending', 'resume'])).code).toBe(0);
    expect([await typesOf(cars[0].id), await typesOf(cars[1].id)]).toEqual([
      ['drop_off'],
      ['drop_off'],
    ]);
  });
});
