import type { TableSpec } from '../create-tables.ts';

/** Where the bytes of photos and assets are, and those to delete. */
export const bytesTables = [
  {
    // Equal bytes of a team are stored once. A key of the store is never used twice.
    name: 'storedBytes',
    columns: { teamId: 'id', sha256: 'text', key: 'text', sizeBytes: 'integer' },
    primaryKey: ['teamId', 'sha256'],
  },
  {
    // Those that no record uses any more, until the store has deleted them.
    name: 'deletedBytes',
    columns: { teamId: 'id', key: 'text', at: 'timestamp' },
    primaryKey: ['teamId', 'key'],
    // The worker asks for the oldest.
    indexes: { at: { columns: ['at'], acrossTeams: true } },
  },
] as const satisfies readonly TableSpec[];
