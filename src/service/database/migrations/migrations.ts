import { randomUUID } from 'node:crypto';
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createIndexes, createTables, databaseKind, type TableSpec } from '../create-tables.ts';
import { createPostgresSearch } from '../postgres/search.ts';
import { createSqliteSearch } from '../sqlite/search.ts';
import { appointmentTables } from './appointments.ts';
import { assetTables } from './assets.ts';
import { bytesTables } from './bytes.ts';
import { campaignTables } from './campaigns.ts';
import { carTables } from './cars.ts';
import { communicationTables } from './communications.ts';
import { customerTables } from './customers.ts';
import { dashboardTables } from './dashboard.ts';
import { eventTypeTables } from './event-types.ts';
import { formTables } from './forms.ts';
import { locationTables } from './locations.ts';
import { parkingTables } from './parking.ts';
import { socialTables } from './social.ts';
import { socialEventTables } from './social-events.ts';
import { teamTables } from './team.ts';
import { templateTables } from './templates.ts';

/** A file for each family, with the name that it has in the contract. */
const firstTables = [
  ...teamTables,
  ...customerTables,
  ...locationTables,
  ...parkingTables,
  ...eventTypeTables,
  ...carTables,
  ...appointmentTables,
  ...communicationTables,
  ...templateTables,
  ...campaignTables,
  ...formTables,
  ...assetTables,
  ...socialEventTables,
  ...socialTables,
];

/** Every table, as the steps make them. */
export const tables: readonly TableSpec[] = [...firstTables, ...dashboardTables, ...bytesTables];

const first: Migration = {
  async up(db: Kysely<unknown>) {
    await createTables(db, firstTables);
    await (databaseKind(db) === 'postgres' ? createPostgresSearch(db) : createSqliteSearch(db));
  },
};

const dashboard: Migration = {
  async up(db: Kysely<unknown>) {
    await createTables(db, dashboardTables);
    const find = (name: string) => firstTables.find((table) => table.name === name) as TableSpec;
    await createIndexes(db, find('auditLog'), { at: { columns: ['at', 'id'] } });
    // The occupancy of a range of days, and what came in and went out.
    await createIndexes(db, find('parkingAssignments'), {
      startedAt: { columns: ['startedAt'] },
      endedAt: { columns: ['endedAt'], where: '"endedAt" is not null' },
    });
  },
};

/** One row: the id of the folder for files. On SQLite, the database and its files are in one folder. */
const fileFolder: Migration = {
  async up(db: Kysely<unknown>) {
    if (databaseKind(db) !== 'postgres') return;
    const columns = { id: 'id', claimed: 'boolean' } as const;
    await createTables(db, [{ name: 'fileFolder', columns, primaryKey: ['id'] }]);
    await sql`insert into "fileFolder" values (gen_random_uuid(), false)`.execute(db);
  },
};

/** A limit for each team, and the index that sums the sizes of its files. */
const teamQuota: Migration = {
  async up(db: Kysely<unknown>) {
    const integer = databaseKind(db) === 'postgres' ? 'bigint' : 'integer';
    await db.schema.alterTable('teams').addColumn('quotaBytes', integer).execute();
    for (const name of ['carPhotos', 'assets']) {
      await db.schema.dropIndex(`${name}_content`).execute();
      const table = firstTables.find((one) => one.name === name) as TableSpec;
      await createIndexes(db, table, { content: { columns: ['sha256', 'sizeBytes'] } });
    }
  },
};

/** Bytes by their key. Until now it was made of team and content, so files stay under their names. */
const storedBytes: Migration = {
  async up(db: Kysely<unknown>) {
    await createTables(db, bytesTables);
    await sql`insert into "storedBytes" ("teamId", "sha256", "key", "sizeBytes")
      select "teamId", "sha256", cast("teamId" as text) || '/' || substr("sha256", 1, 2) || '/' || "sha256", max("sizeBytes")
      from (select "teamId", "sha256", "sizeBytes" from "carPhotos" union all select "teamId", "sha256", "sizeBytes" from "assets") as used
      group by "teamId", "sha256"`.execute(db);
    const onPostgres = databaseKind(db) === 'postgres';
    const integer = onPostgres ? 'bigint' : 'integer';
    const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
    await db.schema.alterTable('teams').addColumn('fileMoves', integer, zero).execute();
    if (!onPostgres) {
      const columns = { id: 'id', claimed: 'boolean' } as const;
      await createTables(db, [{ name: 'fileFolder', columns, primaryKey: ['id'] }]);
      await sql`insert into "fileFolder" values (${randomUUID()}, false)`.execute(db);
    }
    await db.schema.alterTable('fileFolder').addColumn('place', 'text').execute();
    await db.schema.alterTable('fileFolder').addColumn('moves', integer, zero).execute();
  },
};

/** What services count together. Unlogged: after a crash of the database, counting begins again. */
const sharedWaits: Migration = {
  async up(db: Kysely<unknown>) {
    if (databaseKind(db) !== 'postgres') return;
    await sql`create unlogged table "sharedWaits"
      ("name" text collate "C" primary key, "until" float8 not null, "count" integer not null)`.execute(
      db,
    );
  },
};

/** Accounts of staff beside those of admins. */
const accountRole: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('admins')
      .addColumn('role', 'text', (column) => column.notNull().defaultTo('admin'))
      .execute();
  },
};

/** The sends of a contact, for its deletion. The owner of the tables asks who calls, in place of functions. */
const contactSends: Migration = {
  async up(db: Kysely<unknown>) {
    const table = firstTables.find(({ name }) => name === 'campaignSends') as TableSpec;
    await createIndexes(db, table, {
      contactId: { columns: ['contactId'], where: '"contactId" is not null' },
    });
    if (databaseKind(db) !== 'postgres') return;
    for (const earlier of ['find_key', 'find_session', 'find_admin', 'find_link', 'next_stamp'])
      await sql`drop function if exists ${sql.raw(earlier)}(text)`.execute(db);
  },
};

/** Social posts are recorded and not delivered, so none waits. */
const recordedPosts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`delete from "outbox" where "kind" = 'post'`.execute(db);
    await sql`delete from "socialPostAccounts" where not "wanted"`.execute(db);
  },
};

/** Every step of the tables, in order. A released step never changes; later changes are new steps. */
export const migrations: Record<string, Migration> = {
  '0001-first': first,
  '0002-dashboard': dashboard,
  '0003-file-folder': fileFolder,
  '0004-team-quota': teamQuota,
  '0005-stored-bytes': storedBytes,
  '0006-shared-waits': sharedWaits,
  '0007-account-role': accountRole,
  '0008-contact-sends': contactSends,
  '0009-recorded-posts': recordedPosts,
};
