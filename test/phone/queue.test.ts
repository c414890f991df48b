/** The queue of the page: one photo at a time, and again after a break. */
import { expect, test } from 'vitest';
import { createQueue, type QueuedPhoto } from '../../src/phone/queue.ts';

type Send = (
  photo: QueuedPhoto<string>,
) => ReturnType<Parameters<typeof createQueue<string>>[0]['send']>;

function queueWith(send: Send) {
  const waited: number[] = [];
  const idle = Promise.withResolvers<void>();
  const queue = createQueue<string>({
    send,
    wait: async (ms) => void waited.push(ms),
    onChange() {
      if (
        queue?.photos.length > 0 &&
        queue.photos.every(({ status }) => status !== 'waiting' && status !== 'sending')
      )
        idle.resolve();
    },
  });
  return { queue, waited, idle: idle.promise };
}

const files = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `${at + 1}.jpg`, size: 1, file: `${at + 1}` }));

test('sends one at a time, in order', async () => {
  let open = 0;
  const order: number[] = [];
  const { queue, idle } = queueWith(async ({ n }) => {
    open += 1;
    expect(open).toBe(1);
    await Promise.resolve();
    order.push(n);
    open -= 1;
    return { status: 'there' };
  });
  queue.add(files(2));
  queue.add(files(1));
  await idle;
  expect(order).toEqual([1, 2, 3]);
});

test('tries again after 1, 2, 4, 8, 15 and 15 seconds, with the same number', async () => {
  let left = 6;
  const numbers = new Set<number>();
  const { queue, waited, idle } = queueWith(async ({ n }) => {
    numbers.add(n);
    left -= 1;
    if (left >= 0) throw new Error('no answer');
    return { status: 'there' };
  });
  queue.add(files(1));
  await idle;
  expect(waited).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  expect([...numbers]).toEqual([1]);
  expect(queue.isBroken()).toBe(false);
});

test('a refused photo holds no other, and is sent again under another number', async () => {
  const seen: number[] = [];
  const { queue, idle } = queueWith(async ({ n }) => {
    seen.push(n);
    return n === 1 ? { status: 'refused', message: 'disk full', again: true } : { status: 'there' };
  });
  queue.add(files(2));
  await idle;
  expect(queue.photos[0]).toMatchObject({ status: 'refused', message: 'disk full', again: true });
  queue.retry(queue.photos[0] as QueuedPhoto<string>);
  await Promise.resolve();
  await Promise.resolve();
  expect(seen).toEqual([1, 2, 3]);
});

test('continues the numbers of an earlier page, and notes what the counter left out', async () => {
  const { queue, idle } = queueWith(async () => ({ status: 'there' }));
  queue.take({ photos: { 7: { status: 'there' } } });
  queue.add(files(1));
  await idle;
  expect(queue.photos[0]?.n).toBe(8);
  queue.take({ photos: { 8: { status: 'dropped' } } });
  expect(queue.photos[0]?.status).toBe('dropped');
});

test('stops where the counter has gone on', async () => {
  const sent: number[] = [];
  const { queue } = queueWith(async ({ n }) => {
    sent.push(n);
    return 'end';
  });
  queue.add(files(3));
  await Promise.resolve();
  await Promise.resolve();
  expect(sent).toEqual([1]);
});
