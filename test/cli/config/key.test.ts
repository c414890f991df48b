/** Keys from a file or from a command that knows them. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Interrupted } from '../../../src/cli/errors/ended-run.ts';
import { type CliOptions, cs } from '../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { testService } from '../../helpers/service.ts';
import { openTerminal } from '../../helpers/terminal.ts';

let folder: string;
const service = await testService();
beforeEach(async () => {
  folder = await makeFolder();
  await writeFile(join(folder, 'key.txt'), `${service.key}\r\nsecond line\n`);
});
afterEach(() => removeFolder(folder));

const at = (line: string[], options: CliOptions = {}) =>
  cs(line, {
    cwd: folder,
    ...options,
    env: { CS_CONFIG_DIR: join(folder, 'config'), PATH: process.env.PATH ?? '', ...options.env },
  });
const login = (command: string) =>
  at(['auth', 'login', '--base-url', service.url, '--key-command', command]);
const configured = () => readFile(join(folder, 'config/config.json'), 'utf8');
/** A command that leaves a line in a file each time it runs, and prints the key. */
const counted = 'echo ran >> runs; cat key.txt';
const runs = async () => (await readFile(join(folder, 'runs'), 'utf8')).split('\n').length - 1;

describe('a key command', () => {
  test('is stored in place of the key, runs once per cs, and is shown', async () => {
    const signedIn = await login(counted);
    expect([signedIn.code, signedIn.json.team.name]).toEqual([0, 'First']);
    expect(await configured()).toContain(counted);
    expect(await configured()).not.toContain('csk_');
    expect(await runs()).toBe(1);
    expect((await at(['cars', 'list', '--all'])).json).toEqual([]);
    expect(await runs()).toBe(2);
    expect((await at(['auth', 'status'])).json).toMatchObject({
      key: `${service.key.split('.')[0]}.…`,
      keyCommand: counted,
      origins: { key: 'profile default' },
    });
    // To show where a key comes from nobody needs it.
    expect((await at(['profiles', 'list'])).json[0].key).toBe(`command ${counted}`);
    expect((await at(['config', 'get', 'key', '-o', 'table'])).stdout).toBe(`command ${counted}\n`);
    expect(await runs()).toBe(3);
  });

  test('adds no key to the wire log', async () => {
    await login('cat key.txt');
    const { stderr, code } = await at(['cars', 'list', '-v']);
    expect([code, stderr.includes('* GET')]).toEqual([0, true]);
    expect(stderr).not.toContain(service.key.split('.')[1]);
  });

  test.each([
    ['fails', 'echo no such entry >&2; exit 3', 'failed with exit code 3'],
    ['prints nothing', 'true', 'printed nothing on its first line'],
    ['is ended by a signal', 'kill -9 $$', 'was stopped by SIGKILL'],
    ['takes too long', 'sleep 30', 'timed out after 0.2 s'],
    ['takes too long with others behind it', 'sleep 30 & sleep 30; true', 'timed out after 0.2 s'],
  ])('that %s exits 4, with its stderr', async (_, command, why) => {
    const env = {
      ...{ CS_BASE_URL: service.url, CS_KEY_COMMAND: command },
      ...(command.includes('sleep') && { CS_KEY_COMMAND_TIMEOUT: '200ms' }),
    };
    const { code, error, stdout } = await at(['cars', 'list'], { env });
    expect([code, stdout]).toEqual([4, '']);
    expect(error).toMatchObject({
      code: 'not_signed_in',
      message: `The key command (environment CS_KEY_COMMAND) ${why}.`,
      hint: `run it yourself to see the problem: \`${command}\``,
      details: command.includes('>&2') ? { stderr: 'no such entry' } : null,
    });
  });

  test("isn't stored if it fails", async () => {
    expect((await login('exit 1')).code).toBe(4);
    expect((await login('echo csk_aaaaaaaaaaaa.wrong')).code).toBe(4);
    await expect(configured()).rejects.toThrow('ENOENT');
  });

  test('is stopped by Ctrl-C', async () => {
    const stopping = new AbortController();
    const running = at(['cars', 'list'], {
      env: { CS_BASE_URL: service.url, CS_KEY_COMMAND: 'touch begun; sleep 30' },
      signal: stopping.signal,
    });
    await expect.poll(() => readFile(join(folder, 'begun')).catch(() => undefined)).toBeDefined();
    stopping.abort(new Interrupted('SIGINT'));
    expect((await running).code).toBe(130);
  });

  test('can prompt on the terminal', async () => {
    const command = `read -r answer; test "$answer" = open && cat ${join(folder, 'key.txt')}`;
    const terminal = openTerminal(['auth', 'status', '-v'], {
      cwd: folder,
      env: { CS_CONFIG_DIR: folder, CS_BASE_URL: service.url, CS_KEY_COMMAND: command },
      ownProcess: true,
    });
    terminal.type('open\r');
    await terminal.waitFor(/Team +First/);
    expect(await terminal.exited).toBe(0);
  });

  test('leaves stdin unread', async () => {
    await login('cat key.txt; cat > stolen');
    const { code, json } = await at(['locations', 'create', '--input', '-'], {
      stdin: '{"name":"Piped"}',
    });
    expect([code, json.name]).toEqual([0, 'Piped']);
    expect(await readFile(join(folder, 'stolen'), 'utf8')).toBe('');
  });
});

