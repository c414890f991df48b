import { describe, expect, test } from 'vitest';
import { facility } from '../helpers/facility.ts';
import { testService } from '../helpers/service.ts';
import { issues, type Row, testTable } from '../helpers/table.ts';

const service = await testService();
const make = facility(service);
await facility(service, service.otherKey).customer({ companyName: 'Elsewhere' });

const people = [];
for (const name of ['a', 'b', 'c', 'd', 'e'])
  people.push(await make.customer({ lastName: name, status: name < 'c' ? 'lead' : 'active' }));
const [a, b, c, d, e] = people.map(({ id }) => id) as [string, string, string, string, string];
const stamp = people[2]?.updatedAt as string;
const later = (ms: number) => new Date(Date.parse(stamp) + ms).toISOString();
const inOffset = new Date(Date.parse(stamp) + 2 * 3_600_000).toISOString().replace('Z', '+02:00');

const list = (name: string, query: string, expect: Row['expect']): Row => ({
  name,
  method: 'GET',
  path: `/customers${query}`,
  expect,
});
const ids = (...expected: string[]): Row['expect'] => ({
  status: 200,
  ids: expected,
  page: { total: expected.length },
});
const refused = (path: string, rule: string): Row['expect'] => issues({ [path]: rule });

describe('pages', () => {
  testTable(service, [
    list('most recently updated first, 50 to a page', '', {
      status: 200,
      ids: [e, d, c, b, a],
      page: { page: 1, limit: 50, total: 5 },
    }),
    list('past the end', '?limit=2&page=4', {
      status: 200,
      ids: [],
      page: { page: 4, limit: 2, total: 5 },
    }),
    list('far past the end', '?page=1000000000&limit=200', {
      status: 200,
      ids: [],
      page: { page: 1_000_000_000, total: 5 },
    }),
    list('page 0', '?page=0', refused('page', 'too_small')),
    list('page twice', '?page=1&page=2', refused('page', 'repeated')),
    list(
      'everything wrong at once',
      '?limit=0&page=x&sort=name',
      issues({ limit: 'too_small', page: 'invalid_format', sort: 'unknown' }),
    ),
  ]);
});

describe('updatedAfter', () => {
  testTable(service, [
    list('is inclusive', `?updatedAfter=${stamp}`, ids(e, d, c)),
    list('a millisecond later', `?updatedAfter=${later(1)}`, ids(e, d)),
    list('in another offset', `?updatedAfter=${encodeURIComponent(inOffset)}`, ids(e, d, c)),
    list('with + unescaped, which arrives as a space', `?updatedAfter=${inOffset}`, ids(e, d, c)),
    list('in the future', '?updatedAfter=2999-01-01T00:00:00Z', ids()),
    list('a date', '?updatedAfter=2026-01-01', refused('updatedAfter', 'invalid_format')),
  ]);
});

describe('ids and filters', () => {
  const absent = '01890000-0000-7000-8000-000000000000';
  testTable(service, [
    list('ids in the order of the list', `?ids=${a},${e},${c}`, ids(e, c, a)),
    list('ids twice, in upper case, with spaces', `?ids=${a},%20${a.toUpperCase()}`, ids(a)),
    list('ids that are not there are left out', `?ids=${a},${absent}`, ids(a)),
    list('200 ids', `?ids=${Array(199).fill(absent).join()},${b}`, ids(b)),
    list('201 ids', `?ids=${Array(201).fill(absent).join()}`, refused('ids', 'too_big')),
    list('ids repeated', `?ids=${a}&ids=${e}&ids=${c}`, ids(e, c, a)),
    list(
      'ids repeated, one of them none',
      `?ids=${a}&ids=x&ids=`,
      issues({ 'ids.1': 'invalid_format', 'ids.2': 'invalid_format' }),
    ),
    list('no id', '?ids=', refused('ids.0', 'invalid_format')),
    list('ids and filter', `?ids=${a},${e}&status=lead`, ids(a)),
    list(
      'ids, filter, updatedAfter and page',
      `?ids=${b},${c},${d},${e}&status=active&updatedAfter=${stamp}&limit=1&page=2`,
      {
        status: 200,
        ids: [d],
        page: { total: 3 },
      },
    ),
    { ...list('ids of another team', `?ids=${a}`, ids()), key: service.otherKey },
    {
      ...list("another team's list", '', { status: 200, page: { total: 1 } }),
      key: service.otherKey,
    },
  ]);
});

test('a change moves a record to the front and into updatedAfter; a change to the same does not', async () => {
  // On records of its own, since the lists above have an order to keep.
  const path = '/locations';
  const [first, last] = [await make.location({ name: 'b' }), await make.location({ name: 'e' })];
  await make.change(`${path}/${first.id}`, { name: 'b' });
  expect((await service.call('GET', `${path}?limit=1`)).body.data[0].id).toBe(last.id);
  const changed = await make.change(`${path}/${first.id}`, { name: 'bb' });
  expect(changed.updatedAt > last.updatedAt).toBe(true);
  const { body } = await service.call('GET', `${path}?updatedAfter=${changed.updatedAt}`);
  expect(body.data).toEqual([changed]);
});
