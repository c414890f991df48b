import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createTables, databaseKind, maybe, type RowOf, type TableSpec } from '../create-tables.ts';
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
export const tables: readonly TableSpec[] = [
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
  ...dashboardTables,
  ...bytesTables,
];

/** One row: where the files of the database are (files/ownership.ts). */
const fileFolder = {
  name: 'fileFolder',
  columns: {
    id: 'id',
    // Whether a store has the id.
    claimed: 'boolean',
    // `s3://bucket/prefix`; null for a folder.
    place: maybe('text'),
    moves: 'integer',
  },
  primaryKey: ['id'],
} as const satisfies TableSpec;

export type FileFolderRow = RowOf<(typeof fileFolder)['columns']>;

const first: Migration = {
  async up(db: Kysely<unknown>) {
    const onPostgres = databaseKind(db) === 'postgres';
    await createTables(db, [...tables, fileFolder]);
    await sql`insert into "fileFolder" values (${randomUUID()}, false, null, 0)`.execute(db);
    await (onPostgres ? createPostgresSearch(db) : createSqliteSearch(db));
    // What services count together. Unlogged: after a crash of the database, counting begins again.
    if (onPostgres)
      await sql`create unlogged table "sharedWaits"
        ("name" text collate "C" primary key, "until" float8 not null, "count" integer not null)`.execute(
        db,
      );
  },
};

/** Every step of the tables, in order. A released step never changes; later changes are new steps. */
export const migrations: Record<string, Migration> = { '0001-first': first };
