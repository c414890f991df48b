/** What a run takes from flags, variables, the profile and defaults, and the values that it refuses. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  flagVariables,
  type GlobalOptions,
  parseDuration,
  problemOf,
  settingNamed,
  truthy,
} from '../../../src/cli/config/setting-list.ts';
import { outputFormat, resolveSettings } from '../../../src/cli/config/settings.ts';
import type { Io } from '../../../src/cli/terminal/io.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

const folder = await makeFolder();
afterAll(() => removeFolder(folder));
let count = 0;

type Env = Record<string, string>;
const ioOf = (env: Env = {}, profiles: object = {}, more: object = {}): Io => {
  const home = join(folder, `${count++}`);
  mkdirSync(home);
  writeFileSync(join(home, 'config.json'), JSON.stringify({ profiles, currentProfile: 'main' }));
  return {
    ...{ env: { CS_CONFIG_DIR: home, ...env }, now: () => new Date(2026, 2, 1), platform: 'linux' },
    ...{ stdoutIsTerminal: true, home, ...more },
  } as unknown as Io;
};
const main = (settings: object, more: object = {}) => ({
  main: { baseUrl: 'https://a', key: 'csk_a.b', settings, ...more },
});
/** Without the functions. */
const plain = (env: Env = {}, options: GlobalOptions = {}, profiles = main({})) => {
  const { connection, find, ...rest } = resolveSettings(ioOf(env, profiles), options);
  return rest;
};

const defaults = {
  ...{ output: 'table', fields: undefined, columns: undefined, jq: undefined, csvRaw: false },
  ...{ pager: 'less', quiet: false, verbose: false, yes: false, noInput: false, color: 'auto' },
  ...{ timeoutMs: undefined, retries: undefined, keyCommandTimeoutMs: 60_000, caFile: undefined },
  ...{ allowInsecureHttp: undefined, photoField: 'base64', profileName: undefined },
  baseUrl: undefined,
};

