/** Which records a list reads, and what it cannot do without. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { startTestService, type TestService } from '../../helpers/service.ts';
import { openTerminal } from '../../helpers/terminal.ts';

let service: TestService;
let env: Record<string, string>;
beforeAll(async () => {
  service = await startTestService();
  env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
  const make = facility(service);
  for (let index = 0; index < 60; index += 1) await make.contact();
});
afterAll(() => service.close());

test.each([
  ['every page', [], '60\n', ''],
  ['every record with ndjson', ['-o', 'ndjson'], '', ''],
  ['one page with --limit', ['--limit', '5'], '5\n', '5 of 60; --all for the rest\n'],
  ['one page with --page', ['--page', '2'], '10\n', '10 of 60; --all for the rest\n'],
] as const)('--jq sees %s', async (_, flags, stdout, stderr) => {
  const result = await cs(
    ['contacts', 'list', '--jq', flags[0] === '-o' ? 'empty' : 'length', ...flags],
    { env },
  );
  expect([result.code, result.stdout, result.stderr]).toEqual([0, stdout, stderr]);
});

test('CS_JQ sees every page too', async () => {
  expect((await cs(['contacts', 'list'], { env: { ...env, CS_JQ: 'length' } })).stdout).toBe(
    '60\n',
  );
});

test.each([
  [[], 'Missing required flags: --from, --to.'],
  [['--from', 'now'], 'Missing required flag: --to.'],
])('cs calendar list %j names missing flags before any request', async (flags, message) => {
  const { code, error } = await cs(['calendar', 'list', ...flags], {
    env: { CS_BASE_URL: 'http://127.0.0.1:9', CS_API_KEY: 'csk_a.b' },
  });
  expect([code, error.message]).toEqual([2, message]);
});

test.each(['--q', '--status', '--email', '--external-id'])(
  'an empty %s is exit 2: a script with an empty variable must not read every customer',
  async (flag) => {
    const { code, error } = await cs(['customers', 'list', flag, ''], { env });
    expect([code, error.message]).toEqual([2, `${flag} is empty.`]);
  },
);

test('--all and --page contradict each other', async () => {
  const { code, error } = await cs(['contacts', 'list', '--all', '--page', '2'], { env });
  expect([code, error.message]).toEqual([2, "--all and --page can't be used together."]);
});

test('a terminal prompts for it, and reports an invalid answer at once', async () => {
  const terminal = openTerminal(['calendar', 'list', '--from', '2026-01-01'], { env });
  await terminal.waitFor('To');
  terminal.type('sometime\r');
  await terminal.waitFor("isn't a time");
  terminal.press('ctrl-u');
  terminal.type('2026-02-01\r');
  await terminal.waitFor('No calendar entries.');
  expect(await terminal.exited).toBe(0);
});
