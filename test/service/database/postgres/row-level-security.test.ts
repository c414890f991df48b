/** Row-level security: a query without a condition on the team still finds only the team's own rows. */
import { Kysely, sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { findTeam, listTeams } from '../../../../src/service/admin.ts';
import { TeamsNotKeptApart } from '../../../../src/service/database/failures.ts';
import { openPostgres, teamSessions } from '../../../../src/service/database/postgres/open.ts';
import { createPool } from '../../../../src/service/database/postgres/pool.ts';
import { findRequestRole } from '../../../../src/service/database/postgres/row-level-security.ts';
import {
  postgresDialect,
  StatementNames,
} from '../../../../src/service/database/postgres/sessions.ts';
import type { Tables } from '../../../../src/service/database/tables.ts';
import { cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { emptyDatabase, query } from '../../../helpers/postgres.ts';
import { startTestService } from '../../../helpers/service.ts';

const service = await startTestService();
const database = service.database as string;
const requestRole = (await findRequestRole(service.admin.database.read)) as string;
const pool = createPool(database, { pooled: false, limits: { connections: 1 } });
const names = new StatementNames();
/** The role of requests, without a team. */
const nobody = new Kysely<Tables>({
  dialect: postgresDialect(pool, {
    begin: 'begin read only',
    role: requestRole,
    settings: { 'cs.team_id': '' },
    pooled: false,
    names,
  }),
});
afterAll(async () => {
  await pool.end();
  await service.close();
});

for (const key of [service.key, service.otherKey]) {
  const make = facility(service, key);
  const spot = await make.spot((await make.location()).id);
  const car = await make.car({ customerId: (await make.customer()).id });
  await make.event(car.id, { parkingSpotId: spot.id });
  await make.photo(car.id);
}
const [first, second] = [
  await findTeam(service.admin, 'first'),
  await findTeam(service.admin, 'second'),
];
const asFirst = service.admin.database.ofTeam(first.id);
const tables: string[] = (
  await query(
    database,
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname !~ '^kysely' and relname not in ('fileFolder', 'sharedWaits')`,
  )
).map(({ relname }) => relname);
const owned = (name: string) => sql.id(name === 'teams' ? 'id' : 'teamId');
const teamsIn = async (db: Kysely<Tables>, name: string) =>
  (
    await sql<{
      team: string;
    }>`select distinct ${owned(name)} as team from ${sql.id(name)}`.execute(db)
  ).rows.map(({ team }) => team);

test("each table shows the rows of the transaction's team, and none without a team", async () => {
  for (const name of tables) {
    const all = await teamsIn(service.admin.database.read, name);
    const own = all.filter((team) => team === first.id);
    const inTransaction = (db: Kysely<Tables>) =>
      db.transaction().execute((open) => teamsIn(open, name));
    expect({
      name,
      read: await teamsIn(asFirst.read, name),
      reading: await inTransaction(asFirst.read),
      writing: await inTransaction(asFirst.write),
      nobody: await teamsIn(nobody, name),
    }).toEqual({ name, read: own, reading: own, writing: own, nobody: [] });
  }
});

test('each table is protected from its owner too', async () => {
  const found = await query(
    database,
    `select relname, relrowsecurity and relforcerowsecurity as forced,
      (select array_agg(policyname::text order by policyname) from pg_policies where tablename = relname) as policies
      from pg_class where relnamespace = 'public'::regnamespace and relname = any($1) order by 1`,
    [tables],
  );
  expect(found).toEqual(
    tables
      .toSorted()
      .map((relname) => ({ relname, forced: true, policies: ['own_team', 'owner'] })),
  );
});

test.each(['fileFolder', 'sharedWaits'] as const)('requests have no rights on %s', async (name) => {
  await expect(asFirst.read.selectFrom(name).selectAll().execute()).rejects.toThrow(
    /permission denied/,
  );
});

test('both teams have rows in the tested tables', async () => {
  for (const name of [
    'cars',
    'carEvents',
    'carPhotos',
    'eventSessions',
    'customers',
    'parkingAssignments',
    'apiKeys',
    'auditLog',
  ])
    expect((await teamsIn(service.admin.database.read, name)).sort()).toEqual(
      [first.id, second.id].sort(),
    );
});

test("a team can't change, delete or create rows of another team", async () => {
  const before = await query(database, 'select * from customers order by id');
  const { write } = asFirst;
  const own = await write.selectFrom('customers').selectAll().executeTakeFirstOrThrow();
  const changed = await write.updateTable('customers').set({ notes: own.notes }).executeTakeFirst();
  expect(changed.numUpdatedRows).toBe(1n);
  await write.deleteFrom('customers').where('teamId', '=', second.id).execute();
  await expect(
    write
      .insertInto('customers')
      .values({ ...own, id: first.id, teamId: second.id })
      .execute(),
  ).rejects.toThrow(/row-level security/);
  await expect(write.updateTable('customers').set({ teamId: second.id }).execute()).rejects.toThrow(
    /row-level security/,
  );
  expect(await query(database, 'select * from customers order by id')).toEqual(before);
});

test.each([false, true])(
  'a connection that had another team is set again before its first statement (pooler: %s)',
  async (pooled) => {
    const sessions = [first, second].map(({ id }) =>
      teamSessions(requestRole, id, {
        timeouts: { statement_timeout: 1_234 },
        pooled,
        names: pooled ? undefined : names,
      }),
    );
    const within = sql<{
      role: string;
    }>`select current_user::text as role, current_setting('cs.team_id') as team, current_setting('statement_timeout') as timeout`;
    const fail = sql`select 1 / 0`;
    for (const [n, { reading, writing }] of [...sessions, ...sessions].entries())
      for (const session of [reading, writing]) {
        const db = new Kysely<Tables>({ dialect: postgresDialect(pool, session) });
        const rows = [{ role: requestRole, team: [first, second][n % 2]?.id, timeout: '1234ms' }];
        expect((await within.execute(db)).rows).toEqual(rows);
        await expect(fail.execute(db)).rejects.toThrow(/division/);
        expect((await db.transaction().execute((open) => within.execute(open))).rows).toEqual(rows);
        await expect(db.transaction().execute((open) => fail.execute(open))).rejects.toThrow(
          /division/,
        );
        expect((await within.execute(db)).rows).toEqual(rows);
        expect(await teamsIn(db, 'cars')).toEqual([rows[0]?.team]);
      }
  },
);

test('requests use a role that row-level security binds', async () => {
  const [role] = await query(
    database,
    'select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole from pg_roles where rolname = $1',
    [requestRole],
  );
  expect(role).toEqual({
    rolsuper: false,
    rolbypassrls: false,
    rolcanlogin: false,
    rolcreaterole: false,
  });
  expect((await sql`select current_user as "user"`.execute(nobody)).rows).toEqual([
    { user: requestRole },
  ]);
});

test("a team whose id isn't a uuid is refused", () => {
  expect(() => service.admin.database.ofTeam("' or true --")).toThrow(TypeError);
});

/** A database whose owner is no superuser, with roles of its own: those of the server belong to all databases. */
async function plainDatabase(): Promise<{ address: string; owner: string }> {
  const address = new URL(await emptyDatabase());
  const owner = address.pathname.slice(1);
  await query(database, `create role ${owner} login createrole password 'plain'`);
  await query(database, `alter database ${owner} owner to ${owner}`);
  Object.assign(address, { username: owner, password: 'plain' });
  return { address: address.href, owner };
}

test("the owner doesn't have to be a superuser", async () => {
  const plain = await startTestService({ database: (await plainDatabase()).address });
  const make = facility(plain);
  const car = await make.car();
  await facility(plain, plain.otherKey).car();
  expect((await plain.call('GET', '/cars')).body.data).toEqual([car]);
  expect((await listTeams(plain.admin)).length).toBe(2);
  const { id } = await findTeam(plain.admin, 'first');
  expect(
    await plain.admin.database.ofTeam(id).read.selectFrom('cars').selectAll().execute(),
  ).toMatchObject([{ id: car.id }]);
  await plain.close();
});

describe('with changed row-level security, the service refuses to start', async () => {
  const { address, owner } = await plainDatabase();
  const superuser = new URL(database);
  superuser.pathname = new URL(address).pathname;
  const role = `car_storage_${owner.slice(0, 50)}`;
  const open = async () => (await openPostgres(address)).close();
  const team = `(select nullif(current_setting('cs.team_id', true), '')::uuid)`;
  const ownTeam = `"teamId" = ${team}`;
  await open();

  test.each<[string, string, string, RegExp]>([
    [
      'a role that is a superuser',
      `alter role ${role} superuser`,
      `alter role ${role} nosuperuser`,
      /and \d\d more/,
    ],
    [
      'a role that bypasses it',
      `alter role ${role} bypassrls`,
      `alter role ${role} nobypassrls`,
      /and \d\d more/,
    ],
    [
      'a table without it',
      'alter table cars disable row level security',
      'alter table cars enable row level security',
      /tables: cars\)/,
    ],
    [
      'a table that lets its owner through',
      'alter table cars no force row level security',
      'alter table cars force row level security',
      /tables: cars\)/,
    ],
    [
      'a table without its policy',
      'drop policy own_team on cars',
      `create policy own_team on cars to ${role} using (${ownTeam}) with check (${ownTeam})`,
      /tables: cars\)/,
    ],
    [
      'a policy for everybody',
      'create policy all_rows on cars using (true)',
      'drop policy all_rows on cars',
      /tables: cars\)/,
    ],
    [
      'a policy that shows every row',
      'alter policy own_team on cars using (true)',
      `alter policy own_team on cars using (${ownTeam})`,
      /tables: cars\)/,
    ],
    [
      'a policy that lets any row be made',
      'alter policy own_team on cars with check (true)',
      `alter policy own_team on cars with check (${ownTeam})`,
      /tables: cars\)/,
    ],
    [
      'teams of which all are seen',
      'alter policy own_team on teams using (true) with check (true)',
      `alter policy own_team on teams using (id = ${team}) with check (id = ${team})`,
      /and \d\d more/,
    ],
  ])('%s', async (_name, change, back, message) => {
    await query(superuser.href, change);
    try {
      const refusal = await open().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(TeamsNotKeptApart);
      expect((refusal as Error).message).toMatch(message);
    } finally {
      await query(superuser.href, back);
    }
  });

  test('cs serve reports it', async () => {
    const data = await makeFolder();
    await query(superuser.href, `alter role ${role} bypassrls`);
    try {
      const refused = await cs(['serve', '--port', '0', '--data', data, '--database', address]);
      expect(refused).toMatchObject({ code: 7, stdout: '', error: { code: 'data_unusable' } });
    } finally {
      await query(superuser.href, `alter role ${role} nobypassrls`);
      await removeFolder(data);
    }
  });
});
