/** Queued work is sent in the order in which it happened, whatever the order in which it was typed. */
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { readNames } from '../../../helpers/names.ts';
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

const env = () => ({ ...counter.env(), CS_STATE_DIR: state });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const pending = async () =>
  (await cs(['pending', 'list'], { env: env() })).json as {
    id: string;
    what: string;
    at: string;
  }[];
const resume = (...flags: string[]) => cs(['pending', 'resume', ...flags], { env: env() });

const keepNames = () => readNames(env());

/** Queues a line of something that happened that long ago. */
async function queued(at: Date, ...argv: string[]): Promise<string> {
  const result = await cs([...argv, '--at', at.toISOString(), '--yes', '--offline'], {
    env: env(),
  });
  expect(result.code, result.stderr).toBe(0);
  return result.json.queued.id;
}

const dropoff = (car: { licensePlate: string }, spot: { name: string }) =>
  ['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', spot.name] as const;
const pickup = (car: { licensePlate: string }) =>
  ['pickup', car.licensePlate, '--type', 'pick_up'] as const;
const move = (car: { licensePlate: string }, spot: { name: string }) =>
  ['move', car.licensePlate, '--spot', spot.name] as const;

test.each(['pending resume', 'the next command'])(
  'a drop-off that was typed after the pick-up that followed it: %s',
  async (how) => {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const second = await queued(minutesAgo(10), ...pickup(car));
    const first = await queued(minutesAgo(70), ...dropoff(car, spot));
    expect((await pending()).map(({ id }) => id)).toEqual([first, second]);
    const dry = await resume('--dry-run');
    expect(dry.json).toMatchObject([
      { id: first, after: null, error: null },
      { id: second, after: first, error: null },
    ]);
    const sent = how === 'pending resume' ? await resume() : await nextCommand();
    expect(sent.code, sent.stderr).toBe(0);
    const { events, car: stored } = await counter.storedOf(car.id);
    expect(events.map(({ activityType }) => activityType).sort()).toEqual(['drop_off', 'pick_up']);
    expect(stored.parkingSpotId).toBeNull();
    expect(await pending()).toEqual([]);
  },
);

async function nextCommand() {
  return cs([...dropoff(await counter.car(), await counter.spot()), '--yes'], { env: env() });
}

test('a pick-up frees the spot for the drop-off after it, which was typed before it', async () => {
  const [out, into, spot] = [await counter.car(), await counter.car(), await counter.spot()];
  await counter.make.event(out.id, {
    parkingSpotId: spot.id,
    occurredAt: minutesAgo(60).toISOString(),
  });
  const second = await queued(minutesAgo(10), ...dropoff(into, spot));
  const first = await queued(minutesAgo(20), ...pickup(out));
  const { code, stderr, json } = await resume(second, first);
  expect(code, stderr).toBe(0);
  expect(json).toMatchObject([{ id: first }, { id: second }]);
  expect((await counter.storedOf(into.id)).car.parkingSpotId).toBe(spot.id);
});

test('equal times keep the order in which they were typed', async () => {
  const [car, spot, at] = [await counter.car(), await counter.spot(), minutesAgo(10)];
  const first = await queued(at, ...dropoff(car, spot));
  const second = await queued(at, ...pickup(car));
  expect((await pending()).map(({ id, at: shown }) => [id, shown])).toEqual([
    [first, at.toISOString()],
    [second, at.toISOString()],
  ]);
  const shown = await cs(['pending', 'resume'], { env: env(), as: 'terminal' });
  expect(shown.code, shown.stderr).toBe(0);
  expect(shown.stderr).toMatch(
    new RegExp(
      `Sending the drop-off of ${car.licensePlate} \\([-0-9]+ [0-9:]+\\)\\.[^]*Sending the pick-up`,
    ),
  );
});

test('each expects its car where the work before it left it, not the work that was typed before it', async () => {
  const [car, before, between, after] = [
    await counter.car(),
    await counter.spot(),
    await counter.spot(),
    await counter.spot(),
  ];
  await counter.make.event(car.id, {
    parkingSpotId: before.id,
    occurredAt: minutesAgo(60).toISOString(),
  });
  await keepNames();
  await queued(minutesAgo(10), ...pickup(car));
  await queued(minutesAgo(20), ...move(car, after));
  await queued(minutesAgo(30), ...move(car, between));
  const { code, stderr } = await resume();
  expect(code, stderr).toBe(0);
  expect(
    (await counter.storedOf(car.id)).assignments.map(({ parkingSpotId }) => parkingSpotId).sort(),
  ).toEqual([before.id, between.id, after.id].sort());
});

test('the same line finishes the first of two, and the second expects what that left', async () => {
  const [car, before, between, after] = [
    await counter.car(),
    await counter.spot(),
    await counter.spot(),
    await counter.spot(),
  ];
  await counter.make.event(car.id, {
    parkingSpotId: before.id,
    occurredAt: minutesAgo(60).toISOString(),
  });
  await keepNames();
  const second = await queued(minutesAgo(10), ...move(car, after));
  const at = minutesAgo(20).toISOString();
  await queued(new Date(at), ...move(car, between));
  const online = await cs([...move(car, between), '--at', at, '--yes'], { env: env() });
  expect(online.json?.to.spot.id, online.stderr).toBe(between.id);
  expect((await pending()).map(({ id }) => id)).toEqual([second]);
  const { code, stderr } = await resume();
  expect(code, stderr).toBe(0);
  expect((await counter.storedOf(car.id)).car.parkingSpotId).toBe(after.id);
});
