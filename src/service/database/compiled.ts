import type { CompiledQuery, Kysely } from 'kysely';

/** By the kind of database, since each writes SQL in its own way. */
const compiled = new WeakMap<object, Map<string, CompiledQuery>>();

/**
 * A statement that is built once and asked with other parameters each time: building it takes longer than SQLite takes to answer.
 * `name` tells it from every other; parameters stand in the order in which `build` gives them, and must not be what decides its text.
 */
export function compileOnce<T, R>(
  db: Kysely<T>,
  name: string,
  build: (db: Kysely<T>) => CompiledQuery<R>,
  parameters: readonly unknown[],
): CompiledQuery<R> {
  const kind = db.getExecutor().adapter.constructor;
  const statements = compiled.get(kind) ?? new Map<string, CompiledQuery>();
  compiled.set(kind, statements);
  const known = statements.get(name) ?? build(db);
  statements.set(name, known);
  if (known.parameters.length !== parameters.length) throw new Error(`${name} takes ${known.parameters.length} parameters`);
  return { ...known, parameters } as CompiledQuery<R>;
}
