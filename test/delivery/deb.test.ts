/** The Debian package in a clean Debian: installed, used, upgraded, removed and purged. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shellLine, shellLines } from '../helpers/documentation.ts';
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

  /** Puts the package of a version where the lines of docs/deploy.md look for it. */
  async function pack(as: string): Promise<void> {
    const line = shellLine('docs/releasing.md', 'scripts/deb.mjs');
    // Compressed, it takes a minute.
    const here = `--executable ${executable} --output ${debian} --version ${as} --compression none`;
    await execa('sh', ['-c', `${line} ${here}`], { cwd: root });
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
      // apt asks whether it may go back to an earlier version.
      input: 'y\n',
    });
  const seen = new Set<string>();
  let weekday = '';
  /** Types the line of docs/deploy.md with these words. */
  function typed(words: string) {
    const line = shellLine('docs/deploy.md', words);
    seen.add(line);
    return inside('sh', '-c', line.replace('/Sat ', `/${weekday} `));
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
    await pack(version);
    expect(await typed('apt install ./car-storage_0.1.0')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('systemctl enable --now'),
    });
    expect((await inside('cs', 'version')).stdout).toBe(`${version} (executable)`);
    expect(await owned('/usr/share/man/man1/cs-dropoff.1.gz')).toBe('root:root 644');
    expect(await owned('/var/lib/car-storage')).toBe('car-storage:car-storage 700');
    expect(await owned('/etc/default/car-storage')).toBe('root:root 600');
    expect(await owned('/etc/car-storage')).toBe('root:root 700');
    expect(await owned('/usr/bin/cs')).toBe('root:root 755');
    expect(await typed('runuser -u car-storage -- env')).toMatchObject({ exitCode: 0 });
    expect(await typed('> /etc/car-storage/SMTP_URL')).toMatchObject({ exitCode: 0 });
    expect(await owned('/etc/car-storage/SMTP_URL')).toBe('root:root 600');
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
    weekday = (await inside('date', '+%a')).stdout;
    expect(await owned(`/var/backups/car-storage/${weekday}/backup.json`)).toBe(
      'car-storage:car-storage 600',
    );
  });

  test('upgraded: settings and data stay', async () => {
    await inside('sh', '-c', 'echo CS_LOG_LEVEL=warn >> /etc/default/car-storage');
    await pack('0.1.1');
    expect(await typed('apt install ./car-storage_0.1.1')).toMatchObject({ exitCode: 0 });
    expect((await inside('dpkg', '-s', 'car-storage')).stdout).toContain('\nVersion: 0.1.1\n');
    expect((await inside('tail', '-1', '/etc/default/car-storage')).stdout).toBe(
      'CS_LOG_LEVEL=warn',
    );
    expect((await asService('admin', 'team', 'list', '-o', 'id')).stdout).not.toBe('');
  });

  test('the way back: the earlier version, with the records of the backup', async () => {
    for (const words of ['apt install --allow-downgrades', 'mv ', 'cs admin restore'])
      expect(await typed(words)).toMatchObject({ exitCode: 0 });
    expect((await inside('cs', '--version')).stdout).toBe(version);
    expect((await asService('admin', 'team', 'list', '-o', 'id')).stdout).not.toBe('');
  });

  test('every line of the page was typed that needs no running systemd', () => {
    const headings = ['One machine, with systemd', 'Backup, upgrade, way back'];
    const lines = headings.flatMap((heading) => shellLines('docs/deploy.md', heading));
    const needsSystemd = /^(systemctl|systemd-run|journalctl) /;
    expect(lines.filter((line) => !seen.has(line) && !needsSystemd.test(line))).toEqual([]);
    expect(seen.size).toBe(7);
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
