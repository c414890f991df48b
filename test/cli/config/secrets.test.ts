/** A key on a command line: it is not used, sent or repeated, wherever it stands. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cs as run } from '../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { problem } from '../../helpers/misbehaving-server.ts';
import { offenders } from '../../helpers/offenders.ts';
import { type SampleServer, startSampleServer } from '../../helpers/sample-server.ts';

const secret = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE';
const key = `csk_abcdefgh2345.${secret}`;

let server: SampleServer;
let home: string;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  home = await makeFolder();
});
afterEach(async () => {
  server.instead = undefined;
  await removeFolder(home);
});

const cs = (line: readonly string[], as: 'terminal' | 'pipe' = 'pipe') =>
  run(line, {
    as,
    home,
    cwd: home,
    env: {
      CS_BASE_URL: server.url,
      CS_API_KEY: 'csk_a.b',
      CS_CONFIG_DIR: join(home, 'config'),
      CS_RETRIES: '0',
    },
  });

const lines = [
  'auth login KEY',
  'auth login --with-key KEY',
  'auth login --with-key=KEY',
  'auth login --key KEY',
  'auth login --key=KEY',
  'auth login --key-file KEY',
  'auth login --profile KEY',
  'auth lgin KEY',
  'auth KEY',
  'KEY',
  'help KEY',
  'KEY --help',
  '--api-key KEY cars list',
  'cars get KEY',
  'cars list --q KEY',
  'cars list --status KEY',
  'cars list -v --limit KEY',
  'cars list --json KEY',
  'cars create --make KEY',
  'config set key KEY',
  'config set KEY x',
  'admin key revoke KEY',
  'api /cars?key=KEY',
  'api POST /cars -f key=KEY',
  'explain KEY',
  'schema KEY',
  '--base-url https://KEY@example.com cars list',
];

const wordsOf = (line: string, key: string) => line.replaceAll('KEY', key).split(' ');
function holds(what: string, of: readonly string[], check: (line: string) => Promise<void>): void {
  test(what, async () => {
    const all = of.map((name) => ({ name }));
    expect(await offenders(all, ({ name }) => check(name))).toEqual([]);
  });
}

holds('wherever it stands, and nothing keeps it', lines, async (line) => {
  const before = server.requests.length;
  const { code, stdout, stderr } = await cs(wordsOf(line, key));
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).not.toContain(secret);
  expect(stderr).toContain('usage');
  expect(stderr).toContain('history');
  expect(stderr).toContain(`cs admin key revoke ${key.split('.')[0]}`);
  expect(server.requests.length).toBe(before);
  expect(await readdir(home)).toEqual([]);
});

test('on a terminal it is not repeated either', async () => {
  const { code, stderr } = await cs(['cars', 'list', '--q', key], 'terminal');
  expect(code).toBe(2);
  expect(stderr).not.toContain(secret);
  expect(stderr.replace(/\s+/g, ' ')).toContain(`cs admin key revoke ${key.split('.')[0]}`);
});

const otherForms = [
  'auth login SECRET',
  'auth login --with-key SECRET',
  'auth login --with-key=SECRET',
  'auth login --key SECRET',
  'auth login --key=SECRET',
  'auth login -kSECRET',
  'cars list --api-key=SECRET',
  'cars list --api-key SECRET',
  '--api-key SECRET cars list',
  '--api-key=SECRET cars list',
  '-kSECRET cars list',
];

holds('a key of another form', otherForms, async (line) => {
  const { code, stderr } = await cs([...line.split(' '), '-v']);
  expect(code).toBe(2);
  expect(stderr).not.toContain('SECRET');
});

test.each(['__complete', '__complete-line'])(
  '%s answers nothing, and asks nobody',
  async (question) => {
    const before = server.requests.length;
    const { code, stdout, stderr } = await cs([
      question,
      ...(question === '__complete' ? ['cars', 'get', key] : [`cs cars get ${key}`, ' ']),
    ]);
    expect([code, stdout, stderr, server.requests.length]).toEqual([0, '', '', before]);
    expect(await readdir(home)).toEqual([]);
  },
);

test("a key in a server's answer isn't printed", async () => {
  server.instead = () => (response, request) =>
    problem(401, `no such key ${key}`)(response, request);
  for (const flags of [[], ['-v']])
    for (const as of ['pipe', 'terminal'] as const) {
      const { code, stderr } = await cs(['cars', 'list', ...flags], as);
      expect(code).toBe(4);
      expect(stderr).toContain('csk_…');
      expect(stderr).not.toContain(secret);
    }
});

test("the part before the dot isn't secret", async () => {
  expect((await cs(['explain', 'csk_abcdefgh2345'])).error.message).toContain('csk_abcdefgh2345');
});

// What is a key is found in one place: where it stands is shown above.
holds('a key without its dot', lines.slice(0, 4), async (line) => {
  const { code, stdout, stderr } = await cs(wordsOf(line, `csk_${secret}`));
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).not.toContain(secret);
  expect(stderr.replace(/\s+/g, ' ')).toContain('cs admin key revoke PREFIX');
});

test.each([
  ['serve', 'postgres://u:hunter2@x/y'],
  ['serve', 'smtp://u:hunter2/hunter2@x'],
  ['serve', 'postgres://u:hunter2@hunter2@x/y'],
  ['cars', 'list', '--base-url', 'htp://u:hunter2@x'],
])('a password in an address is never printed: cs %s', async (...line) => {
  const { code, stdout, stderr } = await cs(line, 'pipe');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('://u:…@x');
  expect(stderr).not.toContain('hunter2');
});

test.each([
  ['serve', 'postgres://x/y?user=u&password=hunter2'],
  ['serve', 'postgres://x/y?sslpassword=hunter2&user=u'],
  ['serve', '--trust-proxy', 'postgres://x/y?password=hunter2'],
  ['serve', 'https://x/y?token=hunter2'],
  ['serve', 'https://x/y?user=u&secret=hunter2'],
])('a password in a query is never printed: cs %s', async (...line) => {
  const { code, stderr } = await cs(line, 'pipe');
  expect(code).toBe(2);
  expect(stderr).toMatch(/(password|token|secret)=…/);
  expect(stderr).not.toContain('hunter2');
});
