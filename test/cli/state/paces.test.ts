import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPaces } from '../../../src/cli/state/paces.ts';
import type { Pace } from '../../../src/client/pacing.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

let folder: string;
let made = 0;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => removeFolder(folder));

const newState = () => join(folder, `${++made}`);
const ioOf = (state: string) => ({ env: { CS_STATE_DIR: state } }) as never;
const pace: Pace = { closedUntil: 1, nextTurn: 2, nextUrgentTurn: 3, interval: 100 };
const later = (stored: Pace | undefined): Pace =>
  stored ? { ...stored, nextTurn: stored.nextTurn + 1 } : pace;

function open(state: string, owner = 'owner') {
  const notes: string[] = [];
  return { notes, update: openPaces(ioOf(state), owner, (text) => notes.push(text)).update };
}

test('runs share a pace for each limit', async () => {
  const state = newState();
  const [one, other] = [open(state), open(state)];
  expect(await one.update('requests', later)).toEqual(pace);
  expect(await other.update('requests', later)).toEqual({ ...pace, nextTurn: 3 });
  expect(await one.update('requests', later)).toEqual({ ...pace, nextTurn: 4 });
  expect(await one.update('uploads', later)).toEqual(pace);
  expect([one.notes, other.notes]).toEqual([[], []]);
});

test('another server or key has paces of its own', async () => {
  const state = newState();
  await open(state).update('requests', later);
  expect(await open(state, 'other').update('requests', later)).toEqual(pace);
});

test("a folder that can't be used: the run waits alone", async () => {
  const blocked = join(folder, 'blocked');
  await writeFile(blocked, '');
  const run = open(blocked);
  expect(await run.update('requests', later)).toEqual(pace);
  expect(await run.update('requests', later)).toEqual({ ...pace, nextTurn: 3 });
  expect(run.notes).toEqual([
    expect.stringMatching(/^waits for the rate limit aren't shared with other runs: /),
  ]);
});

/** A process in the middle of an update. */
async function holder(state: string) {
  const script = `import { DatabaseSync } from 'node:sqlite';
    const database = new DatabaseSync(${JSON.stringify(join(state, 'state.db'))});
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
  const state = newState();
  await open(state).update('requests', later);
  const child = await holder(state);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const run = open(state);
  expect(await run.update('requests', later)).toEqual({ ...pace, nextTurn: 3 });
  expect(run.notes).toEqual([]);
});

test('a process that is stopped in the middle of an update: the others wait alone', async () => {
  const state = newState();
  await open(state).update('requests', later);
  const child = await holder(state);
  child.kill('SIGSTOP');
  const run = open(state);
  expect(await run.update('requests', later)).toEqual(pace);
  expect(run.notes).toEqual([expect.stringMatching(/aren't shared with other runs: .*locked/)]);
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('no update is lost among several processes', async () => {
  const state = newState();
  await open(state).update('requests', () => ({ ...pace, nextTurn: 0 }));
  const source = new URL('../../../src/cli/state/paces.ts', import.meta.url).href;
  const script = `import { openPaces } from ${JSON.stringify(source)};
    const paces = openPaces({ env: { CS_STATE_DIR: ${JSON.stringify(state)} } }, 'owner', (text) => { throw new Error(text); });
    for (let n = 0; n < 100; n++) await paces.update('requests', (pace) => ({ ...pace, nextTurn: pace.nextTurn + 1 }));`;
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }),
  );
  expect(await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))).toEqual([
    0, 0, 0,
  ]);
  expect((await open(state).update('requests', later)).nextTurn).toBe(301);
});
