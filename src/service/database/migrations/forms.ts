import { maybe, recordTable, type TableSpec } from '../create-tables.ts';

/** Forms and their submissions. */
export const formTables: readonly TableSpec[] = [
  recordTable({
    name: 'forms',
    columns: {
      name: 'text',
      slug: 'text',
      description: maybe('text'),
      status: 'text',
      fields: 'json',
      submissionCount: 'integer',
    },
    orderAndFilters: ['updatedAt'],
    indexes: { slug: { columns: ['slug'], unique: true } },
  }),
  recordTable({
    name: 'formSubmissions',
    columns: {
      formId: 'id',
      data: 'json',
      customerId: maybe('id'),
      contactId: maybe('id'),
      externalId: maybe('text'),
      status: 'text',
      submittedAt: 'timestamp',
    },
    references: { formId: 'forms', customerId: 'customers', contactId: 'contacts' },
    indexes: {
      // A form has very many, so the index holds the order of its list.
      formId: { columns: ['formId', 'updatedAt', 'id'] },
      externalId: {
        columns: ['formId', 'externalId'],
        unique: true,
        where: `"externalId" is not null`,
      },
      // Read when a contact is deleted.
      contactId: { columns: ['contactId'], where: `"contactId" is not null` },
    },
  }),
];
