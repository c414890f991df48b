import { afterAll, describe, expect, test } from 'vitest';
import { type Scope, scopes } from '../../src/contract/scopes.ts';
import { createKey, revokeKey, setIntegration } from '../../src/service/admin.ts';
import { makeKey } from '../../src/service/keys.ts';
import { expectProblem } from '../helpers/answers.ts';
import { startTestService } from '../helpers/service.ts';
import { testTable } from '../helpers/table.ts';

const service = await startTestService();
afterAll(() => service.close());
const { key, otherKey } = service;

const scoped = (...given: Scope[]) => service.keyWith(given);
const expired = await createKey(service.admin, {
  team: 'first',
  name: 'old',
  scopes,
  expiresAt: '2020-01-01T00:00:00.000Z',
});
const later = await createKey(service.admin, {
  team: 'first',
  name: 'new',
  scopes,
  expiresAt: '2999-01-01T00:00:00.000Z',
});
const revoked = await createKey(service.admin, { team: 'first', name: 'lost', scopes });
await revokeKey(service.admin, revoked.key);
const [prefix] = key.split('.') as [string];
const guess = (known: string) => `${known.split('.')[0]}.${makeKey().key.split('.')[1]}`;
const bearer = (given: string) => ({ authorization: `Bearer ${given}` });
const unauthorized = (
  code: 'missing_api_key' | 'invalid_api_key' | 'api_key_expired' | 'api_key_revoked',
  error?: string,
) => ({
  status: 401,
  code,
  error,
  details: null,
});
const me = { method: 'GET', path: '/me' } as const;

describe('headers', () => {
  testTable(service, [
    { ...me, name: 'x-api-key', expect: { status: 200 } },
    { ...me, name: 'Bearer', key: null, headers: bearer(key), expect: { status: 200 } },
    {
      ...me,
      name: 'bearer in any case',
      key: null,
      headers: { authorization: `bEARER   ${key} ` },
      expect: { status: 200 },
    },
    { ...me, name: 'both, the same', headers: bearer(key), expect: { status: 200 } },
    {
      ...me,
      name: 'both, different',
      headers: bearer(otherKey),
      expect: unauthorized('invalid_api_key'),
    },
    {
      ...me,
      name: 'an empty x-api-key beside a Bearer',
      key: null,
      headers: { 'x-api-key': '', ...bearer(key) },
      expect: { status: 200 },
    },
    {
      ...me,
      name: 'another scheme beside x-api-key',
      headers: { authorization: 'Basic YTpi' },
      expect: { status: 200 },
    },
    { ...me, name: 'none', key: null, expect: unauthorized('missing_api_key') },
    {
      ...me,
      name: 'another scheme alone',
      key: null,
      headers: { authorization: 'Basic YTpi' },
      expect: unauthorized('missing_api_key'),
    },
    {
      ...me,
      name: 'Bearer and nothing',
      key: null,
      headers: { authorization: 'Bearer' },
      expect: unauthorized('missing_api_key'),
    },
    {
      ...me,
      name: 'not in the query',
      key: null,
      path: `/me?api_key=${key}`,
      expect: unauthorized('missing_api_key'),
    },
  ]);
});

describe('keys', () => {
  testTable(service, [
    {
      ...me,
      name: 'no key of ours',
      key: 'sk_live_12345',
      expect: unauthorized('invalid_api_key'),
    },
    { ...me, name: 'the prefix alone', key: prefix, expect: unauthorized('invalid_api_key') },
    {
      ...me,
      name: 'right prefix, wrong secret',
      key: guess(key),
      expect: unauthorized('invalid_api_key'),
    },
    { ...me, name: 'unknown prefix', key: makeKey().key, expect: unauthorized('invalid_api_key') },
    { ...me, name: 'more than a key', key: `${key}x`, expect: unauthorized('invalid_api_key') },
    {
      ...me,
      name: 'in upper case',
      key: key.toUpperCase(),
      expect: unauthorized('invalid_api_key'),
    },
    {
      ...me,
      name: 'expired',
      key: expired.key,
      expect: unauthorized('api_key_expired', 'API key expired'),
    },
    {
      ...me,
      name: 'expired, but the secret is wrong',
      key: guess(expired.key),
      expect: unauthorized('invalid_api_key', 'API key invalid'),
    },
    {
      ...me,
      name: 'revoked',
      key: revoked.key,
      expect: unauthorized('api_key_revoked', 'API key revoked'),
    },
    {
      ...me,
      name: 'revoked, but the secret is wrong',
      key: guess(revoked.key),
      expect: unauthorized('invalid_api_key', 'API key invalid'),
    },
    {
      ...me,
      name: 'not expired yet',
      key: later.key,
      expect: { status: 200, data: { expiresAt: '2999-01-01T00:00:00.000Z' } },
    },
  ]);
});

