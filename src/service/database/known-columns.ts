import type { Database } from './open.ts';

interface Column {
  readonly table: string;
  readonly name: string;
  /** By the database, from others. */
  readonly computed: boolean;
}

/** What a database says of the columns of its tables, each table's in their order: a row without computed ones is known before it is stored. */
export function knownColumns(all: readonly Column[]): Database['columnsOf'] {
  const known = new Map<string, readonly string[]>();
  for (const [table, columns] of Map.groupBy(all, (column) => column.table))
    if (!columns.some(({ computed }) => computed))
      known.set(
        table,
        columns.map(({ name }) => name),
      );
  return (table) => known.get(table);
}
