import type { CommandBuilder } from '../../framework/command.ts';
import { idColumn, timeColumn } from '../../output/view.ts';
import { addCrudCommands } from '../../resources/resource.ts';
import { column, droppableColumn, viewOf } from '../../resources/view.ts';
import { addPrune } from './prune.ts';

const templateView = viewOf('templates', {
  columns: [
    column('name'),
    column('channel'),
    droppableColumn('subject'),
    timeColumn('last used', 'lastUsedAt'),
    idColumn,
  ],
  emptyHint: 'Add one with `cs templates create`.',
});

export const templates: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'templates',
    view: templateView,
    examples: {
      list: [
        'cs templates list --channel email',
        'cs templates list --q spring --json=id,name,lastUsedAt',
      ],
      get: ['cs templates get Welcome'],
      create: [
        'cs templates create --name Thanks --channel sms --body "Thank you for your visit."',
      ],
      update: [
        'cs templates update Welcome --subject "Welcome to us"',
        'cs templates update Welcome --clear subject',
      ],
      delete: [
        'cs templates delete Welcome',
        'cs templates list --q welcome -o id | cs templates delete --ids - --confirm 1',
      ],
    },
  });
  addPrune(command);
  command.examples([
    'cs templates list --channel email',
    'cs templates prune --unused-for 90d --dry-run',
  ]);
};
