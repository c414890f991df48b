import { computed, maybe, recordTable, type TableSpec } from '../create-tables.ts';

/** Marketing assets and their folders. */
export const assetTables: readonly TableSpec[] = [
  recordTable({
    name: 'assetFolders',
    columns: { name: 'text', parentId: maybe('id') },
    references: { parentId: 'assetFolders' },
    orderAndFilters: ['updatedAt'],
    indexes: {
      name: { columns: ['parentId', 'name'], unique: true },
      // Nulls differ from each other in an index, so names at the top need their own.
      top: { columns: ['name'], unique: true, where: `"parentId" is null` },
    },
  }),
  recordTable({
    name: 'assets',
    columns: {
      folderId: maybe('id'),
      filename: 'text',
      contentType: 'text',
      altText: maybe('text'),
      tags: 'json',
      sizeBytes: 'integer',
      sha256: 'text',
      url: computed('text', `'/api/v1/marketing/assets/' || cast("id" as text) || '/content'`),
    },
    references: { folderId: 'assetFolders' },
    orderAndFilters: ['updatedAt', 'folderId'],
    // Whether another asset has the same bytes, before they are deleted; and the size of all.
    indexes: { content: { columns: ['sha256', 'sizeBytes'] } },
  }),
];
