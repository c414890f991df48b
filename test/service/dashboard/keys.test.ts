/** Keys, the switch and the log, as a team admin manages them in the dashboard. */
import { expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../../src/contract/scopes.ts';
import { countKeyUsage } from '../../../src/service/dashboard/key-usage.ts';
import { newId } from '../../../src/service/records.ts';
import { signInAdmin } from '../../helpers/dashboard.ts';
import { facility } from '../../helpers/facility.ts';
import { type Answer, startTestService, testService } from '../../helpers/service.ts';

const service = await testService({ dashboard: {} });
const admin = await signInAdmin(service);
const keys = '/api/v1/team/keys';

async function createKey(body: object, headers: Record<string, string> = {}) {
  return admin.ask('POST', keys, { name: 'website', scopes: ['read:cars'], ...body }, headers);
}
const me = (key: string) => service.call('GET', '/me', undefined, key);

test('a key is shown once, works, gets a new name and expiry, and is revoked at once and for ever', async () => {
  const { status, body } = await createKey({ expiresAt: '2199-01-01T00:00:00+01:00' });
  expect([status, body.data]).toMatchObject([
    201,
    {
      name: 'website',
      scopes: ['read:cars'],
      expiresAt: '2198-12-31T23:00:00.000Z',
      revoked: false,
      createdBy: `admin:${admin.email}`,
    },
  ]);
  const { id, key, secret } = body.data;
  expect(secret.startsWith(`${key}.`)).toBe(true);
  expect(await me(secret)).toMatchObject({
    status: 200,
    body: { data: { keyName: 'website', scopes: ['read:cars'] } },
  });
  const listed = await admin.ask('GET', `${keys}?limit=200`);
  expect(listed.body.data.find((row: { id: string }) => row.id === id)).toMatchObject({
    key,
    secret: null,
  });
  expect(JSON.stringify(listed.body)).not.toContain(secret.split('.')[1]);

  expect(
    await admin.ask('PATCH', `${keys}/${id}`, { name: 'web shop', expiresAt: null }),
  ).toMatchObject({
    status: 200,
    body: { data: { name: 'web shop', expiresAt: null, scopes: ['read:cars'] } },
  });
  expect(await admin.ask('PATCH', `${keys}/${id}`, { scopes: ['write:cars'] })).toMatchObject({
    status: 422,
    body: { error: 'scopes is read-only' },
  });
  expect(await admin.ask('PATCH', `${keys}/${id}`, { revoked: true })).toMatchObject({
    body: { data: { revoked: true, revokedBy: `admin:${admin.email}` } },
  });
  expect(await me(secret)).toMatchObject({ status: 401, body: { code: 'api_key_revoked' } });
  expect(await admin.ask('PATCH', `${keys}/${id}`, { revoked: false })).toMatchObject({
    status: 422,
    body: { error: 'revoked must be true' },
  });
  expect(
    await admin.ask('PATCH', `${keys}/${id}`, { expiresAt: '2199-01-01T00:00:00Z' }),
  ).toMatchObject({
    body: {
      code: 'key_revoked',
      error: 'The key is revoked, so its name and expiry stay as they are',
    },
  });
});

test('a double click makes one key, and its secret is stored nowhere', async () => {
  const headers = { 'idempotency-key': 'click-1' };
  const answers = await Promise.all([1, 2].map(() => createKey({ name: 'double' }, headers)));
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  const secrets = answers.map(({ body }) => body.data.secret);
  expect(secrets.filter((secret) => secret === null).length).toBe(1);
  const { body } = await admin.ask('GET', `${keys}?limit=200`);
  expect(body.data.filter(({ name }: { name: string }) => name === 'double').length).toBe(1);
  const rows = await service.admin.database.read
    .selectFrom('idempotencyRecords')
    .selectAll()
    .where('key', '=', 'click-1')
    .execute();
  expect(rows.map(({ body }) => JSON.parse(body).data.secret)).toEqual([null]);
  expect(await createKey({ name: 'another' }, headers)).toMatchObject({
    status: 422,
    body: {
      code: 'idempotency_key_reused',
      error: 'This Idempotency-Key was used with another request',
    },
  });
});

test.each([
  [{ scopes: ['read:everything'] }, 'scopes.0', `must be one of ${scopes.join(', ')}`],
  [
    { name: 'web\u202etis' },
    'name',
    'must not contain control characters or marks that turn the direction of text',
  ],
  [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt', 'must be later than now'],
])('%j is refused', async (body, path, message) => {
  expect(await createKey(body)).toMatchObject({
    status: 422,
    body: {
      code: 'validation_failed',
      error: `${path} ${message}`,
      details: { issues: [{ path, message }] },
    },
  });
});

test('admins and screens have no names that turn the text around them', async () => {
  for (const [path, body] of [
    ['admins', { email: 'turned@garage.example', name: 'a\u2066b' }],
    ['screens', { name: 'a\u0007b' }],
  ] as const)
    expect(await admin.ask('POST', `/api/v1/team/${path}`, body)).toMatchObject({
      status: 422,
      body: {
        details: {
          issues: [
            {
              path: 'name',
              message:
                'must not contain control characters or marks that turn the direction of text',
            },
          ],
        },
      },
    });
});

test('a key that has expired stays so, and none is made to end in the past', async () => {
  const { id } = (await createKey({ name: 'short', expiresAt: '2199-01-01T00:00:00Z' })).body.data;
  const set = (body: object) => admin.ask('PATCH', `${keys}/${id}`, body);
  expect(await set({ expiresAt: '2020-01-01T00:00:00Z' })).toMatchObject({
    status: 422,
    body: {
      code: 'validation_failed',
      details: { issues: [{ path: 'expiresAt', message: 'must be later than now' }] },
    },
  });
  const past = { expiresAt: '2020-01-01T00:00:00.000Z' };
  await service.admin.database.write
    .updateTable('apiKeys')
    .set(past)
    .where('id', '=', id)
    .execute();
  for (const expiresAt of ['2199-01-01T00:00:00Z', null])
    expect(await set({ expiresAt })).toMatchObject({
      body: {
        code: 'key_expired',
        error: 'The key has expired and stays so; make a new key that takes its place',
      },
    });
  expect(await set({ name: 'was short', ...past })).toMatchObject({
    status: 200,
    body: { data: { name: 'was short', ...past } },
  });
});

test('off, the switch refuses every key of the team, and the dashboard still works', async () => {
  const { body } = await createKey({ name: 'switched', scopes });
  expect(await admin.ask('PATCH', '/api/v1/team/integration', { apiEnabled: false })).toMatchObject(
    {
      body: {
        data: {
          apiEnabled: false,
          changedBy: `admin:${admin.email}`,
          changedAt: expect.any(String),
        },
      },
    },
  );
  expect(await me(body.data.secret)).toMatchObject({
    status: 403,
    body: { error: 'API is disabled for this team' },
  });
  expect(await admin.ask('GET', '/api/v1/cars')).toMatchObject({ status: 200 });
  await admin.ask('PATCH', '/api/v1/team/integration', { apiEnabled: true });
  expect(await me(body.data.secret)).toMatchObject({ status: 200 });
});

test('the log tells of a changed key what changed, from what to what, and nothing else', async () => {
  const [from, to] = ['2199-01-01T00:00:00.000Z', '2199-02-01T00:00:00.000Z'];
  const { id, key } = (await createKey({ name: 'first name', expiresAt: from })).body.data;
  for (const body of [
    { name: 'second name', expiresAt: from },
    { expiresAt: to },
    { name: 'second name' },
    { name: 'third', expiresAt: null },
  ])
    await admin.ask('PATCH', `${keys}/${id}`, body);
  const { data } = (await admin.ask('GET', '/api/v1/team/audit?action=key.update&limit=3')).body;
  const prefix = key.replace('csk_', '');
  expect(
    data.map(({ subject, details }: { subject: string; details: unknown }) => ({
      subject,
      details,
    })),
  ).toEqual([
    {
      subject: id,
      details: {
        name: 'second name',
        prefix,
        changes: { name: { from: 'second name', to: 'third' }, expiresAt: { from: to, to: null } },
      },
    },
    { subject: id, details: { name: 'second name', prefix, changes: { expiresAt: { from, to } } } },
    {
      subject: id,
      details: {
        name: 'first name',
        prefix,
        changes: { name: { from: 'first name', to: 'second name' } },
      },
    },
  ]);
});

test('page by page the log loses no entry, also of those with the same time', async () => {
  const { read, write } = service.admin.database;
  const { id: teamId } = await read
    .selectFrom('teams')
    .select('id')
    .where('slug', '=', 'first')
    .executeTakeFirstOrThrow();
  const at = '2020-01-01T00:00:00.000Z';
  const entry = { teamId, at, actor: 'test', action: 'same.time', subject: null, details: null };
  const ids = Array.from({ length: 7 }, () => newId());
  await write
    .insertInto('auditLog')
    .values(ids.map((id) => ({ ...entry, id })))
    .execute();
  const seen: string[] = [];
  for (let last: string | undefined; seen.length < 20; last = seen.at(-1)) {
    const { body } = await admin.ask(
      'GET',
      `/api/v1/team/audit?action=same.time&limit=3${last ? `&beforeId=${last}` : ''}`,
    );
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    if (body.total <= 3) break;
  }
  expect(seen).toEqual(ids.sort().reverse());
});

test('requests of a key are counted, refused ones apart; those of a key that is refused as a whole are no use of it', async () => {
  const own = await startTestService({ dashboard: {} });
  try {
    const boss = await signInAdmin(own);
    const make = async (name: string) =>
      (await boss.ask('POST', keys, { name, scopes: ['read:cars', 'write:cars'] })).body.data;
    const [used, revoked, expired, off] = [
      await make('used'),
      await make('revoked'),
      await make('expired'),
      await make('off'),
    ];
    for (const path of ['/cars', '/cars', '/customers'])
      await own.call('GET', path, undefined, used.secret);
    const records = facility(own, used.secret);
    await records.photo((await records.car()).id);
    await boss.ask('PATCH', `${keys}/${revoked.id}`, { revoked: true });
    const past = { expiresAt: '2020-01-01T00:00:00.000Z' };
    await own.admin.database.write
      .updateTable('apiKeys')
      .set(past)
      .where('id', '=', expired.id)
      .execute();
    await boss.ask('PATCH', '/api/v1/team/integration', { apiEnabled: false });
    const codes = [];
    for (const { secret } of [revoked, expired, off])
      codes.push((await own.call('GET', '/cars', undefined, secret)).body.code);
    expect(codes).toEqual(['api_key_revoked', 'api_key_expired', 'api_disabled']);
    // The part of a key that everybody may know is not enough.
    await own.call('GET', '/cars', undefined, `${off.key}.${'A'.repeat(43)}`);
    await own.restart();
    const ask = async (path: string) => {
      const answer = await fetch(`${own.url}/dashboard${path}`, {
        headers: { cookie: boss.cookie },
      });
      return ((await answer.json()) as Answer['body']).data;
    };
    const { rows } = await ask('/api/v1/team/usage?step=day');
    const counted = rows.map(
      ({ keyId, requests, refused, failed, uploads }: Record<string, unknown>) => [
        ...[keyId, requests, refused, failed, uploads],
      ],
    );
    const ofOne = await ask(`/api/v1/team/usage?step=day&keyId=${off.id}`);
    expect(ofOne.rows).toEqual(rows.filter(({ keyId }: { keyId: string }) => keyId === off.id));
    expect(counted.sort()).toEqual(
      [[used.id, 5, 1, 0, 1], ...[revoked, expired, off].map(({ id }) => [id, 1, 1, 0, 0])].sort(),
    );
    const listed: { id: string; lastUsedAt: string | null }[] = await ask(`${keys}?limit=200`);
    expect(listed.flatMap(({ id, lastUsedAt }) => (lastUsedAt === null ? [] : id))).toEqual([
      used.id,
    ]);
  } finally {
    await own.close();
  }
});

test('what was counted is kept for 400 days', async () => {
  const { database } = service.admin;
  const { id: apiKeyId, teamId } = await database.read
    .selectFrom('apiKeys')
    .select(['id', 'teamId'])
    .where('id', '=', (await createKey({})).body.data.id)
    .executeTakeFirstOrThrow();
  let now = new Date('2030-01-01T10:59:00Z');
  const usage = countKeyUsage(database, () => now);
  onTestFinished(() => usage.stop());
  const hours = database.read
    .selectFrom('keyUsage')
    .select('hour')
    .where('apiKeyId', '=', apiKeyId);
  const kept: number[] = [];
  for (const days of [0, 399, 401]) {
    now = new Date(Date.UTC(2030, 0, 1 + days, 10, 59));
    usage.count({ teamId, keyId: apiKeyId, status: 200, upload: false });
    await usage.store();
    kept.push((await hours.execute()).length);
  }
  expect(kept).toEqual([1, 2, 2]);
});

test("counts that can't be stored are kept for the next time, and those of other teams are stored once", async () => {
  const { database } = service.admin;
  const all = await database.read.selectFrom('apiKeys').select(['id', 'teamId']).execute();
  const [one, other] = [...Map.groupBy(all, ({ teamId }) => teamId).values()].map(([key]) => key);
  let isAway = true;
  const ofTeam: typeof database.ofTeam = (id) => {
    if (isAway && id === other?.teamId) throw new Error('The database is away');
    return database.ofTeam(id);
  };
  const usage = countKeyUsage({ ...database, ofTeam }, () => new Date('2040-01-01T10:30:00Z'));
  onTestFinished(() => usage.stop());
  for (const key of [one, other])
    usage.count({ teamId: key?.teamId ?? '', keyId: key?.id ?? '', status: 200, upload: false });
  await usage.store();
  isAway = false;
  await usage.store();
  const stored = database.read
    .selectFrom('keyUsage')
    .select(['apiKeyId', 'requests'])
    .where('hour', '=', '2040-01-01T10:00:00.000Z');
  expect(new Map((await stored.execute()).map((row) => [row.apiKeyId, row.requests]))).toEqual(
    new Map([one, other].map((key) => [key?.id, 1])),
  );
});

test('a replacement names the key whose place it takes; one of another team is not found', async () => {
  const make = (given: object, browser = admin) =>
    browser.ask('POST', '/api/v1/team/keys', { name: 'Site', scopes: ['read:cars'], ...given });
  const old = (await make({})).body.data;
  expect(old.replacesId).toBeNull();
  const made = await make({ replacesId: old.id });
  expect(made).toMatchObject({ status: 201, body: { data: { replacesId: old.id } } });
  const { data } = (await admin.ask('GET', '/api/v1/team/keys?limit=200')).body;
  expect(data.find(({ id }: { id: string }) => id === made.body.data.id)).toMatchObject({
    replacesId: old.id,
  });
  const stranger = await signInAdmin(service, 'second');
  const unknown = 'No key with the id given in replacesId';
  for (const [replacesId, status, error] of [
    [old.id, 404, unknown],
    [newId(), 404, unknown],
    ['x', 422, 'replacesId must be a uuid'],
  ])
    expect(await make({ replacesId }, stranger)).toMatchObject({ status, body: { error } });
});
