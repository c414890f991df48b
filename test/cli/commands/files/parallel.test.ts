import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mapParallel } from '../../../../src/cli/commands/files/parallel.ts';

/** Tasks that end when the test says so, and how many of them run. */
function tasks() {
  const open = new Map<number, PromiseWithResolvers<string>>();
  const begun: number[] = [];
  return {
    begun,
    make(index: number): Promise<string> {
      begun.push(index);
      const task = Promise.withResolvers<string>();
      open.set(index, task);
      return task.promise;
    },
    async end(index: number) {
      open.get(index)?.resolve(`result ${index}`);
      await turn();
    },
    async fail(index: number) {
      open.get(index)?.reject(new Error(`task ${index}`));
      await turn();
    },
  };
}

test('mapParallel runs so many at once, and keeps the order', async () => {
  const { make, begun, end } = tasks();
  const results = mapParallel([0, 1, 2, 3], 2, make);
  expect(begun).toEqual([0, 1]);
  await end(1);
  expect(begun).toEqual([0, 1, 2]);
  for (const index of [2, 0, 3]) await end(index);
  expect(await results).toEqual(['result 0', 'result 1', 'result 2', 'result 3']);
});

test('mapParallel throws the first error', async () => {
  const { make, end, fail } = tasks();
  const results = mapParallel([0, 1], 2, make);
  results.catch(() => {});
  await fail(0);
  await end(1);
  await expect(results).rejects.toThrow('task 0');
});
