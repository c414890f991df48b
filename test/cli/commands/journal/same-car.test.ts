/** Unfinished work of a car, and further work on it: stored in the order in which it happened, and once, or not at all. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { lockEntry } from '../../../../src/cli/commands/journal/lock.ts';
import { cs } from '../../../helpers/cli.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
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

const env = () => ({ ...counter.env(counter.service.key, proxy.url), CS_STATE_DIR: state, CS_CACHE_DIR: state, CS_RETRIES: '0' });
const run = (argv: readonly string[], now = new Date()) => cs(argv, { env: env(), waiting: proxy.waiting, now });
/** The error after what was told of the queue. */
const errorIn = ({ stderr }: { stderr: string }) => JSON.parse(stderr.slice(stderr.indexOf('{'))).error;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const typesOf = async (carId: string) => (await counter.storedOf(carId)).events.map(({ activityType }) => activityType).sort();

/** A parked car whose pick-up is queued, and the line that drops it off again. */
async function queuedPickup() {
  const [car, spot] = [await counter.car(), await counter.spot()];
  await counter.make.event(car.id, { parkingSpotId: spot.id, occurredAt: minutesAgo(60).toISOString() });
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
  const other = await run(['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', spot.name, '--yes']);
  expect(other.code, other.stderr).toBe(0);
});

test('while another process sends it, a script is told to wait', async () => {
  const { car, id, dropoff } = await queuedPickup();
  const [name] = (await readdir(join(state, 'journal'))).filter((one) => one.endsWith(`${id}.jsonl`));
  const lock = await lockEntry(join(state, 'journal', name as string));
  const refused = await run([...dropoff, '--yes']);
  lock?.release();
  expect(errorIn(refused)).toMatchObject({ code: 'already_running', exitCode: 7, hint: expect.stringMatching(/^wait for it/) });
  const [warning] = refused.stderr.split('\n');
  expect(warning).toMatch(/^The queued pick-up of .* isn't finished\. .* Wait for it, then look at `cs pending list`\.$/);
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
  const line = (name: string) => ['dropoff', name, '--type', 'drop_off', '--spot', spot.name, '--yes'];
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
