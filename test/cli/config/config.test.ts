import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CliOptions, cs } from '../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { startTestService, type TestService } from '../../helpers/service.ts';

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = join(await makeFolder(), 'config');
});
afterEach(() => removeFolder(join(folder, '..')));

const file = () => join(folder, 'config.json');
const at = (line: string[], options: CliOptions = {}) =>
  cs(line, { ...options, env: { CS_CONFIG_DIR: folder, ...options.env } });
const login = (...flags: string[]) =>
  at(['auth', 'login', '--base-url', service.url, '--with-key', ...flags], {
    stdin: `${service.key}\n`,
  });
const write = async (text: string) => {
  await mkdir(folder, { recursive: true });
  await writeFile(file(), text);
};

describe('signing in', () => {
  test('stores an accepted key, readable by the owner only', async () => {
    const { code, json } = await login();
    expect(code).toBe(0);
    expect(json).toMatchObject({
      profile: 'default',
      baseUrl: service.url,
      team: { name: 'First' },
    });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readdir(folder)).toEqual(['config.json']);
    expect((await at(['cars', 'list'])).json).toEqual([]);
  });

  test('stores nothing if the key is refused', async () => {
    const { code, stderr } = await at(['auth', 'login', '--base-url', service.url, '--with-key'], {
      stdin: 'csk_aaaaaaaaaaaa.wrong',
    });
    expect(code).toBe(4);
    expect(stderr).not.toContain('wrong');
    await expect(readFile(file())).rejects.toThrow('ENOENT');
  });

  test('to another server creates a profile named after it, and names the profile in use', async () => {
    const other = await startTestService();
    await login('--production');
    await at(['config', 'set', 'output', 'json']);
    const more = await at(['auth', 'login', '--base-url', other.url, '--with-key'], {
      stdin: other.key,
    });
    const host = new URL(other.url).host;
    expect(more.json).toMatchObject({ profile: host, baseUrl: other.url, production: false });
    expect(more.stderr).toBe(
      `The current profile is now ${host}. Go back with \`cs profiles use default\`.\n`,
    );
    const { currentProfile, profiles } = JSON.parse(await readFile(file(), 'utf8'));
    const abilities = expect.objectContaining({ promisesLists: true });
    expect([currentProfile, profiles.default, profiles[host]]).toEqual([
      host,
      {
        baseUrl: service.url,
        key: service.key,
        production: true,
        abilities,
        settings: { output: 'json' },
      },
      { baseUrl: other.url, key: other.key, abilities },
    ]);
    // Again, it is the same one; a profile that is named is taken as it is named.
    const again = await at(['auth', 'login', '--with-key'], { stdin: other.key });
    expect([again.json.profile, again.stderr]).toEqual([host, '']);
    const named = await at(
      ['auth', 'login', '--profile', 'default', '--base-url', other.url, '--with-key'],
      { stdin: other.key },
    );
    expect(named.json).toMatchObject({ profile: 'default', baseUrl: other.url });
    expect(named.stderr).toContain(`The profile default was for ${service.url} before.\n`);
    const out = await at(['auth', 'logout', '--yes']);
    expect(out.stderr).toBe(
      `No profile is selected now. Select one with \`cs profiles use ${host}\`.\n`,
    );
    await other.close();
  });

  test('restricts its own folder, and warns about an open one in CS_CONFIG_DIR', async () => {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o755);
    expect((await login()).stderr).toContain(`Fix it with \`chmod 700 ${folder}\``);
    expect((await stat(folder)).mode & 0o777).toBe(0o755);
    const own = join(folder, '../home/car-storage');
    await mkdir(own, { recursive: true, mode: 0o755 });
    const { code, stderr } = await cs(['auth', 'login', '--base-url', service.url, '--with-key'], {
      stdin: service.key,
      env: { XDG_CONFIG_HOME: join(own, '..') },
    });
    expect([code, stderr, (await stat(own)).mode & 0o777]).toEqual([0, '', 0o700]);
  });

  test('status shows team, origin, and only the prefix of the key', async () => {
    await login('--profile', 'work');
    const { json, stdout } = await at(['auth', 'status']);
    expect(json).toMatchObject({
      profile: 'work',
      baseUrl: service.url,
      key: `${service.key.split('.')[0]}.…`,
      team: { name: 'First' },
      origins: { baseUrl: 'profile work', key: 'profile work', profile: 'configuration' },
    });
    const terminal = await at(['auth', 'status'], {
      as: 'terminal',
      env: { CS_API_KEY: service.otherKey },
    });
    expect(terminal.stdout).toMatch(/^ +Key .*\(environment CS_API_KEY\)$/m);
    expect(terminal.stdout).toMatch(/^ +Team +Second$/m);
    for (const text of [stdout, terminal.stdout])
      expect(text).not.toContain(service.key.split('.')[1]);
  });

  test('logout removes the key; status then exits 4', async () => {
    await login();
    const unasked = await at(['auth', 'logout']);
    expect([unasked.code, unasked.error.hint]).toEqual([2, expect.stringContaining('--yes')]);
    const none = await at(['auth', 'logout', '--profile', 'defalt', '--yes']);
    expect([none.code, none.error.hint]).toEqual([2, 'did you mean default?']);
    expect((await at(['auth', 'logout', '--yes'])).json).toMatchObject({
      profile: 'default',
      signedOut: true,
    });
    expect(await readFile(file(), 'utf8')).not.toContain('csk_');
    expect((await at(['auth', 'status'])).code).toBe(4);
  });

  test.each(['CS_API_KEY', 'CS_KEY_FILE', 'CS_KEY_COMMAND'])(
    'logout warns that %s still gives a key',
    async (variable) => {
      await login();
      const { code, stderr } = await at(['auth', 'logout', '--yes'], { env: { [variable]: 'x' } });
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining(`${variable} is still set, so cs keeps using its key.`),
      ]);
    },
  );
});

