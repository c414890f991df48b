/** The Debian package in a clean Debian: installed, used, upgraded, removed and purged. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { freePort } from '../helpers/free-port.ts';
import { toolsAreRequired } from '../helpers/tools.ts';

const root = resolve(import.meta.dirname, '../..');
const executable = process.env.CS_TEST_EXECUTABLE as string;
const path = `${process.env.PATH}:/usr/sbin:/sbin`;
const has = (tool: string) => spawnSync(tool, ['--version'], { env: { PATH: path } }).status === 0;
const possible = process.getuid?.() === 0 && has('debootstrap') && has('dpkg-deb');
if (!possible && !toolsAreRequired)
  console.warn('skipped: the Debian package is tried by root, with debootstrap');

describe.skipIf(!possible && !toolsAreRequired)('in a clean Debian', () => {
  let folder: string;
  let debian: string;
  const version = '0.1.0';
  const [unit, backup] = ['car-storage', 'car-storage-backup'].map((name) =>
    join(root, `scripts/deb/${name}.service`),
  ) as [string, string];

  async function pack(as: string): Promise<string> {
    const line = ['--executable', executable, '--output', folder, '--version', as];
    // Compressed, it takes a minute.
    line.push('--compression', 'none');
    const { stdout } = await execa(process.execPath, [join(root, 'scripts/deb.mjs'), ...line]);
    return stdout;
  }
  const inside = (...line: string[]) =>
    execa('chroot', [debian, ...line], {
      env: {
        PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
        DEBIAN_FRONTEND: 'noninteractive',
      },
      extendEnv: false,
      reject: false,
    });
  async function install(as: string) {
    const made = await pack(as);
    await copyFile(made, join(debian, 'car-storage.deb'));
    return await inside('dpkg', '--install', '/car-storage.deb');
  }

  beforeAll(async () => {
    folder = await makeFolder();
    debian = join(folder, 'debian');
    const started = performance.now();
    const line = ['--variant=minbase', 'bookworm', debian];
    await execa('debootstrap', line, { env: { PATH: path } });
    console.log(`Debian was there in ${Math.round((performance.now() - started) / 1000)} s.`);
  }, 300_000);
  afterAll(() => removeFolder(folder));

  const owned = (path: string) =>
    inside('stat', '--format', '%U:%G %a', path).then(({ stdout }) => stdout);
  const asUser = (...line: string[]) =>
    inside(
      'runuser',
      '-u',
      'car-storage',
      '--',
      'env',
      'HOME=/var/lib/car-storage',
      'CS_DATA=/var/lib/car-storage/data',
      ...line,
    );
  const asService = (...line: string[]) => asUser('cs', ...line);

  test('installed: the command, its manual, a user of its own, and no service that starts by itself', async () => {
    const installed = await install(version);
    expect(installed).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('systemctl enable --now'),
    });
    expect((await inside('cs', 'version')).stdout).toBe(`${version} (executable)`);
    expect(await owned('/usr/share/man/man1/cs-dropoff.1.gz')).toBe('root:root 644');
    expect(await owned('/var/lib/car-storage')).toBe('car-storage:car-storage 700');
    expect(await owned('/etc/default/car-storage')).toBe('root:root 600');
    expect(await owned('/etc/car-storage')).toBe('root:root 700');
    expect(await owned('/usr/bin/cs')).toBe('root:root 755');
    expect((await asService('admin', 'team', 'create', 'Garage Nord')).exitCode).toBe(0);
    expect((await inside('find', '/etc/systemd', '-name', 'car-storage*')).stdout).toBe('');
  });

  test('started by hand with the words of its unit: it becomes ready, and stops', async () => {
    const text = await readFile(unit, 'utf8');
    const words = (name: string) =>
      new RegExp(`^${name}=(.+)$`, 'm').exec(text)?.[1]?.split(' ') ?? [];
    const port = `CS_PORT=${await freePort()}`;
    const start = (...line: readonly string[]) =>
      execa(
        'chroot',
        ['--userspec=car-storage:car-storage', debian, '/usr/bin/env', '-i', port, ...line],
        { env: { PATH: path }, extendEnv: false, reject: false },
      );
    const child = start(...words('Environment'), ...words('ExecStart'));
    await Promise.race([once(createInterface(child.stdout), 'line'), child]);
    expect(await start('/usr/bin/cs', 'serve', '--ready')).toMatchObject({ exitCode: 0 });
    child.kill('SIGTERM');
    expect((await child).exitCode).toBe(0);
  });

  test('the nightly backup by hand: a folder for the weekday', async () => {
    const text = await readFile(backup, 'utf8');
    const [, line = ''] = /^ExecStart=\/bin\/sh -c '(.+)'$/m.exec(text) ?? [];
    const script = line.replaceAll('$$', '$').replaceAll('%%', '%');
    expect(await asUser('sh', '-c', script)).toMatchObject({ exitCode: 0 });
    const { stdout: day } = await inside('date', '+%a');
    expect(await owned(`/var/backups/car-storage/${day}/backup.json`)).toBe(
      'car-storage:car-storage 600',
    );
  });

  test('upgraded: settings and data stay', async () => {
    await inside('sh', '-c', 'echo CS_LOG_LEVEL=warn >> /etc/default/car-storage');
    expect(await install('0.1.1')).toMatchObject({ exitCode: 0 });
    expect((await inside('dpkg', '-s', 'car-storage')).stdout).toContain('\nVersion: 0.1.1\n');
    expect((await inside('tail', '-1', '/etc/default/car-storage')).stdout).toBe(
      'CS_LOG_LEVEL=warn',
    );
    expect((await asService('admin', 'team', 'list', '-o', 'id')).stdout).not.toBe('');
  });

  test('the way back: the earlier version, with the records of the backup', async () => {
    const { stdout: day } = await inside('sh', '-c', 'ls /var/backups/car-storage');
    expect(await install(version)).toMatchObject({ exitCode: 0 });
    await inside('mv', '/var/lib/car-storage/data', '/var/lib/car-storage/data-newer');
    const restoring = ['restore', `/var/backups/car-storage/${day}`];
    const into = ['--data', '/var/lib/car-storage/data'];
    expect(await asService('admin', ...restoring, ...into)).toMatchObject({ exitCode: 0 });
    expect((await asService('admin', 'team', 'list', '-o', 'id')).stdout).not.toBe('');
  });

  test('removed and purged: the data stays, and purge says so', async () => {
    expect(await inside('dpkg', '--remove', 'car-storage')).toMatchObject({ exitCode: 0 });
    expect((await inside('test', '-e', '/usr/bin/cs')).exitCode).toBe(1);
    expect((await inside('test', '-e', '/etc/default/car-storage')).exitCode).toBe(0);
    const purged = await inside('dpkg', '--purge', 'car-storage');
    expect(purged).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('stay in /var/lib/car-storage'),
    });
    expect((await inside('test', '-e', '/etc/default/car-storage')).exitCode).toBe(1);
    expect(await owned('/var/lib/car-storage/data')).toBe('car-storage:car-storage 700');
  });

  test.each([unit, backup])('%s is shut in', async (file) => {
    const line = ['security', '--offline=yes', '--threshold=17', '--no-pager', file];
    const { exitCode, stdout } = await execa('systemd-analyze', line, { reject: false });
    expect({ exitCode, level: stdout.split('\n').at(-1) }).toMatchObject({ exitCode: 0 });
  });
});
