/** `cs admin user` and `cs admin screen`, beside a running service. */
import { expect, test } from 'vitest';
import { cs as run } from '../../../helpers/cli.ts';
import { openBrowser, password } from '../../../helpers/dashboard.ts';
import { testService } from '../../../helpers/service.ts';
import { openTerminal } from '../../../helpers/terminal.ts';
import { choose } from '../counter/counter.ts';

const service = await testService({ dashboard: {} });
const at = ['--data', service.data, ...(service.database ? ['--database', service.database] : [])];
const cs = (...line: string[]) =>
  run(['admin', ...line, ...at], { env: { CS_PUBLIC_URL: service.url } });
const user = (...line: string[]) => cs('user', ...line, '--team', 'first');
const tokenOf = (link: string) => link.split('#')[1];

test('adds an admin, who signs in with the link; ends the sessions; makes another link; removes the account', async () => {
  const added = await user('add', 'Anna@Garage.example', '--name', 'Anna Berg');
  expect(added).toMatchObject({
    code: 0,
    json: { email: 'anna@garage.example', name: 'Anna Berg', hasPassword: false },
  });
  const { link } = added.json;
  expect(link).toMatch(new RegExp(`^${service.url}/dashboard/link#[\\w-]{43}$`));
  expect(added.stderr).toContain('Give this link to anna@garage.example: it works once');

  const browser = openBrowser(service);
  expect(await browser.ask('POST', '/link/use', { token: tokenOf(link), password })).toMatchObject({
    status: 200,
  });
  expect(await user('list')).toMatchObject({
    json: [{ email: 'anna@garage.example', hasPassword: true, sessions: 1 }],
  });
  expect(await user('sessions', 'anna@garage.example')).toMatchObject({ json: { sessions: 1 } });
  expect(await user('sessions', 'anna@garage.example', '--end')).toMatchObject({
    code: 0,
    json: { ended: 1 },
  });
  expect(await browser.ask('GET', '/api/v1/cars')).toMatchObject({ status: 401 });

  const again = await user('link', 'anna@garage.example');
  expect(
    await openBrowser(service).ask('POST', '/link', { token: tokenOf(again.json.link) }),
  ).toMatchObject({
    body: { data: { purpose: 'reset', name: 'Anna Berg' } },
  });
  expect(await user('remove', 'anna@garage.example', '--yes')).toMatchObject({ code: 0 });
  expect(
    await openBrowser(service).ask('POST', '/session', { email: 'anna@garage.example', password }),
  ).toMatchObject({ status: 401 });
});

test('the last admin who can sign in is removed with --yes alone; neither one who is still invited nor the staff is another', async () => {
  const mine = (...line: string[]) => cs('user', ...line, '--team', 'second');
  const { json } = await mine('add', 'last@garage.example');
  await openBrowser(service).ask('POST', '/link/use', { token: tokenOf(json.link), password });
  await mine('add', 'invited@garage.example');
  const staff = await mine('add', 'staff@garage.example', '--role', 'staff');
  expect(staff.json).toMatchObject({ role: 'staff' });
  await openBrowser(service).ask('POST', '/link/use', {
    token: tokenOf(staff.json.link),
    password,
  });
  const refused = await mine('remove', 'Last@garage.example');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.error.message).toBe(
    'Nobody else can manage the team in the dashboard until another admin is added. Remove last@garage.example: confirmation required.',
  );
  expect(refused.error.hint).toBe('add --yes to confirm');
  expect((await mine('list')).json).toHaveLength(3);
  // Whoever is still invited can't sign in, so nothing is lost.
  expect(await mine('remove', 'invited@garage.example')).toMatchObject({ code: 0 });
  expect(await mine('remove', 'last@garage.example', '--yes')).toMatchObject({ code: 0 });
});

test('of several teams one has to be named', async () => {
  const { code, error } = await cs('user', 'list');
  expect([code, error.message, error.hint]).toEqual([
    2,
    'Missing required flag: --team.',
    'choose from first and second',
  ]);
});

test('a screen gets another link, by its name or id: the older one is void', async () => {
  const added = await cs('screen', 'add', 'Gate', '--team', 'first');
  expect(added.json).toMatchObject({ state: 'invited' });
  const newer = await cs('screen', 'link', 'Gate', '--team', 'first');
  expect(newer).toMatchObject({ code: 0, json: { id: added.json.id, name: 'Gate' } });
  expect(newer.stderr).toContain('Give this link to the screen Gate: it works once');
  const browser = openBrowser(service);
  expect(await browser.ask('POST', '/link/use', { token: tokenOf(added.json.link) })).toMatchObject(
    { body: { code: 'link_invalid' } },
  );
  expect(await browser.ask('POST', '/link/use', { token: tokenOf(newer.json.link) })).toMatchObject(
    { status: 200 },
  );
  expect((await cs('screen', 'link', added.json.id, '--team', 'first')).json).toMatchObject({
    state: 'active',
    linkEndsAt: expect.any(String),
  });
  const { json: twin } = await cs('screen', 'add', 'Gate', '--team', 'first');
  for (const verb of ['link', 'remove']) {
    const { error } = await cs('screen', verb, 'Gate', '--team', 'first');
    expect(error).toMatchObject({
      exitCode: 14,
      code: 'ambiguous_name',
      message: `2 screens are named Gate: ${added.json.id}, ${twin.id}.`,
      hint: 'name one screen by its id',
      details: {
        candidates: [
          { id: added.json.id, name: expect.stringMatching(/^active · created .+ · last seen /) },
          { id: twin.id, name: expect.stringMatching(/^invited · created .+ · never seen$/) },
        ],
      },
    });
  }
  const terminal = openTerminal(['admin', 'screen', 'remove', 'Gate', '--team', 'first', ...at]);
  await terminal.waitFor('Which screen "Gate"?');
  await choose(terminal, 'invited', 1);
  expect(await terminal.exited).toBe(0);
  expect((await cs('screen', 'list', '--team', 'first', '-o', 'id')).stdout).toBe(
    `${added.json.id}\n`,
  );
  expect((await cs('screen', 'remove', added.json.id, '--team', 'first')).code).toBe(0);
});

test.each<[string, string, number, RegExp]>([
  ['no e-mail address', 'user add anna', 3, /must be an e-mail address: anna/],
  [
    'a name that turns',
    'user add b@garage.example --name a\u202eb',
    3,
    /name must not contain control characters/,
  ],
  ['a link for an unknown screen', 'screen link Nowhere', 6, /No screen Nowhere/],
])('%s is refused', async (_, line, exit, message) => {
  const { code, error, stdout } = await cs(...line.split(' '), '--team', 'first');
  expect([code, stdout]).toEqual([exit, '']);
  expect(error.message).toMatch(message);
  const { json } = await user('list');
  expect(json.map(({ email }: { email: string }) => email)).not.toContain('b@garage.example');
});
