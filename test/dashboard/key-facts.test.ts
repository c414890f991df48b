/** What is said about a key that another one replaces. */
import { expect, test } from 'vitest';

// Without its types, which are those of a browser.
const pages: string = '../../src/dashboard';
const { remarksOn, replacementOf, successorOf } = await import(`${pages}/key-facts.ts`);

const now = Date.now();
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString();
const key = (id: string, more: object = {}) => ({
  id,
  createdAt: daysAgo(40),
  lastUsedAt: daysAgo(0),
  expiresAt: daysAgo(-90),
  revokedAt: null,
  replacesId: null,
  scopes: [],
  ...more,
});
const old = key('old');
const replacement = key('new', { replacesId: 'old', createdAt: daysAgo(2) });
const textOf = ({ text }: { readonly text: string }) => text;

test('a replacement that is over replaces nothing, but stays the one that came after', () => {
  const textsOf = (keys: readonly object[]) => remarksOn(old, keys, now).map(textOf);
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
  expect(remarksOn(one, [one], now).map(textOf)).toEqual(said);
});
