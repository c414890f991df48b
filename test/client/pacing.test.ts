import { describe, expect, test, vi } from 'vitest';
import {
  createLocalPaces,
  createPacer,
  type Pace,
  type PaceStore,
  parseLimits,
  type Turn,
} from '../../src/client/pacing.ts';

describe('the headers of a limit', () => {
  test.each([
    ['"requests";r=12', '"requests";q=600;w=60', { left: 12, interval: 100 }],
    [
      '"requests";r=12, "uploads";r=0;t=1',
      '"requests";q=600;w=60, "uploads";q=60;w=60',
      { left: 0, interval: 1000 },
    ],
    ['default;r=3;t=10', 'default;q=100;w=10', { left: 3, interval: 100 }],
    ['"requests"; r=12; t=30', '"requests"; q=600; w=60', { left: 12, interval: 100 }],
    [undefined, '"requests";q=600;w=60', undefined],
    ['"requests";r=12', undefined, undefined],
    ['"requests";r=12', '"uploads";q=60;w=60', undefined],
    ['"requests";r=12', '"requests";q=0;w=60', undefined],
    ['limit=10, remaining=2, reset=5', '10;w=60', undefined],
    ['"requests";r=-1', '"requests";q=600;w=60', undefined],
  ])('%s and %s', (rateLimit, policy, state) => {
    expect(parseLimits(rateLimit, policy)).toEqual(state);
  });
});

/** A store that counts its updates. */
function counted(store = createLocalPaces()): PaceStore & { updates: number } {
  const counting = {
    updates: 0,
    update(limit: string, change: (pace: Pace | undefined) => Pace) {
      counting.updates += 1;
      return store.update(limit, change);
    },
  };
  return counting;
}

/** A server with a bucket: refills evenly, and sends its limit if it `tells`. Time is that of the simulation. */
function simulate({
  perSecond,
  burst,
  tells,
}: {
  perSecond: number;
  burst: number;
  tells: boolean;
}) {
  const interval = 1000 / perSecond;
  let now = 1_000_000;
  let tokens = burst;
  let filled = now;
  const serve = () => {
    tokens = Math.min(burst, tokens + (now - filled) / interval);
    filled = now;
    const passed = tokens >= 1;
    if (passed) tokens -= 1;
    return { passed, state: tells ? { left: Math.floor(tokens), interval } : undefined };
  };
  const sleepers: { at: number; wake: () => void }[] = [];
  const sleep = (ms: number) => new Promise<void>((wake) => sleepers.push({ at: now + ms, wake }));
  const run = async <T>(work: Promise<T>[]): Promise<T[]> => {
    let done = false;
    const all = Promise.all(work).finally(() => {
      done = true;
    });
    while (!done) {
      await vi.waitUntil(() => done || sleepers.length > 0, { interval: 0 });
      for (let n = 0; n < 50; n++) await Promise.resolve();
      const [next] = sleepers.sort((a, b) => a.at - b.at);
      if (!next) continue;
      sleepers.shift();
      now = Math.max(now, next.at);
      next.wake();
    }
    return all;
  };
  /** Sends requests one after another, as the transport does; returns how often each was refused. */
  async function client(
    pacer: ReturnType<typeof createPacer>,
    requests: number,
  ): Promise<number[]> {
    const refusals: number[] = [];
    for (let n = 0; n < requests; n++) {
      let refused = 0;
      for (let turn = await pacer.turn(); ; turn = await pacer.turn()) {
        for (
          let given: Turn | undefined = turn;
          given?.wait;
          given = (await pacer.isOutdated(given)) ? await pacer.turn() : undefined
        )
          await sleep(given.wait);
        const started = now;
        const { passed, state } = serve();
        // The way to the server and back.
        await sleep(20);
        if (passed) {
          pacer.passed(state);
          break;
        }
        refused += 1;
        await pacer.refused({ wait: 1000, started, state });
      }
      refusals.push(refused);
    }
    return refusals;
  }
  return { run, client, sleep, clock: () => now };
}

