import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import {
  completePath,
  pathsIn,
  splitPaths,
} from '../../../../src/cli/commands/photos/typed-paths.ts';
import { folderWith } from '../counter/counter.ts';

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
  expect(splitPaths('"C:\\My Photos\\a.jpg" D:\\b.jpg', 'win32')).toEqual([
    'C:\\My Photos\\a.jpg',
    'D:\\b.jpg',
  ]);
});

test('a line is a path, or paths with spaces, commas or addresses between them', async () => {
  const cwd = await folderWith({
    'front left.jpg': 'x',
    'a.jpg': 'x',
    'b.jpg': 'x',
    'c,d.jpg': 'x',
    "it's (1).jpg": 'x',
  });
  const read = (line: string) => pathsIn(line, { cwd, home: cwd, platform: 'linux' });
  const address = (name: string) => pathToFileURL(join(cwd, name)).href;
  const cases: [line: string, paths: string[]][] = [
    ['front left.jpg', ['front left.jpg']],
    ['  front left.jpg ', ['front left.jpg']],
    [join(cwd, 'front left.jpg'), [join(cwd, 'front left.jpg')]],
    ['~/front left.jpg', ['~/front left.jpg']],
    ["it's (1).jpg", ["it's (1).jpg"]],
    ['a.jpg, b.jpg', ['a.jpg', 'b.jpg']],
    ['a.jpg,b.jpg', ['a.jpg', 'b.jpg']],
    ['c,d.jpg a.jpg', ['c,d.jpg', 'a.jpg']],
    ['{a,b}.jpg', ['{a,b}.jpg']],
    ['*.jpg', ['*.jpg']],
    [address('front left.jpg'), [join(cwd, 'front left.jpg')]],
    [`${address('a.jpg')} ${address('b.jpg')}`, [join(cwd, 'a.jpg'), join(cwd, 'b.jpg')]],
    // As terminals write what is dropped on them: with quotes, with backslashes.
    [`'${cwd}/it'\\''s (1).jpg' `, [join(cwd, "it's (1).jpg")]],
    [`${cwd}/front\\ left.jpg ${cwd}/a.jpg `, [join(cwd, 'front left.jpg'), join(cwd, 'a.jpg')]],
    ['file://elsewhere/a.jpg', ['file://elsewhere/a.jpg']],
    ['', []],
  ];
  for (const [line, paths] of cases) expect([line, await read(line)]).toEqual([line, paths]);
  expect(await pathsIn("& 'C:\\a b.jpg'", { cwd, home: cwd, platform: 'win32' })).toEqual([
    'C:\\a b.jpg',
  ]);
});

test.each([
  ['r', 'ear.heic '],
  ['fr', 'ont'],
  ['front.', 'jpg '],
  ['front\\ ', '2.JPG '],
  ['s', 'hots/'],
  ['shots/', 'a.png '],
  ['m', 'y\\ photos/'],
  ['my\\ photos/b', '.webp '],
  ['"m', 'y photos/'],
  ['"my photos/b', '.webp" '],
  ["'my photos/b", ".webp' "],
  ['front.jpg r', 'ear.heic '],
  ['~/r', 'ear.heic '],
  ['.h', 'idden.jpg '],
  ['n', ''],
  ['nowhere/x', ''],
  ['', ''],
])('Tab after %j adds %j', async (line, added) => {
  const names = ['front.jpg', 'front 2.JPG', 'notes.txt', '.hidden.jpg', 'rear.heic'];
  const below = ['shots/a.png', 'my photos/b.webp'];
  const cwd = await folderWith(Object.fromEntries([...names, ...below].map((name) => [name, ''])));
  expect(await completePath(line, { cwd, home: cwd, platform: 'linux' })).toBe(added);
});
