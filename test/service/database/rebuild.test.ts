import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { firstFamilies } from '../../../src/service/database/migrations/0001-first-families.ts';
import { appointments } from '../../../src/service/database/migrations/0002-appointments.ts';
import { openSqlite } from '../../../src/service/database/sqlite.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

const folder = await makeFolder();
afterAll(() => removeFolder(folder));

const at = '2026-01-01T00:00:00.000Z';
const common = { teamId: 'team', createdAt: at, updatedAt: at };
const before = { '0001-first-families': firstFamilies };

test('a table that others refer to gets a reference and keeps its rows and indexes', async () => {
  const old = await openSqlite(folder, before);
  await old.write.transaction().execute(async (db) => {
    await db
      .insertInto('teams')
      .values({ id: 'team', name: 'T', slug: 't', timezone: 'UTC', apiEnabled: true, lastStamp: at, createdAt: at, updatedAt: at })
      .execute();
    const type = {
      ...common,
      id: 'type',
      value: 'wash',
      scope: 'vehicle',
      config: '{}',
      name: 'Wash',
      isActive: true,
      options: '[]',
    } as const;
    await sql`insert into "eventTypes" ${values(type)}`.execute(db);
    await sql`insert into "cars" ${values({ ...common, id: 'car', year: 1973, make: 'M', model: 'M', status: 'expected' })}`.execute(db);
    const event = { ...common, id: 'event', activityType: 'wash', occurredAt: at, carId: 'car', eventTypeId: 'type', sessionId: 'session' };
    await sql`insert into "carEvents" ${values(event)}`.execute(db);
    const session = { ...common, id: 'session', eventTypeId: 'type', carId: 'car', carEventId: 'event', status: 'open', photoCount: 0 };
    await sql`insert into "eventSessions" ${values(session)}`.execute(db);
  });
  const rows = await old.read.selectFrom('carEvents').selectAll().execute();
  const indexes = await indexesOf(old.read);
  await old.close();

  const now = await openSqlite(folder, { ...before, '0002-appointments': appointments });
  expect(await now.read.selectFrom('carEvents').selectAll().execute()).toEqual(rows);
  expect(await indexesOf(now.read)).toEqual(expect.arrayContaining(indexes));
  expect((await sql`pragma foreign_key_check`.execute(now.read)).rows).toEqual([]);
  const naming = (appointmentId: string) =>
    now.write.transaction().execute((db) => db.updateTable('carEvents').set({ appointmentId }).where('id', '=', 'event').execute());
  await expect(naming('nothing')).rejects.toThrow('FOREIGN KEY');
  const removed = now.write.transaction().execute((db) => db.deleteFrom('carEvents').where('id', '=', 'event').execute());
  await expect(removed).rejects.toThrow('FOREIGN KEY');
  await now.close();
});

type Database = Awaited<ReturnType<typeof openSqlite>>;

async function indexesOf(db: Database['read']): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'index' and sql is not null`.execute(db);
  return rows.map(({ name }) => name);
}

function values(row: Record<string, unknown>) {
  return sql`(${sql.join(Object.keys(row).map((name) => sql.ref(name)))}) values (${sql.join(Object.values(row))})`;
}
