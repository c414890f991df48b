/** A backup or a restore that ends at any point leaves no half of anything that would be taken for a whole. CS_LONG=1 kills a process at every point, and at a hundred moments. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backUp } from '../../../src/service/backup/backup.ts';
import { restore } from '../../../src/service/backup/restore.ts';
import { checkData } from '../../../src/service/check/check.ts';
import type { FileSystem } from '../../../src/service/files/file-system.ts';
import { startService } from '../../../src/service/start.ts';
import { openStores } from '../../../src/service/stores.ts';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import fc, { long } from '../../helpers/property.ts';
import { recordingFileSystem } from '../../helpers/recording-file-system.ts';
import { startTestService } from '../../helpers/service.ts';

const kept = await makeFolder();
const service = await startTestService();
const make = facility(service);
const car = await make.car();
await make.photo(car.id);
await make.photo(car.id);
const whole = join(kept, 'whole.tar');
await backUp({ data: service.data, file: whole });
afterAll(async () => {
  await service.close();
  await removeFolder(kept);
});

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await makeFolder();
  data = join(folder, 'data');
});
afterEach(() => removeFolder(folder));

const filesOf = async (path: string) =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1))
    .sort();
const complete = await (async () => {
  const path = join(kept, 'complete');
  await restore({ file: whole, data: path });
  return filesOf(path);
})();

/** Nothing, everything, or a folder that is refused by name, whoever opens it, until the restore is done again. */
async function expectNoHalf(at: string): Promise<'nothing' | 'all' | 'refused'> {
  const names = existsSync(data) ? await readdir(data) : [];
  if (names.length === 0) return 'nothing';
  if (!names.includes('restore-unfinished')) {
    expect(await filesOf(data), at).toEqual(complete);
    return 'all';
  }
  const before = await filesOf(data);
  const opening: Record<string, () => Promise<unknown>> = {
    serve: () => startService({ data, port: 0 }),
    admin: () => openStores({ data }),
    check: () => checkData({ data }),
    backup: () => backUp({ data, file: join(folder, 'b.tar') }),
  };
  for (const [who, open] of Object.entries(opening))
    await expect(open(), `${who} ${at}`).rejects.toMatchObject({ name: 'UnfinishedRestore' });
  expect((await filesOf(data)).filter((name) => !name.startsWith('service.'))).toEqual(
    before.filter((name) => !name.startsWith('service.')),
  );
  return 'refused';
}

const restoreWith = (fs: FileSystem) => restore({ file: whole, data, fs });
const countCalls = async (task: (fs: FileSystem) => Promise<unknown>): Promise<number> => {
  const fs = recordingFileSystem();
  await task(fs);
  return fs.calls.length;
};

/** Every call in the long run; otherwise some, the first one and those around the end among them. */
const points = (calls: number, step: number): number[] =>
  Array.from({ length: calls }, (_, n) => n + 1).filter(
    (at) => process.env.CS_LONG || at % step === 1 || at > calls - 2,
  );

