import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { column, computed, createRecordTable, maybe } from '../columns.ts';

/** Marketing assets and their folders. */
export const assets: Migration = {
  async up(db: Kysely<unknown>) {
    await createRecordTable(db, {
      name: 'assetFolders',
      columns: { name: column.text, parentId: maybe(column.id) },
      references: { parentId: 'assetFolders' },
    });
    // Nulls differ from each other in an index, so the names at the top need one of their own.
    await db.schema.createIndex('assetFolders_name').unique().on('assetFolders').columns(['teamId', 'parentId', 'name']).execute();
    await sql`create unique index "assetFolders_top" on "assetFolders" ("teamId", "name") where "parentId" is null`.execute(db);
    await createRecordTable(db, {
      name: 'assets',
      columns: {
        folderId: maybe(column.id),
        filename: column.text,
        contentType: column.text,
        altText: maybe(column.text),
        tags: column.json,
        sizeBytes: column.integer,
        sha256: column.text,
        url: computed(column.text, sql`'/api/v1/marketing/assets/' || "id" || '/content'`),
      },
      references: { folderId: 'assetFolders' },
    });
    await db.schema.createIndex('assets_folder').on('assets').columns(['teamId', 'folderId', 'updatedAt desc', 'id desc']).execute();
    await db.schema.createIndex('assets_content').on('assets').columns(['teamId', 'sha256']).execute();
  },
};
