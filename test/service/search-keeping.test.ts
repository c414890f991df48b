/** The search index: checked against the records, and queried without delaying others. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findTeam } from '../../src/service/admin.ts';
import { checkData } from '../../src/service/check/check.ts';
import { newId } from '../../src/service/records.ts';
import { facility } from '../helpers/facility.ts';
import { makeFolder } from '../helpers/folder.ts';
import { emptyDatabase, onPostgres } from '../helpers/postgres.ts';
import { testService } from '../helpers/service.ts';

const data = await makeFolder();
const database = onPostgres ? await emptyDatabase() : undefined;
const service = await testService({ data, database });
const { write } = service.admin.database;

const messages = async () =>
  (await checkData({ data, database })).findings.map(({ message }) => message);
const wrong = '1 car with a wrong search entry';

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
  const nobody = newId();
  await sql`update "searchEntries" set "id" = ${nobody} where "id" = ${id}`.execute(write);
  expect(await messages()).toEqual([wrong, wrong]);
  await sql`update "searchEntries" set "id" = ${id} where "id" = ${nobody}`.execute(write);
  expect(await messages()).toEqual([]);
});

/** Of a team with very many cars. */
async function accessOfMany() {
  const teamId = newId();
  await write
    .insertInto('teams')
    .values({ ...(await findTeam(service.admin, 'first')), id: teamId, slug: teamId })
    .execute();
  await sql`insert into "recordCounts" values (${teamId}, 'cars', 20000)`.execute(write);
  return service.admin.database.ofTeam(teamId);
}

test('slow queries do not delay others', async () => {
  const access = await accessOfMany();
  const { snapshot } = await access.heavy('cars');
  const answered: string[] = [];
  const counting = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 500000) select count(*) from n`;
  const slow = snapshot((db) => counting.execute(db)).then(() => answered.push('slow'));
  await sql`select 1 as one`.execute(access.read);
  answered.push('quick');
  await slow;
  expect(answered).toEqual(['quick', 'slow']);
});

test('a question that fails in the thread is an error, and the next one is answered', async () => {
  const { snapshot } = await (await accessOfMany()).heavy('cars');
  await expect(snapshot((db) => sql`select * from nowhere`.execute(db))).rejects.toThrow(/nowhere/);
  expect((await snapshot((db) => sql`select 1 as one`.execute(db))).rows).toEqual([{ one: 1 }]);
});