describe('the settings of a run', () => {
  test.each<[string, Env, GlobalOptions, object, object]>([
    ['nothing given', {}, {}, {}, {}],
    [
      'flags',
      {
        ...{ CS_TIMEOUT: '1', CS_COLOR: 'never', CS_OUTPUT: 'csv', CS_PROFILE: 'none' },
        CS_BASE_URL: 'http://c',
      },
      {
        ...{ output: 'ndjson', json: 'id, name,,id', quiet: true, verbose: true, yes: true },
        ...{ noInput: true, color: 'always', timeout: '2', retries: '0', caFile: 'a.pem' },
        ...{ allowInsecureHttp: true, photoField: 'x', profile: 'p', baseUrl: 'http://b' },
        ...{ csvRaw: true, jq: '.a' },
      },
      { timeout: '3' },
      {
        ...{ output: 'ndjson', fields: { value: ['id', 'name'], origin: '--json' } },
        ...{ jq: { value: '.a', origin: '--jq' }, csvRaw: true },
        ...{ quiet: true, verbose: true, yes: true, noInput: true, color: 'always' },
        ...{ timeoutMs: 2_000, retries: 0, caFile: { value: 'a.pem', origin: 'flag --ca-file' } },
        allowInsecureHttp: { value: true, origin: 'flag --allow-insecure-http' },
        ...{ photoField: 'x', profileName: { value: 'p', origin: 'flag --profile' } },
        baseUrl: { value: 'http://b', origin: 'flag --base-url' },
      },
    ],
    [
      'variables',
      {
        ...{ CS_OUTPUT: 'csv', CS_COLUMNS: 'a,b', CS_QUIET: '0', CS_VERBOSE: 'YES', CS_YES: 'no' },
        ...{
          CS_TIMEOUT: '500ms',
          CS_KEY_COMMAND_TIMEOUT: '2m',
          CS_PAGER: ' more ',
          CS_RETRIES: '7',
        },
        ...{ CS_ALLOW_INSECURE_HTTP: 'false', CS_PROFILE: 'p', CS_PHOTO_FIELD: '' },
      },
      {},
      { quiet: 'yes', timeout: '3' },
      {
        ...{ output: 'csv', columns: { value: ['a', 'b'], origin: 'CS_COLUMNS' }, verbose: true },
        ...{ timeoutMs: 500, keyCommandTimeoutMs: 120_000, pager: 'more', retries: 7 },
        profileName: { value: 'p', origin: 'environment CS_PROFILE' },
      },
    ],
    [
      'the profile, whose wrong values and those that it can not store are ignored',
      {},
      {},
      {
        ...{
          output: 'yaml',
          quiet: 'yes',
          timeout: '3',
          retries: 'many',
          yes: 'yes',
          color: 'never',
        },
        ...{ 'ca-file': '/a', pager: 'cat', columns: 'a', 'allow-insecure-http': 'yes' },
      },
      {
        ...{ output: 'yaml', quiet: true, timeoutMs: 3_000, color: 'never', pager: undefined },
        caFile: { value: '/a', origin: 'profile main' },
        allowInsecureHttp: { value: true, origin: 'profile main' },
      },
    ],
    [
      'a connection that is given: no profile is in use',
      { CS_BASE_URL: 'https://b', CS_API_KEY: 'csk_c.d' },
      {},
      { quiet: 'yes' },
      { baseUrl: { value: 'https://b', origin: 'environment CS_BASE_URL' } },
    ],
    [
      'a table, which takes columns',
      {},
      { columns: 'a' },
      {},
      { columns: { value: ['a'], origin: '--columns' } },
    ],
    [
      'JSON, over a variable that is wrong',
      { CS_OUTPUT: 'x' },
      { json: true },
      {},
      { output: 'json' },
    ],
    ['JSON does not, as a variable', { CS_COLUMNS: 'a' }, { json: true }, {}, { output: 'json' }],
    [
      'JSON does, as a flag, to refuse it',
      {},
      { json: '', columns: 'a' },
      {},
      { output: 'json', columns: { value: ['a'], origin: '--columns' } },
    ],
    [
      'fields of a format without them',
      { CS_JSON: 'id', CS_JQ: '.' },
      { output: 'csv' },
      {},
      { output: 'csv' },
    ],
    ['a pager of the system', { PAGER: 'most' }, {}, {}, { pager: 'most' }],
    ['no pager', { CS_PAGER: '', PAGER: 'most' }, {}, { pager: 'more' }, { pager: undefined }],
  ])('%s', (_, env, options, settings, expected) => {
    expect(plain(env, options, main(settings))).toEqual({ ...defaults, ...expected });
  });

  test.each<[Env, GlobalOptions, boolean, string]>([
    [{}, {}, true, 'table'],
    [{}, {}, false, 'json'],
    [{ CS_OUTPUT: 'tsv' }, {}, true, 'tsv'],
    [{ CS_OUTPUT: 'tsv' }, { output: 'yaml' }, true, 'yaml'],
    [{ CS_OUTPUT: 'nope' }, {}, true, 'table'],
    [{ CS_OUTPUT: 'tsv' }, { json: true }, true, 'json'],
    [{ CS_OUTPUT: 'tsv' }, { jq: '.' }, true, 'json'],
    [{}, { json: true, output: 'ndjson' }, true, 'ndjson'],
    [{ CS_JSON: 'id' }, {}, true, 'json'],
    [{ CS_JQ: '.' }, {}, true, 'json'],
    [{ CS_JSON: 'id', CS_OUTPUT: 'csv' }, {}, true, 'csv'],
  ])('the format of %j with %j, on a terminal: %j', (env, options, stdoutIsTerminal, format) => {
    expect(outputFormat(ioOf(env, {}, { stdoutIsTerminal }), options)).toBe(format);
  });

  test('flags that exclude each other', () => {
    const refused = (options: GlobalOptions) => () => resolveSettings(ioOf(), options);
    const hint = '; --columns selects what these formats show';
    for (const [options, message, more] of [
      [{ json: true, output: 'csv' }, '--json and --output csv', hint],
      [{ jq: '.', json: true, output: 'table' }, '--jq and --output table', hint],
      [{ jq: '.', output: 'yaml' }, '--jq and --output yaml', ''],
    ] as const)
      expect(refused(options)).toThrow(
        expect.objectContaining({
          message: `${message} can't be used together.`,
          hint: `leave one of them out${more}`,
        }),
      );
  });

  test('a wrong value is refused by its flag or variable; a tolerant command takes the next one', () => {
    const env = { CS_TIMEOUT: 'soon' };
    const io = ioOf(env, main({ timeout: '3' }));
    expect(() => resolveSettings(io, {})).toThrow('CS_TIMEOUT: "soon" isn\'t a valid duration.');
    expect(resolveSettings(io, {}, { tolerant: true }).timeoutMs).toBe(3_000);
    for (const tolerant of [false, true])
      expect(() => resolveSettings(io, { timeout: 'now' }, { tolerant })).toThrow(
        '--timeout: "now"',
      );
  });
});

