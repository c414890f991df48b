import { expect, test } from 'vitest';
import { differenceOf, type Origin } from '../../../src/cli/commands/connection/origin.ts';
import { describeKey, keyPrefix } from '../../../src/cli/config/describe-key.ts';

test('a key with a dot is shown by its public part', () => {
  expect(describeKey({ key: 'csk_abcdef.secret' })).toBe('csk_abcdef.…');
});

test('keys without a dot, or without a public part, are told apart, and nothing of them is shown', () => {
  const keys = ['hunter2', 'hunter3', '.hunter2', 'x'.repeat(40)];
  const shown = keys.map(keyPrefix);
  expect(new Set(shown).size).toBe(keys.length);
  for (const one of shown) expect(one).toMatch(/^#[0-9a-f]{8}$/);
  expect(keyPrefix('hunter2')).toBe(shown[0]);
});

test('what one of them left is of another key', () => {
  const of = (key: string): Origin => ({
    server: 'https://a.example',
    team: null,
    key: keyPrefix(key),
  });
  expect(differenceOf(of('hunter2'), of('hunter3'))).toBe('key');
  expect(differenceOf(of('hunter2'), of('hunter2'))).toBeUndefined();
});
