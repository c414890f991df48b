import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder as makeWithParents } from '../../../src/cli/input/make-folder.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => removeFolder(folder));

test('makes missing parents with the same mode, and leaves an existing folder alone', async () => {
  makeWithParents(join(folder, 'a', 'b'), 0o700);
  makeWithParents(join(folder, 'a', 'b'));
  for (const path of ['a', 'a/b'])
    expect((await stat(join(folder, path))).mode & 0o777).toBe(0o700);
});

test('a file in its place, or in the place of a parent, is an error', async () => {
  await writeFile(join(folder, 'file'), '');
  for (const path of ['file', 'file/below', 'file/far/below'])
    expect(() => makeWithParents(join(folder, path))).toThrow(/EEXIST|ENOTDIR/);
});

test.each(['/proc/x', '/proc/x/y', '/dev/null/x'])('ends where nothing can be made: %s', (path) => {
  expect(() => makeWithParents(path)).toThrow(path.slice(0, -2));
});
