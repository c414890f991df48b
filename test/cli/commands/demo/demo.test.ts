import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { photoLimit } from '../../../../src/contract/limits.ts';
import { builtCs, builtServe } from '../../../helpers/built.ts';
import { cs } from '../../../helpers/cli.ts';
import { png } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { openTerminal } from '../../../helpers/terminal.ts';

let folder: string;
let env: Record<string, string>;
let data: string;
beforeEach(async () => {
  folder = await makeFolder();
  env = { CS_CONFIG_DIR: join(folder, 'config'), HOME: folder, TZ: zoneAtNoon() };
  data = join(folder, 'data');
});
afterEach(() => removeFolder(folder));

/** A time zone where it is noon: around midnight a day has nothing late yet, and may end between two commands. */
function zoneAtNoon(): string {
  const behind = new Date().getUTCHours() - 12;
  // The names have the sign of the offset reversed.
  return `Etc/GMT${behind < 0 ? '-' : '+'}${Math.abs(behind)}`;
}

const demo = () => builtCs(['demo', '--data', data], { env });

/** Photos that are there are not drawn, which takes a second. */
async function putPhotos(): Promise<void> {
  await mkdir(join(data, 'sample-photos'), { recursive: true });
  for (const name of ['front.jpg', 'side.jpg'])
    await writeFile(join(data, 'sample-photos', name), png(1));
}

test('drops a car off, stores a profile, exits 0, and can be run again', async () => {
  const first = await demo();
  expect(first.stderr).toContain('A small facility: two locations');
  expect(first.exitCode).toBe(0);
  const { dropoff, profile, next } = JSON.parse(String(first.stdout));
  expect(dropoff.photos).toMatchObject([
    { status: 'stored', shrunk: true, locationRemoved: true },
    { status: 'stored', shrunk: false },
  ]);
  expect((await stat(join(data, 'sample-photos', 'front.jpg'))).size).toBeGreaterThan(photoLimit);
  expect(dropoff.photos[0].sizeBytes).toBeLessThanOrEqual(photoLimit);
  const config = JSON.parse(await readFile(join(folder, 'config', 'config.json'), 'utf8'));
  expect(config).toMatchObject({
    currentProfile: profile,
    profiles: { demo: { key: expect.stringMatching(/^csk_/) } },
  });
  expect(next.serve).toContain(`--data ${data}`);

  const again = await demo();
  expect(again.exitCode).toBe(0);
  const second = JSON.parse(String(again.stdout)).dropoff;
  expect(second.car.id).not.toBe(dropoff.car.id);
  expect(second.spot.id).not.toBe(dropoff.spot.id);

  // What it says to type next works: the service on the same data, the profile's key, the stored bytes.
  const service = await builtServe(data);
  const stored = await builtCs(
    ['cars', 'get', dropoff.car.id, '--base-url', service.url, '--profile', 'demo'],
    {
      env: { ...env, CS_API_KEY: (await profileKey()) ?? '' },
    },
  );
  expect(JSON.parse(String(stored.stdout))).toMatchObject({
    status: 'stored',
    parkingSpotId: dropoff.spot.id,
  });
  // While that service runs, the demo uses it instead of starting its own.
  const third = await demo();
  expect(third.exitCode).toBe(0);
  expect(JSON.parse(String(third.stdout))).toMatchObject({
    url: service.url,
    next: expect.not.objectContaining({ serve: expect.anything() }),
  });
  expect((await service.stop('SIGTERM')).exitCode).toBe(0);
});

async function profileKey(): Promise<string | undefined> {
  return JSON.parse(await readFile(join(folder, 'config', 'config.json'), 'utf8')).profiles.demo
    .key;
}

test('a terminal gets the steps and the next commands', async () => {
  await putPhotos();
  const terminal = openTerminal(['demo', '--data', data], {
    env,
    columns: 200,
    rows: 60,
    ownProcess: true,
  });
  await terminal.waitFor('The service runs at http://127.0.0.1:');
  await terminal.waitFor('A small facility');
  await terminal.waitFor('is parked in');
  await terminal.waitFor('stored');
  await terminal.waitFor('start the service again');
  await terminal.waitFor(/cs dropoff .*sample-photos/);
  expect(await terminal.exited).toBe(0);
  // On a wide terminal, so that a line that is too long for a narrow one is seen whole. Paths are as long as they are.
  const lines = terminal.screen().split('\n');
  expect(
    lines.filter(
      (line) => line.length > 80 && !line.includes('/dashboard/link#') && !line.includes(data),
    ),
  ).toEqual([]);
});

test('--keep leaves the service running until Ctrl-C, and shows a day that is alive', async () => {
  await putPhotos();
  const terminal = openTerminal(['demo', '--keep', '--data', data], {
    env,
    columns: 200,
    rows: 60,
    patienceMs: 60_000,
    ownProcess: true,
  });
  const screen = await terminal.waitFor(/keeps running here; Ctrl-C stops it[\s\S]*cs today/);
  expect(screen).toContain('A day with arrivals and departures');
  expect(screen).not.toContain('cs serve');
  const [today, board, again] = await Promise.all([
    builtCs(['today'], { env }),
    builtCs(['board', '-o', 'table'], { env }),
    builtCs(['demo', '--keep', '--data', data], { env }),
  ]);
  const { arrivals, late, withoutPhotos } = JSON.parse(String(today.stdout));
  expect([arrivals.length, late.length, withoutPhotos.length]).toEqual([3, 1, 1]);
  expect(board.stdout).toContain('HH-RS 73');
  // A second one uses the service of the first, and ends by itself.
  expect(again.exitCode).toBe(0);
  terminal.press('ctrl-c');
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toContain('Stopping');
});

test("doesn't claim CS_DATA, the folder of the real service, as its own", async () => {
  const { stdout } = await cs(['demo', '--help']);
  expect(stdout).toContain('--data <folder>');
  expect(stdout).not.toContain('CS_DATA');
});
