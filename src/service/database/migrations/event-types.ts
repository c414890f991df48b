import { maybe, recordTable, type TableSpec } from '../create-tables.ts';

export const eventTypeTables: readonly TableSpec[] = [
  recordTable({
    name: 'eventTypes',
    columns: {
      value: 'text',
      scope: 'text',
      config: 'json',
      photos: 'json',
      name: 'text',
      description: maybe('text'),
      durationMinutes: maybe('integer'),
      isActive: 'boolean',
      options: 'json',
    },
    orderAndFilters: ['updatedAt'],
    indexes: { value: { columns: ['value'], unique: true } },
  }),
];
