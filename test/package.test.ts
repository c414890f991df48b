/** The npm package: it contains what only the build creates, and its types are sound. test/installed-types.test.ts compiles a program against it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { liveTree } from '../src/cli/commands/catalogue.ts';
import { manPages } from '../src/cli/framework/reference/man.ts';
import { openApiFile } from '../src/openapi/document.ts';
import { makeFolder, removeFolder } from './helpers/folder.ts';
import { type Packed, packInto } from './helpers/packed.ts';

const root = join(import.meta.dirname, '..');
const built = (name: string) => readFile(join(root, 'dist', name), 'utf8');

const folder = await makeFolder();
afterAll(() => removeFolder(folder));

let packed: Packed;
beforeAll(async () => {
  packed = await packInto(folder);
});

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

test('both are packed', async () => {
  const names = packed.files;
  const pages = Object.keys(await manPages(liveTree)).map((name) => `dist/man/${name}`);
  expect(names).toEqual(expect.arrayContaining(['dist/openapi.json', ...pages]));
  expect(names).toEqual(
    expect.arrayContaining([
      'bin/cs.js',
      'dist/phone/page.html',
      'completions/_cs',
      'docs/reference/README.md',
      'package.json',
      'LICENSE',
    ]),
  );
});

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({
    pack: { tarball: (await readFile(packed.tarball)).buffer },
    strict: true,
  });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test('its types are found and are those of the code, in every module system that loads it', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(packed.tarball)));
  if (!analysis.types) throw new Error('no types');
  // It is an ES module: `require` loads it in every supported Node, and only TypeScript before version 5 knows no `exports`.
  const modern = analysis.problems.filter(
    (problem) =>
      problem.kind !== 'CJSResolvesToESM' &&
      !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
  );
  expect(modern).toEqual([]);
});

test('its types refer only to packages that are installed with it', async () => {
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const declarations = packed.files.filter((name) => name.endsWith('.d.ts'));
  const texts = await Promise.all(declarations.map((name) => readFile(join(root, name), 'utf8')));
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
