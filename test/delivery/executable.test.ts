/** The executable where nothing but glibc is: what a person does on the first day, with its output compared. */
import { once } from 'node:events';
import { chmod, copyFile, link, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { freePort } from '../helpers/free-port.ts';
import { toolsAreRequired } from '../helpers/tools.ts';

const executable = process.env.CS_TEST_EXECUTABLE as string;
const canChangeRoot = process.platform === 'linux' && process.getuid?.() === 0;
if (!canChangeRoot && !toolsAreRequired)
  console.warn('skipped: only root can run the executable in a folder with glibc alone');

/** The number of a user that the machine doesn't know. */
const somebody = 64_321;

describe.skipIf(!canChangeRoot && !toolsAreRequired)('with glibc alone', () => {
  let folder: string;
  const photo = () => join(folder, 'home/front.jpg');
  beforeAll(async () => {
    folder = await makeFolder();
    // Another user starts in it.
    await chmod(folder, 0o755);
    const { stdout } = await execa('ldd', [executable]);
    const libraries = Array.from(
      stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g),
      ([, path]) => path as string,
    );
    // Part of glibc too; the libraries for photos need it.
    const libc = libraries.find((path) => path.endsWith('/libc.so.6')) as string;
    for (const path of [...libraries, join(dirname(libc), 'libresolv.so.2')]) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await copyFile(path, join(folder, path));
    }
    await copyFile(executable, join(folder, 'cs'));
    await mkdir(join(folder, 'usr/bin'), { recursive: true });
    await link(join(folder, 'cs'), join(folder, 'usr/bin/cs'));
    for (const name of ['tmp', 'home', 'closed', 'dev', 'data', 'noexec'])
      await mkdir(join(folder, name), { recursive: true });
    await execa('mknod', ['-m', '666', join(folder, 'dev/null'), 'c', '1', '3']);
    await execa('mknod', ['-m', '666', join(folder, 'dev/urandom'), 'c', '1', '9']);
    for (const name of ['home', 'tmp'])
      await execa('chown', [`${somebody}:${somebody}`, join(folder, name)]);
    await execa('chown', ['65532:65532', join(folder, 'data')]);
    await chmod(join(folder, 'tmp'), 0o1777);
    await chmod(join(folder, 'closed'), 0o555);
    // More than 3 MB, so that it must be shrunk; 12 megapixels.
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
    await sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'gray', noise } })
      .jpeg({ quality: 95 })
      .toFile(photo());
    await chmod(photo(), 0o644);
  });
  afterAll(() => removeFolder(folder));

  const words = (line: readonly string[]) => [
    `--userspec=${somebody}:${somebody}`,
    folder,
    '/cs',
    ...line,
  ];
  const start = (line: readonly string[], env: Record<string, string> = {}) =>
    execa('chroot', words(line), {
      env: { HOME: '/home', PATH: '/usr/sbin:/usr/bin:/bin', ...env },
      extendEnv: false,
      reject: false,
    });

  async function serve(env: Record<string, string> = {}) {
    const child = start(['serve', '--port', '0', '--data', '/home/data'], env);
    const [line] = (await Promise.race([
      once(createInterface(child.stdout), 'line'),
      child.then(({ stderr }) => {
        throw new Error(stderr);
      }),
    ])) as [string];
    return { child, url: (JSON.parse(line) as { url: string }).url };
  }

  test('version and help', async () => {
    expect(await start(['--version'])).toMatchObject({
      stdout: manifest.version,
      stderr: '',
      exitCode: 0,
    });
    expect((await start(['version'])).stdout).toBe(`${manifest.version} (executable)`);
    expect((await start(['--help'])).stdout).toContain('cs dropoff');
    expect((await start(['no-such-word'])).exitCode).toBe(2);
  });

  test('options for Node.js are not for it', async () => {
    const found = await start(['--version'], { NODE_OPTIONS: '--no-such-option' });
    expect(found).toMatchObject({ stdout: manifest.version, exitCode: 0 });
  });

  let service: Awaited<ReturnType<typeof serve>>;
  let signedIn: Record<string, string>;
  const data = ['--data', '/home/data'];
  const cs = async (...line: string[]) => {
    const { exitCode, stdout, stderr } = await start(line, signedIn);
    if (exitCode !== 0) throw new Error(`cs ${line.join(' ')}: ${stderr}`);
    return stdout;
  };

  test('a service, a drop-off with a large photo, the dashboard', async () => {
    service = await serve();
    await cs('admin', 'team', 'create', 'Garage Nord', ...data);
    const key = ['--team', 'garage-nord', '--name', 'counter', '--all-scopes', '-o', 'json'];
    const { key: secret } = JSON.parse(await cs('admin', 'key', 'create', ...key, ...data));
    signedIn = { CS_BASE_URL: service.url, CS_API_KEY: secret };
    await cs('locations', 'create', '--name', 'Main');
    await cs('parking', 'zones', 'create', '--location', 'Main', '--name', 'Hall');
    const model = ['--year', '1961', '--make', 'Jaguar', '--model', 'E-Type'];
    await cs('cars', 'create', ...model, '--license-plate', 'HH-E 61H');
    expect((await stat(photo())).size).toBeGreaterThan(3_000_000);
    const how = ['--type', 'drop_off', '--zone', 'Hall', '--photo', '/home/front.jpg', '--yes'];
    await cs('dropoff', 'HH-E 61H', ...how);
    const plates = await cs('cars', 'list', '--status', 'stored', '--jq', '.[].licensePlate');
    expect(plates).toBe('HH-E 61H');
    const photos = JSON.parse(await cs('cars', 'photos', 'list', 'HH-E 61H'));
    expect(photos).toMatchObject([{ contentType: 'image/jpeg' }]);
    expect(await (await fetch(`${service.url}/dashboard/`)).text()).toContain('<script');
  });

  test('libraries for photos: checked at each start, and never loaded from a place that others can change', async () => {
    const native = join(folder, 'home/.cache/car-storage/native');
    const [name = ''] = await readdir(native);
    expect((await stat(join(native, name))).mode & 0o777).toBe(0o700);
    const add = ['cars', 'photos', 'add', 'HH-E 61H', '/home/front.jpg', '--yes'];
    const file = join(native, name, 'node_modules/sharp/package.json');
    await writeFile(file, '{}');
    await cs(...add);
    expect((await stat(file)).size).toBeGreaterThan(2);
    await chmod(join(native, name), 0o777);
    expect(await start(add, signedIn)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('somebody else can write to it'),
    });
    const noexec = join(folder, 'noexec');
    await execa('mount', ['-t', 'tmpfs', '-o', 'noexec,mode=777', 'none', noexec]);
    const refused = await start(add, { ...signedIn, CS_CACHE_DIR: '/noexec/cache' }).finally(() =>
      execa('umount', [noexec]),
    );
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('not mounted with noexec'),
    });
    expect(await start(add, { ...signedIn, CS_CACHE_DIR: '/closed/cache' })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/can't be used in \/closed\/cache.*CS_CACHE_DIR/s),
    });
  });

  test('a backup, its restoration, and a second start with a home that is read-only', async () => {
    await cs('admin', 'backup', '/home/copy', ...data);
    service.child.kill('SIGTERM');
    expect((await service.child).exitCode).toBe(0);
    await cs('admin', 'restore', '/home/copy', '--data', '/home/restored');
    await cs('admin', 'check', '--data', '/home/restored');
    service = await serve({ HOME: '/closed' });
    signedIn = { ...signedIn, CS_BASE_URL: service.url, HOME: '/closed' };
    expect(JSON.parse(await cs('cars', 'photos', 'list', 'HH-E 61H'))).toHaveLength(2);
    service.child.kill('SIGTERM');
    expect((await service.child).exitCode).toBe(0);
  });

  test('what the Dockerfile starts, in the files of its image: it becomes ready, and stops', async () => {
    const file = await readFile(join(import.meta.dirname, '../../Dockerfile'), 'utf8');
    const value = (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(file)?.[1] as string;
    const words = (name: string) => JSON.parse(value(name)) as string[];
    const env = Object.fromEntries(
      value('ENV')
        .split(' ')
        .map((one) => one.split('=')),
    );
    const port = await freePort();
    const start = (line: readonly string[]) =>
      execa('chroot', [`--userspec=${value('USER')}`, folder, ...line], {
        env: { HOME: '/home/nonroot', PATH: '/usr/sbin:/usr/bin', CS_PORT: String(port), ...env },
        extendEnv: false,
        reject: false,
      });
    const [, health] = value('HEALTHCHECK').split(' CMD ');
    const isHealthy = () => start(JSON.parse(health as string)).then(({ exitCode }) => exitCode);
    expect(await isHealthy()).not.toBe(0);
    const child = start([...words('ENTRYPOINT'), ...words('CMD')]);
    await Promise.race([once(createInterface(child.stdout), 'line'), child]);
    expect(await isHealthy()).toBe(0);
    child.kill('SIGTERM');
    expect((await child).exitCode).toBe(0);
    expect(await readdir(join(folder, 'data'))).not.toEqual([]);
  });
});
