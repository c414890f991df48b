/** Lists hold what is stored, to the byte, and tell how much of it there is, whoever wrote it. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import { operationsOf } from '../../src/contract/operations.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { findTeam } from '../../src/service/admin.ts';
import { anyTable } from '../../src/service/records.ts';
import { facility } from '../helpers/facility.ts';
import { onPostgres } from '../helpers/postgres.ts';
import { fill, samplesOf } from '../helpers/samples.ts';
import { testService } from '../helpers/service.ts';

const service = await testService();
const samples = samplesOf(service, service.key);
const make = facility(service);
const { database } = service.admin;
const team = await findTeam(service.admin, service.team);

const kept = Object.values<Resource>(contract).filter(
  ({ singleton, computed }) => !singleton && !computed,
);
const mostRecentFirst = { field: 'updatedAt', direction: 'desc' } as const;

test('a list contains the records as JSON, and totals equal their number', async () => {
  for (const resource of kept) {
    const { name, parent } = resource;
    const { field, direction } = resource.order ?? mostRecentFirst;
    const rows = anyTable({ db: database.read }).selectFrom(name).where('teamId', '=', team.id);
    const record = await samples.make(resource);
    const { count } = await database.read
      .selectFrom('recordCounts')
      .select('count')
      .where('teamId', '=', team.id)
      .where('table', '=', name)
      .executeTakeFirstOrThrow();
    expect([name, count]).toEqual([name, (await rows.select('id').execute()).length]);
    const list = [...operationsOf(resource)].find(({ verb }) => verb === 'list');
    if (!list) continue;
    const below = parent && record[parent.field];
    const { bytes } = await service.call(
      'GET',
      `${fill(list.path, below ? [below] : [])}?limit=200`,
    );
    const found = await rows
      .$if(parent !== undefined, (query) => query.where(parent?.field ?? '', '=', below))
      .selectAll()
      .orderBy(field, direction)
      .orderBy('id', direction)
      .execute();
    expect(Buffer.from(bytes).toString()).toBe(
      JSON.stringify({ data: found, page: 1, limit: 200, total: found.length }),
    );
  }
});

test('texts of every kind', async () => {
  const everything = Array.from({ length: 0x2ff }, (_, n) => String.fromCodePoint(n + 1)).join('');
  for (const notes of [everything, '"\\/\u2028\u2029\ufeff\uffff😀', '', '{"a":[1,2]}']) {
    const { id } = await make.customer({ lastName: 'Texts', notes, tags: ['"', '\\', 'Ü😀'] });
    const one = await service.call('GET', `/customers/${id}`);
    const list = await service.call('GET', `/customers?ids=${id}`);
    expect(list.body.data[0].notes).toBe(notes);
    expect(Buffer.from(list.bytes).toString()).toBe(
      `{"data":[${Buffer.from(one.bytes).toString().slice('{"data":'.length, -1)}],"page":1,"limit":50,"total":1}`,
    );
  }
});

test('rows that come and go by hand are counted, and those that a rollback undoes are not', async () => {
  const total = async (): Promise<number> =>
    (await service.call('GET', '/contacts?limit=1')).body.total;
  const contact = await make.contact();
  const before = await total();
  const copy = (id: string) =>
    sql`insert into contacts select ${sql.join(columns.map((column) => (column === 'id' ? sql.val(id) : sql.ref(column))))} from contacts where id = ${contact.id}`;
  const columns = Object.keys(
    (await anyTable({ db: database.read })
      .selectFrom('contacts')
      .selectAll()
      .executeTakeFirstOrThrow()) as object,
  );
  const [one, two] = [
    '01890000-0000-7000-8000-000000000001',
    '01890000-0000-7000-8000-000000000002',
  ];
  await copy(one).execute(database.write);
  await copy(two).execute(database.write);
  expect(await total()).toBe(before + 2);
  await sql`delete from contacts where id in (${one}, ${two})`.execute(database.write);
  expect(await total()).toBe(before);
  const undone = await database.write.startTransaction().execute();
  await copy(one).execute(undone);
  await undone.rollback().execute();
  expect(await total()).toBe(before);
});

test('pages of every size hold each record once, in order, from either end', async () => {
  const here = await service.newTeam();
  for (let n = 0; n < 11; n++) await facility(here).location({ name: `Page ${n}` });
  const { body: whole } = await here.call('GET', '/locations?limit=200');
  for (const limit of [1, 2, 3, 4, 5, 7, 10, whole.total]) {
    const pages = [];
    for (let page = 1; page <= Math.ceil(whole.total / limit); page++) {
      const { body } = await here.call('GET', `/locations?limit=${limit}&page=${page}`);
      expect(body.total).toBe(whole.total);
      pages.push(...body.data);
    }
    expect(pages).toEqual(whole.data);
  }
});

test('pages far from both ends', async () => {
  const here = await service.newTeam();
  const like = await facility(here).location({ name: 'Far' });
  const columns = Object.keys(like);
  const copies = sql.join(
    columns.map((column) =>
      column === 'id'
        ? sql`cast('01890000-0000-7000-8000-00000000' || n as ${onPostgres ? sql`uuid` : sql`text`})`
        : column === 'name'
          ? sql`'Far ' || n`
          : sql.ref(column),
    ),
  );
  await sql`insert into locations (${sql.join(columns.map((column) => sql.ref(column)))})
    with recursive numbers(n) as (select 1000 union all select n + 1 from numbers where n < 4999)
    select ${copies} from locations, numbers where id = ${like.id}`.execute(database.write);
  const { total } = (await here.call('GET', '/locations?limit=1')).body;
  const seen = new Set<string>();
  for (let page = 1; page <= Math.ceil(total / 200); page++) {
    const { body } = await here.call('GET', `/locations?limit=200&page=${page}`);
    for (const { id } of body.data) seen.add(id);
    const stamps = body.data.map(
      ({ updatedAt, id }: { updatedAt: string; id: string }) => `${updatedAt} ${id}`,
    );
    expect(stamps).toEqual(stamps.toSorted().reverse());
  }
  expect(seen.size).toBe(total);
});
