/** A command is finished after its car was moved or picked up by another counter: it is told as stored, not as true. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { type Counter, openCounter } from '../counter/counter.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await openCounter();
});
afterAll(() => counter.service.close());

let state: string;
beforeEach(async () => {
  state = await makeFolder();
  onTestFinished(() => removeFolder(state));
});

/** Runs a line whose POST is stored and whose answer is lost. */
async function cutOff(argv: readonly string[], { withoutKeys = false } = {}) {
  let isAway = false;
  let isBroken = true;
  const proxy = await startFaultyProxy(
    counter.service.url,
    ({ method }) => {
      if (!isBroken) return undefined;
      if (isAway) return 'reset';
      isAway = method === 'POST';
      return isAway ? 'lost' : undefined;
    },
    { withoutKeys },
  );
  onTestFinished(() => proxy.close());
  const env = { ...counter.env(counter.service.key, proxy.url), CS_STATE_DIR: state };
  expect((await cs([...argv, '--retries', '0'], { env, waiting: proxy.waiting })).code).toBe(9);
  isBroken = false;
  return { env, posts: () => proxy.requests.filter(({ method }) => method === 'POST').length };
}

const pickup = (car: { licensePlate: string }) => ['pickup', car.licensePlate, '--yes'];
const dropoff = (car: { licensePlate: string }, to: { name: string }) => [
  'dropoff',
  car.licensePlate,
  '--type',
  'drop_off',
  '--spot',
  to.name,
  '--yes',
];
const parkAgain = async (car: { licensePlate: string }, to: { name: string }) =>
  expect((await cs(dropoff(car, to), { env: counter.env() })).code).toBe(0);
const move = (car: { licensePlate: string }, to: { name: string }) => [
  'move',
  car.licensePlate,
  '--spot',
  to.name,
  '--yes',
];

test.each([{ withoutKeys: false }, { withoutKeys: true }])(
  'a move, then another one: the same line says where the car is ($withoutKeys)',
  async (server) => {
    const [{ car }, first, second] = [
      await counter.parkedCar(),
      await counter.spot(),
      await counter.spot(),
    ];
    const line = move(car, first);
    const { env, posts } = await cutOff(line, server);
    expect((await cs(move(car, second), { env: counter.env() })).code).toBe(0);
    const again = await cs(line, { env });
    expect([again.code, again.stdout]).toEqual([7, '']);
    expect(again.error).toMatchObject({ code: 'changed_since' });
    expect(again.error.message).toMatch(
      new RegExp(
        `^The move of ${car.licensePlate} \\(${first.name}\\) was stored at .*, but the car has been moved to ${second.name} \\(.*, with the key .*\\)\\. Nothing was stored again\\.$`,
      ),
    );
    expect(posts()).toBe(server.withoutKeys ? 1 : 2);
    expect((await counter.storedOf(car.id)).assignments).toHaveLength(3);
    expect((await cs(['pending', 'list'], { env })).json).toEqual([]);
  },
);

test('a move, then a pick-up: `pending resume` says that the car has left', async () => {
  const [{ car }, to] = [await counter.parkedCar(), await counter.spot()];
  const { env } = await cutOff(move(car, to));
  expect((await cs(['pickup', car.licensePlate, '--yes'], { env: counter.env() })).code).toBe(0);
  const resumed = await cs(['pending', 'resume'], { env });
  expect(resumed.code).toBe(7);
  expect(resumed.json).toMatchObject([
    { status: 'finished', result: null, error: { code: 'changed_since' } },
  ]);
  expect(resumed.error.message).toMatch(
    /but the car isn't parked here any more \(.*, with the key .*\)\. Nothing was stored again\.$/,
  );
  expect((await counter.storedOf(car.id)).assignments).toHaveLength(2);
  expect((await cs(['pending', 'list'], { env })).json).toEqual([]);
});

