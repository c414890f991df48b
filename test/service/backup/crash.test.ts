/** A backup or a restore that ends at any point leaves no half of anything that would be taken for a whole. CS_LONG=1 kills a process at every point, and at a hundred moments. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
/** The backup of before, and the one of now. */
const earlier = join(kept, 'earlier');
await backUp({ data: service.data, folder: earlier });
await make.photo(car.id);
const whole = join(kept, 'whole');
await backUp({ data: service.data, folder: whole });
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

/** The files of the lock stay. */
const isContent = (name: string) => !name.startsWith('service.');
const filesOf = async (path: string) =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1))
    .filter(isContent)
    .sort();
const restored = async (from: string, name: string) => {
  const path = join(kept, name);
  await restore({ folder: from, data: path });
  return filesOf(path);
};
const [complete, completeEarlier] = [
  await restored(whole, 'complete'),
  await restored(earlier, 'complete-earlier'),
];

/** Nothing, everything, or a folder that is refused by name, whoever opens it, until the restore is done again. */
async function expectNoHalf(at: string): Promise<'nothing' | 'all' | 'refused'> {
  const names = existsSync(data) ? (await readdir(data)).filter(isContent) : [];
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
    backup: () => backUp({ data, folder: join(folder, 'b') }),
  };
  for (const [who, open] of Object.entries(opening))
    await expect(open(), `${who} ${at}`).rejects.toMatchObject({ name: 'UnfinishedRestore' });
  expect(await filesOf(data)).toEqual(before);
  return 'refused';
}

const restoreWith = (fs: FileSystem) => restore({ folder: whole, data, fs });
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
  test.each([
    ['a first one', async () => undefined],
    [
      'a second attempt',
      () => restoreWith(recordingFileSystem({ crashAt: 20 })).catch(() => undefined),
    ],
  ])(
    '%s leaves nothing, everything, or a restore that is refused until one completes it',
    async (_which, begin) => {
      await begin();
      const calls = await countCalls(restoreWith);
      expect(calls).toBeGreaterThan(30);
      const seen = new Set<string>();
      for (const crashAt of points(calls, 5)) {
        data = join(folder, `${crashAt}`);
        await begin();
        await expect(restoreWith(recordingFileSystem({ crashAt }))).rejects.toThrow();
        const left = await expectNoHalf(`at call ${crashAt}`);
        seen.add(left);
        if (left === 'all') continue;
        await restore({ folder: whole, data });
        expect(await filesOf(data)).toEqual(complete);
      }
      expect([...seen].sort()).toEqual(['all', 'nothing', 'refused']);
    },
  );

  test('the error names the command that finishes it, before "no data"', async () => {
    await restoreWith(recordingFileSystem({ crashAt: 12 })).catch(() => undefined);
    expect(await cs(['admin', 'team', 'list', '--data', data])).toMatchObject({
      code: 7,
      error: {
        code: 'data_unusable',
        hint: expect.stringContaining(`cs admin restore ${whole} --data ${data}`),
      },
    });
    expect(await cs(['admin', 'restore', whole, '--data', data])).toMatchObject({ code: 0 });
    expect(await cs(['admin', 'check', '--data', data])).toMatchObject({ code: 0 });
  });

  test('on a slow disk, from a backup without its records: the restore refuses it', async () => {
    const from = join(folder, 'from');
    await cp(whole, from, { recursive: true });
    const [records = ''] = (await readdir(from)).filter((name) => name.startsWith('records-'));
    await rm(join(from, records));
    const slow = recordingFileSystem();
    const fs: FileSystem = {
      ...slow,
      async open(...given) {
        const file = await slow.open(...given);
        // Whatever opened a file meanwhile has its answer.
        for (let count = 0; count < 10; count++) await readFile(join(from, 'backup.json'));
        return file;
      },
    };
    await expect(restore({ folder: from, data, fs })).rejects.toMatchObject({
      name: 'DamagedBackup',
    });
    expect(existsSync(join(data, 'restore-unfinished'))).toBe(false);
  });

  test('a folder that somebody else filled in between is left alone', async () => {
    await restoreWith(recordingFileSystem({ crashAt: 12 })).catch(() => undefined);
    await writeFile(join(data, 'mine'), 'mine');
    await expect(restore({ folder: whole, data })).rejects.toMatchObject({ name: 'BackupRefused' });
    expect(await readFile(join(data, 'mine'), 'utf8')).toBe('mine');
  });
});