describe('the connection', () => {
  const at = (env: Env, options: GlobalOptions, profiles: object) => {
    const { abilities, ...connection } = resolveSettings(ioOf(env, profiles), options).connection();
    return { abilities, ...connection };
  };
  const none = { value: undefined, origin: 'default' };
  const open = { production: false, readOnly: false };
  const two = {
    ...main({}, { production: true, abilities: { a: 1 } }),
    other: { baseUrl: 'https://o', keyCommand: 'pass', readOnly: true },
  };
  const current = { value: 'main', origin: 'configuration' };
  const ofMain = { value: 'https://a', origin: 'profile main' };

  test.each<[string, Env, GlobalOptions, object, object]>([
    [
      'server and key of the environment',
      { CS_BASE_URL: 'https://b', CS_API_KEY: ' csk_c.d ' },
      {},
      two,
      {
        ...{
          profile: none,
          baseUrl: { value: 'https://b', origin: 'environment CS_BASE_URL' },
          ...open,
        },
        key: { value: { key: 'csk_c.d' }, origin: 'environment CS_API_KEY' },
      },
    ],
    [
      'the current profile',
      {},
      {},
      two,
      {
        ...{ profile: current, baseUrl: ofMain, production: true, readOnly: false },
        ...{ key: { value: { key: 'csk_a.b' }, origin: 'profile main' }, abilities: { a: 1 } },
      },
    ],
    [
      'another profile',
      {},
      { profile: 'other' },
      two,
      {
        profile: { value: 'other', origin: 'flag --profile' },
        ...{ baseUrl: { value: 'https://o', origin: 'profile other' }, production: false },
        ...{ readOnly: true, key: { value: { command: 'pass' }, origin: 'profile other' } },
      },
    ],
    [
      'the key of the environment for the server of a profile, with its protection',
      { CS_KEY_FILE: 'f', CS_KEY_COMMAND: 'c' },
      {},
      two,
      {
        ...{ profile: current, baseUrl: ofMain, production: true, readOnly: false },
        key: { value: { file: 'f' }, origin: 'environment CS_KEY_FILE' },
      },
    ],
    [
      'the same path of the server of a profile',
      {},
      { baseUrl: 'https://a/x' },
      two,
      {
        ...{ profile: current, baseUrl: { value: 'https://a/x', origin: 'flag --base-url' } },
        ...{ production: true, readOnly: false, abilities: { a: 1 } },
        key: { value: { key: 'csk_a.b' }, origin: 'profile main' },
      },
    ],
    [
      'another server than that of the profile',
      {},
      { baseUrl: 'https://b' },
      two,
      {
        ...{ profile: current, baseUrl: { value: 'https://b', origin: 'flag --base-url' } },
        ...{ production: true, readOnly: false, key: none },
        keyRefusal:
          'The key of the profile "main" belongs to https://a and isn\'t sent to https://b.',
      },
    ],
  ])('%s', (_, env, options, profiles, expected) => {
    expect(at(env, options, profiles)).toEqual({ abilities: undefined, ...expected });
  });

  test('without any configuration', () => {
    const io = { ...ioOf({ CS_CONFIG_DIR: join(folder, 'none') }) } as Io;
    const local = { value: 'http://127.0.0.1:8787', origin: 'default' };
    expect(resolveSettings(io, {}).connection()).toEqual({
      ...{ profile: none, baseUrl: local, key: none, ...open },
    });
    const withKey = { ...io, env: { ...io.env, CS_KEY_COMMAND: 'c' } } as Io;
    expect(resolveSettings(withKey, {}).connection()).toEqual({
      ...{ profile: none, baseUrl: local, ...open },
      key: { value: { command: 'c' }, origin: 'environment CS_KEY_COMMAND' },
    });
  });

  test.each([
    [
      { profile: 'mian' },
      'Profile "mian" not found (flag --profile).',
      'did you mean `--profile main`?',
    ],
    [
      { profile: 'my own' },
      'Profile "my own" not found (flag --profile).',
      "`cs profiles list` lists them; create it with `cs auth login --profile 'my own'`",
    ],
    [{ profile: 'toString' }, 'Profile "toString" not found (flag --profile).', undefined],
  ])('a profile that does not exist: %j', (options, message, hint) => {
    expect(() => at({}, options, main({}))).toThrow(
      expect.objectContaining({ message, exitCode: 2, ...(hint && { hint }) }),
    );
  });
});

describe('values', () => {
  const infoOf = (name: string) =>
    settingNamed(name) ?? flagVariables.find(({ flag }) => flag === `--${name}`) ?? {};
  test.each([
    ['quiet', 'YES'],
    ['output', 'csv'],
    ['base-url', 'http://a'],
    ['timeout', '86400'],
    ['retries', '99'],
    ['photo-field', 'a-B_9'],
    ['pager', 'anything at all'],
    ['limit', '1'],
    ['limit', '200'],
    ['page', '999999999'],
    ['phone-port', '65535'],
    ['phone-address', '192.168.178.23'],
    ['phone-address', 'fe80::1'],
    ['updated-after', 'yesterday'],
    ['photos.drop-off', 'front , rear'],
  ])('%s takes %j', (name, value) => {
    expect(problemOf(infoOf(name), value, new Date())).toBeUndefined();
  });

  test('photos of a type have a variable of their own', () => {
    expect(settingNamed('photos.drop-off')).toMatchObject({
      name: 'photos.drop-off',
      variable: 'CS_PHOTOS_DROP_OFF',
    });
    expect(settingNamed('photos.')).toBeUndefined();
    expect(settingNamed('nope')).toBeUndefined();
  });

  test.each([
    ['30', 30_000],
    ['1.5s', 1_500],
    ['500ms', 500],
    ['2m', 120_000],
    ['1440m', 86_400_000],
    ['86400001ms', undefined],
    ['1ms', 1],
    ['0.4ms', undefined],
    ['0', undefined],
    ['2h', undefined],
    ['', undefined],
  ])('parseDuration(%j)', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test('what is no', () => {
    expect([undefined, '', '0', 'FALSE', 'No', '1', 'yes', 'x'].map(truthy)).toEqual([
      ...Array(5).fill(false),
      ...Array(3).fill(true),
    ]);
  });
});
