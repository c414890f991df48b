/** What records show of each other, on both databases: right whatever was done through the interface, and noticed when it is not. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { inTeam } from '../../src/service/admin.ts';
import { checkData } from '../../src/service/check/check.ts';
import { questions } from '../../src/service/check/consistency.ts';
import { addAdmin, addScreen } from '../../src/service/team/accounts.ts';
import { startSession } from '../../src/service/team/sessions.ts';
import { facility } from '../helpers/facility.ts';
import { samplesOf } from '../helpers/samples.ts';
import { testService } from '../helpers/service.ts';

const service = await testService();
const check = () => checkData({ data: service.data, database: service.database });

beforeAll(async () => {
  const samples = samplesOf(service, service.key);
  for (const resource of Object.values<Resource>(contract))
    if (resource.operations.create) await samples.make(resource);
  const make = facility(service);
  const hall = await make.location();
  const [zone, spot, other] = [
    await make.zone(hall.id),
    await make.spot(hall.id),
    await make.spot(hall.id),
  ];
  const [car, second] = [await make.car(), await make.car()];
  const { sessionId } = await make.event(car.id, { parkingSpotId: spot.id });
  await make.photo(car.id, { sessionId });
  const gone = await make.photo(car.id, { sessionId });
  await service.call('DELETE', `/cars/${car.id}/photos/${gone.id}`);
  await make.event(car.id, { parkingSpotId: other.id });
  await make.event(second.id, { parkingZoneId: zone.id });
  await make.event(second.id, { activityType: 'pick_up' });
  await inTeam(service.admin, 'first', async (context) => {
    const { row } = await addAdmin(context, 'test', { email: 'anna@garage.example' });
    await addScreen(context, 'test', 'Hall A');
    await startSession(
      context,
      { ...row, adminId: row.id, screenId: null },
      { device: 'Firefox', address: '127.0.0.1' },
    );
  });
});

test('all is whole after anything that the interface can do', async () => {
  expect(await check()).toMatchObject({ ok: true, findings: [], removed: { files: 0 } });
});

test('every count that a resource keeps of others has its question', () => {
  const counted = Object.values<Resource>(contract).flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, { create, initial }]) =>
      create === 'never' && initial === 0 && field !== 'attempts' ? [name] : [],
    ),
  );
  expect(questions.map(({ table }) => table)).toEqual(expect.arrayContaining(counted));
});

test('finds a wrong record count', async () => {
  const add = (n: number) =>
    sql`update "recordCounts" set "count" = "count" + ${n} where "table" = 'cars'`.execute(
      service.admin.database.write,
    );
  await add(1);
  const { findings } = await check();
  await add(-1);
  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringContaining('with a wrong record count'),
  ]);
});

test('finds dangling references inside lists and objects', async () => {
  const { write } = service.admin.database;
  const [named, post] = [
    await write.selectFrom('campaignAudiences').selectAll().executeTakeFirstOrThrow(),
    await write.selectFrom('socialPosts').selectAll().executeTakeFirstOrThrow(),
  ];
  const nothing = randomUUID();
  const set = async (filter: typeof named.filter, assetIds: string[]) => {
    await write
      .updateTable('campaignAudiences')
      .set({ filter })
      .where('id', '=', named.id)
      .execute();
    await write.updateTable('socialPosts').set({ assetIds }).where('id', '=', post.id).execute();
  };
  await set({ ...named.filter, locationId: nothing, customerIds: [nothing] }, [nothing]);
  const { findings } = await check();
  await set(named.filter, post.assetIds);
  expect(findings).toEqual([
    {
      check: 'references',
      message: '3 dangling references',
      count: 3,
      examples: expect.arrayContaining([
        `campaignAudiences.filter.locationId ${named.id} → locations`,
        `campaignAudiences.filter.customerIds ${named.id} → customers`,
        `socialPosts.assetIds ${post.id} → assets`,
      ]),
    },
  ]);
});

test.each<[string, string]>([
  ['cars', `update cars set status = 'stored' where status = 'checked_out'`],
  ['cars', 'update cars set "parkingSpotId" = null where "parkingSpotId" is not null'],
  [
    'parkingSpots',
    'update "parkingSpots" set "occupiedByCarId" = null where "occupiedByCarId" is not null',
  ],
  ['parkingZones', 'update "parkingZones" set occupied = occupied + 1'],
  ['eventSessions', 'update "eventSessions" set "photoCount" = "photoCount" + 1'],
  ['threads', 'update threads set "messageCount" = 7'],
  ['threads', `update threads set "lastMessageAt" = '2001-01-01T00:00:00.000Z'`],
  ['forms', 'update forms set "submissionCount" = 7'],
  ['socialEvents', `delete from rsvps`],
  ['socialEvents', `update invites set status = 'cancelled'`],
  [
    'campaigns',
    `update campaigns set stats = '{"recipients":1,"queued":1,"sent":0,"delivered":0,"failed":0,"skipped":0}'`,
  ],
])('%s that are wrong are noticed: %s', async (table, spoil) => {
  const question = questions.find((one) => one.table === table);
  const putBack = await keepRows(spoil);
  await sql.raw(spoil).execute(service.admin.database.write);
  const { ok, findings } = await check();
  await putBack();
  expect(ok).toBe(false);
  expect(findings.map(({ message }) => message.replace(/^\d+ /, ''))).toEqual(
    expect.arrayContaining([
      expect.stringMatching(new RegExp(`^(${question?.one}|${question?.many})$`)),
    ]),
  );
});

/** Remembers the table that a statement changes; what it answers puts everything back. */
async function keepRows(spoil: string): Promise<() => Promise<void>> {
  const [, changed = ''] = /^(?:update|delete from) "?(\w+)"?/.exec(spoil) ?? [];
  // biome-ignore lint/suspicious/noExplicitAny: any table
  const db = service.admin.database.write as any;
  const rows = await db.selectFrom(changed).selectAll().execute();
  return async () => {
    // Two columns are made by the database.
    for (const { available, url, ...row } of rows) {
      const there = await db
        .selectFrom(changed)
        .select('id')
        .where('id', '=', row.id)
        .executeTakeFirst();
      if (there) await db.updateTable(changed).set(row).where('id', '=', row.id).execute();
      else await db.insertInto(changed).values(row).execute();
    }
  };
}
