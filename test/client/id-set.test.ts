import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createIdSet } from '../../src/client/id-set.ts';
import fc from '../helpers/property.ts';

/** UUIDs that differ in few bits, ids in other spellings, and what is no UUID at all. */
const ids = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.integer({ min: 0, max: 40 }).map((n) => `01a1f775-5ed2-757e-a517-${n.toString(16).padStart(12, '0')}`),
  fc.constantFrom(
    '00000000-0000-0000-0000-000000000000',
    '',
    'c1',
    '01a1f775-5ed2-757e-a517-00000000000g',
    '01a1f775_5ed2-757e-a517-000000000001',
  ),
  fc.string({ minLength: 36, maxLength: 36 }),
);

test('it answers as a set of strings does', () => {
  fc.assert(
    fc.property(fc.array(ids, { maxLength: 200 }), (added) => {
      const [ours, strings] = [createIdSet(), new Set<string>()];
      for (const id of added) {
        expect(ours.add(id)).toBe(!strings.has(id));
        strings.add(id);
      }
      expect(ours.size).toBe(strings.size);
    }),
  );
});

test.each(['g', '/', ':', '`', 'A', '\u0080', '\u00b0', '\u0130'])('%j is no digit', (sign) => {
  const set = createIdSet();
  const ids = ['0', sign].map((last) => `01a1f775-5ed2-757e-a517-00000000000${last}`);
  expect(ids.map((id) => set.add(id))).toEqual([true, true]);
  expect(ids.map((id) => set.add(id))).toEqual([false, false]);
});

test('also when it has grown many times', () => {
  const set = createIdSet();
  const many = Array.from({ length: 20_000 }, (_, n) =>
    n % 2 ? randomUUID() : `01a1f775-5ed2-757e-a517-${n.toString(16).padStart(12, '0')}`,
  );
  expect(many.every((id) => set.add(id))).toBe(true);
  expect(many.some((id) => set.add(id))).toBe(false);
  expect(set.size).toBe(many.length);
});
