import { expect, test } from 'vitest';
import { timing } from '../../../src/service/outbox/timing.ts';

const waits = () => {
  const all: number[] = [];
  for (
    let wait = timing.retryAfterMs(1);
    wait !== undefined;
    wait = timing.retryAfterMs(all.length + 1)
  )
    all.push(wait);
  return all;
};

test('waits ten seconds, then twice as long each time, an hour at most, and gives up after about a day', () => {
  expect(waits().slice(0, 4)).toEqual([10_000, 20_000, 40_000, 80_000]);
  expect(Math.max(...waits())).toBe(3_600_000);
  const hours = waits().reduce((sum, wait) => sum + wait, 0) / 3_600_000;
  expect(hours).toBeGreaterThan(20);
  expect(hours).toBeLessThan(28);
});

test('a claim lasts longer than its delivery', () => {
  expect(timing.leaseMs).toBeGreaterThan(2 * timing.deliveryMs);
});
