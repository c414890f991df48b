import { describe, expect, test } from 'vitest';
import { scopes } from '../../src/contract/scopes.ts';
import { createKey, revokeKey } from '../../src/service/admin.ts';
import { makeKey } from '../../src/service/keys.ts';
import { testService } from '../helpers/service.ts';
import { ok, type Row, testTable } from '../helpers/table.ts';

const service = await testService();
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
const me = (name: string, expect: Row['expect'], more: Partial<Row> = {}): Row => ({
  method: 'GET',
  path: '/me',
  name,
  expect,
  ...more,
});

describe('headers', async () => {
  testTable(service, [
    me(
      'x-api-key: the team and what the key is good for',
      ok({
        team: { name: 'First', slug: 'first', timezone: 'Europe/Berlin' },
        keyName: 'all scopes',
        scopes: [...scopes],
        expiresAt: null,
      }),
    ),
    me(
      'of another team, for a part',
      ok({
        team: { name: 'Second', slug: 'second', timezone: 'UTC' },
        keyName: 'read:templates',
        scopes: ['read:templates'],
      }),
      { key: await service.keyWith(['read:templates'], service.otherTeam) },
    ),
    me('Bearer', ok(), { key: null, headers: bearer(key) }),
    me('bearer in any case', ok(), { key: null, headers: { authorization: `bEARER   ${key} ` } }),
    me('an empty x-api-key beside a Bearer', ok(), {
      key: null,
      headers: { 'x-api-key': '', ...bearer(key) },
    }),
    me('another scheme beside x-api-key', ok(), { headers: { authorization: 'Basic YTpi' } }),
    me('none', unauthorized('missing_api_key'), { key: null }),
    me('another scheme alone', unauthorized('missing_api_key'), {
      key: null,
      headers: { authorization: 'Basic YTpi' },
    }),
    me('Bearer and nothing', unauthorized('missing_api_key'), {
      key: null,
      headers: { authorization: 'Bearer' },
    }),
    me('not in the query', unauthorized('missing_api_key'), {
      key: null,
      path: `/me?api_key=${key}`,
    }),
  ]);
});

describe('keys', () => {
  testTable(service, [
    me('no key of ours', unauthorized('invalid_api_key'), { key: 'sk_live_12345' }),
    me('right prefix, wrong secret', unauthorized('invalid_api_key'), { key: guess(key) }),
    me('unknown prefix', unauthorized('invalid_api_key'), { key: makeKey().key }),
    me('expired', unauthorized('api_key_expired', 'API key expired'), { key: expired.key }),
    me('expired, but the secret is wrong', unauthorized('invalid_api_key', 'API key invalid'), {
      key: guess(expired.key),
    }),
    me('revoked', unauthorized('api_key_revoked', 'API key revoked'), { key: revoked.key }),
    me('not expired yet', ok({ expiresAt: '2999-01-01T00:00:00.000Z' }), { key: later.key }),
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
