/**
 * Whether the records of a list meet the filters that were sent. The specification leaves filters open, so another server may not know
 * one and answer with every record.
 */
import type { Filter, Resource } from '../contract/resource.ts';
import { choicesOf } from '../contract/schemas.ts';
import type { Query } from './address.ts';

type Row = Readonly<Record<string, unknown>>;
/** `unknown`: the record doesn't carry the field. */
export type Fit = 'meets' | 'differs' | 'unknown';

/** A parameter of a list that every record must meet. */
export interface Condition {
  /** The name of the parameter. */
  readonly name: string;
  readonly value: unknown;
  /** Absent for `ids` and `updatedAfter`, which every list has. */
  readonly filter?: Filter;
  /** For a search by words, `differs` proves nothing: a server searches in fields of its own, which its records may not show. */
  readonly fits: (row: Row) => Fit;
}

/** The conditions in the query of a list. */
export function conditionsOf(resource: Resource, query: Query): Condition[] {
  return Object.entries(query).flatMap(([name, value]): Condition[] => {
    if (value === undefined || value === null) return [];
    if (name === 'ids') return [{ name, value, fits: among(Array.isArray(value) ? value : String(value).split(',')) }];
    if (name === 'updatedAfter') return [{ name, value, fits: (row) => fitOf(row.updatedAt, (at) => notBefore(at, value)) }];
    const filter = resource.filters?.[name];
    if (!filter) return [];
    if (filter.by === 'search') return [{ name, value, filter, fits: (row) => (containsWords(row, filter, value) ? 'meets' : 'differs') }];
    return [{ name, value, filter, fits: (row) => fitTo(filter, { row, value, resource }) }];
  });
}

/** A word that no record has. */
export const absurdWord = 'qxzvjkwqxzvjkw';

/** Whether every word is somewhere in the fields of the search, or all of them together without spaces and hyphens. */
function containsWords(row: Row, { fields, keys }: Extract<Filter, { by: 'search' }>, value: unknown): boolean {
  const texts = [...fields.map((field) => [field]), ...keys].map((parts) => parts.flatMap((part) => row[part] ?? []).join(' '));
  const text = texts.map(fold).join('\n');
  const letters = lettersOf(value);
  return (
    fold(value)
      .split(/\s+/)
      .every((word) => text.includes(word)) ||
    (letters !== '' && texts.some((one) => lettersOf(one).includes(letters)))
  );
}

function fitTo(filter: Exclude<Filter, { by: 'search' }>, { row, value, resource }: { row: Row; value: unknown; resource: Resource }): Fit {
  const told = (field: string) => toldBy(row, field, resource);
  if (filter.by === 'rule') {
    const known = Object.fromEntries(Object.keys(row).map((field) => [field, told(field)]));
    return fitOf(filter.fits(known, value), (fits) => fits === true);
  }
  const { references } = resource.fields[filter.field] ?? {};
  const found = told(filter.field);
  switch (filter.by) {
    case 'equals': {
      const exact = choicesOf(filter.schema) !== undefined || references !== undefined;
      return fitOf(found, (known) => isSame(known, value, exact));
    }
    case 'from':
      return fitOf(found, (known) => notBefore(known, value));
    case 'to':
      return fitOf(found, (known) => notBefore(value, known));
  }
}

/** Where the interface has no null, a server says by null that it doesn't know. */
function toldBy(row: Row, field: string, { fields }: Resource): unknown {
  return row[field] === null && fields[field]?.schema.safeParse(null).success === false ? undefined : row[field];
}

const fitOf = (found: unknown, meets: (found: unknown) => boolean): Fit =>
  found === undefined ? 'unknown' : meets(found) ? 'meets' : 'differs';

const among = (ids: readonly unknown[]): Condition['fits'] => {
  const wanted = new Set(ids.map(fold));
  return ({ id }) => fitOf(id, (found) => wanted.has(fold(found)));
};

/** Servers normalize plates and chassis numbers in their own ways, so in free text spaces and hyphens don't count. */
function isSame(found: unknown, value: unknown, exact: boolean): boolean {
  if (found === null || typeof found === 'boolean') return String(found) === String(value);
  return fold(found) === fold(value) || (!exact && lettersOf(found) === lettersOf(value));
}

const fold = (value: unknown) => String(value).normalize('NFC').trim().toLowerCase();
const lettersOf = (value: unknown) => fold(value).replace(/[^\p{L}\p{M}\p{N}@.]/gu, '');

/** False where either isn't a time. Less than a second doesn't count, since servers may store whole seconds. */
const notBefore = (later: unknown, earlier: unknown) => Date.parse(String(later)) > Date.parse(String(earlier)) - 1_000;
