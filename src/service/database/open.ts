import { contract } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import type { S3Place } from '../files/s3.ts';
import type { ColumnInfo, Database } from './database.ts';
import { OutdatedDatabase } from './failures.ts';
import { tables } from './migrations/migrations.ts';
import type { PoolerMode, PoolLimits } from './postgres/pool.ts';
import { openSqlite } from './sqlite/open.ts';

/** The location of the service's data. */
export interface Place {
  /** The data folder, created if missing. It holds the files, also with PostgreSQL: services that share a database share it too. */
  readonly data: string;
  /** An S3 store for the files instead. */
  readonly files?: S3Place;
  /** `postgres://user:password@host/name` (default: an SQLite file in the data folder). */
  readonly database?: string;
  /** For PostgreSQL. */
  readonly limits?: Partial<PoolLimits>;
  /** Whether the PostgreSQL is behind a pooler (default: the service finds out). */
  readonly pooler?: PoolerMode;
}

/**
 * Opens the database and migrates its tables. Throws `NewerDatabase`, `OutdatedDatabase`, `DatabaseUnavailable` when it can't be reached,
 * and `TeamsNotKeptApart`.
 */
export async function openDatabase(place: Place): Promise<Database> {
  const opened = await open(place);
  const missing = missingColumns(opened.columns);
  if (missing.length === 0) return opened;
  await opened.close();
  const where = place.database === undefined ? `The data in ${place.data}` : 'The database';
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  throw new OutdatedDatabase(
    `${where} lacks ${missing.slice(0, 3).join(', ')}${more}, which this version of cs needs`,
    missing,
  );
}

async function open({ data, database, limits, pooler }: Place): Promise<Database> {
  if (database === undefined) return openSqlite(data);
  const { openPostgres } = await import('./postgres/open.ts');
  return openPostgres(database, { limits, pooler });
}

/** Tables that the database doesn't have, and columns of them or of a resource's fields. */
function missingColumns(columns: readonly ColumnInfo[]): string[] {
  const byTable = Map.groupBy(columns, ({ table }) => table);
  return tables.flatMap(({ name, columns: own }) => {
    const known = byTable.get(name)?.map((column) => column.name);
    if (!known) return [`the table ${name}`];
    const { fields = {} } = (contract as Readonly<Record<string, Resource>>)[name] ?? {};
    const stored = Object.entries(fields).flatMap(([field, { read }]) => (read ? [field] : []));
    const wanted = new Set([...stored, ...Object.keys(own)]);
    return [...wanted].flatMap((column) =>
      known.includes(column) ? [] : [`the column ${name}.${column}`],
    );
  });
}
