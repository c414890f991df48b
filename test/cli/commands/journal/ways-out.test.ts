/** Queued work that is refused for good: each hint leads somewhere, in a script too. */
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { openTerminal } from '../../../helpers/terminal.ts';
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
const pending = async () =>
  (await cs(['pending', 'list'], { env: env() })).json as { id: string; at: string }[];
const resume = (...ids: string[]) => cs(['pending', 'resume', ...ids], { env: env() });

async function queued(minutes: number, ...argv: string[]): Promise<string> {
  const now = new Date(Date.now() - minutes * 60_000);
  const result = await cs([...argv, '--yes', '--offline'], { env: env(), now });
  expect(result.code, result.stderr).toBe(0);
  return result.json.queued.id;
}

/** Of a car that the server has nowhere: its drop-off was forgotten. */
async function leftAlone() {
  const [car, spot, other] = [
    await counter.car({ status: 'expected' }),
    await counter.spot(),
    await counter.spot(),
  ];
  const move = await queued(20, 'move', car.licensePlate, '--spot', other.name);
  const pickup = await queued(10, 'pickup', car.licensePlate, '--type', 'pick_up');
  return { car, spot, other, move, pickup };
}

test('a move without its drop-off: the hint forgets it with what follows it', async () => {
  const { car, move, pickup } = await leftAlone();
  const { code, error } = await resume();
  expect([code, error.code]).toEqual([7, 'car_not_here']);
  expect(error.hint).not.toContain('drop it off first');
  expect(error.hint).toContain(
    `forget it with what follows it: \`cs pending discard ${move} ${pickup}\``,
  );
  const next = await cs(
    ['dropoff', (await counter.car()).licensePlate, '--type', 'inspection', '--yes'],
    { env: env() },
  );
  expect(next.stderr).toContain(
    `Forget it with what follows it: \`cs pending discard ${move} ${pickup}\``,
  );
  expect((await cs(['pending', 'discard', move, pickup, '--yes'], { env: env() })).code).toBe(0);
  expect((await counter.storedOf(car.id)).events).toEqual([]);
});

test('the drop-off of the hint is sent before it, and then all of them are stored', async () => {
  const { car, spot } = await leftAlone();
  const { hint } = (await resume()).error;
  const [, at] = new RegExp(`\`cs dropoff '${car.licensePlate}' --at (\\S+) --offline\``).exec(
    hint,
  ) as RegExpExecArray;
  await queued(
    0,
    'dropoff',
    car.licensePlate,
    '--type',
    'drop_off',
    '--spot',
    spot.name,
    '--at',
    at as string,
  );
  const { code, stderr } = await resume();
  expect(code, stderr).toBe(0);
  expect((await counter.storedOf(car.id)).assignments).toHaveLength(2);
  expect((await counter.storedOf(car.id)).car.status).toBe('checked_out');
});

test('a person is offered no other place for a car that has not arrived', async () => {
  await leftAlone();
  const terminal = openTerminal(['pending', 'resume'], { env: env() });
  await terminal.waitFor('Forget it');
  expect(terminal.screen()).not.toContain('Choose another place');
  terminal.press('ctrl-c');
  await terminal.exited;
});

test('a taken spot, and a spot that is not found: a script is told the ways out, and the corrected line stores it', async () => {
  const [{ spot }, car, free] = [
    await counter.parkedCar(),
    await counter.car(),
    await counter.spot(),
  ];
  for (const place of [spot.name, 'B 666']) {
    const line = (to: string) => ['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', to];
    const id = await queued(0, ...line(place));
    const { code, error } = await resume();
    expect(code).toBe(place === spot.name ? 7 : 6);
    const at = (await pending())[0]?.at as string;
    expect(error.hint).toContain(
      `run \`cs pending resume ${id}\` in a terminal to be asked, or forget it with \`cs pending discard ${id}\` and run the line again, corrected, with \`--at ${at}\``,
    );
    await cs(['pending', 'discard', id, '--yes'], { env: env() });
    if (place === spot.name) continue;
    const again = await cs([...line(free.name), '--at', at, '--yes'], { env: env() });
    expect(again.code, again.stderr).toBe(0);
    expect((await counter.storedOf(car.id)).events).toMatchObject([{ occurredAt: at }]);
  }
});

test('cs pending show tells what was typed of the work, not how the command answers', async () => {
  const car = await counter.car();
  const id = await queued(
    0,
    'pickup',
    car.licensePlate,
    '--type',
    'pick_up',
    '--base-url',
    counter.service.url,
    '-o',
    'json',
  );
  const { stdout } = await cs(['pending', 'show', id], { env: env(), as: 'terminal' });
  expect(stdout).toMatch(/Type +pick_up/);
  expect(stdout).not.toMatch(/BaseUrl|Output|Notes/);
});

test('a move that was queued names no Undo, and a place is named in full after a script was cut off', async () => {
  const [{ car }, to] = [await counter.parkedCar(), await counter.spot()];
  await queued(0, 'move', car.licensePlate, '--spot', to.name);
  const sent = await cs(['pending', 'resume'], { env: env(), as: 'terminal' });
  expect(sent.stdout).toContain(`is parked in ${to.name} · Hall A`);
  expect(sent.stdout).not.toContain('Undo');
  const [other, spot] = [await counter.car(), await counter.spot()];
  let isBroken = true;
  let isAway = false;
  const proxy = await startFaultyProxy(counter.service.url, ({ method }) => {
    if (!isBroken || isAway) return isBroken ? 'reset' : undefined;
    isAway = method === 'POST';
    return isAway ? 'lost' : undefined;
  });
  onTestFinished(() => proxy.close());
  const far = { ...env(), CS_BASE_URL: proxy.url };
  const line = ['dropoff', other.licensePlate, '--type', 'drop_off', '--spot', spot.name, '--yes'];
  expect(
    (await cs([...line, '--retries', '0'], { env: far, waiting: proxy.waiting })).code,
  ).not.toBe(0);
  isBroken = false;
  const resumed = await cs(['pending', 'resume'], { env: far, as: 'terminal' });
  expect(resumed.stdout).toContain(`is parked in ${spot.name} · Hall A`);
});
