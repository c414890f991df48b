import { describe, expect, test } from 'vitest';
import { Pace, parseLimits } from '../../src/client/pacing.ts';

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

describe('one client', () => {
  const at = 1_000_000;
  const near = { left: 9, interval: 100 };
  const open = (bulk: boolean) => new Pace({ bulk, now: () => at });

  test('starts at once while the limit has room', () => {
    const pace = open(true);
    expect(pace.turn()).toBe(at);
    pace.passed({ left: 10, interval: 100 });
    pace.passed(undefined);
    expect([pace.turn(), pace.turn()]).toEqual([at, at]);
  });

  test('in bulk, leaves the last second of the limit to others', () => {
    const [bulk, urgent] = [open(true), open(false)];
    for (const pace of [bulk, urgent]) pace.passed(near);
    expect([bulk.turn(), bulk.turn(), bulk.turn()]).toEqual([at, at + 125, at + 250]);
    expect([urgent.turn(), urgent.turn()]).toEqual([at, at]);
    bulk.passed({ left: 10, interval: 100 });
    expect(bulk.turn()).toBe(at);
  });

  test('waits as long as the server asks, then takes turns', () => {
    const pace = open(true);
    pace.refused(7_000, { left: 0, interval: 100 });
    pace.refused(2_000, { left: 0, interval: 100 });
    expect([pace.turn(), pace.turn()]).toEqual([at + 7_000, at + 7_125]);
  });
});
