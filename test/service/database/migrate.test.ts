/** Migration steps on either database: done once, completely or not at all, and never on tables of a newer version. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../src/service/database/database.ts';
import { doneSteps, type Steps } from '../../../src/service/database/migrate.ts';
import { migrations } from '../../../src/service/database/migrations/migrations.ts';
import type { Place } from '../../../src/service/database/open.ts';
import { openPostgres } from '../../../src/service/database/postgres/open.ts';
import { openSqlite } from '../../../src/service/database/sqlite/open.ts';
import { plainKey } from '../../../src/service/files/store.ts';
import { newId } from '../../../src/service/records.ts';
import { administer } from '../../helpers/child-service.ts';
import { cs } from '../../helpers/cli.ts';
import { base64Of, facility, png } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { emptyDatabase, onPostgres } from '../../helpers/postgres.ts';
import { startTestService } from '../../helpers/service.ts';
import { filesOf, keyOf } from '../../helpers/stored-files.ts';

async function nowhere(): Promise<Place> {
  const data = await makeFolder();
  onTestFinished(() => removeFolder(data));
  return { data, database: onPostgres ? await emptyDatabase() : undefined };
}

const open = ({ data, database }: Place, steps: Steps = migrations): Promise<Database> =>
  database ? openPostgres(database, { steps }) : openSqlite(data, steps);

async function within<T>(
  place: Place,
  task: (database: Database) => Promise<T>,
  steps?: Steps,
): Promise<T> {
  const database = await open(place, steps);
  try {
    return await task(database);
  } finally {
    await database.close();
  }
}

const slugs = async (database: Database): Promise<string[]> =>
  (
    await sql<{ slug: string }>`select slug from teams order by slug`.execute(database.read)
  ).rows.map(({ slug }) => slug);

const addTeam = (db: QueryExecutorProvider, slug: string) =>
  sql`insert into teams ("id", "name", "slug", "timezone", "apiEnabled", "lastStamp", "createdAt", "updatedAt")
    values (${newId()}, ${slug}, ${slug}, 'UTC', true, '', '', '')`.execute(db);

const step = (up: (db: Kysely<unknown>) => Promise<unknown>): Migration => ({
  up: async (db: Kysely<unknown>) => void (await up(db)),
});

test('several processes at once: one does the steps, and all of them go on', async () => {
  const place = await nowhere();
  const names = ['One', 'Two', 'Three'];
  await Promise.all(names.map((name) => administer(place, 'createTeam', { name })));
  await within(place, async (database) => {
    expect(await slugs(database)).toEqual(['one', 'three', 'two']);
    expect(await doneSteps(database.read)).toEqual(Object.keys(migrations).sort());
  });
});

test('a later step runs once, on the rows of the step before', async () => {
  const place = await nowhere();
  await within(place, ({ write }) => addTeam(write, 'before'));
  const later = {
    ...migrations,
    '9998-later': step((db) => sql`update teams set "name" = "name" || '!'`.execute(db)),
  };
  const names = ({ read }: Database) => read.selectFrom('teams').select('name').execute();
  expect(await within(place, names, later)).toEqual([{ name: 'before!' }]);
  expect(await within(place, names, later)).toEqual([{ name: 'before!' }]);
});

test('a failed step changes nothing', async () => {
  const place = await nowhere();
  await within(place, (database) => addTeam(database.write, 'before'));
  const good = step(async (db) => {
    await db.schema
      .createTable('half')
      .addColumn('teamId', onPostgres ? 'uuid' : 'text')
      .execute();
    await addTeam(db, 'half');
  });
  const bad = step((db) => sql`select * from nowhere`.execute(db));
  await expect(open(place, { ...migrations, '9997-good': good, '9998-bad': bad })).rejects.toThrow(
    /nowhere/,
  );
  await within(place, async (database) => {
    expect(await slugs(database)).toEqual(['before']);
    expect(await doneSteps(database.read)).toEqual(Object.keys(migrations).sort());
    await expect(sql`select * from half`.execute(database.read)).rejects.toThrow(/half/);
  });
});

test('tables of a newer version are refused and stay as they are', async () => {
  const place = await nowhere();
  const newer = { ...migrations, '9999-newer': step((db) => addTeam(db, 'newer')) };
  await within(place, async () => undefined, newer);
  await expect(open(place)).rejects.toThrow(
    /written by a newer version of cs \(it has 9999-newer\)/,
  );
  expect(await within(place, slugs, newer)).toEqual(['newer']);
});

test('a step that was done but not noted is told as that, and nothing changes', async () => {
  const place = await nowhere();
  await within(place, ({ write }) =>
    sql`delete from kysely_migration where name >= '0002'`.execute(write),
  );
  await expect(open(place)).rejects.toThrow(
    /^What the step 0002-dashboard makes is already in .* \(.*"?admins"? already exists\), but kysely_migration doesn't note the step as done$/,
  );
  await expect(
    open(place, { '0000-before': migrations['0001-first'] as Migration, ...migrations }),
  ).rejects.toThrow(/notes 0001-first as done, but not the step 0000-before before it$/);
  const { code, error } = await cs([
    ...['admin', 'team', 'list', '--data', place.data],
    ...(place.database ? ['--database', place.database] : []),
  ]);
  expect([code, error.code]).toEqual([3, 'data_unusable']);
  expect(error.message).toContain('the step 0002-dashboard');
});

test('a folder from before bytes had keys: its photos stay, equal ones join them, and each is deleted', async () => {
  const service = await startTestService();
  onTestFinished(() => service.close());
  const make = facility(service);
  const car = await make.car();
  const photo = await make.photo(car.id, { base64: base64Of(png(1)) });
  const stored = { teamId: car.teamId, sha256: photo.sha256 };
  const files = join(service.data, 'files');
  const plain = plainKey(car.teamId, photo.sha256);
  const { write } = service.admin.database;
  await service.restart({
    // What the steps before left.
    async meanwhile() {
      await rename(join(files, await keyOf(service.admin, stored)), join(files, plain));
      for (const statement of [
        'drop table "storedBytes"',
        'drop table "deletedBytes"',
        'alter table teams drop column "fileMoves"',
        'alter table admins drop column role',
        'drop index "campaignSends_contactId"',
        ...(onPostgres
          ? ['place', 'moves'].map((name) => `alter table "fileFolder" drop column "${name}"`)
          : ['drop table "fileFolder"']),
        'drop table if exists "sharedWaits"',
        `delete from kysely_migration where name >= '0005'`,
      ])
        await sql.raw(statement).execute(write);
    },
  });
  const path = `/cars/${car.id}/photos/${photo.id}`;
  const content = async () => Buffer.from((await service.call('GET', `${path}/content`)).bytes);
  expect(await keyOf(service.admin, stored)).toBe(plain);
  expect(await content()).toEqual(png(1));
  const asset = await make.asset({ base64: base64Of(png(1)) });
  expect(await filesOf(service.admin, car.teamId)).not.toContain(plain);
  expect(await content()).toEqual(png(1));
  for (const gone of [path, `/marketing/assets/${asset.id}`])
    expect((await service.call('DELETE', gone)).status).toBe(200);
  expect(await filesOf(service.admin, car.teamId)).toEqual([]);
});
