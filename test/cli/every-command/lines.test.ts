/** The lines that the other tests of every command begin with: they work, and the commands that ask no server are known. */
import { afterAll, expect, test } from 'vitest';
import { everyCommand, ofTheService, runnable } from '../../helpers/every-command.ts';
import { everyLine } from '../../helpers/every-line.ts';

const lines = await everyLine();
afterAll(() => lines.close());

test('every line works', () => {
  const failing = lines.all.filter(({ code }) => code !== 0);
  expect(failing.map(({ line, code }) => `${code}: cs ${line.join(' ')}`)).toEqual([]);
});

test('every command has a line, except those that work on the data itself', async () => {
  const covered = runnable(await everyCommand()).filter(
    ({ words }) => !ofTheService.has(words[0] as string),
  );
  expect(lines.all.map(({ name }) => name)).toEqual(covered.map(({ name }) => name));
});

test('the commands that write have --dry-run', () => {
  const withDryRun = lines.all.filter(({ info }) =>
    info.flags.some(({ long }) => long === '--dry-run'),
  );
  expect(lines.writing.map(({ name }) => name)).toEqual(withDryRun.map(({ name }) => name));
  expect(lines.writing.length).toBeGreaterThan(50);
});

test('the commands that need no server', () => {
  const silent = lines.all.filter(({ methods }) => methods.length === 0).map(({ name }) => name);
  expect(silent.sort()).toEqual([
    'auth logout',
    'completion',
    'completion install',
    'config get',
    'config list',
    'config path',
    'config set',
    'config unset',
    'explain',
    'man',
    'pending discard',
    'pending list',
    'pending show',
    'profiles list',
    'profiles remove',
    'profiles set',
    'profiles use',
    'schema',
    'sync status',
    'version',
  ]);
});
