import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { column, createRecordTable } from '../columns.ts';

/** Which addresses the campaigns of a team may come from. */
export const allowedSenders: Migration = {
  async up(db: Kysely<unknown>) {
    await createRecordTable(db, { name: 'allowedSenders', columns: { address: column.text, createdBy: column.text } });
    await db.schema.createIndex('allowedSenders_address').unique().on('allowedSenders').columns(['teamId', 'address']).execute();
  },
};
