/** A machine whose clock is off: what happens now is dated by the server, and a relative time is refused with both clocks. */
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { openTerminal } from '../../../helpers/terminal.ts';
import { counterOfFile } from './counter.ts';

/** Time stands still in a test, however slow the machine is; the header `Date` alone goes on. */
vi.useFakeTimers({ toFake: ['Date'] });
afterAll(() => vi.useRealTimers());

const counter = counterOfFile();

let state: string;
beforeEach(async () => {
  vi.setSystemTime(vi.getRealSystemTime());
  state = await makeFolder();
  onTestFinished(() => removeFolder(state));
});

const minute = 60_000;
const off = (minutes: number) => new Date(Date.now() + minutes * minute);
const run = (line: readonly string[], now: Date) =>
  cs([...line, '--yes'], { env: { ...counter.env(), CS_STATE_DIR: state }, now });

async function dropoff() {
  const [car, spot] = [await counter.car(), await counter.spot()];
  return {
    car,
    line: ['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', spot.name],
  };
}

/** When the event of the car happened, in minutes before now. */
async function minutesBefore({ id }: { id: string }) {
  const { events } = await counter.storedOf(id);
  return Math.round((Date.now() - Date.parse(String(events[0]?.occurredAt))) / minute);
}

test('without --at the server dates it, and the clocks are told', async () => {
  const { car, line } = await dropoff();
  const { stderr } = await run(line, off(20));
  expect(await minutesBefore(car)).toBe(0);
  expect(stderr).toMatch(/The server's clock is (19|20) minutes behind this machine/);
});

test.each([20, -20])(
  'a relative time is refused where the clocks differ by %i minutes',
  async (minutes) => {
    for (const line of [
      (await dropoff()).line,
      ['cars', 'events', 'log', (await counter.car()).licensePlate, '--type', 'inspection'],
    ]) {
      const { code, error } = await run([...line, '--at', '10 minutes ago'], off(minutes));
      expect([code, error.hint, error.message]).toEqual([
        2,
        'set the clock, or give the time in full, such as "2026-03-01 14:30"',
        expect.stringMatching(
          /"10 minutes ago" can't be counted from now: it is \d{4}-.* on this machine and \d{4}-.* on the server\.$/,
        ),
      ]);
    }
  },
);

test('before the first question too, where nothing else asks the server', async () => {
  const env = { ...counter.env(), CS_STATE_DIR: state };
  const terminal = openTerminal(['dropoff', '--at', '10 minutes ago', '-n'], { env, now: off(20) });
  expect(await terminal.exited).toBe(2);
  expect(terminal.screen()).toContain('"10 minutes ago" can\'t be counted from now');
});

test('a time in full is taken as it is', async () => {
  const { car, line } = await dropoff();
  const { code, stderr } = await run([...line, '--at', off(-5).toISOString()], off(-60));
  expect(code, stderr).toBe(0);
  expect(await minutesBefore(car)).toBe(5);
});

test("a time in the server's future is refused, whatever this machine believes", async () => {
  const { line } = await dropoff();
  const { code, error } = await run([...line, '--at', off(30).toISOString()], off(60));
  expect([code, error.code]).toEqual([3, 'occurred_at_in_future']);
});

test('clocks that differ by a minute count as one', async () => {
  const { car, line } = await dropoff();
  const { stderr } = await run([...line, '--at', '5m ago'], new Date(Date.now() - 65_000));
  expect(await minutesBefore(car)).toBe(5);
  expect(stderr).not.toContain('clock');
});

test('queued work that is sent: its time is that of the machine, and the clocks are told', async () => {
  const { car, line } = await dropoff();
  expect((await run([...line, '--offline'], off(-20))).code).toBe(0);
  const sent = await run(['pending', 'resume'], off(-20));
  expect(sent.code, sent.stderr).toBe(0);
  expect(sent.stderr).toMatch(/The server's clock is (19|20) minutes ahead of this machine/);
  expect(await minutesBefore(car)).toBe(20);
});
