import type { CommandBuilder } from '../../framework/command.ts';
import { idColumn } from '../../output/view.ts';
import { personName } from '../../resources/labels.ts';
import { addCrudCommands } from '../../resources/resource.ts';
import { viewOf } from '../../resources/view.ts';

const customerView = viewOf('customers', {
  columns: [
    { header: 'name', cell: (row) => personName(row) || row.companyName },
    { header: 'company', cell: (row) => (personName(row) ? row.companyName : ''), droppable: true },
    { header: 'email', cell: (row) => row.email },
    { header: 'phone', cell: (row) => row.phone, droppable: true },
    { header: 'status', cell: (row) => row.status },
    idColumn,
  ],
  title: (row) => personName(row) || row.companyName || row.email || row.phone || '',
  emptyHint: 'Add one with `cs customers create`.',
});

export const customers: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'customers',
    view: customerView,
    askCreate: async () => (await import('./ask.ts')).askCustomer,
    examples: {
      list: ['cs customers list --status active', 'cs customers list --q lee'],
      get: ['cs customers get "Ann Lee"'],
      create: [
        'cs customers create --first-name Ann --last-name Lee --email ann@example.com',
        `cs customers create --input '{"companyName":"Lee & Co","tags":["vip"]}'`,
      ],
      update: [
        'cs customers update "Ann Lee" --phone "+49 151 2345678"',
        'cs customers update "Ann Lee" --email-opt-out',
      ],
    },
  });
  command.examples(['cs customers list', 'cs customers get "Ann Lee"']);
};
