import type { CompiledQuery, Kysely, SelectQueryBuilder, Transaction } from 'kysely';
import type { Holders } from './holders.ts';
import type { SearchIndex } from './search-index.ts';
import type { ApiKeyRow, Tables, TeamRow } from './tables.ts';
import type { StampedTask } from './timestamp-allocator.ts';

export type Reader = Kysely<Tables>;

export interface Access {
  /** Sees what is committed and never waits for a writer's statements. A transaction is one snapshot. */
  readonly read: Reader;
  /** For every change: its transactions take the write lock at their start. */
  readonly write: Kysely<Tables>;
}

// biome-ignore lint/suspicious/noExplicitAny: the request names the table
export type AnyPage = SelectQueryBuilder<any, any, any>;

export interface TeamAccess extends Access {
  /** A transaction of `write` with a stamp, perhaps shared with other waiting writes. Resolves once it is on disk. The task may run twice. */
  writeStamped<T>(task: StampedTask<T>): Promise<T>;
  /** One moment; it contains everything that was stamped before it. */
  snapshot<T>(task: (db: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** A snapshot for slow queries: other requests are answered meanwhile. Only for stored records. */
  slowSnapshot<T>(task: (db: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** The same for searches that find few records, where they would wait for slow ones. */
  readonly quickSnapshot?: TeamAccess['slowSnapshot'];
  /** A snapshot for independent queries. Resolves with the rows of each. */
  pipeline<R>(queries: readonly CompiledQuery<R>[]): Promise<R[][]>;
  /**
   * For queries that may read every record of these tables, depending on their values. On SQLite they run apart where they could delay
   * others. PostgreSQL plans them for their values.
   */
  heavy(...tables: readonly string[]): Promise<Pick<TeamAccess, 'snapshot' | 'pipeline'>>;
}

/** A key and its team. */
export type KeyHolder = Pick<
  ApiKeyRow,
  'id' | 'name' | 'secretHash' | 'scopes' | 'expiresAt' | 'revokedAt'
> &
  Pick<TeamRow, 'slug' | 'timezone' | 'apiEnabled'> & { teamId: string; teamName: string };

/** The one row of the result: null or empty when nothing was found. */
export interface RowsText {
  readonly text: string | null;
}

/** `read` and `write` belong to the owner: they see every team, and requests don't use them. */
export interface Database extends Access {
  /** Access for requests. On PostgreSQL they see no rows of other teams, whatever the query; a transaction of `write` has the team's lock. */
  ofTeam(teamId: string): TeamAccess;
  /** A query of all columns of a table, turned into one that returns its rows as JSON with commas between: the same bytes as the objects would give. */
  asText(table: string, page: AnyPage): CompiledQuery<RowsText>;
  readonly search: SearchIndex;
  /** Without a trigram index, searches read every text of the team. */
  readonly searchIsIndexed: boolean;
  /** The columns of a table in their order; undefined when the database computes one of them. */
  columnsOf(table: string): readonly string[] | undefined;
  readonly columns: readonly ColumnInfo[];
  /** With `findHolders`, the only query before the team is known. */
  findKey(prefix: string): Promise<KeyHolder | undefined>;
  findHolders<K extends keyof Holders>(kind: K, wanted: string): Promise<Holders[K][]>;
  close(): Promise<void>;
}

export interface ColumnInfo {
  readonly table: string;
  readonly name: string;
  readonly isComputed: boolean;
}

/** From all columns of a database, in their order. */
export function columnsOf(all: readonly ColumnInfo[]): Database['columnsOf'] {
  const known = new Map<string, readonly string[]>();
  for (const [table, columns] of Map.groupBy(all, (column) => column.table))
    if (!columns.some(({ isComputed }) => isComputed))
      known.set(
        table,
        columns.map(({ name }) => name),
      );
  return (table) => known.get(table);
}
