/** Behind a pooler that gives each transaction any connection: teams stay apart, and nothing of a transaction stays on the connection. */
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { findTeam } from '../../../../src/service/admin.ts';
import type { Database } from '../../../../src/service/database/database.ts';
import { openPostgres } from '../../../../src/service/database/postgres/open.ts';
import { createPool, isPooled } from '../../../../src/service/database/postgres/pool.ts';
import { findRequestRole } from '../../../../src/service/database/postgres/row-level-security.ts';
import {
  postgresDialect,
  StatementNames,
} from '../../../../src/service/database/postgres/sessions.ts';
import type { Tables } from '../../../../src/service/database/tables.ts';
import { expectProblem } from '../../../helpers/answers.ts';
import { cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { holdCustomers } from '../../../helpers/gate.ts';
import { type Pooler, startPooler, withPooler } from '../../../helpers/pooler.ts';
import { newDatabase } from '../../../helpers/postgres.ts';
import { send, startTestService } from '../../../helpers/service.ts';

const { url: server } = inject('postgres');
const through = (pooler: Pooler, database: string): string =>
  pooler.url + new URL(database).pathname;

/** Resolves with what a client that sets nothing finds on each of the pooler's connections. */
async function leftOnConnections(address: string, connections: number): Promise<unknown[]> {
  const clients = Array.from(
    { length: connections },
    () => new pg.Client({ connectionString: address }),
  );
  await Promise.all(clients.map((client) => client.connect()));
  const question = `select pg_backend_pid() as pid, current_user::text as role, coalesce(current_setting('cs.team_id', true), '') as team,
    current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle,
    current_setting('default_transaction_read_only') as "readOnly", (select count(*)::int from pg_prepared_statements) as statements,
    (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`;
  const found = [];
  // Each keeps a connection, so that every connection is looked at.
  for (const client of clients)
    found.push(
      ((await client.query(`begin; ${question}`)) as unknown as pg.QueryResult[])[1]?.rows[0],
    );
  for (const client of clients) await client.query('commit');
  await Promise.all(clients.map((client) => client.end()));
  expect(new Set(found.map(({ pid }) => pid)).size).toBe(connections);
  return found.map(({ pid, ...rest }) => rest);
}
const nothing = {
  role: 'postgres',
  team: '',
  statement: '0',
  idle: '0',
  readOnly: 'off',
  statements: 0,
  locks: 0,
};

describe.runIf(withPooler)('one connection of a pooler for everything', async () => {
  const size = 1;
  const pooler = await startPooler(server, { size });
  const direct = await newDatabase();
  const service = await startTestService({ database: through(pooler, direct) });
  const { database } = service.admin;
  afterAll(async () => {
    await service.close();
    await pooler.remove();
  });
  const teams = await Promise.all(
    [service.key, service.otherKey].map(async (key, n) => {
      await facility(service, key).customer();
      return { key, ...(await findTeam(service.admin, n === 0 ? 'first' : 'second')) };
    }),
  );

  /** Without a condition on the team: what keeps teams apart is the database alone. */
  const everybody = sql<{ team: string }>`select "teamId" as team from customers`;
  const ways: Record<
    string,
    (teamId: string, of: Database) => Promise<readonly { team: string }[]>
  > = {
    'a read': async (id, of) => (await everybody.execute(of.ofTeam(id).read)).rows,
    'a read in a transaction': (id, of) =>
      of
        .ofTeam(id)
        .read.transaction()
        .execute(async (db) => (await everybody.execute(db)).rows),
    'a snapshot': (id, of) =>
      of.ofTeam(id).snapshot(async (db) => (await everybody.execute(db)).rows),
    'a single query': (id, of) => of.ofTeam(id).answer(everybody.compile(of.read)),
    'a write': async (id, of) =>
      (
        await sql<{
          team: string;
        }>`update customers set notes = '' returning "teamId" as team`.execute(of.ofTeam(id).write)
      ).rows,
    'a write with a stamp': (id, of) =>
      of.ofTeam(id).writeStamped(async (db) => (await everybody.execute(db)).rows),
  };

  test('two teams in turns see only their own rows, with every kind of access', async () => {
    const asked = Array.from({ length: 5 }, () => Object.values(ways))
      .flat()
      .flatMap((ask) => teams.map((team) => ({ ask, team })));
    const seen = await Promise.all(
      asked.map(async ({ ask, team }) => ({ team, rows: await ask(team.id, database) })),
    );
    for (const { team, rows } of seen)
      expect([...new Set(rows.map((row) => row.team))]).toEqual([team.id]);
  });

  test('a connection keeps no state after a transaction, committed or failed', async () => {
    const address = through(pooler, direct);
    for (const ask of Object.values(ways)) {
      await Promise.all(teams.map(({ id }) => ask(id, database)));
      expect(await leftOnConnections(address, size)).toEqual(Array(size).fill(nothing));
    }
    const { read, write } = database.ofTeam(teams[0]?.id as string);
    const fail = sql`select 1 / 0`;
    await expect(fail.execute(read)).rejects.toThrow(/division/);
    await expect(fail.execute(write)).rejects.toThrow(/division/);
    await expect(write.transaction().execute((db) => fail.execute(db))).rejects.toThrow(/division/);
    await expect(fail.execute(database.write)).rejects.toThrow(/division/);
    expect(await leftOnConnections(address, size)).toEqual(Array(size).fill(nothing));
  });

  test('state that other clients leave on a connection has no effect', async () => {
    const role = await findRequestRole(database.read);
    const clients = Array.from(
      { length: size },
      () => new pg.Client({ connectionString: through(pooler, direct) }),
    );
    const leave = async (settings: string) => {
      for (const client of clients) await client.query('begin');
      for (const client of clients) await client.query(`commit; ${settings}`);
    };
    await Promise.all(clients.map((client) => client.connect()));
    await leave(`set role ${role}; set cs.team_id = '${teams[1]?.id}'`);
    const [first] = teams;
    expect((await service.call('GET', '/customers')).body.total).toBe(1);
    expect((await service.call('POST', '/customers', { lastName: 'left' })).status).toBe(201);
    expect((await everybody.execute(database.read)).rows.length).toBe(3);
    expect(
      new Set(
        (await everybody.execute(database.ofTeam(first?.id as string).read)).rows.map(
          ({ team }) => team,
        ),
      ),
    ).toEqual(new Set([first?.id]));
    await leave('reset role; reset cs.team_id');
    await Promise.all(clients.map((client) => client.end()));
  });

  test('the service and cs admin work', async () => {
    expect((await send(`${service.url}/readyz`, 'GET')).status).toBe(200);
    const at = ['--data', service.data, '--database', through(pooler, direct)];
    expect(await cs(['admin', 'team', 'create', 'Third', ...at])).toMatchObject({
      code: 0,
      json: { slug: 'third' },
    });
    expect(await cs(['admin', 'check', ...at])).toMatchObject({ code: 0, json: { ok: true } });
    expect(
      await cs(['admin', 'team', 'list', ...at], { env: { CS_DATABASE_POOLER: 'transaction' } }),
    ).toMatchObject({ code: 0 });
  });
});

describe.runIf(withPooler)('a pooler', async () => {
  const poolers = {
    transaction: await startPooler(server),
    session: await startPooler(server, { mode: 'session', size: 20 }),
    statement: await startPooler(server, { mode: 'statement' }),
    /** Accepts a sign-in with settings and drops them. */
    lenient: await startPooler(server, { ignores: 'options' }),
  };
  afterAll(() => Promise.all(Object.values(poolers).map((pooler) => pooler.remove())));
  const opened = async (address: string, options: Parameters<typeof openPostgres>[1] = {}) => {
    const database = await openPostgres(address, options);
    onTestFinished(() => database.close());
    return database;
  };

  test('is detected; without one, statements are prepared once per connection', async () => {
    const direct = await newDatabase();
    expect(await isPooled(direct)).toBe(false);
    expect(await isPooled(`${direct}?options=-c%20search_path%3Dpublic`)).toBe(false);
    expect(await isPooled(through(poolers.transaction, direct))).toBe(true);
    expect(await isPooled(through(poolers.session, direct))).toBe(true);
    expect(await isPooled(through(poolers.lenient, direct))).toBe(true);
    const planned = async ({ read }: Database) =>
      (
        await sql<{
          planned: boolean;
        }>`select exists (select from pg_prepared_statements) as planned`.execute(read)
      ).rows[0]?.planned;
    expect(await planned(await opened(direct))).toBe(true);
    expect(await planned(await opened(direct, { pooler: 'transaction' }))).toBe(false);
    expect(await planned(await opened(through(poolers.session, direct)))).toBe(false);
  });

  test('many statements of one database leave names to the next', async () => {
    const { read: busy } = await opened(await newDatabase());
    for (const number of Array(500).keys())
      await sql.raw(`select ${number} as number`).execute(busy);
    const { read } = await opened(await newDatabase());
    const { rows } = await sql<{
      planned: boolean;
    }>`select exists (select from pg_prepared_statements) as planned`.execute(read);
    expect(rows).toEqual([{ planned: true }]);
  });

  test('time limits in the address apply to each transaction', async () => {
    const address = `${through(poolers.transaction, await newDatabase())}?statement_timeout=4321&lock_timeout=5432`;
    const { read, write } = await opened(address);
    const limits = sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`;
    for (const db of [read, write])
      expect((await limits.execute(db)).rows).toEqual([{ statement: '4321ms', lock: '5432ms' }]);
    await expect(openPostgres(address.replace('4321', 'soon'))).rejects.toMatchObject({
      cause: { message: /statement_timeout/ },
    });
  });

  test('an undetected one: the error names the setting', async () => {
    const pool = createPool(through(poolers.transaction, await newDatabase()), { pooled: false });
    onTestFinished(() => pool.end());
    const db = new Kysely<Tables>({
      dialect: postgresDialect(pool, {
        begin: 'begin',
        role: 'none',
        settings: {},
        pooled: false,
        names: new StatementNames(),
      }),
    });
    const ask = () => sql`select 1 as one`.execute(db);
    await expect(Promise.all([ask(), ask(), ask()])).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
      cause: { message: expect.stringContaining('CS_DATABASE_POOLER=transaction') },
    });
  });

  test.each<[string, string, string]>([
    ['that refuses transactions', poolers.statement.url, ''],
    [
      'that refuses settings of the address',
      poolers.transaction.url,
      '?options=-csearch_path%3Dpublic',
    ],
  ])('%s: cs says what to change', async (_name, url, settings) => {
    const data = await makeFolder();
    onTestFinished(() => removeFolder(data));
    const database = url + new URL(await newDatabase()).pathname + settings;
    const { code, stderr } = await cs([
      ...['serve', '--port', '0', '--data', data, '--database', database],
    ]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/"data_unusable".*pool_mode.*options/),
    ]);
  });

  test('one that refuses transactions gives its reason at every start', async () => {
    const address = through(poolers.statement, await newDatabase());
    for (const _ of Array(20))
      await expect(openPostgres(address)).rejects.toMatchObject({ cause: { code: '08P01' } });
  });

  test('one that crashes during a request: 503, and a retry after its restart stores the record once', async () => {
    const pooler = await startPooler(server, { size: 3 });
    onTestFinished(() => pooler.remove());
    const direct = await newDatabase();
    const service = await startTestService({ database: through(pooler, direct) });
    const gate = await holdCustomers(direct);
    const create = () =>
      service.call('POST', '/customers', { lastName: 'held' }, undefined, {
        'idempotency-key': 'once',
      });
    const writing = create();
    await gate.waiting('here');
    await pooler.kill();
    for (const answer of [await writing, await create(), await service.call('GET', '/customers')]) {
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 503,
        code: 'unavailable',
      });
      expectProblem(answer);
    }
    await gate.close();
    await pooler.start();
    expect((await create()).status).toBe(201);
    expect((await service.call('GET', '/customers')).body.total).toBe(1);
    await service.close();
  });
});

test('an unknown pooler mode is refused', async () => {
  const mode = 'session';
  const database = await newDatabase();
  for (const given of [
    { args: ['--database-pooler', mode] },
    { env: { CS_DATABASE_POOLER: mode } },
  ])
    expect(
      await cs(['admin', 'team', 'list', '--database', database, ...(given.args ?? [])], {
        env: given.env ?? {},
      }),
    ).toMatchObject({
      code: 2,
      error: { code: 'usage', hint: expect.stringContaining('auto or transaction') },
    });
});
