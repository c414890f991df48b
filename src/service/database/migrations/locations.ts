import { maybe, recordTable, type TableSpec } from '../create-tables.ts';

export const locationTables: readonly TableSpec[] = [
  recordTable({
    name: 'locations',
    columns: {
      isActive: 'boolean',
      name: 'text',
      timezone: 'text',
      address: maybe('json'),
      phone: maybe('text'),
      email: maybe('text'),
      notes: maybe('text'),
    },
    orderAndFilters: ['updatedAt'],
    // Names are equal whatever their case, and no index folds every script alike on both databases:
    // the check before a write does that. The index holds identical names apart in any case.
    indexes: { name: { columns: ['name'], unique: true } },
  }),
];
