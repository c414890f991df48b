/**
 * The search index of either database: an entry for each record of a searched table, with its text and its keys. Triggers keep it.
 *
 * `keys` holds the names of the record (plate, name, e-mail), squeezed, between line breaks. `text` holds the searched fields, folded, one on each line,
 * and the keys. `searchKeys` is an ordinary index of the keys: it finds a whole one and its beginning. Trigrams of `text` find parts of words.
 */
import type { RawBuilder } from 'kysely';
import { contract } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import type { SearchTerms } from './search-text.ts';

export interface SearchedTable {
  readonly name: string;
  readonly singular: string;
  readonly plural: string;
  /** The columns of the text. */
  readonly fields: readonly string[];
  /** The columns of each key, joined by a space. */
  readonly keys: readonly (readonly string[])[];
}

/** Those that the contract lets lists search in. Once a version is released, a change of it takes a migration that creates the triggers again. */
export const searchedTables: readonly SearchedTable[] = Object.values<Resource>(contract).flatMap(
  ({ name, singular, plural, filters = {} }) =>
    Object.values(filters).flatMap((filter) =>
      filter.by === 'search'
        ? [{ name, singular, plural, fields: filter.fields, keys: filter.keys }]
        : [],
    ),
);

/** The entries of one table of one team. */
export interface SearchScope {
  readonly teamId: string;
  readonly table: string;
}

export type Condition = RawBuilder<boolean>;

/** How a database finds entries. Subqueries return the `foundId` of each record once; conditions are on the entry `e`. */
export interface SearchIndex {
  holds(field: 'text' | 'keys', part: string): Condition;
  /** By a whole key. */
  byKey(scope: SearchScope, whole: string): RawBuilder<unknown>;
  /** By the beginning of a key, at most `most`. */
  byBeginning(
    scope: SearchScope,
    beginning: string,
    condition: Condition,
    most: number,
  ): RawBuilder<unknown>;
  /** By trigrams, at most `most`, without records of which the query is a whole key. */
  byParts(
    scope: SearchScope,
    terms: SearchTerms,
    condition: Condition,
    most: number,
  ): RawBuilder<unknown>;
  /** The number of entries with a condition. Reads all entries of the scope. */
  countAll(scope: SearchScope, condition: Condition): RawBuilder<{ total: number }>;
  /** Whether the entry of a record meets a condition, for rows that are read anyway. */
  ofRow(scope: SearchScope, condition: Condition): Condition;
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const column = (row: string, name: string): string => `${row}."${name}"`;

/** `row` stands for the row: `new`, `old`, or a table. A key is null where it is empty. */
export const keysOf = ({ keys }: SearchedTable, row: string): string[] =>
  keys.map((fields) => {
    const value =
      fields.length === 1
        ? column(row, fields[0] as string)
        : `concat_ws(' ', ${fields.map((f) => column(row, f)).join(', ')})`;
    return `nullif(squeeze(${value}), '')`;
  });

export const keyLines = (table: SearchedTable, row: string): string =>
  `'\n' || concat_ws('\n', ${keysOf(table, row).join(', ')}) || '\n'`;

/** With the keys, so that a part of a key is found without its separators too. */
export const textOf = (table: SearchedTable, row: string): string =>
  `fold(concat_ws('\n', ${table.fields.map((field) => column(row, field)).join(', ')})) || ${keyLines(table, row)}`;

/** The columns of an entry. */
export const sources = ({ fields, keys }: SearchedTable): string[] => [
  ...new Set([...fields, ...keys.flat()]),
];

export const isChanged = (table: SearchedTable): string =>
  sources(table)
    .map((name) => `${column('old', name)} is distinct from ${column('new', name)}`)
    .join(' or ');
