import { reference, spareColumn, timeColumn, viewOf } from '../../crud/view.ts';
import { idColumn } from '../../output/view.ts';
import { formatBytes } from '../photos/describe.ts';

export const assetView = viewOf('assets', {
  columns: [
    { header: 'file', cell: (row) => row.filename },
    reference('folder', 'folderId', 'assetFolders'),
    spareColumn('type', 'contentType'),
    { header: 'size', cell: (row) => (typeof row.sizeBytes === 'number' ? formatBytes(row.sizeBytes) : ''), align: 'right' },
    spareColumn('tags'),
    timeColumn('added', 'createdAt'),
    idColumn,
  ],
  emptyHint: 'Add some with `cs assets upload FILE…`.',
});
