import type { CommandBuilder } from '../../framework/command.ts';
import { idColumn } from '../../output/view.ts';
import { personName } from '../../resources/labels.ts';
import { addCrudCommands } from '../../resources/resource.ts';
import { column, droppableColumn, reference, state, viewOf } from '../../resources/view.ts';

const contactView = viewOf('contacts', {
  columns: [
    { header: 'name', cell: personName },
    reference('customer', 'customerId', 'customers'),
    state('role', 'role'),
    column('email'),
    droppableColumn('phone'),
    { header: 'first', cell: (row) => (row.isPrimary ? 'yes' : ''), droppable: true },
    idColumn,
  ],
  emptyHint: 'Add one with `cs contacts create`.',
});

export const contacts: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'contacts',
    view: contactView,
    askCreate: async () => (await import('./ask.ts')).askContact,
    examples: {
      list: ['cs contacts list --customer "Ann Lee"', 'cs contacts list --q ray'],
      get: ['cs contacts get "Max Ray"'],
      create: [
        'cs contacts create --first-name Ida --last-name Ray --customer "Ann Lee" --role assistant',
      ],
      update: [
        'cs contacts update "Max Ray" --is-primary',
        'cs contacts update "Max Ray" --clear phone,notes',
      ],
      delete: [
        'cs contacts delete "Max Ray"',
        'cs contacts list --q ray -o id | cs contacts delete --ids - --confirm 1',
      ],
    },
  });
  command.examples(['cs contacts list --customer "Ann Lee"', 'cs contacts get "Max Ray"']);
};
