/** What records show of each other, on both databases: right whatever was done through the interface, and noticed when it is not. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { inTeam } from '../../src/service/admin.ts';
import { checkData } from '../../src/service/check/check.ts';
import { questions } from '../../src/service/check/consistency.ts';
import { newId } from '../../src/service/records.ts';
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
  const { id } = await samples.make(contract.socialEvents);
  // A different number of each reply, of guests and of invites.
  const [going, maybe, declined] = await make.read(`/marketing/social-events/${id}/rsvp-options`);
  await make.rsvp(id, { rsvpOptionId: going.id, partySize: 3 });
  for (const option of [maybe, maybe, declined, declined, declined])
    await make.rsvp(id, { rsvpOptionId: option.id });
  for (let count = 0; count < 5; count += 1) await make.invite(id);
  const { id: cancelled } = await make.invite(id);
  await make.change(`/marketing/social-events/${id}/invites/${cancelled}`, { status: 'cancelled' });
  await service.call('POST', '/cars', { year: 1990, make: 'Audi', model: 'V8' }, service.otherKey);
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
  // More than are read at once.
  const copies = Array.from({ length: 400 }, () => ({
    ...{ ...named, id: newId() },
    filter: { ...named.filter, locationId: nothing },
  }));
  await write.insertInto('campaignAudiences').values(copies).execute();
  const { findings: ofMany } = await check();
  const ids = copies.map(({ id }) => id);
  await write.deleteFrom('campaignAudiences').where('id', 'in', ids).execute();
  expect(ofMany).toMatchObject([{ count: 403 }]);
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

test('compares each number of guests and sends', async () => {
  const { write } = service.admin.database;
  const numbers = [
    ['socialEvents', 'counts', ['invited', 'going', 'maybe', 'declined', 'guests']],
    ['campaigns', 'stats', ['queued', 'sent', 'delivered', 'failed', 'skipped']],
  ] as const;
  const missed: string[] = [];
  for (const at of numbers[0][2].keys()) {
    const names = numbers.map(([table, column, all]) => [table, column, all[at] ?? ''] as const);
    const set = (by: number) =>
      Promise.all(
        names.map(async ([table, column, name]) => {
          const row: Record<string, unknown> = await write
            .selectFrom(table)
            .selectAll()
            .orderBy('id')
            .executeTakeFirstOrThrow();
          const before = row[column] as Record<string, number>;
          const value = { [column]: { ...before, [name]: (before[name] ?? 0) + by } };
          await write.updateTable(table).set(value).where('id', '=', String(row.id)).execute();
        }),
      );
    await set(1);
    const { findings } = await check();
    if (findings.length < 2) missed.push(...names.map(([, , name]) => name));
    await set(-1);
  }
  expect(missed).toEqual([]);
});

/** What is wrong from here on: values of a table, in rows like these. */
const spoils = [
  ['recordCounts', '"count" = "count" + 1', `"table" = 'cars'`, 'teamId'],
  ['cars', `status = 'stored'`, `status = 'checked_out'`],
  ['cars', '"parkingSpotId" = null', '"parkingSpotId" is not null'],
  ['parkingSpots', '"occupiedByCarId" = null', '"occupiedByCarId" is not null'],
  ['parkingZones', 'occupied = occupied + 1'],
  ['eventSessions', '"photoCount" = "photoCount" + 1'],
  ['threads', '"messageCount" = 7', '"messageCount" <> 7'],
  ['threads', `"lastMessageAt" = '2001-01-01T00:00:00.000Z'`, '"messageCount" <> 7'],
  ['forms', '"submissionCount" = 7'],
  ['socialEvents', `counts = '{"invited":7,"going":0,"maybe":0,"declined":0,"guests":0}'`],
  ['campaigns', `stats = '{"queued":1,"sent":0,"delivered":0,"failed":0,"skipped":0}'`],
  ['campaigns', `status = 'sending', "fromAddress" = 'nobody@example.com'`],
  ['searchEntries', `"text" = 'x'`],
  ['socialPosts', `"assetIds" = '["${randomUUID()}"]'`],
] as const;

async function spoil(at: number, which = '') {
  const [table, values, where = 'true', id = 'id'] = spoils[at] ?? [];
  const some = `select "${id}" from "${table}" where ${where} order by "${id}" ${which}`;
  await sql
    .raw(`update "${table}" set ${values} where "${id}" in (${some})`)
    .execute(service.admin.database.write);
}
const told = async () =>
  (await check()).findings.map((finding) => `${finding.check}: ${finding.message}`);

test('says how many records of each kind are wrong', async () => {
  const oneByOne = new Set<string>();
  for (const at of spoils.keys()) {
    await spoil(at, 'limit 1');
    const before = oneByOne.size;
    for (const line of await told()) oneByOne.add(line);
    expect(oneByOne.size, spoils[at]?.join(' ')).toBeGreaterThan(before);
  }
  expect([...oneByOne]).toMatchInlineSnapshot(`
    [
      "records: 1 team with a wrong record count",
      "records: 1 car that shows a place other than its assignment",
      "records: 2 cars that show places other than their assignments",
      "records: 1 spot that shows a car other than its assignment",
      "records: 1 zone with a wrong car count",
      "records: 1 session with a wrong photo count",
      "records: 1 thread with a wrong message count or time of the last message",
      "records: 2 threads with wrong message counts or times of the last message",
      "records: 1 form with a wrong submission count",
      "records: 1 social event with wrong guest counts",
      "records: 1 campaign with wrong send counts",
      "records: 1 campaign with a sender that its team isn't allowed to use",
      "records: 1 car with a wrong search entry",
      "references: 1 dangling reference",
    ]
  `);
  for (const at of spoils.keys()) await spoil(at);
  expect(await told()).toMatchInlineSnapshot(`
    [
      "records: 2 teams with wrong record counts",
      "records: 3 cars that show places other than their assignments",
      "records: 2 spots that show cars other than their assignments",
      "records: 2 zones with wrong car counts",
      "records: 5 sessions with wrong photo counts",
      "records: 2 threads with wrong message counts or times of the last message",
      "records: 2 forms with wrong submission counts",
      "records: 6 social events with wrong guest counts",
      "records: 3 campaigns with senders that their teams aren't allowed to use",
      "records: 3 campaigns with wrong send counts",
      "records: 7 cars with wrong search entries",
      "records: 1 customer with a wrong search entry",
      "records: 1 contact with a wrong search entry",
      "records: 5 locations with wrong search entries",
      "records: 3 campaigns with wrong search entries",
      "records: 1 template with a wrong search entry",
      "records: 6 social events with wrong search entries",
      "records: 7 RSVPs with wrong search entries",
      "records: 1 asset with a wrong search entry",
      "records: 1 asset folder with a wrong search entry",
      "records: 2 forms with wrong search entries",
      "references: 1 dangling reference",
    ]
  `);
});
