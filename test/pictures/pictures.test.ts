/** The pictures of the documentation are those of today's screens. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takePictures } from './take.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/pictures');

test('are current; `npm run pictures` writes them again', async () => {
  const pictures = await takePictures();
  expect((await readdir(folder)).sort()).toEqual(Object.keys(pictures).sort());
  for (const [name, svg] of Object.entries(pictures)) expect(await readFile(join(folder, name), 'utf8')).toBe(svg);
});

test.each(['README.md', 'docs/guide.md'])('%s shows existing ones, for light and dark pages', async (page) => {
  const text = await readFile(join(root, page), 'utf8');
  const named = [...text.matchAll(/pictures\/(\w+-(?:light|dark)\.svg)/g)].map(([, name]) => name as string);
  const files = await readdir(folder);
  expect(named.filter((name) => !files.includes(name))).toEqual([]);
  const subjects = (theme: string) => named.filter((name) => name.includes(theme)).map((name) => name.split('-')[0]);
  expect(subjects('dark')).toEqual(subjects('light'));
  expect(new Set(subjects('light'))).toEqual(new Set(['dropoff', 'board', 'today']));
});
