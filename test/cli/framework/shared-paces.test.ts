import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSharedPaces, pacesFile } from '../../../src/cli/framework/shared-paces.ts';
import type { Pace } from '../../../src/client/pacing.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

let folder: string;
let made = 0;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => removeFolder(folder));

const newFile = () => join(folder, `${++made}`, 'paces.db');
const pace: Pace = { closedUntil: 1, nextTurn: 2, nextUrgentTurn: 3, interval: 100 };
const later = (stored: Pace | undefined): Pace =>
  stored ? { ...stored, nextTurn: stored.nextTurn + 1 } : pace;

function open(file: string) {
  const notes: string[] = [];
  return { notes, update: openSharedPaces(file, (text) => notes.push(text)).update };
}

test('runs share a pace for each limit', async () => {
  const file = newFile();
  const [one, other] = [open(file), open(file)];
  expect(await one.update('requests', later)).toEqual(pace);
  expect(await other.update('requests', later)).toEqual({ ...pace, nextTurn: 3 });
  expect(await one.update('requests', later)).toEqual({ ...pace, nextTurn: 4 });
  expect(await one.update('uploads', later)).toEqual(pace);
  expect([one.notes, other.notes]).toEqual([[], []]);
});

test('neither the name of the file nor its content has the key or the server', async () => {
  const env = { CS_CACHE_DIR: join(folder, 'named') };
  const file = pacesFile({ env } as never, 'https://cars.example.com', 'csk_prefix.secret');
  await openSharedPaces(file, () => {}).update('requests', later);
  expect(await readdir(env.CS_CACHE_DIR)).toEqual([
    expect.stringMatching(/^rate-limit-[0-9a-f]{32}\.db$/),
  ]);
  expect((await readFile(file)).toString('latin1')).not.toMatch(/csk_|secret|example/);
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect(pacesFile({ env } as never, 'https://cars.example.com', 'csk_prefix.other')).not.toBe(
    file,
  );
  expect(pacesFile({ env } as never, 'https://other.example.com', 'csk_prefix.secret')).not.toBe(
    file,
  );
});

test.each([
  ['text', 'not a database at all, but longer than its header would be: '.repeat(20)],
  ['half a header', 'SQLite format 3\0 and nothing after it that makes sense'.repeat(3)],
])('a damaged file (%s) is replaced, with a note', async (_, content) => {
  const file = newFile();
  await open(file).update('requests', later);
  await writeFile(file, content);
  const run = open(file);
  expect(await run.update('requests', later)).toEqual(pace);
  expect(run.notes).toEqual([`the file of shared waits was damaged and is replaced: ${file}`]);
  expect(await open(file).update('requests', later)).toEqual({ ...pace, nextTurn: 3 });
});

test('a file with other tables, and a row with other values', async () => {
  const file = newFile();
  await open(file).update('requests', later);
  const database = new DatabaseSync(file);
  database.exec(`update "paces" set "nextTurn" = null, "closedUntil" = -5`);
  expect(await open(file).update('requests', later)).toEqual(pace);
  database.exec(
    `drop table "paces"; create table "paces" ("limit" text primary key, "until" real)`,
  );
  database.close();
  const run = open(file);
  expect(await run.update('requests', later)).toEqual(pace);
  expect(run.notes).toEqual([expect.stringContaining('damaged and is replaced')]);
});

test("a folder that can't be used: the run waits alone", async () => {
  const blocked = join(folder, 'blocked');
  await writeFile(blocked, '');
  const run = open(join(blocked, 'paces.db'));
  expect(await run.update('requests', later)).toEqual(pace);
  expect(await run.update('requests', later)).toEqual({ ...pace, nextTurn: 3 });
  expect(run.notes).toEqual([
    expect.stringMatching(/^waits for the rate limit aren't shared with other runs: /),
  ]);
});

/** A process in the middle of an update. */
async function holder(file: string) {
  const script = `import { DatabaseSync } from 'node:sqlite';
    const database = new DatabaseSync(${JSON.stringify(file)});
    database.exec('begin immediate; update "paces" set "nextTurn" = 999');
    console.log('holds');
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

test('a process that is killed in the middle of an update leaves nothing behind', async () => {
  const file = newFile();
  await open(file).update('requests', later);
  const child = await holder(file);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const run = open(file);
  expect(await run.update('requests', later)).toEqual({ ...pace, nextTurn: 3 });
  expect(run.notes).toEqual([]);
});

test('a process that is stopped in the middle of an update: the others wait alone', async () => {
  const file = newFile();
  await open(file).update('requests', later);
  const child = await holder(file);
  child.kill('SIGSTOP');
  const run = open(file);
  expect(await run.update('requests', later)).toEqual(pace);
  expect(run.notes).toEqual([expect.stringMatching(/aren't shared with other runs: .*locked/)]);
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('no update is lost among several processes', async () => {
  const file = newFile();
  await open(file).update('requests', () => ({ ...pace, nextTurn: 0 }));
  const source = new URL('../../../src/cli/framework/shared-paces.ts', import.meta.url).href;
  const script = `import { openSharedPaces } from ${JSON.stringify(source)};
    const paces = openSharedPaces(${JSON.stringify(file)}, (text) => { throw new Error(text); });
    for (let n = 0; n < 100; n++) await paces.update('requests', (pace) => ({ ...pace, nextTurn: pace.nextTurn + 1 }));`;
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }),
  );
  expect(await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))).toEqual([
    0, 0, 0,
  ]);
  expect((await open(file).update('requests', later)).nextTurn).toBe(301);
});