describe('a restore that ends before any of its calls', () => {
  test('leaves nothing, everything, or an unfinished restore that is refused; a second restore completes it', async () => {
    const calls = await countCalls((fs) =>
      restore({ file: whole, data: join(folder, 'counted'), fs }),
    );
    expect(calls).toBeGreaterThan(30);
    const seen = new Set<string>();
    for (const crashAt of points(calls, 5)) {
      data = join(folder, `${crashAt}`);
      await expect(restoreWith(recordingFileSystem({ crashAt }))).rejects.toThrow();
      const left = await expectNoHalf(`at call ${crashAt}`);
      seen.add(left);
      if (left === 'all') continue;
      await restore({ file: whole, data });
      expect(await filesOf(data)).toEqual(complete);
    }
    expect([...seen].sort()).toEqual(['all', 'nothing', 'refused']);
  });

  test('the same for a second attempt', async () => {
    const begin = () => restoreWith(recordingFileSystem({ crashAt: 20 })).catch(() => undefined);
    await begin();
    const calls = await countCalls(restoreWith);
    for (const crashAt of points(calls, 5)) {
      data = join(folder, `${crashAt}`);
      await begin();
      await expect(restoreWith(recordingFileSystem({ crashAt }))).rejects.toThrow();
      if ((await expectNoHalf(`at call ${crashAt}`)) === 'all') continue;
      await restore({ file: whole, data });
      expect(await filesOf(data)).toEqual(complete);
    }
  });

  test('the error names the command that finishes it, before "no data"', async () => {
    await restoreWith(recordingFileSystem({ crashAt: 12 })).catch(() => undefined);
    for (const line of [
      ['serve', '--port', '0'],
      ['admin', 'team', 'list'],
      ['admin', 'check'],
      ['admin', 'backup', join(folder, 'b.tar')],
    ])
      expect(await cs([...line, '--data', data])).toMatchObject({
        code: 7,
        error: {
          code: 'data_unusable',
          hint: expect.stringContaining(`cs admin restore ${whole} --data ${data}`),
        },
      });
    expect(await cs(['admin', 'restore', whole, '--data', data])).toMatchObject({ code: 0 });
    expect(await cs(['admin', 'check', '--data', data])).toMatchObject({ code: 0 });
  });

  test('a folder that somebody else filled in between is left alone', async () => {
    await restoreWith(recordingFileSystem({ crashAt: 12 })).catch(() => undefined);
    await writeFile(join(data, 'mine'), 'mine');
    await expect(restore({ file: whole, data })).rejects.toMatchObject({ name: 'FolderNotEmpty' });
    expect(await readFile(join(data, 'mine'), 'utf8')).toBe('mine');
  });
});

/** Kills a process of its own before a call; resolves with the signal that ended it. */
const killed = (task: 'backup' | 'restore', file: string, at: number) =>
  new Promise<NodeJS.Signals | null>((resolve) => {
    const script = new URL('../../helpers/restore-script.ts', import.meta.url).pathname;
    const target = task === 'backup' ? service.data : data;
    const child = execFile(process.execPath, [script, task, file, target, String(at)], () =>
      resolve(child.signalCode),
    );
  });
test('kill -9 of a restore', { timeout: 600_000 }, async () => {
  const calls = await countCalls((fs) =>
    restore({ file: whole, data: join(folder, 'counted'), fs }),
  );
  for (const at of points(calls, Math.ceil(calls / 2))) {
    data = join(folder, `killed-${at}`);
    expect(await killed('restore', whole, at)).toBe('SIGKILL');
    if ((await expectNoHalf(`killed at call ${at}`)) === 'all') continue;
    await restore({ file: whole, data });
    expect(await filesOf(data)).toEqual(complete);
  }
});

test('kill -9 of a backup keeps the previous file, and the next backup removes the remains', {
  timeout: 600_000,
}, async () => {
  const file = join(folder, 'b.tar');
  const calls = await countCalls((fs) =>
    backUp({ data: service.data, file: join(folder, 'counted.tar'), fs }),
  );
  for (const at of points(calls, Math.ceil(calls / 2))) {
    await copyFile(whole, file);
    const before = await readFile(file);
    expect(await killed('backup', file, at)).toBe('SIGKILL');
    const data = join(folder, `from-${at}`);
    // The one before the rename, or the one that it brought.
    if (at < calls) expect(await readFile(file)).toEqual(before);
    await restore({ file, data });
  }
  await backUp({ data: service.data, file });
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
});

