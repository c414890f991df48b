/** The executable for arm64, built here and run by an emulator. */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { shellLine } from '../helpers/documentation.ts';
import { facility } from '../helpers/facility.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startTestService } from '../helpers/service.ts';
import { toolsAreRequired } from '../helpers/tools.ts';

const root = resolve(import.meta.dirname, '../..');
const building = shellLine('docs/releasing.md', '--arch arm64');
const emulator = /--emulator '(.+)'/.exec(building)?.[1]?.split(' ') as [string, ...string[]];
const possible = spawnSync(emulator[0], ['--version']).status === 0;
if (!possible && !toolsAreRequired)
  console.warn('skipped: the executable for arm64 is tried with qemu-user-static');

describe.skipIf(!possible && !toolsAreRequired)('under qemu', () => {
  afterAll(() => removeFolder(folder));
  let folder: string;

  test('it is built, tells its version, and lists cars', async () => {
    folder = await makeFolder();
    const output = join(folder, 'cs-linux-arm64');
    const started = performance.now();
    await execa('sh', ['-c', `${building} --quick --output ${output}`], { cwd: root });
    console.log(`Built for arm64 in ${Math.round((performance.now() - started) / 1000)} s.`);
    const service = await startTestService();
    try {
      await facility(service).car({ licensePlate: 'HH-E 61H' });
      const cs = (...words: string[]) =>
        execa(emulator[0], [...emulator.slice(1), output, ...words], {
          env: {
            PATH: process.env.PATH,
            HOME: folder,
            CS_BASE_URL: service.url,
            CS_API_KEY: service.key,
          },
          extendEnv: false,
        });
      expect((await cs('version')).stdout).toBe(`${manifest.version} (executable)`);
      const { stdout } = await cs('cars', 'list', '--jq', '.[].licensePlate');
      expect(stdout).toBe('HH-E 61H');
    } finally {
      await service.close();
    }
  }, 900_000);
});
