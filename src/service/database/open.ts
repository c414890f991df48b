import type { CompiledQuery, Kysely, SelectQueryBuilder, Transaction } from 'kysely';
import type { PoolLimits } from './postgres/pool.ts';
import type { PoolerMode } from './postgres/pooler.ts';
import type { SearchIndex } from './search/search-index.ts';
import { openSqlite } from './sqlite.ts';
import type { StampedTask } from './stamps.ts';
import type { ApiKeyRow, Tables, TeamRow } from './tables.ts';

export type Reader = Kysely<Tables>;

export interface Access {
  /** Lists and reads: sees what is committed, never waits for a writer to be done with its statements. A transaction is one snapshot. */
  readonly read: Reader;
  /** Every change: its transactions take the write lock at their start. */
  readonly write: Kysely<Tables>;
}

// biome-ignore lint/suspicious/noExplicitAny: a table that is not known until the request is
export type AnyPage = SelectQueryBuilder<any, any, any>;

export interface TeamAccess extends Access {
  /** A transaction of `write` with a stamp, perhaps shared with writes that wait at the same time. Resolves once it is on disk. The task may run twice. */
  writeStamped<T>(task: StampedTask<T>): Promise<T>;
  /** What there is at one moment; whatever was stamped before it is there. */
  snapshot<T>(task: (db: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** The same where questions may take long: requests that come meanwhile are answered. Only for reads of stored records. */
  slowSnapshot<T>(task: (db: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** The same for searches that find few records, where these would wait for others. */
  readonly quickSnapshot?: TeamAccess['slowSnapshot'];
  /** The same as a snapshot for questions that do not depend on each other's answers; resolves with the rows of each. */
  askAtOnce<R>(queries: readonly CompiledQuery<R>[]): Promise<R[][]>;
  /** How to ask questions that may read every record of some tables: apart from other questions where that could keep these waiting. */
  heavy(...tables: readonly string[]): Promise<Pick<TeamAccess, 'snapshot' | 'askAtOnce'>>;
}

/** A key and the team that it belongs to. */
export type KeyHolder = Pick<ApiKeyRow, 'id' | 'name' | 'secretHash' | 'scopes' | 'expiresAt' | 'revokedAt'> &
  Pick<TeamRow, 'slug' | 'timezone' | 'apiEnabled'> & { teamId: string; teamName: string };

/** Of the one row that there is, if there is one: null or empty when nothing was found. */
export interface RowsText {
  readonly text: string | null;
}

/** `read` and `write` are the owner's: they see every team, and are not for requests. */
export interface Database extends Access {
  /**
   * What a request works with. On PostgreSQL the rows of other teams are not there, whatever is asked;
   * a transaction of `write` has the team's lock.
   */
  ofTeam(teamId: string): TeamAccess;
  /**
   * A query of all columns of a table as one whose answer is the rows that it finds, in its order, as JSON with commas between:
   * to the byte what they would be as objects.
   */
  asText(table: string, page: AnyPage): CompiledQuery<RowsText>;
  readonly search: SearchIndex;
  /** Without an index of trigrams, searches read every text of the team. */
  readonly searchIsIndexed: boolean;
  /** The columns of a table in their order; undefined for one of whose columns the database computes some. */
  columnsOf(table: string): readonly string[] | undefined;
  /** The one question that is asked before a team is known. */
  findKey(prefix: string): Promise<KeyHolder | undefined>;
  close(): Promise<void>;
}

/** Where the service's data is. Files are always in the folder; what else there is lies in a PostgreSQL when one is named. */
export interface Place {
  /** The data folder; made when it is not there. Services that share a database share it too. */
  readonly data: string;
  /** `postgres://user:password@host/name`; an SQLite file in the data folder when left out. */
  readonly database?: string;
  /** For PostgreSQL. */
  readonly limits?: Partial<PoolLimits>;
  /** Whether the PostgreSQL is behind a pooler; the service finds out when left out. */
  readonly pooler?: PoolerMode;
}

/** Opens the database, and brings its tables up to date. Throws `NewerDatabase`, `DatabaseUnavailable` when it cannot be reached, and `TeamsNotKeptApart`. */
export async function openDatabase({ data, database, limits, pooler }: Place): Promise<Database> {
  if (database === undefined) return openSqlite(data);
  const { openPostgres } = await import('./postgres/open.ts');
  return openPostgres(database, { limits, pooler });
}
