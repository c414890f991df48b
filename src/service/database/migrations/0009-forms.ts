import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { column, createRecordTable, maybe } from '../columns.ts';

/** Forms and what people answered. */
export const forms: Migration = {
  async up(db: Kysely<unknown>) {
    await createRecordTable(db, {
      name: 'forms',
      columns: {
        name: column.text,
        slug: column.text,
        description: maybe(column.text),
        status: column.text,
        fields: column.json,
        submissionCount: column.integer,
      },
    });
    await db.schema.createIndex('forms_slug').unique().on('forms').columns(['teamId', 'slug']).execute();
    await createRecordTable(db, {
      name: 'formSubmissions',
      columns: {
        formId: column.id,
        data: column.json,
        customerId: maybe(column.id),
        contactId: maybe(column.id),
        externalId: maybe(column.text),
        status: column.text,
        submittedAt: column.timestamp,
      },
      references: { formId: 'forms', customerId: 'customers', contactId: 'contacts' },
    });
    await db.schema
      .createIndex('formSubmissions_externalId')
      .unique()
      .on('formSubmissions')
      .columns(['teamId', 'formId', 'externalId'])
      .execute();
    await db.schema
      .createIndex('formSubmissions_form')
      .on('formSubmissions')
      .columns(['teamId', 'formId', 'updatedAt desc', 'id desc'])
      .execute();
    // Asked when a contact is removed.
    await db.schema.createIndex('formSubmissions_contactId').on('formSubmissions').columns(['teamId', 'contactId']).execute();
  },
};
