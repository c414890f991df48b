import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { base64Of, png } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { startTestService, type TestService, testService } from '../../../helpers/service.ts';
import { openTerminal } from '../../../helpers/terminal.ts';

/** `line`: words without spaces; `more` have some. */
const adminOf =
  ({ data }: Pick<TestService, 'data'>, options: CliOptions = {}) =>
  (line: string, ...more: string[]) =>
    cs(['admin', ...line.split(' '), ...more, '--data', data], options);
const admin = (line: string, ...more: string[]) => adminOf(service)(line, ...more);
const makeKey = async (name: string, more = '--all-scopes') =>
  (await admin(`key create --team first --name ${name} ${more}`)).json;
const me = (key: string) => service.call('GET', '/me', undefined, key);

const service = await testService();

/** For a test that adds teams, which others count. */
async function serviceOfItsOwn() {
  const own = await startTestService();
  onTestFinished(() => own.close());
  return own;
}

test("reports a stored change and advises no repeat when its result can't be printed", async () => {
  const own = await serviceOfItsOwn();
  const admin = adminOf(own);
  const { json: key } = await admin('key create --team first --name lost --all-scopes');
  for (const line of [
    'team create Annex',
    'key create --team first --name gate --all-scopes',
    `key revoke ${key.prefix}`,
    'event-type create --team first --value tyre_change --name Tyres',
    `backup ${join(own.data, 'garage')}`,
  ]) {
    const { code, stderr } = await admin(line, '--jq', 'error("x")');
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) as string);
    expect([line, code, error.code, error.details?.stored.length]).toEqual([
      line,
      15,
      'stored_not_printed',
      1,
    ]);
    expect(error.hint).toContain(
      line.startsWith('key create')
        ? "won't be shown again: revoke it with `cs admin key revoke csk_"
        : "don't run it again",
    );
  }
});

describe('while the service runs', () => {
  test('a new team has the standard event types', async () => {
    const admin = adminOf(await serviceOfItsOwn());
    const made = await admin('team create --timezone Europe/Zurich', 'Garage Süd');
    expect(made).toMatchObject({
      code: 0,
      json: { name: 'Garage Süd', slug: 'garage-sud', timezone: 'Europe/Zurich', apiEnabled: true },
    });
    const { json: teams } = await admin('team list');
    const slugs = teams.map(({ slug }: { slug: string }) => slug);
    expect(slugs).toEqual(['first', 'garage-sud', 'second']);
    expect((await admin('event-type list --team garage-sud')).json).toHaveLength(6);
  });

  test('the limit of a team for its files applies at once, and the list shows what is used', async () => {
    await admin('team quota second 1.5GB');
    const add = async (seed: number) =>
      (await service.call('POST', '/marketing/assets', { base64: base64Of(png(seed, 600)) }))
        .status;
    await admin('team quota First 1KB');
    expect([await add(1), await add(2)]).toEqual([201, 422]);
    const { json } = await admin('team list');
    expect(json).toMatchObject([
      { slug: 'first', quotaBytes: 1_000, usedBytes: 600 },
      { slug: 'second', quotaBytes: 1_500_000_000, usedBytes: 0 },
    ]);
    await admin('team quota first default');
    expect(await add(2)).toBe(201);
    expect((await admin('team quota first 50')).error.message).toBe('"50" (SIZE) isn\'t a size.');
  });

  test('a new key works at once, with its scopes and expiry', async () => {
    const made = await makeKey('sync', '--scope read:cars --scope read:parking --expires 90d');
    expect(made.key).toMatch(/^csk_[a-z2-7]{12}\.[\w-]{43}$/);
    const answer = await me(made.key);
    expect(answer.body.data).toMatchObject({
      keyName: 'sync',
      scopes: ['read:cars', 'read:parking'],
      expiresAt: made.expiresAt,
    });
    expect(Date.parse(made.expiresAt) - Date.now()).toBeGreaterThan(89 * 86_400_000);
  });

  test.each(['prefix', 'id', 'name'] as const)(
    'a key is revoked by its %s, at once and for good',
    async (by) => {
      const made = await makeKey('lost');
      expect((await me(made.key)).status).toBe(200);
      expect(await admin(`key revoke ${made[by]}`)).toMatchObject({
        code: 0,
        json: { name: 'lost', revokedAt: expect.any(String) },
      });
      expect((await me(made.key)).body).toMatchObject({
        code: 'api_key_revoked',
        error: 'API key revoked',
      });
      expect((await admin(`key revoke ${made[by]}`)).code).toBe(0);
    },
  );

  test('a list of keys tells which are valid, expired or revoked', async () => {
    const own = await serviceOfItsOwn();
    const create = (words: string) =>
      adminOf(own)(`key create --team first --all-scopes --name ${words}`);
    await create('gate --expires 90d');
    await create('lost');
    await create('sync');
    await adminOf(own)('key revoke lost');
    const now = new Date(Date.now() + 91 * 86_400_000);
    const { stdout } = await adminOf(own, { as: 'terminal', now })('key list --team first');
    for (const state of ['gate +expired', 'lost +revoked', 'sync +valid'])
      expect(stdout).toMatch(new RegExp(` ${state} `));
  });

  test('a list of keys shows no secret, and the integration switch applies to all keys of a team', async () => {
    const { json: keys } = await admin('key list --team first');
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(Object.keys(key)).not.toContain('secretHash');
    expect((await admin('integration off --team first')).json).toMatchObject({
      slug: 'first',
      apiEnabled: false,
    });
    expect((await me(service.key)).body).toMatchObject({
      code: 'api_disabled',
      error: 'API is disabled for this team',
    });
    expect((await me(service.otherKey)).status).toBe(200);
    await admin('integration on --team first');
    expect((await me(service.key)).status).toBe(200);
  });

  test('a new event type is available at once', async () => {
    await admin(
      'event-type create --team first --value winter_storage --requires-parking-spot --duration 40 --option Indoors',
      ...['--name', 'Winter storage', '--option', 'With cover: grey:45'],
    );
    const { body } = await service.call('GET', '/event-types');
    expect(body.data[0]).toMatchObject({
      value: 'winter_storage',
      scope: 'vehicle',
      durationMinutes: 40,
      config: { requiresParkingSpot: true, releasesParkingSpot: false },
      isActive: true,
      options: [
        { id: expect.any(String), name: 'Indoors', durationMinutes: null },
        { id: expect.any(String), name: 'With cover: grey', durationMinutes: 45 },
      ],
    });
  });
});