test('a drop-off, then a move', async () => {
  const [car, first, second] = [await counter.car(), await counter.spot(), await counter.spot()];
  const line = ['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', first.name, '--yes'];
  const { env } = await cutOff(line);
  expect((await cs(move(car, second), { env: counter.env() })).code).toBe(0);
  const again = await cs(line, { env, as: 'terminal' });
  expect([again.code, again.stdout]).toEqual([7, '']);
  expect(again.stderr).toContain(`has been moved to ${second.name}`);
  expect((await counter.storedOf(car.id)).assignments).toHaveLength(2);
});

test('a move, then away and back: the result is true', async () => {
  const [{ car, spot }, to] = [await counter.parkedCar(), await counter.spot()];
  const line = move(car, to);
  const { env } = await cutOff(line);
  expect((await cs(move(car, spot), { env: counter.env() })).code).toBe(0);
  expect((await cs(move(car, to), { env: counter.env() })).code).toBe(0);
  const again = await cs(line, { env });
  expect(again.code, again.stderr).toBe(0);
});

test('a pick-up, then a drop-off: `pending resume` says where the car is, and names nothing as free', async () => {
  const [{ car, spot }, other] = [await counter.parkedCar(), await counter.spot()];
  for (const to of [spot, other]) {
    const { env, posts } = await cutOff(pickup(car));
    await parkAgain(car, to);
    const resumed = await cs(['pending', 'resume'], { env });
    expect([resumed.code, resumed.json]).toMatchObject([
      7,
      [{ status: 'finished', result: null, error: { code: 'changed_since' } }],
    ]);
    expect(resumed.error.message).toMatch(
      new RegExp(
        `^The pick-up of ${car.licensePlate} was stored at .*, but the car is parked in ${to.name} by now \\(.*, with the key .*\\)\\. Nothing was stored again\\.$`,
      ),
    );
    // Sent again with its key, which stores nothing twice.
    expect(posts()).toBe(2);
    expect((await cs(['pending', 'list'], { env })).json).toEqual([]);
    const { events } = await counter.storedOf(car.id);
    expect(events.filter(({ activityType }) => activityType === 'pick_up')).toHaveLength(
      to === spot ? 1 : 2,
    );
  }
});

test('a pick-up, then a drop-off and a pick-up: the result is true', async () => {
  const { car, spot } = await counter.parkedCar();
  const { env } = await cutOff(pickup(car));
  await parkAgain(car, spot);
  expect((await cs(pickup(car), { env: counter.env() })).code).toBe(0);
  const resumed = await cs(['pending', 'resume'], { env });
  expect([resumed.code, resumed.json[0].result.event.activityType]).toEqual([0, 'pick_up']);
});

test.each(['pickup', 'dropoff'])(
  'cs %s, then another event of the car: the same line says that it may be stored',
  async (command) => {
    const [{ car, spot }, free] = [await counter.parkedCar(), await counter.spot()];
    const line = command === 'pickup' ? pickup(car) : dropoff(car, free);
    const { env, posts } = await cutOff(line);
    // An event within a second may be its own, on a server that rounds times.
    await delay(1_100);
    await (command === 'pickup' ? parkAgain(car, spot) : cs(pickup(car), { env: counter.env() }));
    const again = await cs(line, { env });
    expect([again.code, again.stdout, again.error.code]).toEqual([7, '', 'unfinished']);
    expect(again.error.message).toMatch(
      / may be stored, and the car had another event since \((drop_off|pick_up) at .*\)\. Nothing was sent\.$/,
    );
    const [, id] = /`cs pending resume (\w+)`/.exec(again.error.hint) as RegExpExecArray;
    const resumed = await cs(['pending', 'resume', id as string], { env });
    expect([resumed.code, resumed.error.code, posts()]).toEqual([7, 'changed_since', 2]);
    const { events } = await counter.storedOf(car.id);
    expect(events.map(({ activityType }) => activityType).sort()).toEqual([
      'drop_off',
      'drop_off',
      'pick_up',
    ]);
  },
);
