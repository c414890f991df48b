/** A sync loses no row, whichever of several services writes and whichever answers. And it would, were the stamps naive. */
import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { startService } from '../../../../src/service/start.ts';
import { holdCustomers } from '../../../helpers/gate.ts';
import { query } from '../../../helpers/postgres.ts';
import { type Answer, send, startTestService } from '../../../helpers/service.ts';

const service = await startTestService();
const database = service.database as string;
const another = () => startService({ data: service.data, database, port: 0, rateLimits: false });
const others = [await another(), await another()];
const gate = await holdCustomers(database);
afterAll(async () => {
  await gate.close();
  await Promise.all(others.map((other) => other.close()));
  await service.close();
});

type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;
const asking =
  (url: string): Ask =>
  (method, path, body) =>
    send(`${url}/api/v1${path}`, method, body, { 'x-api-key': service.key });
const services = [service.url, ...others.map(({ url }) => url)].map(asking) as [Ask, Ask, Ask];

/** A row that is stamped before a sync begins and that is seen by nobody until it has begun: whether this sync or the next one has it. */
async function isSynced(): Promise<boolean> {
  const [writer, reader] = services;
  const writing = writer('POST', '/customers', { lastName: 'held' });
  await gate.waiting('here');
  const seenLate = Date.now();
  while (Date.now() === seenLate) await setImmediate();
  const began = new Date().toISOString();
  const first = reader('GET', '/customers?limit=200');
  const answered = new AbortController();
  await Promise.race([
    first.finally(() => answered.abort()),
    gate.waiting('elsewhere', answered.signal),
  ]);
  await gate.open();
  const { body } = await writing;
  const lists = [await first, await reader('GET', `/customers?limit=200&updatedAfter=${began}`)];
  await gate.shut();
  expect(lists.map(({ status }) => status)).toEqual([200, 200]);
  return lists.some((list) => list.body.data.some(({ id }: { id: string }) => id === body.data.id));
}

/** Runs with one of the database's functions replaced by a naive one. */
async function naively<T>(name: string, naive: string, task: () => Promise<T>): Promise<T> {
  const [{ source }] = await query(database, `select pg_get_functiondef($1::regproc) as source`, [
    name,
  ]);
  await query(database, naive);
  try {
    return await task();
  } finally {
    await query(database, source);
  }
}

test('a sync includes a row whose write began before it', async () => {
  expect(await isSynced()).toBe(true);
});

test.each([
  ['writers that take no lock', 'lock_team'],
  ['lists that wait for no writer', 'await_team'],
])('%s would miss it', async (_name, name) => {
  const naive = `create or replace function ${name}(team text) returns void language sql as $$ select $$`;
  expect(await naively(name, naive, isSynced)).toBe(false);
});

test('a list reads its total and its page in one snapshot', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const ask = services[n % 3] as Ask;
      return n % 2 === 0
        ? ask('POST', '/customers', { lastName: 'counted' })
        : ask('GET', '/customers?limit=200&q=counted');
    }),
  );
  const lists = answers.filter((_, n) => n % 2 === 1);
  for (const { body } of lists) expect(body.data.length).toBe(body.total);
  expect((await services[0]('GET', '/customers?q=counted')).body.total).toBe(30);
});

test('stamps continue after the last one when the clock is set back', async () => {
  const write = async () =>
    (await services[0]('POST', '/locations', { name: `${Math.random()}` })).body.data
      .updatedAt as string;
  const ahead = new Date(Date.now() + 60_000).toISOString();
  await query(database, `update teams set "lastStamp" = $1 where slug = 'first'`, [ahead]);
  const [one, two] = [await write(), await write()];
  expect([ahead, one, two]).toEqual([...new Set([ahead, one, two])].sort());
  const car = await services[0]('POST', '/cars', { year: 1961, make: 'Jaguar', model: 'E-Type' });
  const event = { activityType: 'inspection' };
  const logged = await services[0]('POST', `/cars/${car.body.data.id}/events`, event);
  expect(logged.body.data.occurredAt < ahead, 'it happens by the clock').toBe(true);
  const naive = `create or replace function next_stamp(last text, count bigint) returns text language sql as
    $$ select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$`;
  expect((await naively('next_stamp', naive, write)) < two).toBe(true);
});

test('three services write while three sync: every stamp is unique, and no change is missed', async () => {
  let writing = true;
  const sync = async (ask: Ask, seen: Map<string, string>) => {
    let since = new Date(0).toISOString();
    for (let last = false; !last; ) {
      last = !writing;
      const began = new Date().toISOString();
      for (let page = 1; ; page++) {
        const { body } = await ask('GET', `/cars?updatedAfter=${since}&limit=200&page=${page}`);
        for (const { id, updatedAt } of body.data) seen.set(id, updatedAt);
        if (page * 200 >= body.total) break;
      }
      since = began;
    }
    return seen;
  };
  const syncing = services.map((ask) => sync(ask, new Map()));
  const written: { id: string; updatedAt: string }[] = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const made = await (services[n % 3] as Ask)('POST', '/cars', {
        year: 2000,
        make: 'Sync',
        model: `${n}`,
      });
      return (
        await (services[(n + 1) % 3] as Ask)('PATCH', `/cars/${made.body.data.id}`, {
          notes: `${n}`,
        })
      ).body.data;
    }),
  );
  writing = false;
  for (const seen of await Promise.all(syncing))
    for (const { id, updatedAt } of written) expect(seen.get(id)).toBe(updatedAt);
  expect(new Set(written.map(({ updatedAt }) => updatedAt)).size).toBe(written.length);
});
