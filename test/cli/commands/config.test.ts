import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settingList } from '../../../src/cli/config/setting-list.ts';
import { Command } from '../../../src/cli/framework/command.ts';
import { addGlobalFlags } from '../../../src/cli/framework/flags.ts';
import { type CliOptions, cs } from '../../helpers/cli.ts';
import { removeFolder } from '../../helpers/folder.ts';
import { makeProfile } from '../../helpers/profile.ts';

let folder: string;
beforeEach(async () => {
  folder = await makeProfile({
    baseUrl: 'https://cars.example.com',
    key: 'csk_abcdefghijkl.secret',
  });
});
afterEach(() => removeFolder(join(folder, '..')));

const at = (line: string[], { env, ...options }: CliOptions = {}) =>
  cs(line, { ...options, env: { CS_CONFIG_DIR: folder, ...env } });
async function setting(
  name: string,
  line: string[] = [],
  env: Record<string, string> = {},
): Promise<[string, string]> {
  const { json } = await at(['config', 'list', ...line, '-o', 'json'], { env });
  const { value, origin } = json.find((row: { name: string }) => row.name === name);
  return [value, origin];
}

test('every global flag has a setting with a variable, and every variable is listed', async () => {
  const command = new Command('cs');
  addGlobalFlags(command);
  const flags = command.options.map(({ long }) => long);
  expect(
    settingList.flatMap(({ flag, ofSomeCommands }) => (flag && !ofSomeCommands ? flag : [])).sort(),
  ).toEqual(flags.sort());
  const { json } = await at(['config', 'list', '--json']);
  expect(json.map(({ variable }: { variable: string }) => variable)).toEqual([
    ...settingList.map(({ variable }) => variable),
  ]);
});

describe('the order', () => {
  const rows: [string, string, string, string, string][] = [
    // name, in the profile, in the environment, by flag, default
    ['timeout', '10', '20', '5', '30'],
    ['ca-file', '/a.pem', '/b.pem', '/c.pem', 'none'],
  ];
  test.each(rows)(
    'of %s is flag, environment, profile, default',
    async (name, kept, environment, flag, fallback) => {
      const variable = settingList.find((one) => one.name === name)?.variable as string;
      expect(await setting(name)).toEqual([fallback, 'default']);
      expect((await at(['config', 'set', name, kept])).code).toBe(0);
      expect(await setting(name)).toEqual([kept, 'profile work']);
      expect(await setting(name, [], { [variable]: environment })).toEqual([
        environment,
        `environment ${variable}`,
      ]);
      expect(await setting(name, [`--${name}`, flag], { [variable]: environment })).toEqual([
        flag,
        `flag --${name}`,
      ]);
      expect((await at(['config', 'unset', name])).json).toEqual({
        profile: 'work',
        name,
        value: null,
      });
      expect(await setting(name)).toEqual([fallback, 'default']);
    },
  );

  test('of the format applies to results and errors', async () => {
    await at(['config', 'set', 'output', 'table']);
    const listed = await at(['config', 'list', '--origin']);
    expect(listed.stdout).toMatch(/^output +table +profile work +CS_OUTPUT$/m);
    expect((await at(['config', 'get', 'nonsense'])).stderr).toContain(
      'error: Unknown setting "nonsense".',
    );
    expect((await at(['config', 'get', 'nonsense', '--json'])).error.code).toBe('usage');
    expect(
      (await at(['config', 'get', 'output'], { env: { CS_OUTPUT: 'json' } })).json,
    ).toMatchObject({ value: 'json' });
  });

  test('of a switch that the profile turns on is turned off by the environment', async () => {
    await at(['config', 'set', 'quiet', 'true']);
    expect(await setting('quiet')).toEqual(['yes', 'profile work']);
    expect((await at(['profiles', 'list', '-o', 'table'])).stderr).toBe('');
    expect(
      (await at(['profiles', 'list', '-o', 'table'], { env: { CS_QUIET: 'no' } })).stderr,
    ).toContain('1 profile');
  });

  test("ignores a profile that isn't in use", async () => {
    await at(['config', 'set', 'timeout', '10']);
    expect(
      await setting('timeout', [], { CS_BASE_URL: 'https://x.example', CS_API_KEY: 'k' }),
    ).toEqual(['30', 'default']);
    expect(
      await setting('profile', [], { CS_BASE_URL: 'https://x.example', CS_API_KEY: 'k' }),
    ).toEqual(['none', 'default']);
  });
});

