import { expect, test } from 'vitest';
import { isSameId } from '../../src/client/ids.ts';

test.each([
  ['7F3C9A52-0000-4000-8000-00000000000A', '7f3c9a52-0000-4000-8000-00000000000a', true],
  ['aB3xK9', 'aB3xK9', true],
  ['aB3xK9', 'Ab3xk9', false],
  [7, '7', true],
])('whether %s and %s are the same id: %s', (a, b, expected) => {
  expect(isSameId(a, b)).toBe(expected);
});