describe('kill -9 at any moment, also between the calls', () => {
  /** Runs a task in a process of its own, which is killed so many milliseconds after it began; resolves with the signal and how long it took. */
  async function killedAfter(
    task: 'backup' | 'restore',
    file: string,
    ms = Number.POSITIVE_INFINITY,
  ) {
    const script = new URL('../../helpers/restore-script.ts', import.meta.url).pathname;
    const child = execFile(process.execPath, [
      script,
      task,
      file,
      task === 'backup' ? service.data : data,
    ]);
    const ended = once(child, 'close');
    await once(child.stdout as Readable, 'data');
    const begun = performance.now();
    child.stdin?.write('go\n');
    const timer = Number.isFinite(ms) ? setTimeout(() => child.kill('SIGKILL'), ms) : undefined;
    const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null];
    clearTimeout(timer);
    expect([0, null], `${task} ended by itself`).toContain(code);
    return { signal, tookMs: performance.now() - begun };
  }
  const rounds = long ? 100 : 3;
  /** Part of the time that a whole run took; the random seed of the property tests repeats them. */
  const moments = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), rounds);

  test('of a restore', { timeout: 1_200_000 }, async () => {
    const { tookMs } = await killedAfter('restore', whole);
    const signals = new Set<NodeJS.Signals | null>();
    for (const [round, moment] of moments.entries()) {
      data = join(folder, `${round}`);
      const { signal } = await killedAfter('restore', whole, moment * tookMs);
      signals.add(signal);
      const left = await expectNoHalf(`killed at ${moment} of ${tookMs} ms`);
      if (signal === null) expect(left).toBe('all');
      if (left === 'all') continue;
      await restore({ file: whole, data });
      expect(await filesOf(data)).toEqual(complete);
    }
    expect(signals).toContain('SIGKILL');
  });

  test('of a backup: the file is the one of before, or whole', { timeout: 1_200_000 }, async () => {
    const file = join(folder, 'b.tar');
    const { tookMs } = await killedAfter('backup', file);
    for (const [round, moment] of moments.entries()) {
      await copyFile(whole, file);
      await killedAfter('backup', file, moment * tookMs);
      const back = join(folder, `${round}`);
      await restore({ file, data: back });
      expect(await filesOf(back), `killed at ${moment} of ${tookMs} ms`).toEqual(complete);
    }
    await backUp({ data: service.data, file });
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

describe('completed work is on the disk', () => {
  /** No name stands for what could still be lost. */
  const expectOrder = ({ calls }: ReturnType<typeof recordingFileSystem>) => {
    for (const { name, path, unsynced } of calls)
      if (name === 'rename')
        expect(
          unsynced.filter((one) => one.startsWith('content')),
          `before ${path} got its name`,
        ).toEqual([]);
  };

  test('a backup, before it gets its name', async () => {
    const fs = recordingFileSystem();
    await backUp({ data: service.data, file: join(folder, 'b.tar'), fs });
    expectOrder(fs);
    expect(fs.unsynced()).toEqual([]);
  });

  test.each([
    ['an empty folder', async () => void (await mkdir(data))],
    [
      'a folder that is not there, nor the one above',
      async () => {
        data = join(folder, 'a', 'b');
      },
    ],
    [
      'a folder in which one was cut off',
      async () => restoreWith(recordingFileSystem({ crashAt: 20 })).catch(() => undefined),
    ],
  ])(
    'a restore into %s: first the mark, then everything, and then the mark goes',
    async (_name, begin) => {
      await begin();
      const fs = recordingFileSystem();
      await restoreWith(fs);
      expectOrder(fs);
      const isContent = (path: string) => path.startsWith(join(data, 'restoring', 'files'));
      expect(
        fs.calls
          .find(({ path }) => isContent(path))
          ?.unsynced.filter((one) => !one.endsWith('restoring')),
      ).toEqual([]);
      for (const { name, path, unsynced } of fs.calls) {
        if (name === 'rename' && !path.endsWith('restore-unfinished')) {
          const own = unsynced.filter((one) =>
            one.includes(`/restoring/${path.slice(data.length + 1)}/`),
          );
          expect(own, `before ${path} got its name`).toEqual([]);
        }
        if (name === 'rm' && path.endsWith('restore-unfinished')) expect(unsynced).toEqual([]);
      }
      expect(fs.calls.at(-1)).toMatchObject({ name: 'sync', path: data });
      expect(fs.unsynced()).toEqual([]);
    },
  );
});
