/** What the counter keeps of the photos that arrive. */
import { expect, test } from 'vitest';
import { createReception } from '../../../src/cli/phone/reception.ts';

const facts = (id: string, size = 3) => ({ phone: 'p', id, name: `${id}.jpg`, size });

function openReception() {
  const dropped: string[] = [];
  const reception = createReception<string>({
    title: 'Emma · drop-off',
    keep: async (name, bytes) => ({ name, sizeBytes: bytes.readUInt32BE(), note: '', photo: name }),
    drop: async (name) => void dropped.push(name),
    onChange: () => {},
  });
  const take = (id: string, size = 3) => {
    const bytes = Buffer.from(`    ${id}`);
    bytes.writeUInt32BE(size);
    return reception.take(facts(id), bytes);
  };
  return { reception, dropped, take };
}

test('a photo of 40 MB, 100 of them and 500 MB pass; one byte or photo more is refused', async () => {
  const { reception, take } = openReception();
  const messageOf = (size: number) => {
    const refusal = reception.refusal(facts('x', size));
    return refusal && 'message' in refusal && refusal.message;
  };
  expect(messageOf(40_000_000)).toBeUndefined();
  expect(messageOf(40_000_001)).toBe('Larger than 40 MB');
  await take('a', 499_999_990);
  expect(messageOf(10)).toBeUndefined();
  expect(messageOf(11)).toBe('Not sent: 500 MB are the most at once');
  await reception.dropLast();
  for (let n = 0; n < 99; n += 1) await take(`p${n}`);
  expect(messageOf(3)).toBeUndefined();
  await take('last');
  expect(messageOf(3)).toBe('Not sent: 100 photos are the most at once');
});

test('dropping takes the last one, and the same photo may come again', async () => {
  const { reception, dropped, take } = openReception();
  expect(await reception.dropLast()).toBe(false);
  await take('a');
  await take('b');
  reception.refusal(facts('c', 41_000_000));
  expect(await reception.dropLast()).toBe(true);
  expect(dropped).toEqual(['b.jpg']);
  expect(await take('b')).toEqual({ status: 'received' });
  expect(reception.photos()).toEqual(['a.jpg', 'b.jpg']);
});
