import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { countRecords, createCounts, recordTables } from '../counts.ts';

/** Exact totals without counting. */
export const counts: Migration = {
  async up(db: Kysely<unknown>) {
    await createCounts(db);
    for (const table of await recordTables(db)) await countRecords(db, table);
  },
};
