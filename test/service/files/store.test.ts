import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  contentName,
  type FileStore,
  openFileStore,
  StorageUnavailable,
} from '../../../src/service/files/store.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { recordingFileSystem } from '../../helpers/recording-file-system.ts';

const team = '01931234-5678-7abc-8def-0123456789ab';
const bytes = randomBytes(10_000);
const sha256 = contentName(bytes);

let folder: string;
let store: FileStore;
beforeEach(async () => {
  folder = await makeFolder();
  store = await openFileStore(join(folder, 'files'));
});
afterEach(() => removeFolder(folder));

const pathOf = (name: string) => join(folder, 'files', team, name.slice(0, 2), name);
const temporary = () => readdir(join(folder, 'files', 'tmp'));
async function readBack(teamId: string, name: string): Promise<Buffer | undefined> {
  const found = await store.read(teamId, name);
  if (!found) return undefined;
  const content = await buffer(found.stream);
  expect(content).toHaveLength(found.size);
  return content;
}

describe('putting and reading', () => {
  test('bytes come back as they were, from a path made of team and content', async () => {
    expect(await store.put(team, bytes)).toEqual({ sha256, sizeBytes: bytes.length });
    expect(await readBack(team, sha256)).toEqual(bytes);
    expect(await readFile(pathOf(sha256))).toEqual(bytes);
    expect(await store.has(team, sha256)).toBe(true);
    expect(await temporary()).toEqual([]);
  });

  test('unknown bytes are missing', async () => {
    expect(await store.read(team, sha256)).toBeUndefined();
    expect(await store.has(team, sha256)).toBe(false);
  });

  test('a team cannot see files of another', async () => {
    await store.put(team, bytes);
    expect(await store.read(randomUUID(), sha256)).toBeUndefined();
  });

  test('the same bytes again leave the file alone', async () => {
    await store.put(team, bytes);
    const before = await stat(pathOf(sha256));
    expect(await store.put(team, bytes)).toEqual({ sha256, sizeBytes: bytes.length });
    expect((await stat(pathOf(sha256))).ino).toBe(before.ino);
  });

  test('a torn file is replaced by the whole one', async () => {
    await store.put(team, bytes);
    await truncate(pathOf(sha256), 17);
    await store.put(team, bytes);
    expect(await readBack(team, sha256)).toEqual(bytes);
  });

  test('many at once, the same and others, all end whole', async () => {
    const others = Array.from({ length: 10 }, () => randomBytes(1_000));
    const puts = [...Array.from({ length: 20 }, () => bytes), ...others].map((each) =>
      store.put(team, each),
    );
    expect(new Set((await Promise.all(puts)).map((put) => put.sha256)).size).toBe(11);
    for (const each of [bytes, ...others])
      expect(await readBack(team, contentName(each))).toEqual(each);
    expect(await temporary()).toEqual([]);
  });

  test('a reopened store has its files', async () => {
    await store.put(team, bytes);
    store = await openFileStore(join(folder, 'files'));
    expect(await readBack(team, sha256)).toEqual(bytes);
  });
});

describe('removing', () => {
  test('removes a file; a repeat succeeds', async () => {
    await store.put(team, bytes);
    await store.remove(team, sha256);
    expect(await store.has(team, sha256)).toBe(false);
    await store.remove(team, sha256);
    expect(await store.has(team, sha256)).toBe(false);
  });

  test('an open stream can be read to its end', async () => {
    await store.put(team, bytes);
    const found = await store.read(team, sha256);
    await store.remove(team, sha256);
    expect(found && (await buffer(found.stream))).toEqual(bytes);
  });

  test('removes only abandoned temporary files', async () => {
    await store.put(team, bytes);
    await writeFile(join(folder, 'files', 'tmp', randomUUID()), 'half of a ph');
    await store.removeTemporary();
    expect(await temporary()).toEqual([]);
    expect(await readBack(team, sha256)).toEqual(bytes);
  });
});

describe('paths', () => {
  test.each([
    ['..', sha256],
    ['../../etc', sha256],
    ['', sha256],
    ['tmp', sha256],
    [team.toUpperCase(), sha256],
    [`${team}/..`, sha256],
    [team, '../../../etc/passwd'],
    [team, ''],
    [team, sha256.toUpperCase()],
    [team, `${sha256}\n`],
    [team, `../${sha256.slice(3)}`],
  ])('%j and %j make none', async (teamId, name) => {
    await store.put(team, bytes);
    expect(await store.read(teamId, name)).toBeUndefined();
    expect(await store.has(teamId, name)).toBe(false);
    await store.remove(teamId, name);
    expect(await readBack(team, sha256)).toEqual(bytes);
  });

  test('a put with a malformed team id writes nothing', async () => {
    await expect(store.put('../escape', bytes)).rejects.toThrow(TypeError);
    expect(await readdir(folder)).toEqual(['files']);
    expect(await temporary()).toEqual([]);
  });
});

describe('a disk that fails', () => {
  test('reports that storage is unavailable, without a path, and leaves no temporary file', async () => {
    await mkdir(join(pathOf(sha256), 'in the way'), { recursive: true });
    const error = await store.put(team, bytes).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StorageUnavailable);
    expect((error as Error).message).not.toContain(folder);
    expect((error as Error).cause).toMatchObject({ syscall: 'rename' });
    expect(await temporary()).toEqual([]);
  });

  test('the same when the folder cannot be created', async () => {
    await writeFile(join(folder, 'files', team), 'a file where a folder belongs');
    await expect(store.put(team, bytes)).rejects.toThrow(StorageUnavailable);
    expect(await temporary()).toEqual([]);
  });

  test('also when the store is opened', async () => {
    await writeFile(join(folder, 'taken'), '');
    await expect(openFileStore(join(folder, 'taken'))).rejects.toThrow(StorageUnavailable);
  });
});

describe('stored files are on the disk', () => {
  test('the folder of a new store', async () => {
    const fs = recordingFileSystem();
    await openFileStore(join(folder, 'other'), fs);
    expect(fs.unsynced()).toEqual([]);
  });

  test('bytes are synced before the rename, and the rename before the result', async () => {
    const fs = recordingFileSystem();
    await (await openFileStore(join(folder, 'files'), fs)).put(team, bytes);
    const renamed = fs.calls.find(({ name }) => name === 'rename');
    expect(renamed?.path).toBe(pathOf(sha256));
    expect(renamed?.unsynced.filter((one) => one.startsWith('content'))).toEqual([]);
    expect(fs.unsynced()).toEqual([]);
  });

  test('names that an unfinished put created are synced again', async () => {
    await store.put(team, bytes);
    const fs = recordingFileSystem();
    await (await openFileStore(join(folder, 'files'), fs)).put(team, bytes);
    const synced = fs.calls.filter(({ name }) => name === 'sync').map(({ path }) => path);
    const files = join(folder, 'files');
    expect(synced.slice(-3)).toEqual([
      join(files, team, sha256.slice(0, 2)),
      join(files, team),
      files,
    ]);
  });
});
