import type { CommandBuilder } from '../framework/command.ts';
import { idColumn, timeColumn } from '../output/view.ts';
import { addCrudCommands } from '../resources/resource.ts';
import { carColumn, viewOf } from '../resources/view.ts';

const sessionView = viewOf('eventSessions', {
  columns: [
    carColumn,
    {
      header: 'type',
      cell: (row, { label }) => label('eventTypes', row.eventTypeId),
      names: { eventTypeId: 'eventTypes' },
      droppable: true,
    },
    { header: 'status', cell: (row) => row.status },
    { header: 'photos', cell: (row) => row.photoCount, align: 'right' },
    timeColumn('started', 'startedAt'),
    idColumn,
  ],
  title: (row) => row.status ?? '',
  emptyHint: 'Log an event on a car to create one: `cs cars events log`.',
});

export const sessions: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'eventSessions',
    view: sessionView,
    examples: {
      list: ['cs sessions list --car "WN AB 123"', 'cs sessions list --status open -o id'],
      get: ['cs sessions get "WN AB 123"'],
    },
  });
  command.examples(['cs sessions list --status open', 'cs sessions list --car "WN AB 123"']);
};