describe('profiles', () => {
  test('list, use and remove', async () => {
    await login('--profile', 'one');
    await login('--profile', 'two');
    expect(
      (await at(['profiles', 'list'])).json.map((row: { name: string; current: boolean }) => [
        row.name,
        row.current,
      ]),
    ).toEqual([
      ['one', false],
      ['two', true],
    ]);
    expect((await at(['profiles', 'use', 'one'])).code).toBe(0);
    expect((await at(['profiles', 'remove', 'one'])).code).toBe(2);
    expect((await at(['profiles', 'remove', 'one', '--yes'])).json).toMatchObject({
      name: 'one',
      removed: true,
    });
    const nope = await at(['profiles', 'use', 'twoo']);
    expect([nope.code, nope.error.message, nope.error.hint]).toEqual([
      2,
      'Profile "twoo" not found.',
      'did you mean two?',
    ]);
    const unknown = await at(['cars', 'list', '--profile', 'twoo']);
    expect([unknown.code, unknown.error.hint]).toEqual([2, 'did you mean `--profile two`?']);
  });

  test("a key isn't sent to another server", async () => {
    await login();
    const { code, error } = await at(['cars', 'list', '--base-url', 'http://127.0.0.1:1']);
    expect([code, error.code]).toEqual([4, 'not_signed_in']);
    expect(error.message).toContain("isn't sent to http://127.0.0.1:1");
  });
});

describe('an unusable file', () => {
  const broken: [string, string, string][] = [
    ['not JSON', '{"profiles": {', "it isn't JSON"],
    ['a list', '[]', "it isn't an object"],
    [
      'a profile without a key',
      '{"profiles":{"a":{"baseUrl":"http://x"}}}',
      'the profile `a` has no `key`',
    ],
    [
      'a profile without an address',
      '{"profiles":{"a":{"baseUrl":"x","key":"k"}}}',
      'has no valid `baseUrl`',
    ],
    [
      'a current profile that is no name',
      '{"currentProfile":1}',
      "`currentProfile` isn't a string",
    ],
  ];
  test.each(broken)('%s', async (_, text, why) => {
    await write(text);
    for (const line of [
      ['cars', 'list'],
      ['profiles', 'list'],
      ['auth', 'login', '--with-key'],
    ]) {
      const { code, error } = await at(line, { stdin: service.key });
      expect([code, error.code]).toEqual([2, 'file_unusable']);
      expect(error.message).toContain(file());
      expect(error.message).toContain(why);
      expect(error.hint).toContain('cs auth login');
    }
    expect(await readFile(file(), 'utf8')).toBe(text);
  });

  test('help, version and commands without configuration still work', async () => {
    await write('{');
    expect((await at(['--help'])).code).toBe(0);
    expect((await at(['cars', 'list', '--help'])).code).toBe(0);
    expect((await at(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(
      (await at(['cars', 'list'], { env: { CS_BASE_URL: service.url, CS_API_KEY: service.key } }))
        .code,
    ).toBe(0);
  });
});
