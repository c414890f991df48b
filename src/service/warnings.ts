/** What works, but needs attention of whoever runs the service: told by `/readyz`, `cs admin check` and the log. */
import { type ClockLead, findClockLead } from './clock.ts';
import type { Database } from './database/open.ts';

export interface SlowSearch {
  readonly code: 'search_without_index';
  readonly message: string;
}

export type Warning = ClockLead | SlowSearch;

export async function findWarnings({ read, ...database }: Pick<Database, 'read' | 'searchIsIndexed'>): Promise<Warning[]> {
  const warnings = [findSlowSearch(database), await findClockLead(read)];
  return warnings.filter((warning) => warning !== undefined);
}

export function findSlowSearch({ searchIsIndexed }: Pick<Database, 'searchIsIndexed'>): SlowSearch | undefined {
  if (searchIsIndexed) return undefined;
  return {
    code: 'search_without_index',
    message:
      'Searches read every record, since PostgreSQL lacks the extension pg_trgm. Create it as an administrator (create extension pg_trgm), then restart the service',
  };
}
