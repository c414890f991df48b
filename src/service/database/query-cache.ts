import type { CompiledQuery, Kysely } from 'kysely';

/** By the adapter of the database, since each database has its own SQL. */
const caches = new Map<unknown, Map<string, CompiledQuery>>();

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
  const { constructor: adapter } = db.getExecutor().adapter;
  const queries = caches.get(adapter) ?? new Map<string, CompiledQuery>();
  caches.set(adapter, queries);
  const query = queries.get(name) ?? build(db);
  queries.set(name, query);
  if (query.parameters.length !== parameters.length) throw new Error(`${name} takes ${query.parameters.length} parameters`);
  return { ...query, parameters } as CompiledQuery<R>;
}
