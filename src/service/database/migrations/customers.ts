import { maybe, recordTable, type TableSpec } from '../create-tables.ts';

/** Customers and their contacts. */
export const customerTables: readonly TableSpec[] = [
  recordTable({
    name: 'customers',
    columns: {
      firstName: maybe('text'),
      lastName: maybe('text'),
      companyName: maybe('text'),
      email: maybe('text'),
      phone: maybe('text'),
      address: maybe('json'),
      status: 'choice',
      emailOptOut: 'boolean',
      smsOptOut: 'boolean',
      tags: 'json',
      externalId: maybe('text'),
      notes: maybe('text'),
    },
    orderAndFilters: ['updatedAt', 'status'],
    indexes: {
      externalId: { columns: ['externalId'], unique: true },
      email: { columns: ['lower("email")', 'updatedAt', 'id'] },
    },
  }),
  recordTable({
    name: 'contacts',
    columns: {
      customerId: maybe('id'),
      firstName: 'text',
      lastName: 'text',
      email: maybe('text'),
      phone: maybe('text'),
      role: maybe('text'),
      isPrimary: 'boolean',
      emailOptOut: 'boolean',
      smsOptOut: 'boolean',
      notes: maybe('text'),
    },
    references: { customerId: 'customers' },
    checks: { primary_of_a_customer: `not "isPrimary" or "customerId" is not null` },
    orderAndFilters: ['updatedAt', 'customerId'],
    indexes: {
      email: { columns: ['lower("email")', 'updatedAt', 'id'] },
      primary: { columns: ['customerId'], unique: true, where: `"isPrimary"` },
    },
  }),
];
