/** The npm package contains the files that only the build creates: the man pages and the interface description. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { manPages } from '../src/cli/framework/reference/man.ts';
import { liveTree } from '../src/cli/framework/tree/live-tree.ts';
import { openApiFile } from '../src/openapi/document.ts';

const root = join(import.meta.dirname, '..');
const built = (name: string) => readFileSync(join(root, 'dist', name), 'utf8');

test('the manual', async () => {
  const pages = await manPages(liveTree);
  expect(Object.fromEntries(readdirSync(join(root, 'dist/man')).map((name) => [name, built(`man/${name}`)]))).toEqual(pages);
});

test('the interface description', () => {
  expect(built('openapi.json') === openApiFile()).toBe(true);
});

test('both are packed', async () => {
  const { stdout } = await execa('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root });
  const [packed] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const names = packed.files.map(({ path }) => path);
  const pages = Object.keys(await manPages(liveTree)).map((name) => `dist/man/${name}`);
  expect(names).toEqual(expect.arrayContaining(['dist/openapi.json', ...pages]));
  expect(names).toEqual(expect.arrayContaining(['bin/cs.js', 'completions/_cs', 'docs/reference/README.md', 'package.json', 'LICENSE']));
});
