/** A disk that is full at every step of the journal: the command is carried out, a warning is told, and nothing is doubled. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bin } from '../../../helpers/built.ts';
import {
  countStored,
  type RepeatedCommand,
  repeatedCommands,
  writePhotos,
} from '../../../helpers/commands-to-repeat.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
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

test('a lost line is known: what may be stored is not sent again unasked', async () => {
  const spot = await counter.spot();
  const car = await counter.car();
  await counter.make.event(car.id, { parkingSpotId: (await counter.spot()).id });
  const state = await makeFolder();
  // Neither recognises a repeat, nor tells what is stored.
  const proxy = await startFaultyProxy(
    counter.service.url,
    ({ method }) => (method === 'POST' ? 'lost' : undefined),
    {
      withoutKeys: true,
      lacks: ({ method, url }) => method === 'GET' && url.includes('/parking/assignments'),
    },
  );
  const options = {
    cwd,
    env: {
      ...ownEnvironment(),
      ...counter.env(counter.service.key, proxy.url),
      CS_STATE_DIR: state,
    },
    extendEnv: false,
  };
  const line = (notes: string) => [
    'move',
    car.licensePlate,
    '--spot',
    spot.name,
    '--notes',
    notes,
    '--retries',
    '0',
  ];
  const run = (argv: string[], blocks = 200) =>
    execa('sh', ['-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', process.execPath, bin, ...argv], {
      ...options,
      reject: false,
    });
  const sizeOf = async (notes: string) => {
    await run(line(notes));
    const folder = join(state, 'journal');
    const [name] = await readdir(folder);
    const [first = ''] = (await readFile(join(folder, name as string), 'utf8')).split('\n');
    await rm(folder, { recursive: true });
    return first.length;
  };
  try {
    // From the second one on, the car is there already.
    const [, one, more] = [await sizeOf('x'), await sizeOf('x'), await sizeOf('x'.repeat(101))];
    // A line is a byte longer or shorter each time.
    const perLetter = Math.round((more - one) / 100);
    const blocks = Math.ceil(one / 512) + 1;
    // Room for the first line, and not for the next one.
    const notes = 'x'.repeat(1 + Math.floor((blocks * 512 - one - 60) / perLetter));
    const sent = proxy.requests.filter(({ method }) => method === 'POST').length;
    expect((await run(line(notes), blocks)).stderr).toContain("Couldn't write");
    const again = await run(line(notes));
    expect(JSON.parse(again.stderr).error).toMatchObject({ code: 'outcome_unknown', exitCode: 7 });
    expect(proxy.requests.filter(({ method }) => method === 'POST')).toHaveLength(sent + 1);
  } finally {
    await proxy.close();
    await removeFolder(state);
  }
});

test('the command is carried out, told, and not left unfinished', async () => {
  const [dropoff] = repeatedCommands as [RepeatedCommand];
  const told: string[] = [];
  for (const limit of limits) {
    const { plate, argv } = await dropoff.prepare(counter);
    const state = await makeFolder();
    const environment = {
      ...ownEnvironment(),
      ...counter.env(),
      CS_STATE_DIR: state,
    };
    const options = { cwd, env: environment, extendEnv: false, reject: false };
    const { exitCode, stderr } = await execa(
      'sh',
      ['-c', `ulimit -f ${limit}; exec "$@"`, 'sh', process.execPath, bin, ...argv],
      options,
    );
    expect(exitCode, stderr).toBe(0);
    expect(await countStored(counter, plate)).toEqual(dropoff.stored);
    const pending = await execa(process.execPath, [bin, 'pending', 'list'], options);
    expect(JSON.parse(pending.stdout)).toEqual([]);
    told.push(stderr);
    await removeFolder(state);
  }
  const warning =
    /^Couldn't write .*: the file would be larger than is allowed\. If this run is cut off, check what is stored.*\.$/;
  for (const text of told.filter(Boolean)) expect(text).toMatch(warning);
  // The first line didn't fit, then a later one, and at last all of them did.
  expect(told[0]).toContain("Couldn't write the journal");
  expect(told.some((text) => text.includes('.jsonl: '))).toBe(true);
  expect(told.at(-1)).toBe('');
});
