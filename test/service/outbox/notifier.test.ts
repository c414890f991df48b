import { expect, test } from 'vitest';
import { createNotifier } from '../../../src/service/outbox/notifier.ts';

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
