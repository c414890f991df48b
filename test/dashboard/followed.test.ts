/** What the dashboard's pages keep of the records that they read. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { follow } from '../../src/dashboard/followed.ts';
import { hearStamp } from '../../src/dashboard/stamp.ts';

test('what has changed is read, without what is not wanted any more; after an hour all of it, without what was deleted', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked: (string | undefined)[] = [];
  let answer: { id: string; isHere: boolean }[] = [];
  const read = follow(
    async (updatedAfter) => {
      asked.push(updatedAfter);
      return answer;
    },
    ({ isHere }) => isHere,
  );
  const after = async (minutes: number, ...records: string[]) => {
    vi.setSystemTime(Date.now() + minutes * 60_000);
    answer = records.map((text) => ({ id: text.slice(0, 1), isHere: !text.endsWith('-') }));
    return [...(await read()).keys()];
  };
  hearStamp('1');
  expect(await after(0, 'a', 'b', 'c')).toEqual(['a', 'b', 'c']);
  hearStamp('2');
  expect(await after(59, 'a-', 'd')).toEqual(['b', 'c', 'd']);
  expect(await after(1, 'c', 'd')).toEqual(['c', 'd']);
  expect(await after(59, 'e')).toEqual(['c', 'd', 'e']);
  expect(asked).toEqual([undefined, '1', undefined, '2']);
});
