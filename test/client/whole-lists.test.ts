/** Lists from which no record may be missing, on servers that find less than was asked for. */
import { afterEach, expect, test } from 'vitest';
import { type Client, createClient, type ServerWarning } from '../../src/client/client.ts';
import {
  json,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../helpers/misbehaving-server.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

type Row = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A server that compares e-mail addresses letter by letter, searches in first names, and takes writes of records alone. */
async function serve(given: readonly Row[], { promises = false } = {}) {
  let rows = [...given];
  const server = await startMisbehavingServer(({ method, url, body }) => {
    const { pathname, searchParams: query } = new URL(url, 'http://localhost');
    const id = pathname.split('/')[4];
    if (method !== 'GET' && body.includes('refused'))
      return json(422, { error: 'no', code: 'invalid', details: null });
    if (method === 'DELETE') {
      rows = rows.filter((row) => row.id !== id);
      return json(200, { data: { id, deleted: true } });
    }
    if (method !== 'GET') {
      const row = { id: id ?? `c${rows.length + 1}`, ...JSON.parse(body) };
      rows = [...rows.filter((one) => one.id !== row.id), row];
      return json(id === undefined ? 201 : 200, { data: row });
    }
    const [email, word] = [query.get('email'), query.get('q')];
    const found = rows.filter(
      (row) =>
        (email === null || row.email === email) &&
        (word === null || String(row.firstName).includes(word)),
    );
    const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 50)];
    const data = found.slice((page - 1) * limit, page * limit);
    return json(
      200,
      { data, page, limit, total: found.length },
      promises ? { 'total-of': 'all-pages' } : {},
    );
  });
  const warnings: ServerWarning[] = [];
  const client = createClient({
    baseUrl: server.url,
    key: 'csk_a.b',
    onWarning: (warning) => warnings.push(warning),
  });
  opened.push(client, server);
  return { client, server, warnings };
}

const customers = [
  { id: 'c1', firstName: 'Ann', email: 'ann@example.com' },
  { id: 'c2', firstName: 'Bob', email: 'Bob@example.com' },
  { id: 'c3', firstName: 'Cy' },
];
const whole = { whole: true };
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
const withEmail = async (client: Client, email: string) =>
  idsOf(await Array.fromAsync(client.customers.all({ email }, whole)));

/** How often the list was begun without a filter. */
const readings = ({ requests }: MisbehavingServer) =>
  requests.filter(
    ({ method, url }) => method === 'GET' && !/email=|q=/.test(url) && url.includes('page=1&'),
  ).length;

test('it is read once for all calls, and filtered here', async () => {
  const { client, server, warnings } = await serve(customers);
  expect(await withEmail(client, 'ANN@example.com')).toEqual(['c1']);
  expect(await withEmail(client, 'bob@example.com')).toEqual(['c2']);
  expect(await withEmail(client, 'nobody@example.com')).toEqual([]);
  expect([readings(server), warnings]).toEqual([1, []]);
});

test('a search has all records, by page too', async () => {
  const { client, server } = await serve(customers);
  expect(idsOf(await Array.fromAsync(client.customers.all({ q: 'ann' }, whole)))).toEqual([
    'c1',
    'c2',
    'c3',
  ]);
  const { data, total } = await client.customers.list({ q: 'ann', limit: 2 }, whole);
  expect([idsOf(data), total, readings(server)]).toEqual([['c1', 'c2'], undefined, 1]);
});

test('a first page already is the whole list', async () => {
  const { client, server } = await serve(customers);
  const { data, total } = await client.customers.list({ q: 'ann', limit: 20 }, whole);
  expect([idsOf(data), total, readings(server)]).toEqual([['c1', 'c2', 'c3'], 3, 1]);
});

test('where no record has the field, the server decides', async () => {
  const { client } = await serve([{ id: 'c1' }, { id: 'c2' }]);
  expect(await withEmail(client, 'ann@example.com')).toEqual([]);
});

test('it has what was written since', async () => {
  const { client, server } = await serve(customers);
  expect(await withEmail(client, 'new@example.com')).toEqual([]);
  const { id } = await client.customers.create({ firstName: 'New', email: 'NEW@example.com' });
  expect(await withEmail(client, 'new@example.com')).toEqual([id]);
  await client.customers.update('c1', { email: 'LEE@example.com' });
  expect([
    await withEmail(client, 'lee@example.com'),
    await withEmail(client, 'ann@example.com'),
  ]).toEqual([['c1'], []]);
  expect(readings(server)).toBe(1);
});

test('it is read again after a write that failed, since that may have been carried out', async () => {
  const { client, server } = await serve(customers);
  await withEmail(client, 'new@example.com');
  await expect(client.customers.create({ firstName: 'refused' })).rejects.toMatchObject({
    status: 422,
  });
  await withEmail(client, 'new@example.com');
  expect(readings(server)).toBe(2);
});

test('a record that was deleted since is not in it', async () => {
  const { client, server } = await serve([
    { id: 'k1', firstName: 'Max', email: 'Max@example.com' },
  ]);
  const find = async () =>
    idsOf(await Array.fromAsync(client.contacts.all({ email: 'max@example.com' }, whole)));
  expect(await find()).toEqual(['k1']);
  await client.contacts.delete('k1');
  expect([await find(), readings(server)]).toEqual([[], 1]);
});

test('a server that promises that its lists have everything is asked with the filter alone', async () => {
  const { client, server } = await serve(customers, { promises: true });
  expect(await withEmail(client, 'ann@example.com')).toEqual(['c1']);
  expect(await withEmail(client, 'ANN@example.com')).toEqual([]);
  expect(server.requests.map(({ url }) => /email=[^&]*/.exec(url)?.[0])).toEqual([
    'email=ann%40example.com',
    'email=ANN%40example.com',
  ]);
});

test('times are asked for with a day more on both sides, and filtered here', async () => {
  const starts = [
    '2026-05-04T01:00:00Z',
    '2026-05-05T01:00:00Z',
    '2026-05-05T09:00:00Z',
    '2026-05-06T01:00:00Z',
  ];
  const { client, server } = await serve(
    starts.map((startAt, index) => ({ id: `a${index}`, startAt })),
  );
  const day = { startFrom: '2026-05-05T00:00:00.000Z', startTo: '2026-05-05T23:59:59.999Z' };
  expect(idsOf(await Array.fromAsync(client.appointments.all(day, whole)))).toEqual(['a1', 'a2']);
  expect(decodeURIComponent(server.requests.at(-1)?.url ?? '')).toContain(
    'startFrom=2026-05-04T00:00:00.000Z&startTo=2026-05-06T23:59:59.999Z',
  );
});
