/** A bad value of a flag that many commands share is exit 2, typed or from its variable, and nothing is sent that writes. */
import { afterAll, expect, test } from 'vitest';
import { flagVariables, settingList } from '../../../src/cli/config/setting-list.ts';

import { cs } from '../../helpers/cli.ts';
import { json, startMisbehavingServer } from '../../helpers/misbehaving-server.ts';

const car = {
  id: '0199aaaa-0000-7000-8000-000000000001',
  licensePlate: 'HH-E 61',
  year: 1961,
  make: 'Jaguar',
  model: 'E-Type',
};
const server = await startMisbehavingServer(({ url }) => {
  const data = url.includes('/templates')
    ? [{ ...car, name: 'Welcome', channel: 'email', updatedAt: '2020-01-01T00:00:00Z' }]
    : [car];
  return json(200, { data, page: 1, limit: 50, total: 1 });
});
afterAll(() => server.close());

const list = ['cars', 'list'];
const addPhotos = ['cars', 'photos', 'add', car.id, 'front.jpg'];

interface Bad {
  readonly values: readonly string[];
  /** A command with the flag (default: `cs cars list`). */
  readonly line?: readonly string[];
}

/** For each flag with a value. */
const bad: Readonly<Record<string, Bad>> = {
  '--output': { values: ['xml', 'JSON', 'cvs'] },
  '--json': { values: ['nosuchfield'] },
  '--jq': { values: ['.[', 'nosuchfunction'] },
  '--columns': { values: ['nosuchcolumn'], line: [...list, '--output=csv'] },
  '--photo-field': { values: ['two words', '1st', '9a'], line: addPhotos },
  '--phone-address': { values: ['here', '192.168.1', '1.2', 'a:g', '1:2'], line: addPhotos },
  '--phone-port': { values: ['0', '65536', 'http'], line: addPhotos },
  '--profile': { values: ['nosuchprofile'] },
  '--base-url': {
    values: [
      'not a url',
      'ftp://cars.example.com',
      'http://me:secret@cars.example.com',
      'http://me@cars.example.com',
      'https://cars.example.com/dashboard#/board',
      'https://cars.example.com/?a=1',
    ],
  },
  '--timeout': { values: ['soon', '0', '-1', '24h'] },
  '--retries': { values: ['many', '-1', '100', '1.5'] },
  '--ca-file': { values: ['no-such-file.pem'] },
  '--color': { values: ['blue'] },
  '--limit': { values: ['0', '201', '-1', '1.5', 'ten'] },
  '--page': { values: ['0', '-1', 'first'] },
  '--updated-after': { values: ['someday', '2026-13-01'] },
  '--ids': { values: [' ', ','] },
};
/** Every text is valid. */
const free: ReadonlySet<string> = new Set(['--idempotency-key']);

const shared = [
  ...settingList.flatMap(({ flag, ...rest }) => (flag ? [{ flag, ...rest }] : [])),
  ...flagVariables,
].map((one) => ({
  flag: one.flag,
  variable: one.variable,
  hasValue: 'value' in one && one.value !== undefined,
}));

test('each flag with a value has bad ones here', () => {
  const flags = shared
    .filter(({ flag, hasValue }) => hasValue && !free.has(flag))
    .map(({ flag }) => flag);
  expect(Object.keys(bad).sort()).toEqual(flags.sort());
});

const env = { CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b' };

const create = 'cars create --year 1961 --make Jaguar --model E-Type'.split(' ');

/** Message and hint, in a script and for a person. */
const told = (stderr: string) =>
  Object.values(
    stderr.startsWith('{')
      ? JSON.parse(stderr).error
      : (/^error: (?<message>.*)\nhint: (?<hint>.*)/.exec(stderr)?.groups ?? {}),
  )
    .filter((text) => /\S{3} /.test(String(text)))
    .join(' → ');

test('each is refused with the reason, typed and in its variable', async () => {
  const values = new Map<string, string[]>();
  for (const { flag, variable, hasValue } of shared)
    for (const value of hasValue ? (bad[flag]?.values ?? []) : ['maybe']) {
      const line = bad[flag]?.line ?? (flag === '--dry-run' ? create : list);
      const given = { ...env, [variable]: value };
      for (const result of [
        await cs([...line, `${flag}=${value}`], { env }),
        await cs([...line], { env: given }),
      ]) {
        expect([result.code, result.stdout]).toEqual([2, '']);
        const text = told(result.stderr)
          .replace(`environment ${variable}`, `flag ${flag}`)
          .replace(variable, flag)
          .replaceAll(hasValue ? `"${value}"` : flag, '…');
        values.set(text, [...new Set([...(values.get(text) ?? []), value])]);
      }
    }
  const shown = Array.from(values, ([text, given]) => `${text} [${given.join(' | ')}]\n`);
  await expect(shown.join('')).toMatchFileSnapshot('bad-values.txt');
});

test.each(['0', '2', 'all', ''])('templates prune --confirm "%s"', async (given) => {
  const { code } = await cs(['templates', 'prune', '--name', 'W*', `--confirm=${given}`], { env });
  expect(code).toBe(2);
});

test('none of them was a write', () => {
  expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});
