import { formatBytes } from '../../../contract/limits.ts';
import type { CommandBuilder } from '../../framework/command.ts';
import { idColumn, timeColumn } from '../../output/view.ts';
import { addCrudCommands } from '../../resources/resource.ts';
import { droppableColumn, reference, viewOf } from '../../resources/view.ts';
import { addDownload } from './download.ts';
import { addUpload } from './upload.ts';

const assetView = viewOf('assets', {
  columns: [
    { header: 'file', cell: (row) => row.filename },
    reference('folder', 'folderId', 'assetFolders'),
    droppableColumn('type', 'contentType'),
    {
      header: 'size',
      cell: (row) => (typeof row.sizeBytes === 'number' ? formatBytes(row.sizeBytes) : ''),
      align: 'right',
    },
    droppableColumn('tags'),
    timeColumn('added', 'createdAt'),
    idColumn,
  ],
  emptyHint: 'Add assets with `cs assets upload FILE…`.',
});

export const assets: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'assets',
    view: assetView,
    verbs: ['list', 'get'],
    examples: {
      list: ['cs assets list --folder Summer', 'cs assets list --q hall --json=filename,url'],
      get: ['cs assets get hall.png'],
    },
  });
  addUpload(command.command('upload'));
  addDownload(command.command('download'));
  addCrudCommands(command, {
    resource: 'assets',
    view: assetView,
    verbs: ['update', 'delete'],
    examples: {
      update: ['cs assets update hall.png --folder Summer --tags hall,indoors'],
      delete: ['cs assets delete hall.png'],
    },
  });
  command.examples([
    'cs assets upload pictures',
    'cs assets list --folder Summer',
    'cs assets download --all --to pictures',
  ]);
};
