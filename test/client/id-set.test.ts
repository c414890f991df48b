/** The set of ids that a long list was read with: the same as a `Set`, whatever the ids are. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { IdSet } from '../../src/client/id-set.ts';
import { idKey } from '../../src/client/ids.ts';

const counted = (n: number) => `0190a1f8-25ad-7574-ba20-${n.toString(16).padStart(12, '0')}`;

test.each<[string, (n: number) => string]>([
  ['random UUIDs', () => randomUUID()],
  ['UUIDs that count', counted],
  [
    'UUIDs that count from the front',
    (n) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
  ],
  [
    'UUIDs in capitals and small',
    (n) => (n % 2 === 0 ? counted(n >> 1) : counted(n >> 1).toUpperCase()),
  ],
  ['numbers', (n) => String(n)],
  [
    'texts, the empty one and that of zeros',
    (n) => ['', '00000000-0000-0000-0000-000000000000', `${counted(1)}x`][n % 3] as string,
  ],
])('%s', (_name, make) => {
  const [ours, plain] = [new IdSet(), new Set<string>()];
  const ids = Array.from({ length: 20_000 }, (_, n) => make(n));
  const wrong = [...ids, ...ids].filter((id) => {
    const isNew = !plain.has(idKey(id));
    plain.add(idKey(id));
    return ours.has(id) === isNew || ours.add(id) !== isNew || !ours.has(id);
  });
  expect(wrong).toEqual([]);
  expect(ours.size).toBe(plain.size);
  expect(ours.has(make(20_001) === '' ? 'none' : `${counted(20_001)}0`)).toBe(false);
});
