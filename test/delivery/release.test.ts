/** What a release adds to its executables, and install.sh, which reads it. */

import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { shellLine } from '../helpers/documentation.ts';
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
  const line = shellLine('docs/releasing.md', 'scripts/release.mjs');
  // Compressed the least, which takes less time. What is delivered is smaller.
  const options = { cwd: root, env: { XZ_DEFAULTS: '-0' } };
  await execa('sh', ['-c', `${line} --folder ${release}`], options);
  // Compressing takes a while.
}, 600_000);

const address = (below = '') =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}${below}`;
const install = (home: string, env: Record<string, string> = {}) =>
  execa('sh', ['-c', shellLine('docs/deploy.md', 'install.sh')], {
    env: { PATH: process.env.PATH, HOME: home, CS_RELEASES: address(), ...env },
    extendEnv: false,
    reject: false,
  });
const compressed = join(release, `${basename(executable)}.xz`);

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

test('compressed, it has less than 50 MB', async () => {
  expect((await stat(compressed)).size).toBeLessThan(50_000_000);
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
      CS_RELEASES: address(),
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

/** A PATH with the programs that every system has. */
async function withoutXz(): Promise<string> {
  const path = join(folder, 'programs');
  await mkdir(path);
  for (const name of 'sh uname mktemp rm curl awk sha256sum gzip chmod mkdir mv'.split(' '))
    await symlink((await execa('which', [name])).stdout, join(path, name));
  return path;
}

test('install.sh names the glibc that it needs, where the one of the machine is older, and installs nothing', async () => {
  // The same file, which asks for a glibc that no machine has.
  const bytes = await readFile(executable);
  const asked = Buffer.from('GLIBC_2.28\0');
  expect(bytes.indexOf(asked)).toBeGreaterThan(0);
  for (let at = bytes.indexOf(asked); at >= 0; at = bytes.indexOf(asked, at))
    bytes.write('GLIBC_2.99', at);
  const name = `${basename(executable)}.gz`;
  const older = join(release, 'older');
  await mkdir(older);
  await copyFile(join(release, 'install.sh'), join(older, 'install.sh'));
  await writeFile(join(older, name), gzipSync(bytes, { level: 1 }));
  const { stdout: sums } = await execa('sha256sum', [name], { cwd: older });
  await writeFile(join(older, 'SHA256SUMS'), sums);
  const home = join(folder, 'older-home');
  const env = { PATH: await withoutXz(), CS_RELEASES: address('/older') };
  expect(await install(home, env)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(
      /error: cs doesn't run on this machine\. Nothing was installed\.\nhint: on Linux it needs glibc 2\.28 or newer/,
    ),
  });
  expect(existsSync(join(home, '.local/bin/cs'))).toBe(false);
  // With a glibc that is new enough, gzip alone is enough.
  expect(await install(home, { PATH: env.PATH })).toMatchObject({ exitCode: 0 });
});

test('install.sh installs nothing of a download that is cut short', async () => {
  await writeFile(compressed, (await readFile(compressed)).subarray(0, 1_000_000));
  const home = join(folder, 'other-home');
  const { exitCode, stderr } = await install(home);
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('is damaged'),
  });
  expect(existsSync(join(home, '.local/bin/cs'))).toBe(false);
});
