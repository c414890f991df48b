/** What a build writes down of the commands, and what is answered from it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { liveTree } from '../../../../src/cli/commands/catalogue.ts';
import { commandChains, storedTree, storeTree } from '../../../../src/cli/framework/tree/tree.ts';

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

/** As it is written: what is undefined is left out. */
const written = (value: unknown) => JSON.parse(JSON.stringify(value));

test('what help and completion read is equal in the stored and the live tree', async () => {
  expect(written(await stored.root())).toEqual(written(root));
  expect(await stored.topics()).toEqual(await liveTree.topics());
  for (const family of families)
    expect(written(await stored.family(family.name))).toEqual(written(family));
});

test('stores the global flags once', () => {
  expect(JSON.parse(texts.completion as string).flags).toEqual([]);
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