describe('scopes', async () => {
  const lacks = (scope: Scope) =>
    ({
      status: 403,
      code: 'missing_scope',
      error: `Missing scope: ${scope}`,
      details: { scope },
    }) as const;
  const car = { year: 1990, make: 'Saab', model: '900' };
  testTable(service, [
    {
      name: 'writing cars needs reading',
      method: 'POST',
      path: '/cars',
      body: car,
      key: await scoped('write:cars'),
      expect: lacks('read:cars'),
    },
    {
      name: 'reading cars is not writing',
      method: 'POST',
      path: '/cars',
      body: car,
      key: await scoped('read:cars'),
      expect: lacks('write:cars'),
    },
    {
      name: 'both will do',
      method: 'POST',
      path: '/cars',
      body: car,
      key: await scoped('read:cars', 'write:cars'),
      expect: { status: 201 },
    },
    {
      name: 'writing is not reading',
      method: 'GET',
      path: '/customers',
      key: await scoped('write:customers'),
      expect: lacks('read:customers'),
    },
    {
      name: 'event types by read:cars',
      method: 'GET',
      path: '/event-types',
      key: await scoped('read:cars'),
      expect: { status: 200 },
    },
    {
      name: 'event types by read:appointments',
      method: 'GET',
      path: '/event-types?limit=1',
      key: await scoped('read:appointments'),
      expect: { status: 200, page: { total: 6 } },
    },
    {
      name: 'event types by neither',
      method: 'GET',
      path: '/event-types',
      key: await scoped('write:cars'),
      expect: lacks('read:appointments'),
    },
  ]);
});

test("the team's switch: off refuses every key, on lets them in again, at once", async () => {
  await setIntegration(service.admin, 'second', false);
  const answer = await service.call('GET', '/me', undefined, otherKey);
  expectProblem(answer);
  expect(answer.status).toBe(403);
  expect(answer.body).toEqual({
    error: 'API is disabled for this team',
    code: 'api_disabled',
    details: null,
  });
  expect(
    (await service.call('GET', '/cars', undefined, await service.keyWith(['read:forms'], 'second')))
      .body.code,
  ).toBe('api_disabled');
  expect((await service.call('GET', '/me')).status).toBe(200);
  await setIntegration(service.admin, 'second', true);
  expect((await service.call('GET', '/me', undefined, otherKey)).status).toBe(200);
});

test('expiry is in force from its moment on', async () => {
  const soon = await createKey(service.admin, {
    team: 'first',
    name: 'soon',
    scopes,
    expiresAt: '2999-01-01T00:00:00.000Z',
  });
  expect((await service.call('GET', '/me', undefined, soon.key)).status).toBe(200);
  const now = new Date().toISOString();
  await service.admin.database.write
    .updateTable('apiKeys')
    .set({ expiresAt: now })
    .where('id', '=', soon.row.id)
    .execute();
  expect((await service.call('GET', '/me', undefined, soon.key)).body.code).toBe('api_key_expired');
});

test('rotation: the new key works beside the old one until the old one is revoked', async () => {
  const [old, fresh] = [
    await createKey(service.admin, { team: 'first', name: 'a', scopes }),
    await scoped('read:cars'),
  ];
  expect((await service.call('GET', '/me', undefined, old.key)).status).toBe(200);
  expect((await service.call('GET', '/me', undefined, fresh)).status).toBe(200);
  await revokeKey(service.admin, old.row.id);
  expect((await service.call('GET', '/me', undefined, old.key)).body.error).toBe('API key revoked');
  expect((await service.call('GET', '/me', undefined, fresh)).status).toBe(200);
});
