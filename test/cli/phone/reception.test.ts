/** What the counter keeps of the photos that arrive. */
import { expect, test } from 'vitest';
import { createReception } from '../../../src/cli/phone/reception.ts';

test('dropping takes the last one, and the same photo may come again', async () => {
  const dropped: string[] = [];
  const reception = createReception<string>({
    title: 'Emma · drop-off',
    keep: async (name, bytes) => ({ name, sizeBytes: bytes.length, note: '', photo: name }),
    drop: async (name) => void dropped.push(name),
    onChange: () => {},
  });
  const facts = (id: string) => ({ phone: 'p', id, name: `${id}.jpg`, size: 3 });
  expect(await reception.dropLast()).toBe(false);
  await reception.take(facts('a'), Buffer.from('aaa'));
  await reception.take(facts('b'), Buffer.from('bbb'));
  reception.refusal({ ...facts('c'), size: 41_000_000 });
  expect(await reception.dropLast()).toBe(true);
  expect(dropped).toEqual(['b.jpg']);
  expect(await reception.take(facts('d'), Buffer.from('bbb'))).toEqual({ status: 'there' });
  expect(reception.photos()).toEqual(['a.jpg', 'd.jpg']);
});
