import { describe, expect, test } from 'vitest';
import { insertText, readShellLine } from '../../../../src/cli/framework/completion/shell-line.ts';

/** What bash breaks words at unless told otherwise. */
const breaks = ' \t\n"\'@><=;|&(:';

test.each<[string, string[], string, string]>([
  ['cs ', [''], '', ''],
  ['cs cars  li', ['cars', 'li'], 'li', ''],
  ['cs cars get "WN A', ['cars', 'get', 'WN A'], '"WN A', '"'],
  ["cs cars get 'WN \\A", ['cars', 'get', 'WN \\A'], "'WN \\A", "'"],
  ['cs cars get WN\\ A', ['cars', 'get', 'WN A'], 'WN\\ A', ''],
  ['cs cars get "a\\"b\\c" ', ['cars', 'get', 'a"b\\c', ''], '', ''],
  ['cs --x="a b"c', ['--x=a bc'], '--x="a b"c', ''],
  ['CS_PROFILE=x B=2 cs cars', ['cars'], 'cars', ''],
  ["cs get '' x", ['get', '', 'x'], 'x', ''],
])('%j', (text, words, raw, quote) => {
  expect(readShellLine(text)).toEqual({ words, raw, quote });
});

describe('inserted text', () => {
  test.each<[value: string, line: string, inserted: string]>([
    ['stored', 'cs --status st', 'stored'],
    ['WN AB 1', 'cs get W', 'WN\\ AB\\ 1'],
    ['WN AB 1', 'cs get "W', 'WN AB 1'],
    ['a "b" $c `d`', 'cs get "a', 'a \\"b\\" \\$c \\`d\\`'],
    ["O'Hara's", "cs get 'O", "O'\\''Hara'\\''s"],
    ["O'Hara (2) & $x", 'cs get O', "O\\'Hara\\ \\(2\\)\\ \\&\\ \\$x"],
    ['Müller', 'cs get M', 'Müller'],
    ['Hall: North', 'cs get Hall', 'Hall:\\ North'],
    ['Hall: North', 'cs get Hall:', '\\ North'],
    ['Hall: North', 'cs get Hall:\\ N', '\\ North'],
    ['Hall: North', 'cs get "Hall: N', 'Hall: North'],
    ['a:b:c d', 'cs get a:b:', 'c\\ d'],
    ['--status=stored', 'cs list --status=s', 'stored'],
    ['ann@example.com', 'cs get ann@', 'example.com'],
  ])('%j after %j is %j', (value, line, inserted) => {
    expect(insertText(value, readShellLine(line), breaks)).toBe(inserted);
  });
});
