import type { CompiledQuery, Kysely } from 'kysely';

const compiled = new Map<string, CompiledQuery>();

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
  const key = `${db.getExecutor().adapter.constructor.name} ${name}`;
  const known = compiled.get(key) ?? build(db);
  compiled.set(key, known);
  if (known.parameters.length !== parameters.length) throw new Error(`${name} takes ${known.parameters.length} parameters`);
  return { ...known, parameters } as CompiledQuery<R>;
}
