/** `kill -9` again and again during an upload of a folder: in the end each photo is stored once. */
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { builtCs } from '../../../helpers/built.ts';
import { png } from '../../../helpers/facility.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { long } from '../../../helpers/property.ts';
import { counterOfFile } from '../counter/counter.ts';

const counter = counterOfFile();

const count = 60;
const kills = long ? 12 : 4;

async function writeMany(cwd: string): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) =>
    join('shots', `day ${index % 3}`, `IMG_${index}.png`),
  );
  for (const day of [0, 1, 2]) await mkdir(join(cwd, 'shots', `day ${day}`), { recursive: true });
  for (const [index, name] of names.entries()) await writeFile(join(cwd, name), png(index));
  return names;
}

const random = (below: number) => Math.floor(Math.random() * below);

test.each([
  ['with idempotency keys', false],
  ['without', true],
])('on a server %s', async (_, withoutKeys) => {
  const cwd = await makeFolder();
  onTestFinished(() => removeFolder(cwd));
  const names = await writeMany(cwd);
  const car = await counter.car();
  let running: ReturnType<typeof builtCs> | undefined;
  let killAt = 0;
  let arrives = true;
  const proxy = await startFaultyProxy(
    counter.service.url,
    ({ method }) => {
      if (method !== 'POST' || killAt-- !== 0) return undefined;
      running?.kill('SIGKILL');
      return arrives ? undefined : 'reset';
    },
    { withoutKeys },
  );
  onTestFinished(() => proxy.close());
  const argv = [
    'cars',
    'photos',
    'add',
    car.licensePlate,
    'shots',
    '--recursive',
    '--verify',
    '--parallel',
    '8',
  ];
  // Without keys each further run waits for as long before it sends again.
  const timeout = withoutKeys ? '3' : '30';
  const options = {
    cwd,
    env: {
      ...counter.env(counter.service.key, proxy.url),
      CS_STATE_DIR: join(cwd, 'state'),
      CS_TIMEOUT: timeout,
    },
  };
  let isFinished = false;
  for (let round = 0; round <= kills && !isFinished; round++) {
    // The last rounds are killed by the clock, so that some end while photos are compared.
    const byRequest = round < kills - 1;
    killAt = byRequest ? random(count / kills) : -1;
    arrives = random(2) === 0;
    running = builtCs(argv, options);
    const timer =
      byRequest || round === kills
        ? undefined
        : setTimeout(() => running?.kill('SIGKILL'), 200 + random(600));
    const { exitCode, stdout, stderr } = await running;
    clearTimeout(timer);
    // A result that is complete has no unfinished entry.
    isFinished = exitCode === 0 || String(stdout).endsWith(']');
    if (!isFinished && round === kills) expect.fail(String(stderr));
  }
  const listed = await counter.service.call('GET', `/cars/${car.id}/photos?limit=200`);
  expect(listed.body.data.map(({ filename }: { filename: string }) => filename).sort()).toEqual(
    names.map((name) => basename(name)).sort(),
  );
});
