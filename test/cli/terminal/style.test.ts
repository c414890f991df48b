import { describe, expect, test } from 'vitest';
import type { Io } from '../../../src/cli/terminal/io.ts';
import { type ColorChoice, hasColor, stylesFor } from '../../../src/cli/terminal/style.ts';

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
  expect(hasColor({ env, stdoutIsTerminal } as unknown as Io, 'stdout', choice)).toBe(expected);
});

describe('a style', () => {
  const io = { env: { TERM: 'xterm' }, stdoutIsTerminal: true } as unknown as Io;

  test('uses the sixteen basic colours on every terminal', async () => {
    const on = await stylesFor(io, 'stdout', 'auto');
    expect([
      on.title('a'),
      on.dim('a'),
      on.success('a'),
      on.warning('a'),
      on.error('a'),
      on.command('a'),
    ]).toEqual([
      '\u001b[1ma\u001b[22m',
      '\u001b[2ma\u001b[22m',
      '\u001b[32ma\u001b[39m',
      '\u001b[33ma\u001b[39m',
      '\u001b[31m\u001b[1ma\u001b[22m\u001b[39m',
      '\u001b[36ma\u001b[39m',
    ]);
    const rich = await stylesFor({ ...io, env: { COLORTERM: 'truecolor' } }, 'stdout', 'always');
    expect(rich.success('a')).toBe(on.success('a'));
  });
  test('styles one text, and leaves an empty one unchanged', async () => {
    const on = await stylesFor(io, 'stdout', 'auto');
    expect(['a', 'b'].map(on.success)).toEqual([on.success('a'), on.success('b')]);
    expect(on.success('')).toBe('');
  });
  test('adds nothing without colour', async () => {
    const off = await stylesFor(io, 'stdout', 'never');
    expect([off.title('a'), off.error('a'), off.dim('')]).toEqual(['a', 'a', '']);
  });
});
