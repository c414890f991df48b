import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { column, createRecordTable, maybe } from '../columns.ts';

/** Threads and their messages. */
export const communications: Migration = {
  async up(db: Kysely<unknown>) {
    await createRecordTable(db, {
      name: 'threads',
      columns: {
        channel: column.text,
        subject: maybe(column.text),
        customerId: maybe(column.id),
        contactId: maybe(column.id),
        carId: maybe(column.id),
        status: column.text,
        lastMessageAt: maybe(column.timestamp),
        messageCount: column.integer,
      },
      references: { customerId: 'customers', contactId: 'contacts', carId: 'cars' },
    });
    for (const filter of ['customerId', 'contactId', 'status', 'channel']) {
      await db.schema.createIndex(`threads_${filter}`).on('threads').columns(['teamId', filter, 'updatedAt desc', 'id desc']).execute();
    }
    await createRecordTable(db, {
      name: 'messages',
      columns: {
        threadId: column.id,
        direction: column.text,
        body: column.text,
        status: column.text,
        recipient: maybe(column.text),
        externalId: maybe(column.text),
        sentAt: maybe(column.timestamp),
        error: maybe(column.text),
      },
      references: { threadId: 'threads' },
    });
    await db.schema.createIndex('messages_thread').on('messages').columns(['teamId', 'threadId', 'createdAt', 'id']).execute();
    await db.schema.createIndex('messages_externalId').unique().on('messages').columns(['teamId', 'threadId', 'externalId']).execute();
  },
};
