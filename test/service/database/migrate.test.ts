/** Steps of the tables, on either database: done once, whole or not at all, and never on tables that a newer version has changed. */
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { expect, onTestFinished, test } from 'vitest';
import { doneSteps, type Steps } from '../../../src/service/database/migrate.ts';
import { migrations } from '../../../src/service/database/migrations/migrations.ts';
import type { Database, Place } from '../../../src/service/database/open.ts';
import { openPostgres } from '../../../src/service/database/postgres/open.ts';
import { openSqlite } from '../../../src/service/database/sqlite.ts';
import { administer } from '../../helpers/child-service.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { emptyDatabase, onPostgres } from '../../helpers/postgres.ts';

async function nowhere(): Promise<Place> {
  const data = await makeFolder();
  onTestFinished(() => removeFolder(data));
  return { data, database: onPostgres ? await emptyDatabase() : undefined };
}

const open = ({ data, database }: Place, steps: Steps = migrations): Promise<Database> =>
  database ? openPostgres(database, { steps }) : openSqlite(data, steps);

async function within<T>(place: Place, task: (database: Database) => Promise<T>): Promise<T> {
  const database = await open(place);
  try {
    return await task(database);
  } finally {
    await database.close();
  }
}

const marks = async (database: Database): Promise<string[]> =>
  (await sql<{ slug: string }>`select slug from teams order by slug`.execute(database.read)).rows.map(({ slug }) => slug);

const addTeam = (db: QueryExecutorProvider, slug: string) =>
  sql`insert into teams ("id", "name", "slug", "timezone", "apiEnabled", "lastStamp", "createdAt", "updatedAt")
    values (${slug}, ${slug}, ${slug}, 'UTC', true, '', '', '')`.execute(db);

test('several processes at once: the steps are done once, and all of them go on', async () => {
  const place = await nowhere();
  const names = ['One', 'Two', 'Three'];
  await Promise.all(names.map((name) => administer(place, 'createTeam', { name })));
  await within(place, async (database) => {
    expect(await marks(database)).toEqual(['one', 'three', 'two']);
    expect(await doneSteps(database.read)).toEqual(Object.keys(migrations).sort());
  });
});

test('rows that were there before they were counted are counted', async () => {
  const place = await nowhere();
  const uncounted = Object.entries(migrations).filter(([name]) => name < '0013');
  const early = await open(place, Object.fromEntries(uncounted));
  await addTeam(early.write, 'one');
  await addTeam(early.write, 'two');
  for (const [team, name] of [
    ['one', 'a'],
    ['one', 'b'],
    ['two', 'c'],
  ])
    await sql`insert into locations ("id", "teamId", "name", "timezone", "isActive", "createdAt", "updatedAt")
      values (${name}, ${team}, ${name}, 'UTC', true, '', '')`.execute(early.write);
  await early.close();
  await within(place, async ({ read, write }) => {
    const counts = async () =>
      (
        await sql<{
          line: string;
        }>`select "teamId" || ' ' || "count" as line from "recordCounts" where "table" = 'locations' order by 1`.execute(read)
      ).rows.map(({ line }) => line);
    expect(await counts()).toEqual(['one 2', 'two 1']);
    await sql`delete from locations where "teamId" = 'one' and "name" = 'a'`.execute(write);
    expect(await counts()).toEqual(['one 1', 'two 1']);
  });
});

test('a step that fails leaves everything as it was', async () => {
  const place = await nowhere();
  await within(place, (database) => addTeam(database.write, 'before'));
  const good: Migration = {
    async up(db: Kysely<unknown>) {
      await db.schema.createTable('half').addColumn('teamId', 'text').execute();
      await addTeam(db, 'half');
    },
  };
  const bad: Migration = { up: async (db: Kysely<unknown>) => void (await sql`select * from nowhere`.execute(db)) };
  await expect(open(place, { ...migrations, '9997-good': good, '9998-bad': bad })).rejects.toThrow(/nowhere/);
  await within(place, async (database) => {
    expect(await marks(database)).toEqual(['before']);
    expect(await doneSteps(database.read)).toEqual(Object.keys(migrations).sort());
    await expect(sql`select * from half`.execute(database.read)).rejects.toThrow(/half/);
  });
});

test('what a newer version has changed is refused and left alone', async () => {
  const place = await nowhere();
  const { '0001-first-families': first, ...later } = migrations;
  const newer: Migration = { up: async (db: Kysely<unknown>) => void (await addTeam(db, 'newer')) };
  await (await open(place, { ...migrations, '9999-newer': newer })).close();
  await expect(open(place)).rejects.toThrow(/written by a newer version of cs \(it has 9999-newer\)/);
  await expect(open(place, { '0001-first-families': first as Migration })).rejects.toThrow(/newer version/);
  expect(Object.keys(later)).not.toContain('9999-newer');
  const again = await open(place, { ...migrations, '9999-newer': newer });
  expect(await marks(again)).toEqual(['newer']);
  await again.close();
});
