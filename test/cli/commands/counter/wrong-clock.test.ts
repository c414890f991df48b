/** A machine whose clock is far off that of the server: `--at` means what happened, whatever this machine believes. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { json, startMisbehavingServer } from '../../../helpers/misbehaving-server.ts';
import { type Counter, openCounter } from './counter.ts';

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

const minute = 60_000;
const env = () => ({ ...counter.env(), CS_STATE_DIR: state });
const off = (minutes: number) => new Date(Date.now() + minutes * minute);
const run = (line: readonly string[], now: Date) => cs([...line, '--yes'], { env: env(), now });

async function parkedYesterday() {
  const [car, spot] = [await counter.car(), await counter.spot()];
  await counter.make.event(car.id, {
    parkingSpotId: spot.id,
    occurredAt: off(-24 * 60).toISOString(),
  });
  return car;
}

const spotFlag = async () => ['--spot', (await counter.spot()).name];
const lines = {
  dropoff: async (car) => [
    'dropoff',
    car.licensePlate,
    '--type',
    'drop_off',
    ...(await spotFlag()),
  ],
  pickup: async (car) => ['pickup', car.licensePlate],
  move: async (car) => ['move', car.licensePlate, ...(await spotFlag())],
  'cars events log': async (car) => [
    'cars',
    'events',
    'log',
    car.licensePlate,
    '--type',
    'inspection',
  ],
} satisfies Record<string, (car: { licensePlate: string }) => Promise<string[]>>;

async function lineOf(name: keyof typeof lines) {
  const car = name === 'pickup' || name === 'move' ? await parkedYesterday() : await counter.car();
  return { car, line: await lines[name](car) };
}

/** When the last thing that is stored of the car happened, in minutes before now. */
async function minutesBefore({ id }: { id: string }) {
  const { events, assignments } = await counter.storedOf(id);
  const times = [
    ...events.map(({ occurredAt }) => occurredAt),
    ...assignments.map(({ startedAt }) => startedAt),
  ];
  return minutesSince(new Date(Math.max(...times.map(Date.parse))).toISOString());
}

const minutesSince = (time: string) => Math.round((Date.now() - Date.parse(time)) / minute);

describe.each(Object.keys(lines) as (keyof typeof lines)[])('cs %s', (name) => {
  test.each([
    [20, 'behind'],
    [-20, 'ahead of'],
  ])(
    '--at "10 minutes ago" counts from the server where this machine is %i minutes off, and says so',
    async (minutes, side) => {
      const { car, line } = await lineOf(name);
      const { code, stderr } = await run([...line, '--at', '10 minutes ago'], off(minutes));
      expect(code, stderr).toBe(0);
      expect(await minutesBefore(car)).toBe(10);
      expect(stderr).toMatch(
        new RegExp(
          `The server's clock is 20 minutes ${side} this machine: --at "10 minutes ago" counts from the server's\\.`,
        ),
      );
    },
  );

  test('a time that has passed for the server is taken, with no word about the clocks', async () => {
    const { car, line } = await lineOf(name);
    const { code, stderr } = await run([...line, '--at', off(-5).toISOString()], off(-60));
    expect(code, stderr).toBe(0);
    expect(await minutesBefore(car)).toBe(5);
    expect(stderr).not.toContain('clock');
  });

  test('a time in the future of the server is refused, whatever this machine believes, and the clocks are named', async () => {
    const { line } = await lineOf(name);
    const { code, error } = await run([...line, '--at', off(30).toISOString()], off(60));
    expect([code, error.code]).toEqual([3, 'occurred_at_in_future']);
    expect(error.message).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d is in the future: the server's time is .*\. Nothing was stored\.$/,
    );
    expect(error.hint).toContain("the server's clock is 1 hour behind this machine");
  });

  test('a time that is none is refused before any request', async () => {
    const { line } = await lineOf(name);
    const unreachable = { ...env(), CS_BASE_URL: 'http://127.0.0.1:1' };
    const { code, error } = await cs([...line, '--yes', '--at', 'soonish'], { env: unreachable });
    expect([code, error.message]).toEqual([2, '--at: "soonish" isn\'t a time.']);
  });
});

