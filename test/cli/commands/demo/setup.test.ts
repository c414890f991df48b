/** What the demonstration sets up before it takes a car in. */
import { expect, test } from 'vitest';
import { cars, customers } from '../../../../src/cli/commands/demo/facility.ts';
import { makeAccess, seedFacility } from '../../../../src/cli/commands/demo/setup.ts';
import { createClient } from '../../../../src/client/client.ts';
import * as admin from '../../../../src/service/admin.ts';
import * as accounts from '../../../../src/service/team/owner.ts';
import { send, testService } from '../../../helpers/service.ts';

const service = await testService();
const makeDemo = () => makeAccess(admin, accounts, service.admin);
const teams = async () => (await admin.listTeams(service.admin)).length;

test('creates the team once, a key that revokes only the previous one, and a link for one account', async () => {
  const before = await teams();
  const { key: first, ...earlier } = await makeDemo();
  const { key: second, ...later } = await makeDemo();
  expect(await teams()).toBe(before + 1);
  const me = (key: string) => service.call('GET', '/me', undefined, key);
  expect((await me(first)).body).toMatchObject({ code: 'api_key_revoked' });
  expect((await me(second)).body.data).toMatchObject({
    keyName: 'demo',
    scopes: expect.arrayContaining(['write:cars', 'write:parking']),
  });
  expect((await me(service.key)).status).toBe(200);
  const users = await accounts.listUsers(service.admin, (await me(second)).body.data.team.slug);
  expect(users).toMatchObject([{ email: 'boss@garage.example', hasPassword: false }]);
  const read = ({ token }: { token: string }) =>
    send(`${service.url}/dashboard/link`, 'POST', { token }, { origin: service.url });
  expect([(await read(earlier)).status, (await read(later)).status]).toEqual([422, 200]);
});

test('fills an empty facility once', async () => {
  const client = createClient({ baseUrl: service.url, key: (await makeDemo()).key });
  const now = new Date();
  expect([await seedFacility(client, now), await seedFacility(client, now)]).toEqual([true, false]);
  const made = await Array.fromAsync(client.cars.all());
  expect(made).toHaveLength(cars.length);
  expect(await Array.fromAsync(client.customers.all())).toHaveLength(customers.length);
  const parked = cars.filter((car) => 'spot' in car && car.spot);
  expect(made.filter(({ status }) => status === 'stored')).toHaveLength(parked.length);
  expect(made.every(({ customerId }) => customerId !== null)).toBe(true);
  await client.close();
});
