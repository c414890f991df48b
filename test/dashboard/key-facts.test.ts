/** What is said about a key that another one replaces. */
import { expect, test } from 'vitest';
import { remarksOn, replacementOf, successorOf } from '../../src/dashboard/key-facts.ts';
import type { ApiKey } from '../../src/dashboard/read.ts';

const now = Date.now();
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString();
const key = (id: string, more: Partial<ApiKey> = {}): ApiKey =>
  ({
    id,
    createdAt: daysAgo(40),
    lastUsedAt: daysAgo(0),
    expiresAt: daysAgo(-90),
    revokedAt: null,
    replacesId: null,
    scopes: [],
    ...more,
  }) as unknown as ApiKey;
const old = key('old');
const replacement = key('new', { replacesId: 'old', createdAt: daysAgo(2) });

test('a replacement that is over replaces nothing, but stays the one that came after', () => {
  const textsOf = (keys: readonly ApiKey[]) => remarksOn(old, keys, now).map(({ text }) => text);
  expect(replacementOf(old, [old, replacement])).toBe(replacement);
  expect(textsOf([old, replacement])).toEqual([expect.stringContaining('not revoked yet')]);
  const over = { ...replacement, revokedAt: daysAgo(1) };
  expect(replacementOf(old, [old, over])).toBe(undefined);
  expect(successorOf(old, [old, over])).toBe(over);
  expect(textsOf([old, over])).toEqual([]);
});

test.each([
  [15, []],
  [13, [expect.stringMatching(/^expires in 13 days/)]],
])('a key with %d days left', (days, said) => {
  const one = key('one', { expiresAt: daysAgo(-days) });
  expect(remarksOn(one, [one], now).map(({ text }) => text)).toEqual(said);
});
