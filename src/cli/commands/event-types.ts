import { freesPlace, requiresPlace } from '../../facility/event-type.ts';
import type { CommandBuilder } from '../framework/command.ts';
import { idColumn } from '../output/view.ts';
import { addCrudCommands } from '../resources/resource.ts';
import { viewOf } from '../resources/view.ts';

export const eventTypeView = viewOf('eventTypes', {
  columns: [
    { header: 'value', cell: (row) => row.value },
    { header: 'name', cell: (row) => row.name },
    {
      header: 'needs',
      cell: (row) =>
        ({ vehicle: 'a car', customer: 'a customer', facility: 'neither' })[row.scope as string] ??
        row.scope,
    },
    {
      header: 'parking',
      cell: (row) => (requiresPlace(row) ? 'assigns' : freesPlace(row) ? 'frees' : ''),
    },
    { header: 'active', cell: (row) => row.isActive },
    idColumn,
  ],
  title: (row) => row.name ?? row.value ?? '',
  emptyHint: 'Create one with `cs admin event-type create`.',
});

export const eventTypes: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'eventTypes',
    view: eventTypeView,
    examples: {
      list: [
        'cs event-types list --scope vehicle',
        'cs event-types list --is-active --json=value,name',
      ],
      get: ['cs event-types get drop_off'],
    },
  });
  command.examples(['cs event-types list', 'cs event-types get drop_off']);
};
