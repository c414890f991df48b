import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { completePath } from '../../../../src/cli/commands/photos/typed-paths.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await makeFolder();
  for (const name of ['shots', 'my photos']) await mkdir(join(cwd, name));
  for (const name of [
    'front.jpg',
    'front 2.JPG',
    'notes.txt',
    '.hidden.jpg',
    'rear.heic',
    'shots/a.png',
    'my photos/b.webp',
  ])
    await writeFile(join(cwd, name), '');
});
afterAll(() => removeFolder(cwd));

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
])('%j adds %j', async (line, added) => {
  expect(await completePath(line, { cwd, home: cwd, platform: 'linux' })).toBe(added);
});
