import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createIndexes, createTables, databaseKind, type TableSpec } from '../create-tables.ts';
import { createHolderSearch } from '../postgres/functions.ts';
import { createPostgresSearch } from '../postgres/search.ts';
import { createSqliteSearch } from '../sqlite/search.ts';
import { appointmentTables } from './appointments.ts';
import { assetTables } from './assets.ts';
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
export const tables: readonly TableSpec[] = [...firstTables, ...dashboardTables];

const first: Migration = {
  async up(db: Kysely<unknown>) {
    await createTables(db, firstTables);
    await (databaseKind(db) === 'postgres' ? createPostgresSearch(db) : createSqliteSearch(db));
  },
};

const dashboard: Migration = {
  async up(db: Kysely<unknown>) {
    await createTables(db, dashboardTables);
    if (databaseKind(db) === 'postgres') await createHolderSearch(db);
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

/** Every step of the tables, in order. A released step never changes; later changes are new steps. */
export const migrations: Record<string, Migration> = {
  '0001-first': first,
  '0002-dashboard': dashboard,
  '0003-file-folder': fileFolder,
  '0004-team-quota': teamQuota,
};
