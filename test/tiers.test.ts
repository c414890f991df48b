/** On each of its databases, a test file is in either `npm test` or `npm run test:full`, never in both. Every pattern matches a file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { slow, type Tier, tiers } from './tiers.ts';

const root = join(import.meta.dirname, '..');
const find = (patterns: string[], ignore: string[] = []) =>
  globSync(patterns, { cwd: root, ignore }).sort();
const filesOf = ({ include, exclude }: Tier) => find(include, exclude);
const all = find(['test/**/*.test.ts']);
const ofService = find(['test/service/**/*.test.ts']);
const twice = (files: string[]) => files.filter((file, at) => files.indexOf(file) !== at);

const onSqlite = [
  ...filesOf(tiers.sqlite),
  ...filesOf(tiers.browser),
  ...filesOf(tiers['sqlite-full']),
  ...filesOf(tiers['browser-full']),
];
/** Files of `delivery` alone, and some of the others again. */
const ofDelivery = filesOf(tiers.delivery).filter((file) => !onSqlite.includes(file));
const onPostgres = [...filesOf(tiers.postgres), ...filesOf(tiers['postgres-full'])];

test('every test file runs', () => {
  expect(all.length).toBeGreaterThan(100);
  expect([...new Set([...onSqlite, ...onPostgres, ...ofDelivery])].sort()).toEqual(all);
});

test('on SQLite all files except those for PostgreSQL only, each once', () => {
  expect(twice(onSqlite)).toEqual([]);
  expect(all.filter((file) => ![...onSqlite, ...ofDelivery].includes(file))).toEqual(
    find(['test/service/database/postgres/*.test.ts']),
  );
});

test('on PostgreSQL all files of the service except those for a data folder or for no database, each once', () => {
  expect(twice(onPostgres)).toEqual([]);
  expect(ofService.filter((file) => !onPostgres.includes(file))).toEqual(
    find(tiers['postgres-full'].exclude).filter((file) => !onPostgres.includes(file)),
  );
});

test.each(Object.entries(tiers))(
  '%s: every pattern matches files',
  (_name, { include, exclude }) => {
    expect([...include, ...exclude].filter((pattern) => find([pattern]).length === 0)).toEqual([]);
  },
);

test('every slow file is there', () => {
  expect(slow.filter((pattern) => find([`test/${pattern}`]).length === 0)).toEqual([]);
});

test('npm test and npm run test:full name every project, each once', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const named = [scripts.test, scripts['test:full']].flatMap((line = '') =>
    Array.from(line.matchAll(/--project (\S+)/g), ([, name]) => name),
  );
  expect(named).toEqual(Object.keys(tiers));
});

test('docs/layout.md runs one file of the project that it names', () => {
  const page = readFileSync(join(root, 'docs/layout.md'), 'utf8');
  const [, project = '', file] = /--project (\S+) (test\/[^`]+)`/.exec(page) ?? [];
  expect(filesOf(tiers[project as keyof typeof tiers])).toContain(file);
});
