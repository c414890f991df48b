/** What is said about a key that another one replaces. */
import { expect, test } from 'vitest';

// Without its types, which are those of a browser.
const pages: string = '../../src/dashboard';
const { isReplaced, remarksOn, replacementOf, replacementText, stateOf, successorOf } =
  await import(`${pages}/key-facts.ts`);

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

// Days since the last use of the old key, and since the new one was made and used.
test.each([
  [
    'This key is still in use. Give the new one to the program; this page shows when the old one falls silent.',
    ...([0, 0.9, null] as const),
  ],
  [
    'This key is still in use a day after its replacement was made: look for the program without the new one.',
    ...([0.02, 1.1, 0] as const),
  ],
  [
    'This key has been silent for an hour, and the new one is in use: this one can be revoked.',
    0.1,
    2,
    0.05,
  ],
  [
    'This key has been silent for an hour. The new one was last used even earlier: give it to the program.',
    ...([0.1, 2, 0.2] as const),
  ],
  [
    'This key has been silent for an hour. The new one was not used yet: give it to the program.',
    0.1,
    2,
    null,
  ],
  ['This key was never used, and the new one is in use: this one can be revoked.', null, 2, 5],
])('%s', (said, usedAt, madeAt, newUsedAt) => {
  const before = { ...old, lastUsedAt: usedAt === null ? null : daysAgo(usedAt) };
  const after = {
    ...replacement,
    createdAt: daysAgo(madeAt),
    lastUsedAt: newUsedAt === null ? null : daysAgo(newUsedAt),
  };
  expect(replacementText(before, after)).toBe(said);
  expect(isReplaced(before, after)).toBe(said.includes('new one is in use'));
});

test('the state of a key says when it ended', () => {
  const expiresAt = '2026-03-10T13:03:22Z';
  expect(
    [old, { ...old, expiresAt }, { ...old, expiresAt, revokedAt: expiresAt }].map((one) =>
      stateOf(one),
    ),
  ).toEqual([
    'active',
    'expired Mar 10, 2026',
    expect.stringMatching(/^revoked Mar 10, 2026, 1:03\sPM$/),
  ]);
});
