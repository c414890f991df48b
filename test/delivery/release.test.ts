/** What a release adds to its executables, and install.sh, which reads it. */

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { makeFolder, removeFolder } from '../helpers/folder.ts';

const root = resolve(import.meta.dirname, '../..');
const executable = process.env.CS_TEST_EXECUTABLE as string;
const folder = await makeFolder();
const release = join(folder, 'release');
const server = createServer(async (request, response) => {
  const bytes = await readFile(join(release, request.url as string)).catch(() => undefined);
  response.writeHead(bytes ? 200 : 404).end(bytes);
});
afterAll(async () => {
  server.close();
  await removeFolder(folder);
});

beforeAll(async () => {
  await mkdir(release);
  await copyFile(executable, join(release, basename(executable)));
  await writeFile(join(release, 'cs-win32-x64.exe'), 'a program');
  server.listen(0, '127.0.0.1');
  const line = ['--folder', release, '--address', 'https://downloads.example.com/cs'];
  await execa(process.execPath, [join(root, 'scripts/release.mjs'), ...line]);
  // Compressing takes a while.
}, 300_000);

const install = (home: string) =>
  execa('sh', [join(release, 'install.sh')], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      CS_RELEASES: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    extendEnv: false,
    reject: false,
  });

test('SHA256SUMS are those of the files, and the manifests have them', async () => {
  const sums = await readFile(join(release, 'SHA256SUMS'), 'utf8');
  const { exitCode } = await execa('sha256sum', ['--check', 'SHA256SUMS'], { cwd: release });
  expect(exitCode).toBe(0);
  const ofWindows = /^(\w+) {2}cs-win32-x64\.exe$/m.exec(sums)?.[1] as string;
  const scoop = JSON.parse(await readFile(join(release, 'car-storage.json'), 'utf8'));
  expect(scoop).toMatchObject({
    version: manifest.version,
    architecture: { '64bit': { hash: ofWindows } },
  });
  const winget = await readFile(join(release, 'winget/CarStorage.Cs.installer.yaml'), 'utf8');
  expect(winget).toContain(`InstallerSha256: ${ofWindows.toUpperCase()}`);
  const ofThis = new RegExp(`^(\\w+)  ${basename(executable)}\\.gz$`, 'm').exec(sums)?.[1];
  expect(await readFile(join(release, 'car-storage.rb'), 'utf8')).toContain(`sha256 "${ofThis}"`);
});

test('install.sh installs cs for one person', async () => {
  const home = join(folder, 'home');
  const { exitCode, stdout } = await install(home);
  expect({ exitCode, stdout }).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`cs ${manifest.version} is in ${home}/.local/bin/cs`),
  });
  const { stdout: version } = await execa(join(home, '.local/bin/cs'), ['version']);
  expect(version).toBe(`${manifest.version} (executable)`);
});

test('the action setup-cs puts it on the PATH of the next steps', async () => {
  const { runs } = parse(await readFile(join(root, 'setup-cs/action.yml'), 'utf8'));
  const temp = join(folder, 'runner');
  await mkdir(temp);
  await execa('bash', ['-e', '-o', 'pipefail', '-c', runs.steps[0].run], {
    env: {
      CS_RELEASES: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      BASE_URL: 'https://garage.example.com',
      SCRIPT: join(root, 'setup-cs/../scripts/install.sh'),
      RUNNER_TEMP: temp,
      ...Object.fromEntries(
        ['PATH', 'OUTPUT', 'ENV'].map((name) => [`GITHUB_${name}`, join(temp, name)]),
      ),
    },
  });
  const written = (name: string) => readFile(join(temp, name), 'utf8');
  expect([await written('PATH'), await written('OUTPUT'), await written('ENV')]).toEqual([
    `${temp}/cs\n`,
    `version=${manifest.version}\n`,
    'CS_BASE_URL=https://garage.example.com\n',
  ]);
  expect((await execa(join(temp, 'cs/cs'), ['--version'])).stdout).toBe(manifest.version);
});

test('install.sh installs nothing of a download that is cut short', async () => {
  const name = join(release, `${basename(executable)}.gz`);
  await writeFile(name, (await readFile(name)).subarray(0, 1_000_000));
  const home = join(folder, 'other-home');
  const { exitCode, stderr } = await install(home);
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('is damaged'),
  });
  await expect(readFile(join(home, '.local/bin/cs'))).rejects.toThrow('ENOENT');
});
