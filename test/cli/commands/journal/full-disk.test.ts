/** A disk that is full at every step of the journal: the command is carried out, a warning is told, and nothing is doubled. */
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bin } from '../../../helpers/built.ts';
import { countStored, type RepeatedCommand, repeatedCommands, writePhotos } from '../../../helpers/commands-to-repeat.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { ownEnvironment } from '../../../helpers/own-home.ts';
import { type Counter, openCounter } from '../counter/counter.ts';

let counter: Counter;
let cwd: string;
beforeAll(async () => {
  counter = await openCounter();
  cwd = await makeFolder();
  await writePhotos(cwd);
});
afterAll(async () => {
  await counter.service.close();
  await removeFolder(cwd);
});

/** The most that a file may hold, in blocks of 512 bytes: from less than the first line to all lines. */
const limits = [1, 6, 8, 10, 14];

test('the command is carried out, told, and not left unfinished', async () => {
  const [dropoff] = repeatedCommands as [RepeatedCommand];
  const told: string[] = [];
  for (const limit of limits) {
    const { car, argv } = await dropoff.prepare(counter);
    const state = await makeFolder();
    const environment = { ...ownEnvironment(), ...counter.env(), CS_STATE_DIR: state, CS_CACHE_DIR: state };
    const options = { cwd, env: environment, extendEnv: false, reject: false };
    const { exitCode, stderr } = await execa('sh', ['-c', `ulimit -f ${limit}; exec "$@"`, 'sh', process.execPath, bin, ...argv], options);
    expect(exitCode, stderr).toBe(0);
    expect(await countStored(counter, car)).toEqual(dropoff.stored);
    const pending = await execa(process.execPath, [bin, 'pending', 'list'], options);
    expect(JSON.parse(pending.stdout)).toEqual([]);
    told.push(stderr);
    await removeFolder(state);
  }
  const warning = /^Couldn't write .*: the file would be larger than is allowed\. If this run is cut off, check what is stored.*\.$/;
  for (const text of told.filter(Boolean)) expect(text).toMatch(warning);
  // The first line didn't fit, then a later one, and at last all of them did.
  expect(told[0]).toContain("Couldn't write the journal");
  expect(told.some((text) => text.includes('.jsonl: '))).toBe(true);
  expect(told.at(-1)).toBe('');
});
