import type { CommandBuilder } from '../framework/command.ts';
import { idColumn } from '../output/view.ts';
import { addCrudCommands } from '../resources/resource.ts';
import { viewOf } from '../resources/view.ts';

const locationView = viewOf('locations', {
  columns: [
    { header: 'name', cell: (row) => row.name },
    { header: 'active', cell: (row) => row.isActive },
    { header: 'city', cell: (row) => row.address?.city },
    { header: 'time zone', cell: (row) => row.timezone, droppable: true },
    { header: 'phone', cell: (row) => row.phone, droppable: true },
    idColumn,
  ],
  title: (row) => row.name ?? '',
  emptyHint: 'Add one with `cs locations create --name NAME`.',
});

export const locations: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'locations',
    view: locationView,
    deleting: ({ hard }) =>
      hard
        ? { question: (what) => `Delete ${what}`, pastTense: 'deleted' }
        : {
            question: (what) => `Deactivate ${what}`,
            pastTense: 'deactivated',
            // The answer of the specification says `deleted: true`.
            warnAfter: (title) => `${title} is deactivated, not deleted.`,
          },
    examples: {
      list: ['cs locations list --is-active', 'cs locations list --json=id,name'],
      get: ['cs locations get Main'],
      create: ['cs locations create --name Harbour --timezone Europe/Berlin'],
      update: ['cs locations update Main --phone "+49 151 2345678"'],
      delete: [
        '# Inactive until `update --is-active`; --hard deletes permanently.',
        'cs locations delete Depot',
        'cs locations delete Depot --hard --dry-run',
      ],
    },
  });
  command.examples(['cs locations list', 'cs locations get Main']);
};
