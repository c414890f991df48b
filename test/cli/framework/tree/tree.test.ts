/** What a build writes down of the commands, and what is answered from it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { liveTree } from '../../../../src/cli/commands/catalogue.ts';
import { commandChains, storedTree, storeTree } from '../../../../src/cli/framework/tree/tree.ts';
import { cs } from '../../../helpers/cli.ts';
import { forMany, offenders } from '../../../helpers/offenders.ts';

const texts = await storeTree(liveTree);
const stored = storedTree((name) => texts[name] as string);
const root = await liveTree.root();
const families = await Promise.all(root.commands.map(({ name }) => liveTree.family(name)));
const paths = [[], ...families.flatMap((family) => commandChains([family]))].map((chain) =>
  chain.map(({ name }) => name),
);

test('contains every command', () => {
  expect(paths.length).toBeGreaterThan(100);
});

test(
  'help and completion are equal from the stored and the live tree',
  async () => {
    const named = paths.map((path) => ({ name: path.join(' '), path }));
    const found = await offenders(named, async ({ path }) => {
      for (const words of [
        [...path, '--help'],
        ['__complete', ...path, ''],
        ['__complete', ...path, '-'],
      ]) {
        const asked = await cs(words, { tree: stored });
        expect(asked).toMatchObject({ code: 0, stderr: '' });
        expect(asked.stdout).toBe((await cs(words)).stdout);
      }
    });
    expect(found).toEqual([]);
  },
  forMany,
);

test('stores the global flags once', async () => {
  const { flags } = JSON.parse(texts.completion as string);
  expect(flags).toEqual([]);
  expect((await stored.family('completion')).flags).toEqual(
    JSON.parse(JSON.stringify((await liveTree.family('completion')).flags)),
  );
});

test('the built tree is current (npm run build)', () => {
  const folder = join(import.meta.dirname, '../../../../dist/tree');
  const written = Object.fromEntries(
    readdirSync(folder).map((file) => [
      file.replace(/\.json$/, ''),
      readFileSync(join(folder, file), 'utf8'),
    ]),
  );
  expect(Object.keys(written).sort()).toEqual(Object.keys(texts).sort());
  expect(Object.keys(texts).filter((name) => written[name] !== texts[name])).toEqual([]);
});

test('every import of the built files exists', () => {
  const dist = join(import.meta.dirname, '../../../../dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  const loaded = files.flatMap((file) => {
    const code = readFileSync(join(dist, file), 'utf8');
    return [...code.matchAll(/\b(?:from|import) ?\(?["`'](\.[^"`']+\.js)["`']/g)].map(
      ([, path = '']) => join(file, '..', path),
    );
  });
  expect(loaded.length).toBeGreaterThan(100);
  expect([...new Set(loaded)].filter((file) => !files.includes(file))).toEqual([]);
});
