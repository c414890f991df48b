/** The pictures of the documentation are those of today's screens. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dashboardPages } from '../../src/contract/dashboard/pages.ts';
import { Samples } from './dashboard-samples.ts';
import { picturesOf, views } from './dashboard-views.ts';
import { paperPictures } from './paper.ts';
import { takePictures } from './take.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/pictures');

test('are current; `npm run pictures` writes them again', async () => {
  const pictures = await takePictures();
  expect((await readdir(folder)).filter((name) => name.endsWith('.svg')).sort()).toEqual(
    Object.keys(pictures).sort(),
  );
  for (const [name, svg] of Object.entries(pictures))
    expect(await readFile(join(folder, name), 'utf8')).toBe(svg);
});

test.each(['README.md', 'docs/guide.md'])(
  '%s shows existing ones, for light and dark pages',
  async (page) => {
    const text = await readFile(join(root, page), 'utf8');
    const named = [...text.matchAll(/pictures\/(\w+-(?:light|dark)\.svg)/g)].map(
      ([, name]) => name as string,
    );
    const files = await readdir(folder);
    expect(named.filter((name) => !files.includes(name))).toEqual([]);
    const subjects = (theme: string) =>
      named.filter((name) => name.includes(theme)).map((name) => name.split('-')[0]);
    expect(subjects('dark')).toEqual(subjects('light'));
    expect(subjects('light')).toEqual(expect.arrayContaining(['dropoff', 'today', 'board']));
  },
);

test('docs/guide.md shows the sheet and the labels', async () => {
  const text = await readFile(join(root, 'docs/guide.md'), 'utf8');
  const named = [...text.matchAll(/pictures\/paper\/([\w-]+\.webp)/g)].map(([, name]) => name);
  expect(named).toEqual(paperPictures);
  expect((await readdir(join(folder, 'paper'))).sort()).toEqual(paperPictures.toSorted());
});

// Fonts differ from machine to machine, so the pictures of pages are looked at, and not compared.
test('docs/dashboard.md shows each page of the dashboard', async () => {
  const text = await readFile(join(root, 'docs/dashboard.md'), 'utf8');
  const named = [...text.matchAll(/pictures\/dashboard\/([\w-]+\.webp)/g)].map(
    ([, name]) => name as string,
  );
  const files = await readdir(join(folder, 'dashboard'));
  expect(files.sort()).toEqual(
    views
      .flatMap(picturesOf)
      .map(({ file }) => file)
      .sort(),
  );
  expect(named.sort()).toEqual(files);
  expect(dashboardPages.filter((page) => !views.some(({ path }) => path === page))).toEqual([]);
});

test('pictures of the dashboard show samples in place of keys, links and the owner of this machine', () => {
  const samples = (prefix: string, secret: string, user: string) => {
    const own = new Samples('http://127.0.0.1:45123');
    own.know([{ key: `csk_${prefix}` }]);
    const seen = {
      key: `csk_${prefix}`,
      secret: `csk_${prefix}.${secret}`,
      link: `http://127.0.0.1:8787/dashboard/link#${secret}`,
    };
    return own.replace(
      JSON.stringify({
        ...seen,
        details: { prefix },
        createdBy: user,
        actor: 'admin:boss@garage.example',
      }),
    );
  };
  const one = samples('abcdefgh2345', 'x'.repeat(43), 'root');
  expect(one).toBe(samples('zyxwvuts7654', 'y'.repeat(43), 'somebody'));
  expect(one).not.toMatch(/abcdefgh2345|xxxx|root/);
  expect(one).toContain('"actor":"admin:boss@garage.example"');
});
