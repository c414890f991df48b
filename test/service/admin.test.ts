/** What the owner does beside the interface, from another process while the service runs; and what is never written down. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createEventType,
  createKey,
  createTeam,
  findTeam,
  listEventTypes,
  listKeys,
  listTeams,
  revokeKey,
  setIntegration,
  setQuota,
} from '../../src/service/admin.ts';
import { createScreen, createUser } from '../../src/service/team/owner.ts';
import { administer } from '../helpers/child-service.ts';
import { facility } from '../helpers/facility.ts';
import { startTestService, testService } from '../helpers/service.ts';

const service = await testService();
const { admin } = service;

test('keys, their end and the switch are in force with the next request, also from another process', async () => {
  const me = async (key: string) => (await service.call('GET', '/me', undefined, key)).body;
  const { key, row } = await administer(service, 'createKey', {
    team: 'second',
    name: 'counter',
    scopes: ['read:cars'],
  });
  expect((await me(key)).data).toMatchObject({
    keyName: 'counter',
    scopes: ['read:cars'],
    team: { slug: 'second' },
  });
  await setIntegration(admin, 'second', false);
  expect((await me(key)).code).toBe('api_disabled');
  await setIntegration(admin, 'second', true);
  expect((await me(key)).data.keyName).toBe('counter');
  expect(await administer(service, 'revokeKey', row.id)).toMatchObject({
    revokedAt: expect.any(String),
  });
  expect((await me(key)).code).toBe('api_key_revoked');
});

test('a key is revoked by name within its team; a name that several teams have needs the team', async () => {
  const keyIn = (team: string) => createKey(admin, { team, name: 'gate', scopes: ['read:cars'] });
  const [first, second] = [await keyIn('first'), await keyIn('second')];
  await expect(revokeKey(admin, 'gate')).rejects.toMatchObject({ name: 'AmbiguousName' });
  expect(await revokeKey(admin, 'gate', 'second')).toMatchObject({ id: second.row.id });
  await expect(revokeKey(admin, first.row.id, 'second')).rejects.toMatchObject({
    code: 'not_found',
  });
  const { status } = await service.call('GET', '/me', undefined, first.key);
  expect(status).toBe(200);
});

test('a write of the service and one of another process wait for each other', async () => {
  const [made] = await Promise.all([
    administer(service, 'createTeam', { name: 'Third' }),
    ...Array.from({ length: 50 }, () => facility(service).customer()),
  ]);
  expect(await findTeam(admin, 'third')).toMatchObject({ id: made.id, name: 'Third' });
});

test('the audit log has every action with its author, and no secret', async () => {
  const team = await createTeam(admin, { name: 'Audited & Söhne' });
  const { key, row } = await createKey(admin, {
    team: team.slug,
    name: 'k',
    scopes: ['read:cars', 'read:cars'],
  });
  await createEventType(admin, team.slug, { value: 'wash', scope: 'vehicle', name: 'Wash' });
  await setIntegration(admin, team.slug, false);
  await setIntegration(admin, team.slug, true);
  await setQuota(admin, team.slug, 50_000_000_000);
  await revokeKey(admin, key);
  await revokeKey(admin, key);
  const entries = await admin.database.read
    .selectFrom('auditLog')
    .selectAll()
    .where('teamId', '=', team.id)
    .orderBy('at')
    .execute();
  expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
    ['test', 'team.create'],
    ['test', 'key.create'],
    ['test', 'event-type.create'],
    ['test', 'integration.off'],
    ['test', 'integration.on'],
    ['test', 'team.quota'],
    ['test', 'key.revoke'],
  ]);
  expect(entries[1]).toMatchObject({
    subject: row.id,
    details: { name: 'k', prefix: row.prefix, scopes: ['read:cars'], expiresAt: null },
  });
  expect(JSON.stringify(entries)).not.toContain(key.split('.')[1]);
});

test('the secret of a key is not in any file or log line', async () => {
  const lines: string[] = [];
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  // A service that no other process uses: reading its files here ends the locks that SQLite has on them.
  const service = await startTestService({ logger: pino({ level: 'trace' }, log) });
  onTestFinished(() => service.close());
  const secret = service.key.split('.')[1] as string;
  await service.call('GET', `/cars?api_key=${service.key}`);
  await service.call('GET', '/cars', undefined, null, { authorization: `Bearer ${service.key}` });
  await service.call('POST', '/cars', { notes: service.key });
  await service.call('GET', '/cars', undefined, `${service.key}x`);
  const files = (await readdir(service.data, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile(),
  );
  if (!service.database) expect(files.map(({ name }) => name)).toContain('cs.sqlite');
  const rows = await service.admin.database.read.selectFrom('apiKeys').selectAll().execute();
  expect(rows.map(({ prefix }) => prefix)).toContain(service.key.slice(4, 16));
  expect(JSON.stringify(rows)).not.toContain(secret);
  for (const { parentPath, name } of files)
    expect((await readFile(join(parentPath, name))).includes(secret), name).toBe(false);
  const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(requests.at(-1)).toMatchObject({ method: 'GET', path: '/api/v1/cars', status: 401 });
  expect(requests[0].reqId).toMatch(/^[0-9a-f-]{36}$/);
  expect(lines.join('')).not.toContain(secret);
});

describe('refusals', { shuffle: false }, () => {
  const key = { team: 'first', name: 'k', scopes: ['read:cars'] } as const;
  /** Names that a terminal or a page would show as something else: the dashboard refuses the same ones. */
  const turned = 'web\u202etis';
  const unplain = [turned, 'web\u001b[2J', 'a\u0007b'];
  const polish = { value: 'turned', scope: 'vehicle', name: 'T' } as const;
  const unplainNamed = (path: string) => ({
    code: 'validation_failed',
    message: `${path} must not contain control characters or marks that turn the direction of text`,
    details: { issues: [{ path }] },
  });
  const told = new Set<string>();
  test.each<[string, () => Promise<unknown>, object]>([
    ['a team twice', () => createTeam(admin, { name: ' FIRST ' }), { code: 'duplicate' }],
    [
      'a team without a name',
      () => createTeam(admin, { name: '???' }),
      { code: 'validation_failed', details: { issues: [{ path: 'NAME', rule: 'required' }] } },
    ],
    [
      'a time zone that is none',
      () => createTeam(admin, { name: 'Z', timezone: 'Mars' }),
      { code: 'validation_failed', details: { issues: [{ path: 'timezone', rule: 'timezone' }] } },
    ],
    ...unplain.map((name): [string, () => Promise<unknown>, object] => [
      `a team named ${encodeURI(name)}`,
      () => createTeam(admin, { name }),
      unplainNamed('NAME'),
    ]),
    [
      'a key with such a name',
      () => createKey(admin, { ...key, name: turned }),
      unplainNamed('name'),
    ],
    [
      'an admin with such a name',
      () => createUser(admin, 'first', { email: 'turned@garage.example', name: turned }),
      unplainNamed('name'),
    ],
    ['a screen with such a name', () => createScreen(admin, 'first', turned), unplainNamed('name')],
    [
      'an event type with such a name',
      () => createEventType(admin, 'first', { ...polish, name: turned }),
      unplainNamed('name'),
    ],
    [
      'an option with such a name',
      () => createEventType(admin, 'first', { ...polish, options: [{ name: turned }] }),
      unplainNamed('option'),
    ],
    [
      'an unknown team',
      () => listKeys(admin, 'nobody'),
      {
        code: 'not_found',
        message: expect.stringMatching(/; existing teams: .*\bfirst, .*\bsecond\b/),
      },
    ],
    [
      'a key without scopes',
      () => createKey(admin, { ...key, scopes: [] }),
      { code: 'validation_failed' },
    ],
    ['a key for nobody', () => createKey(admin, { ...key, team: 'nobody' }), { code: 'not_found' }],
    ['an unknown key', () => revokeKey(admin, 'csk_nothing'), { code: 'not_found' }],
    [
      'an event type twice',
      () => createEventType(admin, 'first', { value: 'drop_off', scope: 'vehicle', name: 'D' }),
      { code: 'duplicate' },
    ],
    [
      'a malformed value',
      () => createEventType(admin, 'first', { value: 'Drop Off', scope: 'vehicle', name: 'D' }),
      { code: 'validation_failed' },
    ],
    [
      'parking without a car',
      () =>
        createEventType(admin, 'first', {
          value: 'x',
          scope: 'facility',
          name: 'X',
          requiresParkingSpot: true,
        }),
      { code: 'conflicting_fields' },
    ],
    [
      'freed parking without a car',
      () =>
        createEventType(admin, 'first', {
          value: 'x',
          scope: 'facility',
          name: 'X',
          releasesParkingSpot: true,
        }),
      { code: 'conflicting_fields' },
    ],
    [
      'parking needed and freed',
      () =>
        createEventType(admin, 'first', {
          value: 'x',
          scope: 'vehicle',
          name: 'X',
          requiresParkingSpot: true,
          releasesParkingSpot: true,
        }),
      { code: 'conflicting_fields' },
    ],
  ])('%s', async (_name, act, refusal) => {
    const refused = await act().catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'ApiProblem', ...refusal });
    // Other tests have made teams.
    told.add((refused as Error).message.replace(/(?<=; existing teams: ).*/, '…'));
  });
  test('in words', () => {
    expect([...told].sort()).toMatchInlineSnapshot(`
      [
        "An event can't both need and free parking",
        "Event type drop_off already exists",
        "NAME must not contain control characters or marks that turn the direction of text",
        "NAME needs at least one letter or digit",
        "No key nothing",
        "No team nobody; existing teams: …",
        "Only an event on a vehicle can need or free parking",
        "Team First (first) already exists",
        "name must not contain control characters or marks that turn the direction of text",
        "option must not contain control characters or marks that turn the direction of text",
        "scopes needs at least one scope",
        "timezone isn't a known time zone: Mars",
        "value must be lower-case letters, digits and _, starting with a letter",
      ]
    `);
  });

  test('of two keys with the same name, one is chosen by its prefix', async () => {
    const [one, two] = [
      await createKey(admin, { ...key, name: 'twin' }),
      await createKey(admin, { ...key, name: 'twin' }),
    ];
    await expect(revokeKey(admin, 'twin')).rejects.toThrow(`csk_${one.row.prefix}`);
    await revokeKey(admin, `csk_${one.row.prefix}`);
    const left = (await listKeys(admin, 'first')).filter(
      ({ name, revokedAt }) => name === 'twin' && !revokedAt,
    );
    expect(left.map(({ id }) => id)).toEqual([two.row.id]);
  });
});

test('teams and event types are listed; a team is found by slug, id and name', async () => {
  const first = await findTeam(admin, 'first');
  expect(await findTeam(admin, first.id)).toEqual(first);
  expect(await findTeam(admin, 'FIRST')).toEqual(first);
  expect((await listTeams(admin)).map(({ slug }) => slug)).toEqual(
    expect.arrayContaining(['first', 'second']),
  );
  expect((await listEventTypes(admin, 'second')).map(({ value }) => value)).toContain('drop_off');
});
