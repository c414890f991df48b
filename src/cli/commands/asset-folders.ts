import type { CommandBuilder } from '../framework/command.ts';
import { idColumn, timeColumn } from '../output/view.ts';
import { addCrudCommands } from '../resources/resource.ts';
import { column, reference, viewOf } from '../resources/view.ts';

const assetFolderView = viewOf('assetFolders', {
  columns: [
    column('name'),
    reference('parent', 'parentId', 'assetFolders'),
    timeColumn('changed', 'updatedAt'),
    idColumn,
  ],
  emptyHint: 'Add one with `cs asset-folders create --name NAME`.',
});

export const assetFolders: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'assetFolders',
    view: assetFolderView,
    examples: {
      list: ['cs asset-folders list', 'cs asset-folders list --parent Summer'],
      get: ['cs asset-folders get Summer'],
      create: ['cs asset-folders create --name Autumn'],
      update: [
        'cs asset-folders update Summer --name "Summer 2026"',
        'cs asset-folders update Summer --clear parent',
      ],
      delete: ['cs asset-folders delete Empty'],
    },
  });
  command.examples(['cs asset-folders list', 'cs asset-folders create --name Autumn']);
};
