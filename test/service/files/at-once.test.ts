/** Eight files at a time; what a failure leaves. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forEachFile } from '../../../src/service/files/at-once.ts';

const files = Array.from({ length: 30 }, (_, n) => n);

test('each file once, eight at a time', async () => {
  const [begun, running] = [[] as number[], new Set<number>()];
  let most = 0;
  await forEachFile(files, async (file) => {
    begun.push(file);
    running.add(file);
    most = Math.max(most, running.size);
    await turn();
    running.delete(file);
  });
  expect(begun).toEqual(files);
  expect(most).toBe(8);
});

test('a failure is thrown when the files that were begun have ended, and no other begins', async () => {
  const [begun, ended] = [[] as number[], [] as number[]];
  const failed = forEachFile(files, async (file) => {
    begun.push(file);
    if (file === 3) throw new Error('no room');
    if (file === 5) throw new Error('no room either');
    await turn();
    ended.push(file);
  });
  await expect(failed).rejects.toThrow(/^no room$/);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(ended).toEqual([0, 1, 2, 4, 6, 7]);
});
