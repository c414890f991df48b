import { createHash } from 'node:crypto';
import { link, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';

const bytes = 'the bytes of a photo';
const sha256 = createHash('sha256').update(bytes).digest('hex');

/** Codes with which `link` fails, as on another file system. */
const linking = vi.hoisted(() => ({ fails: [] as string[] }));
/** The files that were read. */
const opened = vi.hoisted((): string[] => []);
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    open: (path: string, ...more: []) => {
      opened.push(path);
      return real.open(path, ...more);
    },
    link: (from: string, to: string) => {
      const code = linking.fails.shift();
      return code
        ? Promise.reject(Object.assign(new Error(`${code}: no link`), { code }))
        : real.link(from, to);
    },
  };
});

// Files of a project share a process, where an earlier file may have loaded the real ones.
vi.resetModules();
afterAll(() => void vi.resetModules());
const { movePhoto } = await import('../../../../src/cli/commands/photos/move.ts');

async function begin() {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  linking.fails = [];
  const [from, to] = [join(folder, 'a.jpg'), join(folder, 'done/day 1/a.jpg')];
  await writeFile(from, bytes);
  const left = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((one) => one.isFile())
      .map(({ name }) => name);
  return { folder, from, to, left };
}

test('moves a file into a new folder', async () => {
  const { from, to, left } = await begin();
  expect(await movePhoto(from, to, sha256)).toEqual({ to });
  expect(await left()).toEqual(['a.jpg']);
  expect(await readFile(to, 'utf8')).toBe(bytes);
});

test.each([
  ['another file system', ['EXDEV']],
  ['a file system without links', ['EPERM', 'EPERM']],
])('to %s: a complete copy with the same time', async (_, fails) => {
  const { from, to, left } = await begin();
  const taken = new Date('2026-03-04T05:06:07Z');
  await utimes(from, taken, taken);
  linking.fails = [...fails];
  expect(await movePhoto(from, to, sha256)).toEqual({ to });
  expect(await left()).toEqual(['a.jpg']);
  expect([await readFile(to, 'utf8'), (await stat(to)).mtime]).toEqual([bytes, taken]);
});

test('to a real file system of its own, where there is one', async ({ skip }) => {
  const { from } = await begin();
  const shared = await stat('/dev/shm').catch(() => undefined);
  if (!shared || shared.dev === (await stat(tmpdir())).dev)
    return skip('/dev/shm is on the same file system');
  const folder = `/dev/shm/cs-move-${process.pid}`;
  onTestFinished(() => removeFolder(folder));
  const to = join(folder, 'a.jpg');
  expect(await movePhoto(from, to, sha256)).toEqual({ to });
  expect(await readdir(folder)).toEqual(['a.jpg']);
});

test.each([[[]], [['EXDEV']], [['EPERM', 'EPERM']]])(
  'never overwrites: takes the next free name (link fails with %j)',
  async (fails) => {
    const { folder, from, to, left } = await begin();
    await mkdir(join(folder, 'done/day 1'), { recursive: true });
    await writeFile(to, 'another photo');
    await writeFile(join(folder, 'done/day 1/a-2.jpg'), 'a third one');
    linking.fails = [...fails];
    const free = join(folder, 'done/day 1/a-3.jpg');
    expect(await movePhoto(from, to, sha256)).toEqual({ to: free });
    expect([await readFile(free, 'utf8'), await readFile(to, 'utf8')]).toEqual([
      bytes,
      'another photo',
    ]);
    expect(await left()).toEqual(['a-2.jpg', 'a-3.jpg', 'a.jpg']);
    // And once more, with nothing left to do.
    expect(await movePhoto(from, to, sha256)).toEqual({ to: free });
  },
);

test('many names are taken: the file itself is read once', async () => {
  const { folder, from, to } = await begin();
  await mkdir(join(folder, 'done/day 1'), { recursive: true });
  await writeFile(to, 'another photo');
  for (const count of [2, 3, 4])
    await writeFile(join(folder, `done/day 1/a-${count}.jpg`), `photo ${count}`);
  opened.length = 0;
  expect(await movePhoto(from, to, sha256)).toEqual({ to: join(folder, 'done/day 1/a-5.jpg') });
  expect(opened.filter((path) => path === from)).toHaveLength(1);
});

test('a file that changed since it was sent stays', async () => {
  const { from, to, left } = await begin();
  await writeFile(from, 'changed');
  expect(await movePhoto(from, to, sha256)).toEqual({ reason: 'it has changed since it was sent' });
  expect(await left()).toEqual(['a.jpg']);
});

test('a link, and a file that is gone, are named', async () => {
  const { folder, from, to } = await begin();
  await symlink(from, join(folder, 'link.jpg'));
  expect(await movePhoto(join(folder, 'link.jpg'), to, sha256)).toEqual({
    reason: "it is a link, which isn't moved",
  });
  expect(await movePhoto(join(folder, 'gone.jpg'), to, sha256)).toEqual({
    reason: 'the file is gone',
  });
});

test('the same place, by the same path or through a link to its folder, loses nothing', async () => {
  const { folder, from } = await begin();
  await symlink(folder, join(folder, 'alias'));
  // Another name elsewhere doesn't make two of one.
  await link(from, join(folder, 'other name.jpg'));
  for (const to of [from, join(folder, 'alias/a.jpg')])
    expect(await movePhoto(from, to, sha256)).toEqual({ reason: 'it is there already' });
  expect(await readFile(from, 'utf8')).toBe(bytes);
});

test.each([
  ['after the new name', async ({ from, to }: { from: string; to: string }) => link(from, to)],
  ['after the copy', async ({ to }: { to: string }) => writeFile(to, bytes)],
])('a run that was cut off %s is finished', async (_, cutOff) => {
  const { folder, from, to, left } = await begin();
  await mkdir(join(folder, 'done/day 1'), { recursive: true });
  await cutOff({ from, to });
  expect(await movePhoto(from, to, sha256)).toEqual({ to });
  expect(await left()).toEqual(['a.jpg']);
  // And once more, with nothing left to do.
  expect(await movePhoto(from, to, sha256)).toEqual({ to });
});
