import type { Database } from './database.ts';
import type { PoolerMode, PoolLimits } from './postgres/pool.ts';
import { openSqlite } from './sqlite/open.ts';

/** The location of the service's data. */
export interface Place {
  /** The data folder, created if missing. It holds the files, also with PostgreSQL. Services that share a database share it too. */
  readonly data: string;
  /** `postgres://user:password@host/name` (default: an SQLite file in the data folder). */
  readonly database?: string;
  /** For PostgreSQL. */
  readonly limits?: Partial<PoolLimits>;
  /** Whether the PostgreSQL is behind a pooler (default: the service finds out). */
  readonly pooler?: PoolerMode;
}

/** Opens the database and migrates its tables. Throws `NewerDatabase`, `DatabaseUnavailable` when it can't be reached, and `TeamsNotKeptApart`. */
export async function openDatabase({ data, database, limits, pooler }: Place): Promise<Database> {
  if (database === undefined) return openSqlite(data);
  const { openPostgres } = await import('./postgres/open.ts');
  return openPostgres(database, { limits, pooler });
}
