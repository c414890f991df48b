import type { CommandBuilder } from '../framework/command.ts';
import { idColumn, timeColumn } from '../output/view.ts';
import { addCrudCommands } from '../resources/resource.ts';
import { column, droppableColumn, state, viewOf } from '../resources/view.ts';

const socialAccountView = viewOf('socialAccounts', {
  columns: [
    { header: 'name', cell: (row) => row.displayName },
    column('platform'),
    droppableColumn('handle'),
    state(),
    timeColumn('access expires', 'tokenExpiresAt'),
    idColumn,
  ],
  emptyHint: 'Connect one with `cs social-accounts create`.',
});

export const socialAccounts: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'socialAccounts',
    view: socialAccountView,
    examples: {
      list: ['cs social-accounts list', 'cs social-accounts list --status expired'],
      get: ['cs social-accounts get @carstorage'],
      create: [
        'cs social-accounts create --platform facebook --external-id 9001 --display-name "Our page"',
      ],
      update: [
        'cs social-accounts update @carstorage --status disconnected',
        'cs social-accounts update @carstorage --clear handle',
      ],
    },
  });
  command.examples(['cs social-accounts list', 'cs social-accounts get @carstorage']);
};
