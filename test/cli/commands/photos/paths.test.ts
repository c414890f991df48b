import { expect, test } from 'vitest';
import { splitPaths } from '../../../../src/cli/commands/photos/ask.ts';

test.each([
  ['', []],
  ['   ', []],
  ['a.jpg', ['a.jpg']],
  [' a.jpg   b.jpg ', ['a.jpg', 'b.jpg']],
  ['shots/*.jpg', ['shots/*.jpg']],
  [`'two words.jpg' b.jpg`, ['two words.jpg', 'b.jpg']],
  ['"two words.jpg"', ['two words.jpg']],
  ['two\\ words.jpg', ['two words.jpg']],
  [`"it's.jpg"`, [`it's.jpg`]],
  [`it's.jpg`, [`it's.jpg`]],
  [`'/a b/'c.jpg`, ['/a b/c.jpg']],
  ['"never closed.jpg', ['never closed.jpg']],
  [`''`, ['']],
  ['a\\', ['a\\']],
])('%j', (line, paths) => {
  expect(splitPaths(line, 'linux')).toEqual(paths);
});

test('on Windows a backslash separates folders', () => {
  expect(splitPaths('"C:\\My Photos\\a.jpg" D:\\b.jpg', 'win32')).toEqual(['C:\\My Photos\\a.jpg', 'D:\\b.jpg']);
});
