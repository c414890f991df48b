/** The database goes away, is slow, or gets in its own way: 503 meanwhile, and back by itself. */
import { afterAll, describe, expect, test } from 'vitest';
import { startService } from '../../../../src/service/start.ts';
import { expectProblem } from '../../../helpers/answers.ts';
import { holdCustomers } from '../../../helpers/gate.ts';
import { startMuteProxy } from '../../../helpers/mute-proxy.ts';
import { query } from '../../../helpers/postgres.ts';
import { startPostgres } from '../../../helpers/postgres-server.ts';
import { type Answer, send, startTestService } from '../../../helpers/service.ts';

const service = await startTestService({ limits: { statementMs: 500 } });
const database = service.database as string;
afterAll(() => service.close());

function expectUnavailable(answer: Answer): void {
  expect({ status: answer.status, code: answer.body.code }).toEqual({
    status: 503,
    code: 'unavailable',
  });
  expectProblem(answer);
}
const ready = (url = service.url) => send(`${url}/readyz`, 'GET');
const create = (lastName: string) => service.call('POST', '/customers', { lastName });
const stored = async (lastName: string): Promise<number> =>
  (await service.call('GET', `/customers?q=${lastName}`)).body.total;

test('requests fail while the server is stopped and succeed after it starts again', async () => {
  const server = await startPostgres();
  const other = await startTestService({ database: `${server.url}/postgres` });
  const ask = () => other.call('GET', '/cars');
  const write = () => other.call('POST', '/cars', { year: 2000, make: 'Back', model: 'Again' });
  expect([(await write()).status, (await ready(other.url)).status]).toEqual([201, 200]);
  await server.stop();
  expectUnavailable(await ask());
  expectUnavailable(await write());
  expectUnavailable(await ready(other.url));
  expect((await send(`${other.url}/healthz`, 'GET')).status).toBe(200);
  await server.start();
  expect([(await ask()).status, (await write()).status, (await ready(other.url)).status]).toEqual([
    200, 201, 200,
  ]);
  expect((await ask()).body.total).toBe(2);
  await other.close();
  await server.remove();
});

