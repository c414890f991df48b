/** Lines of parallel requests that share a wait for the disk. */
import { expect, test } from 'vitest';
import { writeTogether } from '../../../../src/cli/commands/bulk/together.ts';

test('lines that come during a write go together in the next one, in their order', async () => {
  const written: (readonly string[])[] = [];
  const write = writeTogether(async (lines) => {
    written.push(lines);
    await Promise.resolve();
  });
  const first = write('a');
  await Promise.resolve();
  await Promise.resolve();
  await Promise.all([first, write('b'), write('c')]);
  await write('d');
  expect(written).toEqual([['a'], ['b', 'c'], ['d']]);
});

test('a write that fails fails for each of its lines, and for no other', async () => {
  let failing = true;
  const write = writeTogether(async () => {
    if (failing) throw new Error('no space');
  });
  const both = await Promise.allSettled([write('a'), write('b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  failing = false;
  await expect(write('c')).resolves.toBeUndefined();
});
