/** Words that very many records have: more than are looked up one by one. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import { type ListQuery, list } from '../../src/service/lists.ts';
import { calendar } from '../../src/service/rules/calendar.ts';
import { testService } from '../helpers/service.ts';

const service = await testService();
const { team } = (await service.call('GET', '/me')).body.data;
const count = 12_000;
const db = service.admin.database.write;
const number = service.database ? sql`lpad(n.i::text, 12, '0')` : sql`printf('%012d', n.i)`;
const idType = service.database ? sql`uuid` : sql`text`;
await sql`insert into "cars" ("id", "teamId", "year", "make", "model", "licensePlate", "nickname", "status", "createdAt", "updatedAt")
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})
  select cast('01890000-0000-7000-8000-' || ${number} as ${idType}), cast(${team.id} as ${idType}), 1999, 'Commonplace', case when n.i % 2 = 0 then 'even' else 'odd' end,
    'QQ-' || n.i, case when n.i % 3 > 0 then 'Same Name' end, case when n.i % 4 = 0 then 'archived' else 'expected' end,
    '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' from n`.execute(db);
const idOf = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`;
/** In the order of the list. */
const all = Array.from({ length: count }, (_, at) => count - at);
const named = all.filter((n) => n % 3 > 0);
const unnamed = all.filter((n) => n % 3 === 0);
interface Case {
  readonly query: string;
  readonly expected: readonly number[];
  readonly page?: number;
  readonly limit?: number;
}

const cases: Record<string, Case> = {
  'all of them': { query: 'q=commonplace', expected: all },
  'far behind': { query: 'q=commonplace', expected: all, page: 60, limit: 200 },
  'past the end': { query: 'q=commonplace', expected: all, page: 61, limit: 200 },
  'of two words': { query: 'q=commonplace%20even', expected: all.filter((n) => n % 2 === 0) },
  'with a filter': {
    query: 'q=commonplace&status=archived',
    expected: all.filter((n) => n % 4 === 0),
    page: 2,
  },
  'with ids': { query: `q=commonplace&ids=${idOf(3)},${idOf(7)}`, expected: [7, 3] },
  'after a time': { query: 'q=commonplace&updatedAfter=2026-01-02T00:00:00Z', expected: [] },
  'one character': { query: 'q=q', expected: all },
  'two short words': { query: 'q=qq%20sa', expected: named },
  'as a whole key': { query: 'q=same-name', expected: named },
  'as a whole key, and a filter': {
    query: 'q=SameName&status=expected',
    expected: named.filter((n) => n % 4 > 0),
    page: 3,
  },
  'without a search, by a filter': {
    query: 'status=archived',
    expected: all.filter((n) => n % 4 === 0),
    page: 3,
  },
  'without a search, by a filter and a time': {
    query: 'status=archived&updatedAfter=2025-01-01T00:00:00Z',
    expected: all.filter((n) => n % 4 === 0),
  },
  'without a search, by ids': { query: `ids=${idOf(3)},${idOf(7)}`, expected: [7, 3] },
  'without a search, by ids and a filter': {
    query: `ids=${idOf(3)},${idOf(4)},${idOf(8)}&status=archived`,
    expected: [8, 4],
  },
  'without a search, by ids and from a time that none has': {
    query: `ids=${idOf(3)}&updatedAfter=2026-01-02T00:00:00Z`,
    expected: [],
  },
  'without a search, far from both ends': { query: '', expected: all, page: 30, limit: 200 },
  'a common word, and a short one that none has': { query: 'q=commonplace%20zz', expected: [] },
  'a common beginning, and one that none has': { query: 'q=q%20zz', expected: [] },
  'one of them': { query: 'q=qq-11999', expected: [11_999] },
};

test.each(Object.entries(cases))('%s', async (_name, { query, expected, page = 1, limit = 50 }) => {
  const { body } = await service.call('GET', `/cars?limit=${limit}&page=${page}&${query}`);
  expect({ total: body.total, ids: body.data.map(({ id }: { id: string }) => id) }).toEqual({
    total: expected.length,
    ids: expected.slice((page - 1) * limit, page * limit).map(idOf),
  });
});

test('records with the whole key come before very many others', async () => {
  await sql`update "cars" set "color" = 'same name' where "make" = 'Commonplace'`.execute(db);
  const expected = [...named, ...unnamed];
  for (const page of [1, 160, 161, 240]) {
    const { body } = await service.call('GET', `/cars?q=same%20name&limit=50&page=${page}`);
    expect(body.total).toBe(count);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(
      expected.slice((page - 1) * 50, page * 50).map(idOf),
    );
  }
});

describe('queries that may read every record run as heavy ones', () => {
  const access = service.admin.database.ofTeam(team.id);
  const asked: string[][] = [];
  const context = {
    ...service.admin.database,
    ...access,
    team,
    heavy: (...tables: string[]) => {
      asked.push(tables);
      return access.heavy(...tables);
    },
  };

  test.each<[what: string, query: ListQuery, heavy: string[][]]>([
    ['the first page is not', {}, []],
    ['one near the first is not', { page: 21 }, []],
    ['one farther on', { page: 22 }, [['cars']]],
    ['a filtered one', { status: 'archived' }, [['cars']]],
    ['changes since a time', { updatedAfter: '2026-01-01T00:00:00Z' }, [['cars']]],
    ['ids are not, whatever else they are filtered by', { ids: [idOf(3)], status: 'archived' }, []],
  ])('%s', async (_what, query, heavy) => {
    asked.length = 0;
    await list(context, contract.cars, query, undefined);
    expect(asked).toEqual(heavy);
  });

  test('the calendar', async () => {
    asked.length = 0;
    await calendar.list(context, { from: '2026-01-01T00:00:00Z', to: '2026-12-31T00:00:00Z' });
    expect(asked).toEqual([['campaigns', 'socialPosts', 'socialEvents']]);
  });

  if (!service.database)
    test('which is a connection in a thread when the tables together have very many records', async () => {
      const isApart = async (...tables: string[]) =>
        (await access.heavy(...tables)).snapshot !== access.snapshot;
      expect([
        await isApart('cars'),
        await isApart('customers'),
        await isApart('customers', 'cars'),
      ]).toEqual([true, false, true]);
    });
});
