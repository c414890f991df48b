import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CliOptions, cs } from '../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { startTestService, testService } from '../../helpers/service.ts';

let folder: string;
const service = await testService();
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

  test('logout removes the key; status then exits 4', async () => {
    await login();
    const unasked = await at(['auth', 'logout']);
    expect([unasked.code, unasked.error.hint]).toEqual([2, expect.stringContaining('--yes')]);
    const out = await at(['auth', 'logout', '--yes']);
    expect(out.json).toEqual({ profile: 'default', baseUrl: service.url, signedOut: true });
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

test("the key of a profile isn't sent to another server", async () => {
  await login();
  const { code, error } = await at(['cars', 'list', '--base-url', 'http://127.0.0.1:1']);
  expect([code, error.code]).toEqual([4, 'not_signed_in']);
  expect(error.message).toContain("isn't sent to http://127.0.0.1:1");
});

describe('an unusable file', () => {
  const ofProfile = (more: object) =>
    JSON.stringify({ profiles: { a: { baseUrl: 'http://x', key: 'k', ...more } } });
  test.each([
    ['not JSON', '{"profiles": {', "it isn't JSON"],
    ['not UTF-8', Buffer.from([0xff]), "it isn't UTF-8"],
    ['a list', '[]', "it isn't an object"],
    ['a list of profiles', '{"profiles":[]}', "`profiles` isn't an object"],
    ['a profile that is no object', '{"profiles":{"a":1}}', "the profile `a` isn't an object"],
    ['no key', ofProfile({ key: undefined }), 'the profile `a` has no `key`'],
    ['no address', ofProfile({ baseUrl: 'ftp://x' }), 'the profile `a` has no valid `baseUrl`'],
    [
      'settings',
      ofProfile({ settings: { a: 1 } }),
      "the `settings` of the profile `a` aren't strings by name",
    ],
    // Taken as false, it would disable the protection.
    ['a mark', ofProfile({ readOnly: 'yes' }), "`readOnly` of the profile `a` isn't true or false"],
    ['no current name', '{"currentProfile":1}', "`currentProfile` isn't a string"],
  ])('%s: nothing is stored into it', async (_, content, why) => {
    await mkdir(folder, { recursive: true });
    await writeFile(file(), content);
    const { code, error } = await at(['auth', 'login', '--with-key'], { stdin: service.key });
    expect([code, error.code]).toEqual([2, 'file_unusable']);
    expect(error.message).toContain(`Invalid configuration ${file()}: ${why}`);
    expect(error.hint).toMatch(
      /^fix it, or move it away with `mv .*` and sign in again with `cs auth login`$/,
    );
    expect(await readFile(file())).toEqual(Buffer.from(content));
  });

  test('one that cannot be written is told, with the way out', async () => {
    const { error } = await cs(['auth', 'login', '--base-url', service.url, '--with-key'], {
      stdin: service.key,
      env: { CS_CONFIG_DIR: '/proc/none' },
    });
    expect(error).toMatchObject({
      code: 'file_unusable',
      message: expect.stringMatching(
        /^Couldn't write the configuration \/proc\/none\/config\.json: /,
      ),
      hint: 'set CS_CONFIG_DIR to a writable folder',
    });
  });

  test('does not stop help and version, or a connection that is given', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(file(), '{');
    const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
    for (const line of [['--help'], ['--version'], ['cars', 'list', '--help'], ['cars', 'list']])
      expect((await at(line, { env: line.length === 2 ? env : {} })).code).toBe(0);
  });
});