test('the photos of an event type', async () => {
  const set = (words: string) => admin(`event-type photos ${words} --team first`);
  const listed = async () => {
    const { body } = await service.call('GET', '/event-types');
    return body.data.find(({ value }: { value: string }) => value === 'drop_off').photos;
  };
  expect(await listed()).toEqual([]);
  expect((await set('drop_off Front,rear')).code).toBe(0);
  expect(await listed()).toEqual(['front', 'rear']);
  expect((await set('drop_off none')).json.photos).toEqual([]);
  expect(await listed()).toEqual([]);
});

test('shows the loopback address of a service that listens on every address', async () => {
  const everywhere = await startTestService({ host: '0.0.0.0' });
  onTestFinished(() => everywhere.close());
  const create = 'key create --team first --name counter --all-scopes';
  const { stderr } = await adminOf(everywhere, { as: 'terminal' })(create);
  expect(stderr).toContain(`--base-url http://127.0.0.1:${new URL(everywhere.url).port}\n`);
});

describe('folders', () => {
  test('creating a team also creates the database', async () => {
    const there = adminOf({ data: join(service.data, 'new', 'one') });
    expect((await there('team create North')).code).toBe(0);
    expect((await there('team list')).json).toMatchObject([{ slug: 'north' }]);
  });
});

describe('keys with the same name', () => {
  let names = 0;
  /** Two keys of a name that no other test has. */
  async function twins() {
    const name = `twin-${++names}`;
    return { name, first: await makeKey(name), second: await makeKey(name) };
  }

  test('a terminal asks which one', async () => {
    const { name, first, second } = await twins();
    const terminal = openTerminal(['admin', 'key', 'revoke', name, '--data', service.data]);
    await terminal.waitFor(`Which key "${name}"?`);
    await terminal.waitFor(first.prefix);
    terminal.press('down');
    await terminal.waitFor(new RegExp(`❯ ${second.prefix}`));
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain(`key ${second.prefix} (${name}) revoked`);
    expect([(await me(first.key)).status, (await me(second.key)).body.code]).toEqual([
      200,
      'api_key_revoked',
    ]);
  });

  test('the name means the one that is still valid, and stays safe to repeat', async () => {
    const { name, first, second } = await twins();
    await admin(`key revoke ${first.prefix}`);
    expect(await admin(`key revoke ${name}`)).toMatchObject({
      code: 0,
      json: { id: second.id },
    });
    expect((await admin(`key revoke ${name}`)).code).toBe(0);
  });
});

describe('without --team', () => {
  const lines = [
    'key list',
    'key create --name counter --all-scopes',
    'integration on',
    'event-type list',
    'event-type create --value wash --name Wash',
    'team sender add office@garage.example',
    'team sender list',
    'team sender remove office@garage.example',
  ];

  test('the only team is meant', async () => {
    const data = await makeFolder();
    onTestFinished(() => removeFolder(data));
    const there = adminOf({ data });
    await there('team create North');
    for (const line of lines) expect([line, (await there(line)).code]).toEqual([line, 0]);
    const { json: types } = await there('event-type list --team north');
    expect(types.map(({ value }: { value: string }) => value)).toContain('wash');
  });

  test('with several, a script gets the choice with exit 2', async () => {
    for (const line of lines)
      expect(await admin(line)).toMatchObject({
        code: 2,
        error: {
          message: 'Missing required flag: --team.',
          hint: 'choose from first and second',
        },
      });
  });

  test('with several, a terminal asks which one', async () => {
    const terminal = openTerminal(['admin', 'event-type', 'list', '--data', service.data]);
    await terminal.waitFor('Which team?');
    terminal.press('enter');
    await terminal.waitFor('Drop-off');
    expect(await terminal.exited).toBe(0);
  });
});
