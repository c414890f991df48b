/** The npm package on Deno and Bun: commands for a server run, those of the service name what they need. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { bin } from '../helpers/built.ts';
import { facility } from '../helpers/facility.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startTestService } from '../helpers/service.ts';

const folder = await makeFolder();
const service = await startTestService();
afterAll(async () => {
  await service.close();
  await removeFolder(folder);
});

beforeAll(async () => {
  const started = performance.now();
  // Their scripts put the program in place; they download nothing.
  const allowed = JSON.stringify({ allowScripts: { bun: true, deno: true } });
  await writeFile(join(folder, 'package.json'), allowed);
  const line = ['install', '--no-audit', '--no-fund', 'bun@1.4.5', 'deno@2.9.6'];
  await execa('npm', line, { cwd: folder });
  console.log(`Installed in ${Math.round((performance.now() - started) / 1000)} s.`);
  await facility(service).car({ licensePlate: 'HH-E 61H' });
});

describe.each([
  ['bun', 'Bun 1.4.5'],
  ['deno', 'Deno 2.9.6', 'run', '--allow-all'],
])('%s', (name, runtime, ...first) => {
  const home = join(folder, `home-${name}`);
  const cs = (...line: string[]) =>
    execa(join(folder, 'node_modules/.bin', name), [...first, bin, ...line], {
      env: {
        PATH: process.env.PATH,
        HOME: home,
        CS_BASE_URL: service.url,
        CS_API_KEY: service.key,
      },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });

  test('cs --version and cs cars list', async () => {
    expect(await cs('--version')).toMatchObject({ stdout: manifest.version, exitCode: 0 });
    const { stdout, stderr, exitCode } = await cs('cars', 'list', '-o', 'json');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject([{ licensePlate: 'HH-E 61H' }]);
  });

  test.each([['serve', '--port', '0'], ['admin', 'team', 'create', 'Garage'], ['demo']])(
    'cs %s is refused before anything is opened',
    async (...line) => {
      const { stderr, exitCode } = await cs(...line, '-o', 'table');
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining(`The service and its data need Node.js; this is ${runtime}.`),
      ]);
      expect(existsSync(join(home, '.local/share'))).toBe(false);
    },
  );
});