test('a write on a connection that is cut stores nothing, and writes soon open a new connection', async () => {
  const gate = await holdCustomers(database);
  const writing = create('held');
  await gate.waiting('here');
  await query(
    database,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and application_name = 'car-storage'`,
  );
  expectUnavailable(await writing);
  await gate.close();
  // A connection that isn't seen to be closed yet answers 503 once more, and stores nothing.
  await expect.poll(async () => (await create('held')).status).toBe(201);
  expect(await stored('held')).toBe(1);
});

test('a write above its time limit fails, and waiting writes continue', async () => {
  const gate = await holdCustomers(database);
  for (const answer of await Promise.all([create('held'), create('held'), create('held')]))
    expectUnavailable(answer);
  await gate.close();
  expect(await stored('held')).toBe(1);
  expect((await create('after')).status).toBe(201);
});

test('requests to an unresponsive database end, and succeed once it responds again', async () => {
  const address = new URL(database);
  const proxy = await startMuteProxy(Number(address.port));
  address.port = `${proxy.port}`;
  // The other limits are the database's to keep, and it says nothing.
  const other = await startService({
    data: service.data,
    database: address.href,
    port: 0,
    limits: { answerMs: 2_000, connectMs: 2_000 },
  });
  const ask = (method: string, path: string, body?: unknown) =>
    send(`${other.url}/api/v1${path}`, method, body, { 'x-api-key': service.key });
  const write = (lastName: string) => ask('POST', '/customers', { lastName });
  expect([(await write('heard')).status, (await ask('GET', '/customers')).status]).toEqual([
    201, 200,
  ]);
  proxy.mute();
  for (const answer of await Promise.all([
    ask('GET', '/customers'),
    write('silent'),
    write('silent'),
    ready(other.url),
  ]))
    expectUnavailable(answer);
  proxy.unmute();
  expect([(await write('again')).status, (await ready(other.url)).status]).toEqual([201, 200]);
  expect([await stored('heard'), await stored('again')]).toEqual([1, 1]);
  await other.close();
  await proxy.close();
});

test('a database that accepts connections without answering: the start fails after its time limit', async () => {
  const address = new URL(database);
  const proxy = await startMuteProxy(Number(address.port));
  proxy.mute();
  address.port = `${proxy.port}`;
  const start = startService({
    data: service.data,
    database: address.href,
    port: 0,
    limits: { connectMs: 300 },
  });
  await expect(start).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
  await proxy.close();
});

describe('conflicting writes', () => {
  /** Makes customers of a name fail with a code for as long as a number of tries. */
  const failing = (lastName: string, code: string, tries: number) =>
    query(
      database,
      `create sequence "${lastName}"; grant usage on sequence "${lastName}" to public;
       create function "fail_${lastName}"() returns trigger language plpgsql as $$ begin
         if nextval('"${lastName}"') <= ${tries} then raise exception 'in the way' using errcode = '${code}'; end if; return new; end $$;
       create trigger "fail_${lastName}" after insert on customers for each row when (new."lastName" = '${lastName}') execute function "fail_${lastName}"()`,
    );

  test.each([
    ['deadlock', '40P01'],
    ['serialization', '40001'],
  ])('%s: tried again', async (lastName, code) => {
    await failing(lastName, code, 4);
    expect((await create(lastName)).status).toBe(201);
    expect(await stored(lastName)).toBe(1);
  });

  test('are retried a limited number of times', async () => {
    await failing('always', '40001', 1_000);
    expectUnavailable(await create('always'));
    expect((await query(database, 'select last_value::int from always'))[0]).toEqual({
      last_value: 5,
    });
  });

  test("a full disk of the database's server is told as that, once", async () => {
    await failing('full', '53100', 1_000);
    const answer = await create('full');
    expect([answer.status, answer.body.code]).toEqual([507, 'storage_full']);
    expectProblem(answer);
    expect(await stored('full')).toBe(0);
  });

  test('other errors are not retried', async () => {
    await failing('broken', 'P0001', 1_000);
    expect((await create('broken')).body.code).toBe('internal_error');
    expect((await query(database, 'select last_value::int from broken'))[0]).toEqual({
      last_value: 1,
    });
  });
});

test('reads and writes continue after a column changes while the service runs', async () => {
  const { id } = (await create('plan')).body.data;
  const change = () => service.call('PATCH', `/customers/${id}`, { notes: `${Math.random()}` });
  const read = () => service.call('GET', `/customers/${id}`);
  const alter = (type: string) =>
    query(database, `alter table customers alter column notes type ${type}`);
  expect([(await change()).status, (await read()).status]).toEqual([200, 200]);
  await alter('varchar(10000)');
  expect((await change()).status).toBe(200);
  await alter('text collate "C"');
  expect([(await read()).status, (await change()).status]).toEqual([200, 200]);
});

test('/readyz names the failed check while the database is read-only or lacks a migration', async () => {
  const name = new URL(database).pathname.slice(1);
  const elsewhere = new URL('/postgres', database).href;
  const reconnect = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and application_name = 'car-storage'`;
  await query(elsewhere, `alter database ${name} set default_transaction_read_only = on`);
  await query(elsewhere, reconnect);
  const reading = await ready();
  expectUnavailable(reading);
  expect(reading.body.details).toEqual({ failed: ['database'] });
  await query(elsewhere, `alter database ${name} reset default_transaction_read_only`);
  await query(elsewhere, reconnect);
  await query(database, `update kysely_migration set name = '9' || name where name like '0001%'`);
  expect((await ready()).body.details).toEqual({ failed: ['migrations'] });
  await query(
    database,
    `update kysely_migration set name = substr(name, 2) where name like '90001%'`,
  );
  expect((await ready()).status).toBe(200);
});
