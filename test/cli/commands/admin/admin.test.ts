import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { builtServe } from '../../../helpers/built.ts';
import { cs } from '../../../helpers/cli.ts';
import { base64Of, png } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { startTestService, type TestService } from '../../../helpers/service.ts';
import { openTerminal } from '../../../helpers/terminal.ts';

let service: TestService;
const adminOf =
  ({ data }: TestService) =>
  (...argv: string[]) =>
    cs(['admin', ...argv, '--data', data]);
const admin = (...argv: string[]) => adminOf(service)(...argv);
const onTerminal = (...argv: string[]) =>
  cs(['admin', ...argv, '--data', service.data], { as: 'terminal' });
const me = (key: string) => service.call('GET', '/me', undefined, key);

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** For a test that adds teams, which others count. */
async function serviceOfItsOwn() {
  const own = await startTestService();
  onTestFinished(() => own.close());
  return own;
}

test("reports a stored change and advises no repeat when its result can't be printed", async () => {
  const own = await serviceOfItsOwn();
  const admin = adminOf(own);
  const { json: key } = await admin(
    'key',
    'create',
    '--team',
    'first',
    '--name',
    'lost',
    '--all-scopes',
  );
  for (const line of [
    ['team', 'create', 'Annex'],
    ['team', 'quota', 'first', '50GB'],
    ['key', 'create', '--team', 'first', '--name', 'gate', '--all-scopes'],
    ['key', 'revoke', key.prefix],
    ['integration', 'off', '--team', 'first'],
    ['integration', 'on', '--team', 'first'],
    ['event-type', 'create', '--team', 'first', '--value', 'tyre_change', '--name', 'Tyre change'],
    ['backup', join(own.data, 'garage')],
  ]) {
    const { code, stderr } = await admin(...line, '--jq', 'error("x")');
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) as string);
    expect([line, code, error.code, error.details?.stored.length]).toEqual([
      line,
      15,
      'stored_not_printed',
      1,
    ]);
    expect(error.hint).toContain(
      line.join(' ').startsWith('key create')
        ? "won't be shown again: revoke it with `cs admin key revoke csk_"
        : "don't run it again",
    );
  }
});

