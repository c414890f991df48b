/** The SQL that makes an entry of a row; the same on either database. */
import type { SearchedTable } from './search-index.ts';

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const column = (row: string, name: string): string => `${row}."${name}"`;

/** `row` is what stands for the row: `new`, `old`, or a table. Each key is null where it is empty. */
export const keysOf = ({ keys }: SearchedTable, row: string): string[] =>
  keys.map((fields) => {
    const value =
      fields.length === 1 ? column(row, fields[0] as string) : `concat_ws(' ', ${fields.map((f) => column(row, f)).join(', ')})`;
    return `nullif(squeeze(${value}), '')`;
  });

export const keyLines = (table: SearchedTable, row: string): string => `'\n' || concat_ws('\n', ${keysOf(table, row).join(', ')}) || '\n'`;

/** With the keys, so that parts of them are found without their separators, too. */
export const textOf = (table: SearchedTable, row: string): string =>
  `fold(concat_ws('\n', ${table.fields.map((field) => column(row, field)).join(', ')})) || ${keyLines(table, row)}`;

/** The columns that an entry is made of. */
export const sources = ({ fields, keys }: SearchedTable): string[] => [...new Set([...fields, ...keys.flat()])];

export const isChanged = (table: SearchedTable): string =>
  sources(table)
    .map((name) => `${column('old', name)} is distinct from ${column('new', name)}`)
    .join(' or ');
