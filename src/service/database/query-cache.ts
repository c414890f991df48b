import type { CompiledQuery, Kysely } from 'kysely';
import { databaseKind } from './create-tables.ts';

/** By kind of database, since each has its own SQL, and name of the query. */
const queries = new Map<string, CompiledQuery>();

/**
 * A query that is built once and run with other parameters each time: building takes longer than SQLite takes to answer.
 * `name` identifies the query. The parameters have the order in which `build` gives them and don't change its text.
 */
export function cachedQuery<T, R>(
  db: Kysely<T>,
  name: string,
  build: (db: Kysely<T>) => CompiledQuery<R>,
  parameters: readonly unknown[],
): CompiledQuery<R> {
  const key = `${databaseKind(db)}: ${name}`;
  const query = queries.get(key) ?? build(db);
  const [expected, given] = [query.parameters.length, parameters.length];
  if (expected !== given)
    throw new Error(
      `The query "${name}" was built with ${expected} parameters and is run with ${given}`,
    );
  queries.set(key, query);
  return { ...query, parameters } as CompiledQuery<R>;
}