describe('while the service runs', () => {
  test('a new team has the standard event types', async () => {
    const admin = adminOf(await serviceOfItsOwn());
    const made = await admin('team', 'create', 'Garage Süd', '--timezone', 'Europe/Zurich');
    expect(made).toMatchObject({
      code: 0,
      json: { name: 'Garage Süd', slug: 'garage-sud', timezone: 'Europe/Zurich', apiEnabled: true },
    });
    expect((await admin('team', 'list')).json.map(({ slug }: { slug: string }) => slug)).toEqual([
      'first',
      'garage-sud',
      'second',
    ]);
    const types = (await admin('event-type', 'list', '--team', 'garage-sud')).json;
    expect(types.map(({ value }: { value: string }) => value).sort()).toEqual([
      'customer_visit',
      'drop_off',
      'facility_task',
      'inspection',
      'interior_cleaning',
      'pick_up',
    ]);
  });

  test('the limit of a team for its files applies at once, and the list shows what is used', async () => {
    expect(await onTerminal('team', 'quota', 'second', '1.5GB')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('quota of second is 1.5 GB; 0 bytes used'),
    });
    const add = async (seed: number) =>
      (await service.call('POST', '/marketing/assets', { base64: base64Of(png(seed, 600)) }))
        .status;
    await admin('team', 'quota', 'First', '1KB');
    expect([await add(1), await add(2)]).toEqual([201, 422]);
    const { json } = await admin('team', 'list');
    expect(json).toMatchObject([
      { slug: 'first', quotaBytes: 1_000, usedBytes: 600 },
      { slug: 'second', quotaBytes: 1_500_000_000, usedBytes: 0 },
    ]);
    await admin('team', 'quota', 'first', 'default');
    expect(await add(2)).toBe(201);
    expect((await admin('team', 'quota', 'first', '50')).error).toMatchObject({
      message: '"50" (SIZE) isn\'t a size.',
      hint: 'write it like 500MB or 50GB',
    });
  });

  test('a new key works at once, with its scopes and expiry', async () => {
    const { json: made } = await admin(
      'key',
      'create',
      '--team',
      'first',
      '--name',
      'sync',
      '--scope',
      'read:cars',
      '--scope',
      'read:parking',
      '--expires',
      '90d',
    );
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
      const { json: made } = await admin(
        'key',
        'create',
        '--team',
        'first',
        '--name',
        'lost',
        '--all-scopes',
      );
      expect((await me(made.key)).status).toBe(200);
      expect(await admin('key', 'revoke', made[by])).toMatchObject({
        code: 0,
        json: { name: 'lost', revokedAt: expect.any(String) },
      });
      expect((await me(made.key)).body).toMatchObject({
        code: 'api_key_revoked',
        error: 'API key revoked',
      });
      expect((await admin('key', 'revoke', made[by])).code).toBe(0);
    },
  );

  test('a list of keys tells which are valid, expired or revoked', async () => {
    const own = await serviceOfItsOwn();
    const key = (...argv: string[]) => adminOf(own)('key', ...argv, '--team', 'first');
    await key('create', '--name', 'gate', '--all-scopes', '--expires', '90d');
    await key('create', '--name', 'lost', '--all-scopes');
    await key('create', '--name', 'sync', '--all-scopes');
    await key('revoke', 'lost');
    const { stdout } = await cs(['admin', 'key', 'list', '--team', 'first', '--data', own.data], {
      as: 'terminal',
      now: new Date(Date.now() + 91 * 86_400_000),
    });
    for (const state of ['gate +expired', 'lost +revoked', 'sync +valid'])
      expect(stdout).toMatch(new RegExp(` ${state} `));
  });

  test('a list of keys shows no secret, and the integration switch applies to all keys of a team', async () => {
    const { json: keys } = await admin('key', 'list', '--team', 'first');
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(Object.keys(key)).not.toContain('secretHash');
    expect((await admin('integration', 'off', '--team', 'first')).json).toMatchObject({
      slug: 'first',
      apiEnabled: false,
    });
    expect((await me(service.key)).body).toMatchObject({
      code: 'api_disabled',
      error: 'API is disabled for this team',
    });
    expect((await me(service.otherKey)).status).toBe(200);
    await admin('integration', 'on', '--team', 'first');
    expect((await me(service.key)).status).toBe(200);
  });

  test('a new event type is available at once', async () => {
    await admin(
      'event-type',
      'create',
      '--team',
      'first',
      '--value',
      'winter_storage',
      '--name',
      'Winter storage',
      '--requires-parking-spot',
      '--duration',
      '40',
      '--option',
      'Indoors',
      '--option',
      'With cover: grey:45',
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
  const set = (...words: string[]) => admin('event-type', 'photos', ...words, '--team', 'first');
  const listed = async () => {
    const { body } = await service.call('GET', '/event-types');
    return body.data.find(({ value }: { value: string }) => value === 'drop_off').photos;
  };
  expect(await listed()).toEqual([]);
  expect((await set('drop_off', 'Front,rear')).code).toBe(0);
  expect(await listed()).toEqual(['front', 'rear']);
  expect((await set('drop_off', 'front.jpg')).code).toBe(2);
  expect((await set('no_such', 'front')).code).toBe(6);
  expect((await set('drop_off', 'none')).json.photos).toEqual([]);
  expect(await listed()).toEqual([]);
});

describe('on a terminal', () => {
  test('prints the key on stdout and the rest as notes', async () => {
    const { stdout, stderr } = await onTerminal(
      'key',
      'create',
      '--team',
      'first',
      '--name',
      'counter',
      '--all-scopes',
    );
    expect(stdout).toMatch(/^csk_[a-z2-7]{12}\.[\w-]{43}\n$/);
    expect(stderr).toContain("won't be shown again");
    expect(stderr).toContain(`cs auth login --base-url ${service.url}\n`);
  });
  test('shows the loopback address of a service that listens on every address', async () => {
    const folder = await makeFolder();
    const everywhere = await builtServe(folder, ['--host', '0.0.0.0']);
    await cs(['admin', 'team', 'create', 'North', '--data', folder]);
    const create = [
      'key',
      'create',
      '--team',
      'north',
      '--name',
      'counter',
      '--all-scopes',
      '--data',
      folder,
    ];
    const { stderr } = await cs(['admin', ...create], { as: 'terminal' });
    await everywhere.stop('SIGTERM');
    await removeFolder(folder);
    expect(stderr).toContain(`--base-url http://127.0.0.1:${new URL(everywhere.url).port}\n`);
  });
});

describe('folders', () => {
  test.each([
    ['team list', ['team', 'list']],
    ['key list', ['key', 'list', '--team', 'first']],
    ['key create', ['key', 'create', '--team', 'first', '--name', 'x', '--all-scopes']],
    ['integration off', ['integration', 'off', '--team', 'first']],
  ])('%s makes none: exit 6', async (_name, argv) => {
    const folder = join(service.data, 'typo');
    const { code, error, stdout } = await cs(['admin', ...argv, '--data', folder]);
    expect([code, error.code, stdout]).toEqual([6, 'not_found', '']);
    expect(error.message).toBe(`No data found in ${folder}.`);
    expect(error.hint).toContain('--data');
    expect(existsSync(folder)).toBe(false);
  });

  test('creating a team also creates the database', async () => {
    const folder = join(service.data, 'new', 'one');
    expect((await cs(['admin', 'team', 'create', 'North', '--data', folder])).code).toBe(0);
    expect((await cs(['admin', 'team', 'list', '--data', folder])).json).toMatchObject([
      { slug: 'north' },
    ]);
  });
});

describe('reports an invalid value and stores nothing', () => {
  test.each<[string, string[], number, string]>([
    [
      'a team that is not there',
      ['key', 'create', '--team', 'nobody', '--name', 'x', '--all-scopes'],
      6,
      'nobody',
    ],
    ['a team that is there', ['team', 'create', 'FIRST'], 7, 'first'],
    [
      'a scope that is none',
      ['key', 'create', '--team', 'first', '--name', 'x', '--scope', 'read:everything'],
      2,
      'read:everything',
    ],
    ['no scope', ['key', 'create', '--team', 'first', '--name', 'x'], 2, '--all-scopes'],
    [
      'scopes and all scopes',
      ['key', 'create', '--team', 'first', '--name', 'x', '--scope', 'read:cars', '--all-scopes'],
      2,
      '--all-scopes',
    ],
    [
      'an expiry that is past',
      [
        'key',
        'create',
        '--team',
        'first',
        '--name',
        'x',
        '--all-scopes',
        '--expires',
        '2001-01-01',
      ],
      3,
      'past',
    ],
  ])('%s', async (_name, argv, code, named) => {
    const counts = async () => [
      (await admin('team', 'list')).json.length,
      (await admin('key', 'list', '--team', 'first')).json.length,
      (await admin('event-type', 'list', '--team', 'first')).json.length,
    ];
    const before = await counts();
    const result = await admin(...argv);
    expect(result.code).toBe(code);
    expect(result.stdout).toBe('');
    expect(`${result.error.message} ${result.error.hint}`).toContain(named);
    expect(await counts()).toEqual(before);
  });
});

describe('keys with the same name', () => {
  let names = 0;
  /** Two keys of a name that no other test has. */
  async function twins() {
    const name = `twin-${++names}`;
    const create = async () =>
      (await admin('key', 'create', '--team', 'first', '--name', name, '--all-scopes')).json;
    return { name, first: await create(), second: await create() };
  }

  test('a script gets the candidates with exit 14, and nothing is revoked', async () => {
    const { name, first, second } = await twins();
    const result = await admin('key', 'revoke', name);
    expect([result.code, result.error.code]).toEqual([14, 'ambiguous_name']);
    expect(result.error.message).toMatch(/csk_[a-z2-7]{12}, csk_[a-z2-7]{12}/);
    expect(result.error.details.candidates.map(({ id }: { id: string }) => id).sort()).toEqual(
      [first.id, second.id].sort(),
    );
    expect(result.error.details.candidates[0].name).toMatch(
      /^csk_[a-z2-7]{12} · first · created .* · never used$/,
    );
    expect([(await me(first.key)).status, (await me(second.key)).status]).toEqual([200, 200]);
  });

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
    await admin('key', 'revoke', first.prefix);
    expect(await admin('key', 'revoke', name)).toMatchObject({
      code: 0,
      json: { id: second.id },
    });
    expect((await admin('key', 'revoke', name)).code).toBe(0);
  });
});

