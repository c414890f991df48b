import { maybe, recordTable, type TableSpec } from '../create-tables.ts';

export const templateTables: readonly TableSpec[] = [
  recordTable({
    name: 'templates',
    columns: {
      name: 'text',
      channel: 'text',
      subject: maybe('text'),
      body: 'text',
      lastUsedAt: maybe('timestamp'),
    },
    orderAndFilters: ['updatedAt'],
  }),
];
