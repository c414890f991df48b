import { maybe, recordTable, type TableSpec } from '../create-tables.ts';

/** Threads with their messages. */
export const communicationTables: readonly TableSpec[] = [
  recordTable({
    name: 'threads',
    columns: {
      channel: 'choice',
      subject: maybe('text'),
      customerId: maybe('id'),
      contactId: maybe('id'),
      carId: maybe('id'),
      status: 'choice',
      lastMessageAt: maybe('timestamp'),
      messageCount: 'integer',
    },
    references: { customerId: 'customers', contactId: 'contacts', carId: 'cars' },
    orderAndFilters: ['updatedAt', 'status', 'channel', 'customerId', 'contactId'],
  }),
  recordTable({
    name: 'messages',
    columns: {
      threadId: 'id',
      direction: 'text',
      body: 'text',
      status: 'text',
      recipient: maybe('text'),
      externalId: maybe('text'),
      sentAt: maybe('timestamp'),
      error: maybe('text'),
    },
    references: { threadId: 'threads' },
    indexes: {
      threadId: { columns: ['threadId', 'createdAt', 'id'] },
      externalId: {
        columns: ['threadId', 'externalId'],
        unique: true,
        where: `"externalId" is not null`,
      },
    },
  }),
];
