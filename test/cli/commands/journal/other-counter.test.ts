/** A request that got no answer, and another counter that does the same meanwhile: its record is never taken for that of the request. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { writePhotos } from '../../../helpers/commands-to-repeat.ts';
import { type Fault, startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { type Counter, openCounter } from '../counter/counter.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await openCounter();
});
afterAll(() => counter.service.close());

let cwd: string;
let state: string;
beforeEach(async () => {
  [cwd, state] = [await makeFolder(), await makeFolder()];
  await writePhotos(cwd);
  onTestFinished(async () => {
    await removeFolder(cwd);
    await removeFolder(state);
  });
});

/** A server whose POSTs end like that, once the other counter did its work. */
async function server(
  fault: Fault,
  {
    other = async () => {},
    withoutKeys = false,
  }: { other?: () => Promise<unknown>; withoutKeys?: boolean } = {},
) {
  let current: Fault | undefined = fault;
  const proxy = await startFaultyProxy(
    counter.service.url,
    async ({ method }) => {
      if (method !== 'POST' || !current) return undefined;
      await other();
      return current;
    },
    { withoutKeys },
  );
  onTestFinished(() => proxy.close());
  const env = {
    ...counter.env(counter.service.key, proxy.url),
    CS_STATE_DIR: state,
    CS_RETRIES: '0',
  };
  return {
    run: (argv: readonly string[], now = new Date()) =>
      cs([...argv, '--yes'], { env, cwd, now, waiting: proxy.waiting }),
    list: async () => (await cs(['pending', 'list'], { env })).json,
    become(next: Fault | undefined) {
      current = next;
    },
  };
}

const inspect = (id: string, fields: object = {}) =>
  counter.service.call('POST', `/cars/${id}/events`, { activityType: 'inspection', ...fields });
const typesOf = async (id: string) =>
  (await counter.storedOf(id)).events.map(({ activityType }) => activityType).sort();
const inspections = ['inspection', 'inspection'];

describe('on a server with idempotency keys', () => {
  const at = '2026-03-01T10:00:00Z';
  test.each([
    ['a key of the person', ['--idempotency-key', 'night-22'], {}],
    ['the same time', ['--at', at], { occurredAt: at }],
  ])('an inspection with %s is sent again', async (_, flags, fields) => {
    const car = await counter.car();
    const { run, become } = await server('reset');
    const line = ['dropoff', car.licensePlate, '--type', 'inspection', ...flags];
    expect((await run(line)).code).toBe(9);
    expect((await inspect(car.id, fields)).status).toBe(201);
    become(undefined);
    const again = await run(line);
    expect(again.code, again.stderr).toBe(0);
    expect(await typesOf(car.id)).toEqual(inspections);
  });

  test.each([
    ['the same line', undefined],
    ['pending resume', ['pending', 'resume']],
  ])(
    'a pick-up by a clock that is slow is refused, and its photo joins no session of the other counter: %s',
    async (_, other) => {
      const { car } = await counter.parkedCar();
      const { run, become } = await server('reset');
      const line = ['pickup', car.licensePlate, '--photo', '1.png'];
      const slow = () => new Date(Date.now() - 60_000);
      expect((await run(line, slow())).code).toBe(9);
      expect((await cs(['pickup', car.licensePlate, '--yes'], { env: counter.env() })).code).toBe(
        0,
      );
      become(undefined);
      const again = await run(other ?? line, slow());
      expect(again.error).toMatchObject({ code: 'parking_changed', exitCode: 7 });
      expect(await typesOf(car.id)).toEqual(['drop_off', 'pick_up']);
      expect((await counter.storedOf(car.id)).photos).toEqual([]);
    },
  );

  test('within the same run, the request stays open and is finished with its key', async () => {
    const car = await counter.car();
    const { run, become } = await server('reset', { other: () => inspect(car.id) });
    const line = [
      'dropoff',
      car.licensePlate,
      '--type',
      'inspection',
      '--idempotency-key',
      'night-23',
    ];
    expect((await run(line)).code).toBe(9);
    become(undefined);
    expect((await run(line)).code).toBe(0);
    expect(await typesOf(car.id)).toEqual(inspections);
  });

  test.each<Fault>(['429', '500'])(
    'a second try that says nothing of the first one leaves it open: %s',
    async (fault) => {
      const car = await counter.car();
      const { run, become, list } = await server('lost');
      const line = ['dropoff', car.licensePlate, '--type', 'inspection'];
      expect((await run(line)).code).toBe(9);
      become(fault);
      expect((await run(line)).code).not.toBe(0);
      expect(await list()).toMatchObject([{ state: 'event sent without an answer' }]);
      become(undefined);
      const again = await run(line);
      expect(again.code, again.stderr).toBe(0);
      expect(await typesOf(car.id)).toEqual(['inspection']);
    },
  );
});

describe('on a server without', () => {
  const at = '2026-03-01T10:00:00Z';

  test('one of the same time with notes that were not sent proves nothing', async () => {
    const car = await counter.car();
    const { run, become } = await server('reset', { withoutKeys: true });
    const line = ['dropoff', car.licensePlate, '--type', 'inspection', '--at', at];
    expect((await run(line)).code).toBe(9);
    await inspect(car.id, { occurredAt: at, notes: 'Two keys' });
    become(undefined);
    expect((await run(line)).error).toMatchObject({ code: 'outcome_unknown', exitCode: 7 });
    expect(await typesOf(car.id)).toEqual(['inspection']);
  });
});
