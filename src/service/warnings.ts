import type { Database } from './database/database.ts';

export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** Of /readyz alone. */
export const filesWarning = (reason = "The store doesn't answer in time"): Warning => ({
  code: 'files_unavailable',
  message: `The store of photos and assets fails: ${reason}`,
});

/** What works and needs attention: /readyz, `cs admin check` and the log show it. */
export const findWarnings = ({ searchIsIndexed }: Pick<Database, 'searchIsIndexed'>): Warning[] =>
  searchIsIndexed
    ? []
    : [
        {
          code: 'search_without_index',
          message:
            'Searches read every record, since PostgreSQL lacks the extension pg_trgm. Create it as an administrator (create extension pg_trgm), then restart the service',
        },
      ];
