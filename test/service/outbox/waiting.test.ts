/** What the outbox waits for: a notification, and the time until the next attempt. */
import { expect, test } from 'vitest';
import { createNotifier } from '../../../src/service/outbox/notifier.ts';
import { timing } from '../../../src/service/outbox/timing.ts';

const never = new AbortController().signal;
const long = 2 ** 40;

test('a notification wakes the listener', async () => {
  const notifier = createNotifier();
  const woken = notifier.wait(long, never);
  notifier.notify();
  await expect(woken).resolves.toBeUndefined();
});

test('a notification without a listener wakes the next one, once', async () => {
  const notifier = createNotifier();
  notifier.notify();
  notifier.notify();
  await notifier.wait(long, never);
  let woken = false;
  const next = notifier.wait(long, never).then(() => {
    woken = true;
  });
  await new Promise(setImmediate);
  expect(woken).toBe(false);
  notifier.notify();
  await next;
  expect(woken).toBe(true);
});

test('an abort wakes too, also an earlier one', async () => {
  const ending = new AbortController();
  const woken = createNotifier().wait(long, ending.signal);
  ending.abort();
  await expect(woken).resolves.toBeUndefined();
  await expect(createNotifier().wait(long, ending.signal)).resolves.toBeUndefined();
});

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
