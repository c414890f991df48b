import { mkdir, symlink } from 'node:fs/promises';
import { relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { findPhotos } from '../../../../src/cli/commands/photos/find.ts';
import { photoFolder } from './folder.ts';

const folder = await photoFolder();
const home = `${folder.path}/home [x]`;
const find = (...patterns: string[]) => findPhotos(patterns, { cwd: folder.path, home });
const found = async (...patterns: string[]) =>
  (await find(...patterns)).map((path) => relative(folder.path, path));

beforeAll(async () => {
  for (const name of ['shots', 'shots/raw.jpg', 'bare', 'home [x]'])
    await mkdir(`${folder.path}/${name}`);
  const names = [
    'shots/IMG_10.jpg',
    'shots/IMG_2.JPG',
    'shots/IMG_1.jpg',
    'shots/b.heic',
    'shots/notes.txt',
    'shots/._IMG_1.jpg',
  ];
  for (const name of [...names, 'a[1].jpg', 'a1.jpg', 'home [x]/h.jpg', 'z.jpg'])
    await folder.put(name, 'x');
  await symlink('IMG_1.jpg', `${folder.path}/shots/link.png`);
  await symlink('loop.jpg', `${folder.path}/loop.jpg`);
  await symlink('gone', `${folder.path}/broken.jpg`);
});

describe('finds', () => {
  const cases: { name: string; patterns: string[]; expect: string[] }[] = [
    { name: 'a file', patterns: ['z.jpg'], expect: ['z.jpg'] },
    {
      name: 'files in the order given',
      patterns: ['z.jpg', 'a1.jpg'],
      expect: ['z.jpg', 'a1.jpg'],
    },
    {
      name: 'a glob in natural order, whatever the case',
      patterns: ['shots/img*.jpg'],
      expect: ['shots/IMG_1.jpg', 'shots/IMG_2.JPG', 'shots/IMG_10.jpg'],
    },
    { name: 'a name with glob characters as it is', patterns: ['a[1].jpg'], expect: ['a[1].jpg'] },
    {
      name: 'the photos of a folder, each once',
      patterns: ['shots/'],
      expect: ['shots/b.heic', 'shots/IMG_1.jpg', 'shots/IMG_2.JPG', 'shots/IMG_10.jpg'],
    },
    {
      name: 'a file once, at its first place',
      patterns: ['z.jpg', 'shots/link.png', './z.jpg', 'shots/IMG_1.*'],
      expect: ['z.jpg', 'shots/link.png'],
    },
    { name: 'a file below home', patterns: ['~/h.jpg'], expect: ['home [x]/h.jpg'] },
    {
      name: 'a glob below a home with glob characters',
      patterns: ['~/*.jpg'],
      expect: ['home [x]/h.jpg'],
    },
    { name: 'the photos of home', patterns: ['~'], expect: ['home [x]/h.jpg'] },
    { name: 'a glob that leaves the folder', patterns: ['shots/../z*.jpg'], expect: ['z.jpg'] },
  ];
  test.for(cases)('$name', async ({ patterns, expect: paths }) => {
    expect(await found(...patterns)).toEqual(paths);
  });

  test('absolute paths and globs', async () => {
    expect(await found(`${folder.path}/z.jpg`, `${folder.path}/shots/*.heic`)).toEqual([
      'z.jpg',
      'shots/b.heic',
    ]);
  });
});

describe('refuses', () => {
  const cases = [
    { pattern: 'z.jpg/x.jpg', reason: 'not_found', message: "z.jpg/x.jpg: doesn't exist" },
    { pattern: ' ', reason: 'not_found', message: "'': the path is empty" },
    { pattern: 'broken.jpg', reason: 'not_found', message: "broken.jpg: doesn't exist" },
    {
      pattern: 'loop.jpg',
      reason: 'unreadable',
      message: "loop.jpg: couldn't be read: its links lead in a circle",
    },
    {
      pattern: '/dev/null',
      reason: 'not_a_photo',
      message: "/dev/null: isn't a regular file",
      hint: 'save the photo as a file first',
    },
  ];
  test.for(cases)('$pattern', async ({ pattern, reason, message, hint }) => {
    await expect(find('z.jpg', pattern)).rejects.toMatchObject({
      name: 'PhotoFileError',
      reason,
      message,
      hint: hint ?? expect.stringMatching(/^[a-z].*[^.]$/),
    });
  });
});
