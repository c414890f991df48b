import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openFolder } from '../../../src/service/files/folder.ts';
import {
  type FileStore,
  newKey,
  plainKey,
  StorageUnavailable,
} from '../../../src/service/files/store.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { recordingFileSystem } from '../../helpers/recording-file-system.ts';
import {
  storedBytes as bytes,
  readBack,
  storedHash,
  storeTeam as team,
  testFileStore,
} from '../../helpers/store-contract.ts';

testFileStore(async (again) => {
  if (again) return openFolder(again.place);
  const made = await makeFolder();
  onTestFinished(() => removeFolder(made));
  return openFolder(join(made, 'files'));
});

let folder: string;
let store: FileStore;
beforeEach(async () => {
  folder = await makeFolder();
  store = await openFolder(join(folder, 'files'));
});
afterEach(() => removeFolder(folder));

const key = newKey(team, storedHash);
const path = () => join(folder, 'files', key);
const temporary = () => readdir(join(folder, 'files', 'tmp'));

test('a file has its key as path, those from before keys are found, and other files are left alone', async () => {
  await store.put(key, bytes);
  expect(await readFile(path())).toEqual(bytes);
  const earlier = plainKey(team, storedHash);
  await writeFile(join(folder, 'files', earlier), bytes);
  expect(await readBack(store, earlier)).toEqual(bytes);
  // Of somebody else, such as a program that makes previews.
  await writeFile(`${path()}.jpg`, bytes);
  expect(await Array.fromAsync(store.list())).toHaveLength(2);
  expect(await temporary()).toEqual([]);
});

test('an open stream can be read to its end after the file is removed', async () => {
  await store.put(key, bytes);
  const found = await store.get(key);
  await store.remove(key);
  expect(found && (await buffer(found.stream))).toEqual(bytes);
});

test('removes only abandoned temporary files', async () => {
  await store.put(key, bytes);
  await writeFile(join(folder, 'files', 'tmp', randomUUID()), 'half of a ph');
  // Of another service on this database, which may write it still.
  await store.removeTemporary?.(60_000);
  expect(await temporary()).toHaveLength(1);
  await store.removeTemporary?.();
  expect(await temporary()).toEqual([]);
  expect(await readBack(store, key)).toEqual(bytes);
});

describe('a disk that fails', () => {
  test('reports that storage is unavailable, without a path, and leaves no temporary file', async () => {
    await mkdir(join(path(), 'in the way'), { recursive: true });
    const error = await store.put(key, bytes).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StorageUnavailable);
    expect((error as Error).message).not.toContain(folder);
    expect((error as Error).cause).toMatchObject({ syscall: 'rename' });
    expect(await temporary()).toEqual([]);
  });

  test('the same when the folder cannot be created', async () => {
    await writeFile(join(folder, 'files', team), 'a file where a folder belongs');
    await expect(store.put(key, bytes)).rejects.toThrow(StorageUnavailable);
    expect(await temporary()).toEqual([]);
  });

  test('also when the store is opened', async () => {
    await writeFile(join(folder, 'taken'), '');
    await expect(openFolder(join(folder, 'taken'))).rejects.toThrow(StorageUnavailable);
  });
});

describe('stored files are on the disk', () => {
  test('the folder of a new store', async () => {
    const fs = recordingFileSystem();
    await openFolder(join(folder, 'other'), fs);
    expect(fs.unsynced()).toEqual([]);
  });

  test('bytes are synced before the rename, and the rename before the result', async () => {
    const fs = recordingFileSystem();
    await (await openFolder(join(folder, 'files'), fs)).put(key, bytes);
    const renamed = fs.calls.find(({ name }) => name === 'rename');
    expect(renamed?.path).toBe(path());
    expect(renamed?.unsynced.filter((one) => one.startsWith('content'))).toEqual([]);
    expect(fs.unsynced()).toEqual([]);
  });

  test('names that an unfinished put created are synced again', async () => {
    await store.put(newKey(team, storedHash), bytes);
    const fs = recordingFileSystem();
    await (await openFolder(join(folder, 'files'), fs)).put(key, bytes);
    const synced = fs.calls.filter(({ name }) => name === 'sync').map((call) => call.path);
    expect(synced.slice(-3)).toEqual([
      dirname(path()),
      join(folder, 'files', team),
      join(folder, 'files'),
    ]);
  });
});
