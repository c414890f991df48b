import { afterAll, describe, expect, test } from 'vitest';
import { scopes } from '../../src/contract/scopes.ts';
import { createKey, revokeKey } from '../../src/service/admin.ts';
import { makeKey } from '../../src/service/keys.ts';
import { startTestService } from '../helpers/service.ts';
import { ok, testTable } from '../helpers/table.ts';

const service = await startTestService();
afterAll(() => service.close());
const { key } = service;
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
    { ...me, name: 'x-api-key', expect: ok() },
    { ...me, name: 'Bearer', key: null, headers: bearer(key), expect: ok() },
    {
      ...me,
      name: 'bearer in any case',
      key: null,
      headers: { authorization: `bEARER   ${key} ` },
      expect: ok(),
    },
    {
      ...me,
      name: 'an empty x-api-key beside a Bearer',
      key: null,
      headers: { 'x-api-key': '', ...bearer(key) },
      expect: ok(),
    },
    {
      ...me,
      name: 'another scheme beside x-api-key',
      headers: { authorization: 'Basic YTpi' },
      expect: ok(),
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
    {
      ...me,
      name: 'right prefix, wrong secret',
      key: guess(key),
      expect: unauthorized('invalid_api_key'),
    },
    { ...me, name: 'unknown prefix', key: makeKey().key, expect: unauthorized('invalid_api_key') },
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
      expect: ok({ expiresAt: '2999-01-01T00:00:00.000Z' }),
    },
  ]);
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
