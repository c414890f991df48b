/** What the service keeps is for its owner alone, whatever the umask is and whatever was there before. */
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backUp } from '../../../src/service/backup/backup.ts';
import { restore } from '../../../src/service/backup/restore.ts';
import { startService } from '../../../src/service/start.ts';
import { facility } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { startTestService } from '../../helpers/service.ts';

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await makeFolder();
  data = join(folder, 'data');
});
afterEach(() => removeFolder(folder));

/** The rights of a folder and everything in it, by path. */
function modesOf(path: string): Record<string, string> {
  const paths = [
    path,
    ...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name)),
  ];
  return Object.fromEntries(
    paths.map((one) => [relative(dirname(path), one), (statSync(one).mode & 0o777).toString(8)]),
  );
}

function expectPrivate(path: string): void {
  const wrong = Object.entries(modesOf(path)).filter(
    ([name, mode]) => mode !== (statSync(join(dirname(path), name)).isDirectory() ? '700' : '600'),
  );
  expect(wrong).toEqual([]);
}

async function withUmask<T>(umask: number, task: () => Promise<T>): Promise<T> {
  const before = process.umask(umask);
  try {
    return await task();
  } finally {
    process.umask(before);
  }
}

/** Opens everything in a folder to everybody. */
function openAll(path: string): void {
  for (const name of Object.keys(modesOf(path))) {
    const one = join(dirname(path), name);
    chmodSync(one, statSync(one).isDirectory() ? 0o755 : 0o644);
  }
}

// Where nothing is taken away from the rights that are asked for.
describe('with the umask 000', () => {
  const umask = 0o000;
  test('a new folder, one that was open, and one with open files', () =>
    withUmask(umask, async () => {
      await mkdir(data, { mode: 0o755 });
      const service = await startTestService({ data });
      const make = facility(service);
      const car = await make.car();
      await make.photo(car.id);
      expect(Object.keys(modesOf(data))).toEqual(
        expect.arrayContaining(
          ['cs.sqlite', 'cs.sqlite-wal', 'cs.sqlite-shm', 'service.lock', 'service.json'].map(
            (name) => join('data', name),
          ),
        ),
      );
      expectPrivate(data);
      await service.stop();

      openAll(data);
      const again = await startService({ data, port: 0 });
      // What is in `files` is shut in.
      const modes = modesOf(data);
      const reachable = Object.entries(modes).filter(
        ([name]) => !name.startsWith(join('data', 'files/')),
      );
      expect(reachable.filter(([, mode]) => !mode.endsWith('00'))).toEqual([]);
      await again.close();

      const other = join(folder, 'new');
      const fresh = await startService({ data: other, port: 0 });
      expectPrivate(other);
      await fresh.close();
    }));

  test('a backup into an open folder, and a folder that it is restored into', () =>
    withUmask(umask, async () => {
      const service = await startTestService({ data });
      const make = facility(service);
      await make.photo((await make.car()).id);
      const backup = join(folder, 'backup');
      await mkdir(backup, { mode: 0o755 });
      await backUp({ data, folder: backup });
      const modes = Object.entries(modesOf(backup)).filter(([name]) => name !== 'backup');
      expect(modes.filter(([, mode]) => !mode.endsWith('00'))).toEqual([]);
      await service.stop();

      const target = join(folder, 'restored');
      await mkdir(target, { mode: 0o755 });
      await restore({ folder: backup, data: target });
      expectPrivate(target);
    }));
});

test('a shared folder keeps its mode; the files of the service are restricted', async () => {
  await mkdir(data, { mode: 0o755 });
  await writeFile(join(data, 'website.html'), '', { mode: 0o644 });
  const service = await startService({ data, port: 0 });
  await service.close();
  expect(modesOf(data)).toMatchObject({
    data: '755',
    [join('data', 'website.html')]: '644',
    [join('data', 'cs.sqlite')]: '600',
  });
});

test("a folder of the service's own files, and of hidden ones of the system, is closed", async () => {
  await mkdir(data, { mode: 0o755 });
  await writeFile(join(data, '.DS_Store'), '');
  await mkdir(join(data, 'lost+found'));
  const service = await startService({ data, port: 0 });
  await service.close();
  expect(modesOf(data).data).toBe('700');
});
