import type { CompiledQuery, Kysely, RawBuilder, SelectQueryBuilder, Transaction } from 'kysely';
import type { SearchIndex } from './search-index.ts';
import type { Tables } from './tables.ts';
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

/** Of one moment, which contains everything that was stamped before it. */
export interface Reads {
  snapshot<T>(task: (db: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** A single query, in one round trip. */
  answer<R>(query: CompiledQuery<R>): Promise<R[]>;
}

export interface TeamAccess extends Access, Reads {
  /** A transaction of `write` with a stamp, perhaps shared with other waiting writes. Resolves once it is on disk. The task may run twice. */
  writeStamped<T>(task: StampedTask<T>): Promise<T>;
  /**
   * For queries that may read every record of these tables, depending on their values. On SQLite they run in a thread where they could
   * delay others: only for stored records. PostgreSQL plans them for their values.
   */
  heavy(...tables: readonly string[]): Promise<Reads>;
}

/** `read` and `write` belong to the owner: they see every team. Requests ask them who calls (holders.ts), and nothing else. */
export interface Database extends Access {
  /** Access for requests. On PostgreSQL they see no rows of other teams, whatever the query; a transaction of `write` has the team's lock. */
  ofTeam(teamId: string): TeamAccess;
  /** The rows of a query of all columns of a table as JSON with commas between: the same bytes as the objects would give. Null without rows. */
  textOf(table: string, page: AnyPage): RawBuilder<string | null>;
  readonly search: SearchIndex;
  /** Without a trigram index, searches read every text of the team. */
  readonly searchIsIndexed: boolean;
  /** The columns of a table in their order; undefined when the database computes one of them. */
  columnsOf(table: string): readonly string[] | undefined;
  readonly columns: readonly ColumnInfo[];
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
