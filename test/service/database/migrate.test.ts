/** Migration steps on either database: done once, completely or not at all, and never on tables of a newer version. */
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
import { newId } from '../../../src/service/records.ts';
import { administer } from '../../helpers/child-service.ts';
import { cs } from '../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { emptyDatabase, onPostgres } from '../../helpers/postgres.ts';

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
  sql`insert into teams ("id", "name", "slug", "timezone", "apiEnabled", "fileMoves", "lastStamp", "createdAt", "updatedAt")
    values (${newId()}, ${slug}, ${slug}, 'UTC', true, 0, '', '', '')`.execute(db);

const step = (up: (db: Kysely<unknown>) => Promise<unknown>): Migration => ({
  up: async (db: Kysely<unknown>) => void (await up(db)),
});

test('several processes at once: one does the steps, and all of them go on', async () => {
  const place = await nowhere();
  const names = ['One', 'Two'];
  await Promise.all(names.map((name) => administer(place, 'createTeam', { name })));
  await within(place, async (database) => {
    expect(await slugs(database)).toEqual(['one', 'two']);
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
    /written by a newer version of cs, .* \(it has 9999-newer\)/,
  );
  const from = place.database ? ['--database', place.database] : [];
  for (const line of [
    ['serve', '--port', '0'],
    ['admin', 'backup', join(place.data, 'copy')],
  ]) {
    const { code, error } = await cs([...line, '--data', place.data, ...from]);
    expect([code, error.code]).toEqual([7, 'data_unusable']);
    expect(error.hint).toContain('install the newer cs');
  }
  expect(await within(place, slugs, newer)).toEqual(['newer']);
});

test('a step that was done but not noted is told as that, and nothing changes', async () => {
  const place = await nowhere();
  await within(place, ({ write }) => sql`delete from kysely_migration`.execute(write));
  await expect(open(place)).rejects.toThrow(
    /^The step 0001-first is already done in .* \(.*"?teams"? already exists\), but kysely_migration doesn't note it$/,
  );
  const { code, error } = await cs([
    ...['admin', 'team', 'list', '--data', place.data],
    ...(place.database ? ['--database', place.database] : []),
  ]);
  expect([code, error.code]).toEqual([3, 'data_unusable']);
  expect(error.message).toContain('The step 0001-first');
});