describe('the environment', () => {
  test('CS_KEY_FILE names a file, read on every run', async () => {
    const env = { CS_BASE_URL: service.url, CS_KEY_FILE: 'key.txt' };
    expect((await at(['auth', 'status'], { env })).json).toMatchObject({
      team: { name: 'First' },
      origins: { key: 'environment CS_KEY_FILE' },
    });
    await writeFile(join(folder, 'key.txt'), service.otherKey);
    expect((await at(['auth', 'status'], { env })).json.team.name).toBe('Second');
  });

  test.each([
    ['is not there', 'nowhere.txt', "couldn't be read: no such file"],
    ['is empty', 'empty.txt', 'is empty'],
  ])('a file that %s exits 4', async (_, file, why) => {
    await writeFile(join(folder, 'empty.txt'), '\n');
    const { code, error } = await at(['cars', 'list'], {
      env: { CS_BASE_URL: service.url, CS_KEY_FILE: file },
    });
    expect([code, error.code]).toEqual([4, 'not_signed_in']);
    expect(error.message).toContain(why);
  });

  test('a key overrides a file, a file a command, and each the profile', async () => {
    await at(['auth', 'login', '--base-url', service.url, '--with-key'], {
      stdin: service.otherKey,
    });
    const origin = async (env: Record<string, string>) =>
      (await at(['config', 'list'], { env })).json.find(
        ({ name }: { name: string }) => name === 'key',
      ).origin;
    const all = { CS_API_KEY: service.key, CS_KEY_FILE: 'key.txt', CS_KEY_COMMAND: 'cat key.txt' };
    expect(await origin(all)).toBe('environment CS_API_KEY');
    expect(await origin({ ...all, CS_API_KEY: '' })).toBe('environment CS_KEY_FILE');
    expect(await origin({ CS_KEY_COMMAND: 'cat key.txt' })).toBe('environment CS_KEY_COMMAND');
    expect(await origin({})).toBe('profile default');
  });
});

test("flags for the key can't be used together, and none of them is an argument", async () => {
  const both = await at(['auth', 'login', '--with-key', '--key-command', 'cat key.txt']);
  expect([both.code, both.error.message]).toEqual([
    2,
    "--with-key and --key-command can't be used together.",
  ]);
  expect((await at(['auth', 'login', service.key])).code).toBe(2);
  expect((await at(['auth', 'login', '--key-command', ' '])).code).toBe(2);
});

test('reads a profile of an older cs, and keeps it when it is extended', async () => {
  const old = {
    currentProfile: 'main',
    profiles: { main: { baseUrl: service.url, key: service.key } },
  };
  await at(['config', 'path']);
  const file = (await at(['config', 'path'])).json.file;
  await at(['auth', 'login', '--base-url', service.url, '--with-key'], { stdin: service.key });
  await writeFile(file, JSON.stringify(old));
  await chmod(file, 0o600);
  expect((await at(['cars', 'list'])).json).toEqual([]);
  expect((await at(['config', 'set', 'timeout', '20'])).code).toBe(0);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    ...old,
    profiles: { main: { ...old.profiles.main, settings: { timeout: '20' } } },
  });
});