describe('three clients with eight requests at a time, on one pace', () => {
  test.each([
    { name: 'a server that tells its limit', tells: true, most: 2 },
    { name: 'a server that only refuses', tells: false, most: 8 },
  ])('$name: each request gets through', async ({ tells, most }) => {
    const { run, client, clock } = simulate({ perSecond: 10, burst: 20, tells });
    const store = createLocalPaces();
    const started = clock();
    const pacers = Array.from({ length: 3 }, () =>
      createPacer('requests', { store, bulk: true, now: clock }),
    );
    const refusals = (
      await run(pacers.flatMap((pacer) => Array.from({ length: 8 }, () => client(pacer, 20))))
    ).flat();
    expect(refusals).toHaveLength(480);
    expect(Math.max(...refusals)).toBeLessThanOrEqual(most);
    // 460 at 10 a second are 46 seconds.
    expect(clock() - started).toBeLessThan(46_000 * 1.6);
  });

  test('other work goes first: it waits for no turn of theirs', async () => {
    const { run, client, sleep, clock } = simulate({ perSecond: 10, burst: 20, tells: true });
    const store = createLocalPaces();
    const bulk = Array.from({ length: 3 }, () =>
      createPacer('requests', { store, bulk: true, now: clock }),
    );
    const urgent = createPacer('requests', { store, bulk: false, now: clock });
    let took = Number.NaN;
    const counter = async () => {
      await sleep(10_000);
      const started = clock();
      const refusals = await client(urgent, 7);
      took = clock() - started;
      return refusals;
    };
    await run([
      counter(),
      ...bulk.flatMap((pacer) => Array.from({ length: 8 }, () => client(pacer, 20))),
    ]);
    // Each of the 24 waits 3 s for a turn. Seven requests alone take 140 ms, and at most one wait for the server.
    expect(took).toBeLessThan(2_000);
  });
});

describe('one client', () => {
  const at = 1_000_000;

  test('takes no turns, and keeps nothing, before a refusal', async () => {
    const store = counted();
    const pacer = createPacer('requests', { store, bulk: true, now: () => at });
    expect(await pacer.turn()).toBeUndefined();
    pacer.passed({ left: 50, interval: 100 });
    pacer.passed(undefined);
    expect(await pacer.turn()).toBeUndefined();
    expect(store.updates).toBe(0);
  });

  test('in bulk, leaves the last second of the limit to others', async () => {
    const [bulk, urgent] = [true, false].map((kind) =>
      createPacer('requests', { store: createLocalPaces(), bulk: kind, now: () => at }),
    );
    for (const pacer of [bulk, urgent]) pacer?.passed({ left: 9, interval: 100 });
    expect(await bulk?.turn()).toMatchObject({ wait: 0 });
    expect(await bulk?.turn()).toMatchObject({ wait: 125 });
    expect(await urgent?.turn()).toBeUndefined();
    bulk?.passed({ left: 10, interval: 100 });
    expect(await bulk?.turn()).toBeUndefined();
  });

  test('waits as long as the server asks, then takes turns', async () => {
    const pacer = createPacer('requests', { store: createLocalPaces(), bulk: true, now: () => at });
    await pacer.refused({ wait: 7_000, started: at, state: { left: 0, interval: 100 } });
    expect([(await pacer.turn())?.wait, (await pacer.turn())?.wait]).toEqual([7_000, 7_125]);
  });

  test('gives up a turn when the server has refused somebody since', async () => {
    const store = createLocalPaces();
    const [one, other] = [1, 2].map(() =>
      createPacer('requests', { store, bulk: true, now: () => at }),
    ) as [ReturnType<typeof createPacer>, ReturnType<typeof createPacer>];
    await one.refused({ wait: 1_000, started: at, state: undefined });
    const turn = (await one.turn()) as Turn;
    expect(await one.isOutdated(turn)).toBe(false);
    await other.refused({ wait: 5_000, started: at, state: undefined });
    expect(await one.isOutdated(turn)).toBe(true);
    expect((await one.turn())?.wait).toBeGreaterThanOrEqual(5_000);
  });

  test('forgets a refusal after a minute, or an answer without it', async () => {
    let now = at;
    const pacer = createPacer('requests', {
      store: createLocalPaces(),
      bulk: true,
      now: () => now,
    });
    await pacer.refused({ wait: 1_000, started: at, state: undefined });
    pacer.passed(undefined);
    expect(await pacer.turn()).toBeDefined();
    now += 60_000;
    expect(await pacer.turn()).toBeUndefined();
    const urgent = createPacer('requests', {
      store: createLocalPaces(),
      bulk: false,
      now: () => now,
    });
    await urgent.refused({ wait: 1_000, started: at, state: undefined });
    urgent.passed(undefined);
    expect(await urgent.turn()).toBeUndefined();
  });

  test.each([
    ['a year back', -365 * 86_400_000],
    ['an hour back', -3_600_000],
    ['a year on', 365 * 86_400_000],
  ])('a clock that is set %s: waits for a minute at most', async (_, jump) => {
    let now = 2_000_000_000_000;
    const store = createLocalPaces();
    const before = createPacer('requests', { store, bulk: true, now: () => now });
    await before.refused({ wait: 60_000, started: now, state: undefined });
    for (let n = 0; n < 1_000; n++) await before.turn();
    now += jump;
    const after = createPacer('requests', { store, bulk: true, now: () => now });
    await after.refused({ wait: 1_000, started: now, state: undefined });
    expect((await after.turn())?.wait).toBeLessThanOrEqual(61_500);
  });
});