describe('stored values', () => {
  test('stores a path as an absolute one', async () => {
    expect(
      (await at(['config', 'set', 'ca-file', 'office.pem'], { cwd: '/srv/cs' })).json.value,
    ).toBe('/srv/cs/office.pem');
  });

  test('the photos of an event type are a setting for each type', async () => {
    const set = await at(['config', 'set', 'photos.drop_off', 'front,rear']);
    expect(set.json).toEqual({ profile: 'work', name: 'photos.drop_off', value: 'front,rear' });
    const get = async (type: string, env = {}) => {
      const { json } = await at(['config', 'get', `photos.${type}`], { env });
      return [json.value, json.origin];
    };
    expect(await get('drop_off')).toEqual(['front,rear', 'profile work']);
    expect(await get('drop_off', { CS_PHOTOS_DROP_OFF: 'odometer' })).toEqual([
      'odometer',
      'environment CS_PHOTOS_DROP_OFF',
    ]);
    expect((await get('pick_up'))[0]).toBe('none');
    expect((await at(['config', 'unset', 'photos.drop_off'])).code).toBe(0);
    expect((await get('drop_off'))[0]).toBe('none');
  });

  test.each([
    ['photos.drop_off', 'front.jpg', "isn't a list of names"],
    ['output', 'tabel', "isn't one of"],
    ['base-url', 'https://other.example', "can't be stored"],
    ['retries', '100', "isn't a valid number of retries"],
    ['quiet', 'maybe', "isn't yes or no"],
    ['mirror', 'postgres://owner:geheim@host/x', "addresses aren't supported"],
  ])('%s is never "%s"', async (name, value, why) => {
    const before = await readFile(join(folder, 'config.json'), 'utf8');
    const { code, error } = await at(['config', 'set', name, value]);
    expect([code, error.code]).toEqual([2, 'usage']);
    expect(error.message).toContain(why);
    expect(await readFile(join(folder, 'config.json'), 'utf8')).toBe(before);
  });

  test('ignores a value of another version, and doctor reports it', async () => {
    const profile = {
      baseUrl: 'http://127.0.0.1:1',
      key: 'k.s',
      settings: { output: 'hologram', speed: 'high', timeout: '9' },
    };
    await writeFile(
      join(folder, 'config.json'),
      JSON.stringify({ currentProfile: 'work', profiles: { work: profile } }),
    );
    expect(await setting('output', ['--quiet'])).toEqual(['json', 'flag --output']);
    expect(await setting('timeout')).toEqual(['9', 'profile work']);
    const { json } = await at(['doctor']);
    expect(json.checks.find(({ name }: { name: string }) => name === 'settings')).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('"output"'),
      hint: expect.stringContaining('cs config unset output'),
    });
    for (const name of ['output', 'speed'])
      expect((await at(['config', 'unset', name])).code).toBe(0);
    expect(
      JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')).profiles.work.settings,
    ).toEqual({ timeout: '9' });
    expect((await at(['config', 'unset', 'speed'])).code).toBe(2);
  });
});

test('prints the path even if the file is broken', async () => {
  await writeFile(join(folder, 'config.json'), '{');
  const { code, json } = await at(['config', 'path']);
  expect([code, json]).toEqual([0, { file: join(folder, 'config.json'), folder }]);
  expect((await at(['config', 'list'])).error.code).toBe('file_unusable');
});
