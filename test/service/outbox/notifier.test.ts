import { expect, test } from 'vitest';
import { createNotifier } from '../../../src/service/outbox/notifier.ts';

const never = new AbortController().signal;
const long = 2 ** 40;

test('a ring wakes who listens', async () => {
  const bell = createNotifier();
  const heard = bell.heard(long, never);
  bell.ring();
  await expect(heard).resolves.toBeUndefined();
});

test('a ring that nobody heard is heard by the next, once', async () => {
  const bell = createNotifier();
  bell.ring();
  bell.ring();
  await bell.heard(long, never);
  let woken = false;
  const next = bell.heard(long, never).then(() => {
    woken = true;
  });
  await new Promise(setImmediate);
  expect(woken).toBe(false);
  bell.ring();
  await next;
  expect(woken).toBe(true);
});

test('time wakes too', async () => {
  await expect(createNotifier().heard(1, never)).resolves.toBeUndefined();
  await expect(createNotifier().heard(-1, never)).resolves.toBeUndefined();
});

test('so does the end of the work, also when it came before', async () => {
  const ending = new AbortController();
  const heard = createNotifier().heard(long, ending.signal);
  ending.abort();
  await expect(heard).resolves.toBeUndefined();
  await expect(createNotifier().heard(long, ending.signal)).resolves.toBeUndefined();
});
