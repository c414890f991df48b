import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { readdir, readFile, readlink, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { saveFile, syncFolder } from '../../../src/cli/output/save-file.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { recordingFileSystem } from '../../helpers/recording-file-system.ts';

let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => removeFolder(folder));
const bytes = () => Readable.from([Buffer.from('half, '), Buffer.from('and the rest')]);
const sha256 = createHash('sha256').update('half, and the rest').digest('hex');

test('saves bytes with the expected checksum, and returns the size', async () => {
  expect(await saveFile(join(folder, 'a'), bytes(), { sha256 })).toBe(18);
  expect(await readFile(join(folder, 'a'), 'utf8')).toBe('half, and the rest');
});

test.each([
  ['link', {}],
  ['rename', { overwrite: true }],
] as const)(
  'by %s: the bytes are on the disk before they have their name, which is there with its folder',
  async (call, how) => {
    const fs = recordingFileSystem();
    const path = join(folder, 'a');
    await saveFile(path, bytes(), { ...how, fs });
    const named = fs.calls.find(({ name }) => name === call);
    expect(named?.unsynced.filter((one) => one.startsWith('content'))).toEqual([]);
    expect(fs.unsynced()).toContain(`name ${path}`);
    await syncFolder(folder, fs);
    expect(fs.unsynced()).toEqual([]);
  },
);

test('without hard links, as on some disks: saves the bytes, and replaces no file', async () => {
  const path = join(folder, 'a');
  const refused = Object.assign(new Error('not permitted'), { code: 'EPERM' });
  const withoutLinks = { ...fs, link: () => Promise.reject(refused) };
  expect(await saveFile(path, bytes(), { fs: withoutLinks })).toBe(18);
  await rename(path, join(folder, 'b'));
  async function* slow() {
    yield Buffer.from('half');
    await rename(join(folder, 'b'), path);
  }
  await expect(saveFile(path, slow(), { fs: withoutLinks })).rejects.toMatchObject({
    code: 'file_exists',
  });
  expect([await readdir(folder), await readFile(path, 'utf8')]).toEqual([
    ['a'],
    'half, and the rest',
  ]);
});

test('keeps nothing of other bytes', async () => {
  const saving = saveFile(join(folder, 'a'), bytes(), { sha256: sha256.replace(/./g, '0') });
  await expect(saving).rejects.toMatchObject({
    code: 'unexpected_answer',
    message: `${join(folder, 'a')} wasn't saved: the downloaded bytes don't match the stored file.`,
    hint: 'try again',
    exitCode: 9,
  });
  expect(await readdir(folder)).toEqual([]);
});

test('keeps an existing file without overwrite, and after an interrupted download', async () => {
  await writeFile(join(folder, 'a'), 'mine');
  await expect(saveFile(join(folder, 'a'), bytes())).rejects.toMatchObject({
    code: 'file_exists',
    exitCode: 7,
  });
  async function* broken() {
    yield Buffer.from('half');
    throw new Error('cut');
  }
  await expect(saveFile(join(folder, 'a'), broken(), { overwrite: true })).rejects.toThrow('cut');
  expect(await readdir(folder)).toEqual(['a']);
  expect(await readFile(join(folder, 'a'), 'utf8')).toBe('mine');
});

test('replaces no file that was made meanwhile, and makes no folder', async () => {
  const path = join(folder, 'a');
  async function* slow() {
    yield Buffer.from('half, ');
    await writeFile(path, 'theirs');
  }
  await expect(saveFile(path, slow())).rejects.toMatchObject({
    code: 'file_exists',
    message: `${path} already exists.`,
    hint: 'give another name, or --overwrite',
  });
  expect([await readdir(folder), await readFile(path, 'utf8')]).toEqual([['a'], 'theirs']);
  const below = join(folder, 'none/a');
  await expect(saveFile(below, bytes())).rejects.toMatchObject({
    code: 'file_unusable',
    message: `Couldn't write ${below}: the folder doesn't exist.`,
    hint: 'give another place',
  });
});

test('replaces no folder and no device', async () => {
  await symlink('/dev/full', join(folder, 'device'));
  for (const path of [folder, join(folder, 'device')])
    await expect(saveFile(path, bytes(), { overwrite: true })).rejects.toMatchObject({
      code: 'usage',
      message: `${path} isn't a file.`,
      hint: 'give the name of a file',
    });
  expect(await readlink(join(folder, 'device'))).toBe('/dev/full');
});
