import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { column, createRecordTable, maybe } from '../columns.ts';

/** A customer's other people. */
export const contacts: Migration = {
  async up(db: Kysely<unknown>) {
    await createRecordTable(db, {
      name: 'contacts',
      columns: {
        customerId: maybe(column.id),
        firstName: column.text,
        lastName: column.text,
        email: maybe(column.text),
        phone: maybe(column.text),
        role: maybe(column.text),
        isPrimary: column.boolean,
        emailOptOut: column.boolean,
        smsOptOut: column.boolean,
        notes: maybe(column.text),
      },
      references: { customerId: 'customers' },
      checks: { primary_of_a_customer: sql`not "isPrimary" or "customerId" is not null` },
    });
    for (const filter of ['customerId', 'email']) {
      await db.schema.createIndex(`contacts_${filter}`).on('contacts').columns(['teamId', filter, 'updatedAt desc', 'id desc']).execute();
    }
    await sql`create unique index "contacts_primary" on "contacts" ("teamId", "customerId") where "isPrimary"`.execute(db);
  },
};
