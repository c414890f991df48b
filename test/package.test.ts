/** What the build makes for the npm package is that of the code. test/installed-types.test.ts packs it, and compiles a program against it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { liveTree } from '../src/cli/commands/catalogue.ts';
import { manPages } from '../src/cli/framework/reference/man.ts';
import { openApiFile } from '../src/openapi/document.ts';

const root = join(import.meta.dirname, '..');
const built = (name: string) => readFile(join(root, 'dist', name), 'utf8');

test('the manual', async () => {
  const pages = await manPages(liveTree);
  const names = await readdir(join(root, 'dist/man'));
  const found = await Promise.all(
    names.map(async (name) => [name, await built(`man/${name}`)] as const),
  );
  expect(Object.fromEntries(found)).toEqual(pages);
});

test('the interface description', async () => {
  expect((await built('openapi.json')) === openApiFile()).toBe(true);
});

test('its types refer only to packages that are installed with it', async () => {
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const names = await readdir(join(root, 'dist'), { recursive: true });
  const texts = await Promise.all(names.filter((name) => name.endsWith('.d.ts')).map(built));
  const imported = texts.flatMap((text) =>
    Array.from(
      text.matchAll(/(?:^(?:import|export) [^;]*from |\bimport\()['"]([^.'"][^'"]*)['"]/gm),
      ([, name]) => name as string,
    ),
  );
  const packages = new Set(imported.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]));
  expect([...packages].filter((name) => name === undefined || !(name in dependencies))).toEqual([]);
  expect([...packages]).toContain('zod');
});
