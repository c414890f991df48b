import type { TableSpec } from '../create-tables.ts';

/** Where the bytes of photos and assets are, and those to delete. */
export const bytesTables: readonly TableSpec[] = [
  {
    name: 'storedBytes',
    columns: { teamId: 'id', sha256: 'text', key: 'text', sizeBytes: 'integer' },
    primaryKey: ['teamId', 'sha256'],
  },
  {
    name: 'deletedBytes',
    columns: { teamId: 'id', key: 'text', at: 'timestamp' },
    primaryKey: ['teamId', 'key'],
    // The worker asks for the oldest.
    indexes: { at: { columns: ['at'], acrossTeams: true } },
  },
];
