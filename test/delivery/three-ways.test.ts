/** A newcomer's three ways to `cs` end in the same version and the same first drop-off with a photo. */
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { facility } from '../helpers/facility.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { packInto } from '../helpers/packed.ts';
import { startTestService } from '../helpers/service.ts';

const root = resolve(import.meta.dirname, '../..');
const executable = process.env.CS_TEST_EXECUTABLE as string;
const folder = await makeFolder();
const service = await startTestService();
const make = facility(service);
const photo = join(folder, 'front.jpg');
afterAll(async () => {
  await service.close();
  await removeFolder(folder);
});
beforeAll(async () => {
  await make.zone((await make.location({ name: 'Main' })).id, { name: 'Hall' });
  // More than 3 MB, so that each way needs its image library.
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
  await sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'gray', noise } })
    .jpeg({ quality: 95 })
    .toFile(photo);
});

/** Each gives the command. */
const ways = {
  executable: async () => executable,
  async deb() {
    const line = ['--executable', executable, '--output', folder, '--compression', 'none'];
    const { stdout } = await execa(process.execPath, [join(root, 'scripts/deb.mjs'), ...line]);
    await execa('dpkg-deb', ['--extract', stdout, join(folder, 'deb')]);
    return join(folder, 'deb/usr/bin/cs');
  },
  async npm() {
    const { tarball } = await packInto(folder);
    const prefix = join(folder, 'npm');
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline'];
    await execa('npm', ['install', '--global', '--prefix', prefix, ...quiet, tarball]);
    return join(prefix, 'bin/cs');
  },
};

/** What the first day shows, without what differs by chance. */
async function firstDay(way: keyof typeof ways) {
  const started = performance.now();
  const cs = await ways[way]();
  console.log(`${way}: there in ${Math.round((performance.now() - started) / 1000)} s.`);
  const home = join(folder, `home-${way}`);
  await mkdir(home);
  const run = async (...line: string[]) => {
    const { stdout } = await execa(cs, line, {
      env: {
        // The Node of the tests, for the npm package.
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        HOME: home,
        CS_BASE_URL: service.url,
        CS_API_KEY: service.key,
      },
      extendEnv: false,
    });
    return stdout;
  };
  const plate = `HH-${way.toUpperCase()}`;
  await run(
    ...`cars create --year 1961 --make Jaguar --model E-Type --license-plate ${plate}`.split(' '),
  );
  const how = `--type drop_off --zone Hall --photo ${photo} --yes -o table`;
  const shown = await run('dropoff', plate, ...how.split(' '));
  const photos = await run(...`cars photos list ${plate} -o json`.split(' '));
  const [{ contentType, sizeBytes, sha256 }] = JSON.parse(photos);
  expect(sizeBytes).toBeLessThan(3_000_000);
  return {
    version: await run('--version'),
    shown: shown.replaceAll(plate, 'PLATE').replace(/[\da-f]{8}-[\da-f-]{27}|\d+:\d+/g, '#'),
    photo: { contentType, sizeBytes, sha256 },
  };
}

test.each(['deb', 'npm'] as const)(
  '%s as the executable',
  async (way) => {
    const found = await firstDay(way);
    expect(found.version).toBe(manifest.version);
    first ??= firstDay('executable');
    expect(found).toEqual(await first);
  },
  300_000,
);
let first: ReturnType<typeof firstDay> | undefined;
