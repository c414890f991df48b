import { scopes } from '../../../src/contract/scopes.ts';
import { testService } from '../../helpers/service.ts';
import { ok, shows, testTable } from '../../helpers/table.ts';

const service = await testService();

testTable(service, [
  shows('me tells the team and what the key is good for', '/me', {
    team: { name: 'First', slug: 'first', timezone: 'Europe/Berlin' },
    keyName: 'all scopes',
    scopes: [...scopes],
    expiresAt: null,
  }),
  {
    name: 'me of a key with one scope',
    method: 'GET',
    path: '/me',
    key: await service.keyWith(['read:templates']),
    expect: ok({ keyName: 'read:templates', scopes: ['read:templates'] }),
  },
  {
    name: 'me of the other team',
    method: 'GET',
    path: '/me',
    key: service.otherKey,
    expect: ok({ team: { name: 'Second', slug: 'second', timezone: 'UTC' } }),
  },
]);