describe('without --team', () => {
  const lines = [
    ['key', 'list'],
    ['key', 'create', '--name', 'counter', '--all-scopes'],
    ['integration', 'on'],
    ['event-type', 'list'],
    ['event-type', 'create', '--value', 'wash', '--name', 'Wash'],
    ['team', 'sender', 'add', 'office@garage.example'],
    ['team', 'sender', 'list'],
    ['team', 'sender', 'remove', 'office@garage.example'],
  ];

  test('the only team is meant', async () => {
    const data = await makeFolder();
    await cs(['admin', 'team', 'create', 'North', '--data', data]);
    for (const line of lines)
      expect([line, (await cs(['admin', ...line, '--data', data])).code]).toEqual([line, 0]);
    const { json: types } = await cs([
      'admin',
      'event-type',
      'list',
      '--team',
      'north',
      '--data',
      data,
    ]);
    expect(types.map(({ value }: { value: string }) => value)).toContain('wash');
    await removeFolder(data);
  });

  test('with several, a script gets the choice with exit 2', async () => {
    for (const line of lines) {
      const { code, error } = await admin(...line);
      expect([line, code, error.message, error.hint]).toEqual([
        line,
        2,
        'Missing required flag: --team.',
        'choose from first and second',
      ]);
    }
  });

  test('with several, a terminal asks which one', async () => {
    const terminal = openTerminal(['admin', 'event-type', 'list', '--data', service.data]);
    await terminal.waitFor('Which team?');
    terminal.press('enter');
    await terminal.waitFor('Drop-off');
    expect(await terminal.exited).toBe(0);
  });
});
