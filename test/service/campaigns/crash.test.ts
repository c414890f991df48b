/** Services that are killed while a campaign makes its sends: each person once all the same. On PostgreSQL three work on it at once. */
import { afterAll, expect, test } from 'vitest';
import { scopes } from '../../../src/contract/scopes.ts';
import { type Admin, createKey, createTeam } from '../../../src/service/admin.ts';
import { openStores } from '../../../src/service/stores.ts';
import { campaignsOf } from '../../helpers/campaigns.ts';
import { type ChildService, startChildService } from '../../helpers/child-service.ts';
import { expectOnceEach, makeCrowd } from '../../helpers/crowd.ts';
import { facility } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { newDatabase, onPostgres } from '../../helpers/postgres.ts';
import { send } from '../../helpers/service.ts';

const data = await makeFolder();
const database = onPostgres ? await newDatabase() : undefined;
const admin: Admin = { ...(await openStores({ data, database })), actor: 'test' };
await createTeam(admin, { name: 'First' });
const { key } = await createKey(admin, { team: 'first', name: 'all', scopes });
const start = (): Promise<ChildService[]> =>
  Promise.all(Array.from({ length: onPostgres ? 3 : 1 }, () => startChildService(data, database)));
let services = await start();
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop('SIGKILL')));
  await admin.database.close();
  await removeFolder(data);
});

const call = (method: string, path: string, body?: unknown) =>
  send(`${services[0]?.url}/api/v1${path}`, method, body, { 'x-api-key': key });
const make = campaignsOf({ call });

test('killed in the middle, and on again', async () => {
  const people = 1_500;
  await makeCrowd(
    admin.database,
    await facility({ call }).customer({ email: 'ada@example.com' }),
    people,
  );
  const { id } = await make.campaign();
  for (const tag of ['odd', 'many']) await make.audience(id, { filter: { tags: [tag] } });
  for (const subject of ['One', 'Two']) await make.step(id, { subject, body: subject });
  await make.set(id, 'sending');
  for (const part of [0, 0.3, 0.6]) {
    await expect
      .poll(async () => (await make.read(id)).stats.recipients, { interval: 5 })
      .toBeGreaterThan(part * people);
    await Promise.all(services.map((service) => service.stop('SIGKILL')));
    services = await start();
  }
  await expectOnceEach(admin.database, id, { people, steps: 2 });
});
