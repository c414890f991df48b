import { examples, type Fill } from '../command.ts';
import { idColumn, type View } from '../render/view.ts';
import { addPlainCommands } from './resource.ts';

export const locationView: View = {
  one: 'location',
  many: 'locations',
  columns: [
    { header: 'name', cell: (row) => row.name },
    { header: 'in use', cell: (row) => row.isActive },
    { header: 'city', cell: (row) => row.address?.city },
    { header: 'time zone', cell: (row) => row.timezone, spare: true },
    { header: 'phone', cell: (row) => row.phone, spare: true },
    idColumn,
  ],
  title: (row) => row.name ?? '',
  emptyHint: 'Add one with `cs locations create --name NAME`.',
};

export const locations: Fill = (command, on) => {
  addPlainCommands(command, on, {
    resource: 'locations',
    view: locationView,
    verbs: ['list', 'get', 'create', 'update', 'delete'],
    examples: {
      list: ['cs locations list --is-active'],
      get: ['cs locations get Main'],
      create: ['cs locations create --name Main --timezone Europe/Berlin'],
      update: ['cs locations update Main --no-is-active'],
      delete: ['# Takes it out of use; with --hard it is removed.', 'cs locations delete Main', 'cs locations delete Main --hard --yes'],
    },
  });
  examples(command, ['cs locations list', 'cs locations get Main']);
};
