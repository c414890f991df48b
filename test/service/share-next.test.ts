/** Calls that share an answer never get one to a question that was asked before they came. */
import { expect, test } from 'vitest';
import { shareNext } from '../../src/service/share-next.ts';

/** Questions in the order in which they were asked; each is answered with its number, or fails, when the test says so. */
function asked() {
  const questions: { name: string; answer: (error?: Error) => void }[] = [];
  const ask = shareNext((name) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const number = questions.length;
    questions.push({ name, answer: (error) => (error ? reject(error) : resolve(number)) });
    return promise;
  });
  return { questions, ask };
}

test('those that come while one runs share the next one, each name for itself', async () => {
  const { questions, ask } = asked();
  const first = ask('a');
  const later = [ask('a'), ask('a')];
  const other = ask('b');
  expect(questions.map(({ name }) => name)).toEqual(['a', 'b']);
  questions[0]?.answer();
  expect(await first).toBe(0);
  await expect.poll(() => questions.length).toBe(3);
  const last = ask('a');
  questions[2]?.answer();
  expect(await Promise.all(later)).toEqual([2, 2]);
  await expect.poll(() => questions.length).toBe(4);
  questions[3]?.answer();
  questions[1]?.answer();
  expect([await last, await other]).toEqual([3, 1]);
});

test('a failure is of those that shared it alone', async () => {
  const { questions, ask } = asked();
  const first = ask('a');
  const next = ask('a');
  questions[0]?.answer(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await expect.poll(() => questions.length).toBe(2);
  questions[1]?.answer();
  expect(await next).toBe(1);
  const after = ask('a');
  questions[2]?.answer();
  expect(await after).toBe(2);
});