/** Restored, it is the backup of before, or the one of now. A first backup may be none, which is told. */
async function expectWholeBackup(from: string, at: string): Promise<'none' | 'before' | 'now'> {
  const back = await makeFolder();
  try {
    await restore({ folder: from, data: back });
    const files = await filesOf(back);
    if (files.length === completeEarlier.length) expect(files, at).toEqual(completeEarlier);
    else expect(files, at).toEqual(complete);
    expect(await checkData({ data: back }), at).toMatchObject({ ok: true });
    return files.length === complete.length ? 'now' : 'before';
  } catch (error) {
    expect((error as Error).message, at).toBe(`No finished backup found in ${from}`);
    return 'none';
  } finally {
    await removeFolder(back);
  }
}

describe('a backup that ends before any of its calls', () => {
  const countBackup = (into: string) =>
    countCalls((fs) => backUp({ data: service.data, folder: into, fs }));

  test('the first one is refused until it is whole', async () => {
    const calls = await countBackup(join(folder, 'counted'));
    expect(calls).toBeGreaterThan(30);
    const seen = new Set<string>();
    for (const crashAt of points(calls, 5)) {
      const into = join(folder, `${crashAt}`);
      const fs = recordingFileSystem({ crashAt });
      await expect(backUp({ data: service.data, folder: into, fs })).rejects.toThrow();
      seen.add(await expectWholeBackup(into, `at call ${crashAt}`));
      await backUp({ data: service.data, folder: into });
      expect(await expectWholeBackup(into, 'afterwards')).toBe('now');
    }
    expect([...seen].sort()).toEqual(['none', 'now']);
  });

  test('a later one leaves the one before, or is whole', async () => {
    const copyEarlier = async (name: string) => {
      const into = join(folder, name);
      await cp(earlier, into, { recursive: true });
      return into;
    };
    const calls = await countBackup(await copyEarlier('counted'));
    const seen = new Set<string>();
    for (const crashAt of points(calls, 3)) {
      const into = await copyEarlier(`${crashAt}`);
      const fs = recordingFileSystem({ crashAt });
      await expect(backUp({ data: service.data, folder: into, fs })).rejects.toThrow();
      seen.add(await expectWholeBackup(into, `at call ${crashAt}`));
    }
    expect([...seen].sort()).toEqual(['before', 'now']);
  });
});

describe('kill -9 at any moment, also between the calls', () => {
  /** Runs a task in a process of its own, which is killed so many milliseconds after it began; resolves with the signal and how long it took. */
  async function killedAfter(
    task: 'backup' | 'restore',
    into: string,
    ms = Number.POSITIVE_INFINITY,
  ) {
    const script = new URL('../../helpers/restore-script.ts', import.meta.url).pathname;
    const child = execFile(process.execPath, [
      script,
      task,
      into,
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
  const rounds = long ? 50 : 3;
  /** Part of the time that a whole run took; the random seed of the property tests repeats them. */
  const moments = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), rounds);

  test('of a backup: it is the one of before, or whole', { timeout: 1_200_000 }, async () => {
    const into = join(folder, 'b');
    const again = () => cp(earlier, into, { recursive: true });
    await again();
    const { tookMs } = await killedAfter('backup', into);
    for (const moment of moments) {
      await removeFolder(into);
      await again();
      await killedAfter('backup', into, moment * tookMs);
      expect(await expectWholeBackup(into, `killed at ${moment} of ${tookMs} ms`)).not.toBe('none');
    }
    await backUp({ data: service.data, folder: into });
    expect(await expectWholeBackup(into, 'afterwards')).toBe('now');
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

  test('a backup, before its manifest gets its name', async () => {
    const fs = recordingFileSystem();
    const into = join(folder, 'b');
    await backUp({ data: service.data, folder: into, fs });
    expectOrder(fs);
    const named = fs.calls.find(({ path }) => path === join(into, 'backup.json'));
    // The folder of the work is deleted afterwards.
    expect(named?.unsynced.filter((one) => !one.includes(join(into, 'new')))).toEqual([]);
    // SQLite wrote it, so that its content isn't among what is recorded.
    const steps = fs.calls.map(({ name, path }) => `${name} ${path}`);
    const synced = steps.indexOf(`sync ${join(into, 'new', 'cs.sqlite')}`);
    expect(synced).toBeGreaterThan(-1);
    expect(synced).toBeLessThan(steps.findIndex((one) => /^rename .*records-/.test(one)));
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
      expect(fs.calls.find(({ path }) => path === join(data, 'restoring'))?.unsynced).toEqual([]);
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
