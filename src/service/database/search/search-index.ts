/**
 * What lists search in, on either database: an entry for each record of a searched table, with its text and its keys, kept by triggers.
 *
 * `keys` holds what people call the record (plate, name, e-mail), squeezed, between line breaks; `text` the searched fields, folded, a line each, and
 * the keys. `searchKeys` is an ordinary index of keys, for a whole one and for its beginning. Parts of words are found through trigrams of `text`.
 */
import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import { createPostgresSearch, postgresTriggers } from './postgres-search.ts';
import type { SearchTerms } from './search-text.ts';
import { createSqliteSearch, createTrigrams, sqliteTriggers } from './sqlite-search.ts';

export interface SearchedTable {
  readonly name: string;
  /** The columns that make up the text. */
  readonly fields: readonly string[];
  /** The columns of each key, which are read with a space between. */
  readonly keys: readonly (readonly string[])[];
}

/** The entries of one table of one team. */
export interface SearchScope {
  readonly teamId: string;
  readonly table: string;
}

export type Condition = RawBuilder<boolean>;

/** How a database finds entries. Subqueries answer the `foundId` of records, each once; conditions are on the entry `e`. */
export interface SearchIndex {
  holds(field: 'text' | 'keys', part: string): Condition;
  /** Through the index of keys. */
  byKey(scope: SearchScope, whole: string): RawBuilder<unknown>;
  /** At most so many. */
  byBeginning(scope: SearchScope, beginning: string, condition: Condition, most: number): RawBuilder<unknown>;
  /** Through the index of trigrams, without those of which the query is a key as a whole; at most so many. */
  byParts(scope: SearchScope, terms: SearchTerms, condition: Condition, most: number): RawBuilder<unknown>;
  /** How many entries there are with a condition, by reading all of the scope. */
  countAll(scope: SearchScope, condition: Condition): RawBuilder<{ total: number }>;
  /** Whether the entry of a record has it: for rows that are read anyway. */
  ofRow(scope: SearchScope, condition: Condition): Condition;
}

const isPostgres = (db: Kysely<unknown>): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/** Makes what is searched in, and puts the rows into it that are there. */
export async function createSearch(db: Kysely<unknown>, tables: readonly SearchedTable[]): Promise<void> {
  await (isPostgres(db) ? createPostgresSearch(db) : createSqliteSearch(db));
  for (const table of tables) await searchTable(db, table);
  if (!isPostgres(db)) await createTrigrams(db);
}

async function searchTable(db: Kysely<unknown>, table: SearchedTable): Promise<void> {
  const statements = isPostgres(db) ? postgresTriggers(table) : sqliteTriggers(table);
  for (const statement of statements) await sql.raw(statement).execute(db);
}
