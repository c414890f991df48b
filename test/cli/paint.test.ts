import { expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { type ColorChoice, coloured } from '../../src/cli/paint.ts';

test.each<[string, Record<string, string>, boolean, ColorChoice, boolean]>([
  ['a terminal', {}, true, 'auto', true],
  ['a pipe', {}, false, 'auto', false],
  ['NO_COLOR', { NO_COLOR: '1' }, true, 'auto', false],
  ['an empty NO_COLOR', { NO_COLOR: '' }, true, 'auto', true],
  ['NO_COLOR wins over FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, 'auto', false],
  ['FORCE_COLOR', { FORCE_COLOR: '1' }, false, 'auto', true],
  ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, 'auto', false],
  ['TERM=dumb', { TERM: 'dumb' }, true, 'auto', false],
  ['the flag says always', { NO_COLOR: '1' }, false, 'always', true],
  ['the flag says never', { FORCE_COLOR: '1' }, true, 'never', false],
])('%s', (_, env, stdoutIsTerminal, choice, expected) => {
  expect(coloured({ env, stdoutIsTerminal } as unknown as Io, 'stdout', choice)).toBe(expected);
});
