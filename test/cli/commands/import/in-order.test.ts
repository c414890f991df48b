import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inOrder } from '../../../../src/cli/commands/import/in-order.ts';

async function* upTo(count: number): AsyncGenerator<number, void> {
  for (let number = 0; number < count; number++) yield number;
}

test('sends in parallel up to the limit, and keeps the order of the results', async () => {
  let underway = 0;
  let most = 0;
  const act = async (number: number) => {
    most = Math.max(most, ++underway);
    // The later ones are done first.
    for (let turn = 0; turn < 20 - number; turn++) await setImmediate();
    underway -= 1;
    return number;
  };
  const results = [];
  for await (const result of inOrder(upTo(20), 4, act)) results.push(result);
  expect([results, most]).toEqual([Array.from({ length: 20 }, (_, number) => number), 4]);
});

test('a slow task holds up 31 others at most, whose results come after it', async () => {
  const slow = Promise.withResolvers<void>();
  let started = 0;
  const act = async (number: number) => {
    started += 1;
    if (number === 0) await slow.promise;
    return number;
  };
  const reading = Array.fromAsync(inOrder(upTo(50), 4, act));
  for (let turn = 0; turn < 100; turn++) await setImmediate();
  expect(started).toBe(32);
  slow.resolve();
  expect(await reading).toEqual(Array.from({ length: 50 }, (_, number) => number));
});

test('a reader that stops waits for the open requests', async () => {
  const done: number[] = [];
  const act = async (number: number) => {
    await setImmediate();
    done.push(number);
    return number;
  };
  for await (const _ of inOrder(upTo(20), 5, act)) break;
  const then = [...done];
  await setImmediate();
  expect([done, done.length]).toEqual([then, 5]);
});

test('a failure ends the import', async () => {
  const act = async (number: number) => {
    if (number === 3) throw new Error('three');
    return number;
  };
  const results: number[] = [];
  const reading = async () => {
    for await (const result of inOrder(upTo(20), 4, act)) results.push(result);
  };
  await expect(reading()).rejects.toThrow('three');
  expect(results).toEqual([0, 1, 2]);
});