test('without --at, the server dates it', async () => {
  const { car, line } = await lineOf('dropoff');
  const { stderr } = await run(line, off(20));
  expect(await minutesBefore(car)).toBe(0);
  expect(stderr).not.toContain('clock');
});

test('--dry-run shows the time that would be stored', async () => {
  const { line } = await lineOf('pickup');
  const { json: planned } = await run([...line, '--at', '10 minutes ago', '--dry-run'], off(20));
  expect(minutesSince(planned[0].body.occurredAt)).toBe(10);
});

test('clocks that differ by less than half a minute count as one', async () => {
  const { car, line } = await lineOf('dropoff');
  const { stderr } = await run([...line, '--at', '1m ago'], new Date(Date.now() - 25_000));
  expect(await minutesBefore(car)).toBe(1);
  expect(stderr).not.toContain('clock');
});

test('clocks that differ by days: nothing tells which one is right, so a time must be given in full', async () => {
  const { car, line } = await lineOf('dropoff');
  const { code, error } = await run([...line, '--at', '1m ago'], off(-3 * 24 * 60));
  expect([code, error.message]).toEqual([
    2,
    `--at: "1m ago" can't be counted from now: the server's clock is 3 days ahead of this machine.`,
  ]);
  expect((await run([...line, '--at', off(-5).toISOString()], off(-3 * 24 * 60))).code).toBe(0);
  expect(await minutesBefore(car)).toBe(5);
});

test('an answer that a cache kept tells no time', async () => {
  const cached = { date: new Date(Date.now() - 30 * minute).toUTCString(), age: '1800' };
  const old = await startMisbehavingServer(() =>
    json(200, { data: [], page: 1, limit: 100, total: 0 }, cached),
  );
  onTestFinished(() => old.close());
  const car = '01a20b8d-bd95-70ed-bf74-3d1851bc409f';
  const line = [
    'cars',
    'events',
    'log',
    car,
    '--type',
    'inspection',
    '--at',
    '10 minutes ago',
    '--dry-run',
  ];
  const { json: planned, stderr } = await cs(line, { env: { ...env(), CS_BASE_URL: old.url } });
  expect([minutesSince(planned.body.occurredAt), stderr]).toEqual([10, '']);
});

describe('queued work that is sent from such a machine', () => {
  const resume = (minutes: number, ...flags: string[]) =>
    cs(['pending', 'resume', ...flags], { env: env(), now: off(minutes) });

  test('that is behind: told that its time may be wrong', async () => {
    const { car, line } = await lineOf('dropoff');
    expect((await run([...line, '--offline'], off(-20))).code).toBe(0);
    const note =
      /The server's clock is 20 minutes ahead of this machine: the times of work that was queued here may be wrong by as much\./;
    expect((await resume(-20, '--dry-run')).stderr).toMatch(note);
    const sent = await resume(-20);
    expect(sent.code, sent.stderr).toBe(0);
    expect(sent.stderr).toMatch(note);
    expect((await counter.storedOf(car.id)).events).toHaveLength(1);
  });

  test("that is ahead: refused with the server's time, and stored with the present one", async () => {
    const { car, line } = await lineOf('dropoff');
    expect((await run([...line, '--offline'], off(20))).code).toBe(0);
    const refused = [(await resume(20, '--dry-run')).json[0].error, (await resume(20)).error];
    for (const error of refused) {
      expect(error).toMatchObject({ code: 'occurred_at_in_future', exitCode: 3 });
      expect(error.message).toMatch(/ is in the future: the server's time is /);
    }
    expect(refused[1].hint).toMatch(/see `cs doctor`; store it with the present time with/);
    const sent = await resume(20, '--present-time');
    expect([sent.code, await minutesBefore(car)]).toEqual([0, 0]);
    expect(sent.stderr).not.toContain('clock');
  });
});
