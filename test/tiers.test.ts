/** Each file of tests is in `npm test` or in `npm run test:full` on each database that it is for, never in both, and no pattern finds nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { type Tier, tiers } from './tiers.ts';

const root = join(import.meta.dirname, '..');
const find = (patterns: string[], ignore: string[] = []) => globSync(patterns, { cwd: root, ignore }).sort();
const filesOf = ({ include, exclude }: Tier) => find(include, exclude);
const all = find(['test/**/*.test.ts']);
const ofService = find(['test/service/**/*.test.ts']);
const twice = (files: string[]) => files.filter((file, at) => files.indexOf(file) !== at);

const onSqlite = [...filesOf(tiers.sqlite), ...filesOf(tiers['sqlite-full'])];
const onPostgres = [...filesOf(tiers.postgres), ...filesOf(tiers['postgres-full'])];

test('every file is tested', () => {
  expect(all.length).toBeGreaterThan(100);
  expect([...new Set([...onSqlite, ...onPostgres])].sort()).toEqual(all);
});

test('on SQLite all but what only PostgreSQL has, each file once', () => {
  expect(twice(onSqlite)).toEqual([]);
  expect(all.filter((file) => !onSqlite.includes(file))).toEqual(find(['test/service/postgres*.test.ts']));
});

test('on PostgreSQL all of the service but what only a data folder has, each file once', () => {
  expect(twice(onPostgres)).toEqual([]);
  expect(ofService.filter((file) => !onPostgres.includes(file))).toEqual(find(tiers.postgres.exclude));
});

test.each(Object.entries(tiers))('%s: every pattern finds files', (_name, { include, exclude }) => {
  expect([...include, ...exclude].filter((pattern) => find([pattern]).length === 0)).toEqual([]);
});

test('npm test and npm run test:full name every project, each once', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  const named = [scripts.test, scripts['test:full']].flatMap((line = '') =>
    Array.from(line.matchAll(/--project (\S+)/g), ([, name]) => name),
  );
  expect(named).toEqual(Object.keys(tiers));
});
