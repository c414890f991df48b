import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Finds a car by its chassis number, archived ones included: the index that keeps these numbers apart leaves those out. */
export const vinLookup: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex('cars_vin_lookup').on('cars').columns(['teamId', 'vin']).execute();
  },
};
