import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { column, createRecordTable, maybe } from '../columns.ts';

/** The library of texts. */
export const templates: Migration = {
  async up(db: Kysely<unknown>) {
    await createRecordTable(db, {
      name: 'templates',
      columns: {
        name: column.text,
        channel: column.text,
        subject: maybe(column.text),
        body: column.text,
        lastUsedAt: maybe(column.timestamp),
      },
    });
  },
};
