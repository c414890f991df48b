/** The command as a process: what cannot be seen from inside. */
import { copyFile, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bin, builtInShell, builtWords } from '../helpers/built.ts';
import { facility } from '../helpers/facility.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { html, silence, startMisbehavingServer } from '../helpers/misbehaving-server.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => removeFolder(folder));

const [file = '', ...first] = builtWords;
const cs = (line: string[], env: Record<string, string> = {}) =>
  execa(file, [...first, ...line], {
    env: { CS_CONFIG_DIR: folder, ...env },
    reject: false,
    stdin: 'ignore',
  });

test('--version and an unknown command', async () => {
  expect(await cs(['--version'])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    stderr: '',
  });
  expect(await cs(['carz'])).toMatchObject({ exitCode: 2, stdout: '' });
});

describe('with a service', () => {
  let service: TestService;
  let env: Record<string, string>;
  beforeAll(async () => {
    service = await startTestService();
    env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
    await facility(service).car({ notes: 'x'.repeat(10_000) });
    await Promise.all(
      Array.from({ length: 40 }, () => facility(service).car({ notes: 'x'.repeat(10_000) })),
    );
  });
  afterAll(() => service.close());

  test('prints the complete result, and the process ends by itself', async () => {
    const { exitCode, stdout } = await cs(['cars', 'list', '--all'], env);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(41);
  });

  test("a closed pipe isn't an error", async () => {
    const line = `${builtInShell} cars list --all -o ndjson | head -c 10; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await execa('bash', ['-c', line], {
      env: { CS_CONFIG_DIR: folder, ...env },
    });
    expect([stdout.split('\n').at(-1)?.at(-1), stderr]).toEqual(['0', '']);
  });
});

test('a wait for the server is reported with the status', async () => {
  const server = await startMisbehavingServer([html(429, { 'retry-after': '60' })]);
  const child = cs(['cars', 'list', '-o', 'table'], {
    CS_BASE_URL: server.url,
    CS_API_KEY: 'csk_test.secret',
  });
  let told = '';
  for await (const chunk of child.stderr) {
    told += chunk;
    if (told.includes('\n')) break;
  }
  child.kill('SIGINT');
  await child;
  await server.close();
  expect(told).toMatch(/^Waiting 6[01] s to retry \(answered 429\)\.\n/);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a request that hangs with %i', async (signal, code) => {
  let asked = () => {};
  const waiting = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const server = await startMisbehavingServer([
    (response, request) => {
      asked();
      silence()(response, request);
    },
  ]);
  const running = cs(['cars', 'list'], { CS_BASE_URL: server.url, CS_API_KEY: 'csk_test.secret' });
  await waiting;
  running.kill(signal);
  const { exitCode, stderr } = await running;
  await server.close();
  expect(exitCode).toBe(code);
  expect(JSON.parse(stderr).error.code).toBe('interrupted');
});

describe('an unsupported Node.js', () => {
  // A checkout in miniature whose "own" Node tells what it was started with; the old one is this one, disguised.
  const start = async (...line: string[]) => {
    await mkdir(join(folder, 'bin'));
    await copyFile(bin, join(folder, 'bin/cs.js'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(
      join(folder, 'old.mjs'),
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });",
    );
    return execa(
      process.execPath,
      ['--import', join(folder, 'old.mjs'), join(folder, 'bin/cs.js'), ...line],
      { reject: false },
    );
  };

  test('prints the required version and the next step', async () => {
    expect(await start('--version')).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: [
        'error: cs needs Node.js 24.15 or newer; this is 20.1.0.',
        'hint: install a newer Node.js, or run it once with `npx --package node@24 cs`',
      ].join('\n'),
    });
  });

  test('hands over to the Node of the checkout: arguments, output and exit code', async () => {
    await mkdir(join(folder, 'node_modules/node/bin'), { recursive: true });
    await symlink(process.execPath, join(folder, 'node_modules/node/bin/node'));
    await mkdir(join(folder, 'dist/cli'), { recursive: true });
    await writeFile(
      join(folder, 'dist/cli/main.js'),
      'console.log(process.argv.slice(2).join()); process.exitCode = 7;',
    );
    expect(await start('a', 'b')).toMatchObject({ exitCode: 7, stdout: 'a,b', stderr: '' });
  });
});

describe('an error that nothing expected prints no built source', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));

  test('in a command: version and where to report it, with -v the places in the sources', async () => {
    // Its folder is gone, which only a bug forgets.
    const leave = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const run = (...more: string[]) =>
      execa('sh', ['-c', leave, 'sh', ...builtWords, 'export', 'cars', '--to', 'x', ...more], {
        cwd: folder,
        env: { CS_CONFIG_DIR: folder, CS_API_KEY: 'csk_a.b', CS_OUTPUT: 'csv' },
        reject: false,
      });
    const { exitCode, stderr } = await run();
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^error: ENOENT.*\nhint: this may be a bug in cs: run it again with -v.* `npm bugs car-storage` shows where\n\(unexpected\)$/m,
    );
    expect((await run('-v')).stderr).toMatch(
      /\nError in cs [\d.]+, Node\.js [\d.]+\n[\s\S]*\n {4}at run \(src\/cli\/commands\/export\/export\.ts:\d+:\d+\)\n/,
    );
  });

  test('in a damaged installation', async () => {
    for (const part of ['bin/cs.js', 'package.json', 'dist/cli', 'dist/chunks'])
      await cp(join(root, part), join(folder, part), { recursive: true });
    const chunks = join(folder, 'dist/chunks');
    const program = (await readdir(chunks)).find((name) => /^program-.*\.js$/.test(name)) as string;
    const code = await readFile(join(chunks, program), 'utf8');
    await writeFile(join(chunks, program), `null.damage;${code}`);
    const { exitCode, stderr } = await execa(
      process.execPath,
      [join(folder, 'bin/cs.js'), 'cars', 'list', '-v'],
      { reject: false },
    );
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^error: cs couldn't start: Cannot read properties of null .*\nhint: install cs [\d.]+ again .*\n {4}at /,
      ),
    ]);
    expect(stderr.length).toBeLessThan(2_000);
  });
});

describe('compile cache', () => {
  const keptBelow = async (path: string, env: Record<string, string>) => {
    const there = join(folder, path);
    await mkdir(there, { recursive: true });
    const TMPDIR = join(folder, 'tmp');
    await mkdir(TMPDIR, { recursive: true });
    const { exitCode } = await execa(process.execPath, [bin, '--version'], {
      extendEnv: false,
      env: { TMPDIR, ...env },
    });
    expect([exitCode, await readdir(TMPDIR)]).toEqual([0, []]);
    return readdir(there);
  };

  test('is in the cache folder of the person', async () => {
    expect(
      await keptBelow('chosen', { CS_CACHE_DIR: join(folder, 'chosen'), HOME: folder }),
    ).toEqual(['compiled']);
    expect(await keptBelow('xdg', { XDG_CACHE_HOME: join(folder, 'xdg'), HOME: folder })).toEqual([
      'car-storage',
    ]);
    const below = process.platform === 'darwin' ? 'Library/Caches' : '.cache';
    expect(
      await keptBelow('home', { XDG_CACHE_HOME: 'relative', HOME: join(folder, 'home') }),
    ).toEqual([below.split('/')[0]]);
    expect(await readdir(join(folder, 'home', below, 'car-storage'))).toEqual(['compiled']);
  });
  test("isn't used without a private folder", async () => {
    expect(await keptBelow('nobody', {})).toEqual([]);
  });
});
