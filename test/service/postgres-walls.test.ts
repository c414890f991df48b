/** The second wall between teams: with the condition on the team gone from a query, it still finds the own team's rows alone. */
import { Kysely, sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { findTeam, listTeams } from '../../src/service/admin.ts';
import { postgresDialect } from '../../src/service/database/postgres/dialect.ts';
import { createPool } from '../../src/service/database/postgres/pool.ts';
import { findRequestRole } from '../../src/service/database/postgres/walls.ts';
import type { Tables } from '../../src/service/database/tables.ts';
import { facility } from '../helpers/facility.ts';
import { emptyDatabase, query } from '../helpers/postgres.ts';
import { startTestService } from '../helpers/service.ts';

const service = await startTestService();
const database = service.database as string;
const requestRole = await findRequestRole(service.admin.database.read);
const pool = createPool(database, { role: requestRole });
/** The connections of requests, without a team. */
const nobody = new Kysely<Tables>({ dialect: postgresDialect(pool, { transaction: 'begin' }) });
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
const [first, second] = [await findTeam(service.admin, 'first'), await findTeam(service.admin, 'second')];
const asFirst = service.admin.database.ofTeam(first.id);
const tables: string[] = (
  await query(
    database,
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname !~ '^kysely'`,
  )
).map(({ relname }) => relname);
const owned = (name: string) => sql.id(name === 'teams' ? 'id' : 'teamId');
const teamsIn = async (db: Kysely<Tables>, name: string) =>
  (await sql<{ team: string }>`select distinct ${owned(name)} as team from ${sql.id(name)}`.execute(db)).rows.map(({ team }) => team);

describe.each(tables)('%s', (name) => {
  test('shows the rows of the team that is named, and none when none is', async () => {
    const all = await teamsIn(service.admin.database.read, name);
    expect(await teamsIn(asFirst.read, name)).toEqual(all.filter((team) => team === first.id));
    expect(await asFirst.read.transaction().execute((db) => teamsIn(db, name))).toEqual(all.filter((team) => team === first.id));
    expect(await asFirst.write.transaction().execute((db) => teamsIn(db, name))).toEqual(all.filter((team) => team === first.id));
    expect(await teamsIn(nobody, name)).toEqual([]);
  });

  test('is walled for its owner too', async () => {
    const [wall] = await query(database, `select relrowsecurity, relforcerowsecurity from pg_class where oid = $1::regclass`, [
      `"${name}"`,
    ]);
    expect(wall).toEqual({ relrowsecurity: true, relforcerowsecurity: true });
    const policies = await query(database, `select policyname from pg_policies where tablename = $1 order by 1`, [name]);
    expect(policies).toEqual([{ policyname: 'own_team' }, { policyname: 'owner' }]);
  });
});

test('both teams have rows to be kept apart', async () => {
  for (const name of ['cars', 'carEvents', 'carPhotos', 'eventSessions', 'customers', 'parkingAssignments', 'apiKeys', 'auditLog'])
    expect((await teamsIn(service.admin.database.read, name)).sort()).toEqual([first.id, second.id].sort());
});

test("another team's rows are neither changed nor removed, and none is made", async () => {
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
  await expect(write.updateTable('customers').set({ teamId: second.id }).execute()).rejects.toThrow(/row-level security/);
  expect(await query(database, 'select * from customers order by id')).toEqual(before);
});

test('the team is forgotten with its transaction', async () => {
  const one = createPool(database, { role: requestRole, limits: { connections: 1 } });
  const client = await one.connect();
  await client.query(`begin; select set_config('cs.team_id', '${first.id}', true)`);
  expect((await client.query('select id from teams')).rows).toEqual([{ id: first.id }]);
  await client.query('commit');
  expect((await client.query('select id from teams')).rows).toEqual([]);
  client.release();
  await one.end();
});

test('requests work as a role that the walls bind, and find a key by its prefix alone', async () => {
  const [role] = await query(database, 'select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole from pg_roles where rolname = $1', [
    requestRole,
  ]);
  expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcanlogin: false, rolcreaterole: false });
  expect((await sql`select current_user as "user"`.execute(nobody)).rows).toEqual([{ user: requestRole }]);
  const prefix = service.otherKey.slice(4, 16);
  expect((await sql`select * from find_key(${prefix})`.execute(nobody)).rows).toMatchObject([{ teamId: second.id, slug: 'second' }]);
  expect((await sql`select * from find_key('%')`.execute(nobody)).rows).toEqual([]);
});

test('a team that is no uuid is not asked for', () => {
  expect(() => service.admin.database.ofTeam("' or true --")).toThrow(TypeError);
});

test('an owner who is no superuser will do', async () => {
  const address = new URL(await emptyDatabase());
  const name = address.pathname.slice(1);
  await query(database, `create role ${name} login createrole password 'plain'`);
  await query(database, `alter database ${name} owner to ${name}`);
  Object.assign(address, { username: name, password: 'plain' });
  const plain = await startTestService({ database: address.href });
  const make = facility(plain);
  const car = await make.car();
  await facility(plain, plain.otherKey).car();
  expect((await plain.call('GET', '/cars')).body.data).toEqual([car]);
  expect((await listTeams(plain.admin)).length).toBe(2);
  const { id } = await findTeam(plain.admin, 'first');
  expect(await plain.admin.database.ofTeam(id).read.selectFrom('cars').selectAll().execute()).toMatchObject([{ id: car.id }]);
  await plain.close();
});
