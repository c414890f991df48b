/** What searches look in: made for rows that are there, checked against them, and asked without keeping others waiting. */
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { checkData } from '../../src/service/check/check.ts';
import { migrations } from '../../src/service/database/migrations/migrations.ts';
import { openPostgres } from '../../src/service/database/postgres/open.ts';
import { openSqlite } from '../../src/service/database/sqlite.ts';
import { facility } from '../helpers/facility.ts';
import { makeFolder } from '../helpers/folder.ts';
import { emptyDatabase, onPostgres } from '../helpers/postgres.ts';
import { startTestService } from '../helpers/service.ts';

const data = await makeFolder();
const database = onPostgres ? await emptyDatabase() : undefined;
const carId = '01890000-0000-7000-8000-000000000001';

/** A car that was there before there was anything to search in. */
async function storeBefore(): Promise<void> {
  const steps = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0016'));
  const before = database ? await openPostgres(database, { steps }) : await openSqlite(data, steps);
  const teamId = '01890000-0000-7000-8000-0000000000aa';
  await sql`insert into teams ("id", "name", "slug", "timezone", "apiEnabled", "lastStamp", "createdAt", "updatedAt")
    values (${teamId}, 'Old', 'old', 'UTC', true, '2026-01-01T00:00:00.000Z', '', '')`.execute(before.write);
  await sql`insert into "cars" ("id", "teamId", "year", "make", "model", "licensePlate", "status", "createdAt", "updatedAt")
    values (${carId}, ${teamId}, 1999, 'Borgward', 'Isabella', 'HH-RS 73', 'expected', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`.execute(
    before.write,
  );
  await before.close();
}

await storeBefore();
const service = await startTestService({ data, database });
afterAll(() => service.close());
const { write } = service.admin.database;

test('rows from before are found, and followed from then on', async () => {
  const key = await service.keyWith(['read:cars', 'write:cars'], 'old');
  const found = async (q: string) =>
    (await service.call('GET', `/cars?q=${q}`, undefined, key)).body.data.map(({ id }: { id: string }) => id);
  expect([await found('hhrs73'), await found('rgwa'), await found('hh')]).toEqual([[carId], [carId], [carId]]);
  await service.call('PATCH', `/cars/${carId}`, { make: 'Trabant', licensePlate: 'B-1' }, key);
  expect([await found('hhrs73'), await found('rgwa'), await found('hh')]).toEqual([[], [], []]);
  expect([await found('rabant'), await found('b1')]).toEqual([[carId], [carId]]);
});

const messages = async () => (await checkData({ data, database })).findings.map(({ message }) => message);
const wrong = '1 record that searches see otherwise than it is';

test.each([
  ['a text', (id: string) => sql`update "searchEntries" set "text" = 'x' where "id" = ${id}`],
  ['keys', (id: string) => sql`update "searchEntries" set "keys" = 'x' where "id" = ${id}`],
  ['a key', () => sql`delete from "searchKeys" where "key" like 'lost%'`],
  ['an entry', (id: string) => sql`delete from "searchEntries" where "id" = ${id}`],
] as const)('%s that is wrong or lost is found by the check', async (_what, spoil) => {
  const { id } = await facility(service).car({ nickname: 'Lost', color: 'red' });
  expect(await messages()).toEqual([]);
  await spoil(id).execute(write);
  expect(await messages()).toEqual([wrong]);
  await sql`delete from "cars" where "id" = ${id}`.execute(write);
  await sql`delete from "searchKeys" where "key" like 'lost%'`.execute(write);
  expect(await messages()).toEqual([]);
});

test('an entry without its record is found by the check', async () => {
  const { id } = await facility(service).car({ nickname: 'Gone' });
  await sql`update "searchEntries" set "id" = ${carId.replace(/1$/, '2')} where "id" = ${id}`.execute(write);
  expect(await messages()).toEqual([wrong, wrong]);
  await sql`update "searchEntries" set "id" = ${id} where "id" = ${carId.replace(/1$/, '2')}`.execute(write);
  expect(await messages()).toEqual([]);
});

test('what takes long keeps no other question waiting', async () => {
  const { ofTeam } = service.admin.database;
  const access = ofTeam('01890000-0000-7000-8000-0000000000aa');
  const answered: string[] = [];
  const counting = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 500000) select count(*) from n`;
  const slow = access.slowSnapshot((db) => counting.execute(db)).then(() => answered.push('slow'));
  await sql`select 1 as one`.execute(access.read);
  answered.push('quick');
  await slow;
  expect(answered).toEqual(['quick', 'slow']);
});

test('a question that fails in the thread is an error, and the next one is answered', async () => {
  const { slowSnapshot } = service.admin.database.ofTeam('01890000-0000-7000-8000-0000000000aa');
  await expect(slowSnapshot((db) => sql`select * from nowhere`.execute(db))).rejects.toThrow(/nowhere/);
  expect((await slowSnapshot((db) => sql`select 1 as one`.execute(db))).rows).toEqual([{ one: 1 }]);
});
