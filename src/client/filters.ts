/**
 * Whether the records of a list meet the filters that were sent. The specification leaves filters open, so another server may not know
 * one and answer with every record.
 */
import type { Filter, Resource } from '../contract/resource.ts';
import { kindOf } from '../contract/schemas.ts';
import type { Query } from './address.ts';
import { idKey, isIdField, isSameId } from './ids.ts';
import { fold, lettersOf, momentOf } from './values.ts';

type Row = Readonly<Record<string, unknown>>;
/** `unknown`: the record doesn't carry the field, or in a form that doesn't tell. */
export type Fit = 'meets' | 'differs' | 'unknown';

/** A parameter of a list that every record must meet. */
export interface Condition {
  /** The name of the parameter. */
  readonly name: string;
  readonly value: unknown;
  /** Absent for `ids` and `updatedAfter`, which every list has. */
  readonly filter?: Filter;
  /** The field with the time that it compares. */
  readonly timeField?: string;
  /** For a search by words, `differs` proves nothing: a server searches in fields of its own, which its records may not show. */
  readonly fits: (row: Row) => Fit;
}

/** The conditions in the query of a list, as they are at this time. */
export function conditionsOf(resource: Resource, query: Query, now: number): Condition[] {
  return Object.entries(query).flatMap(([name, value]): Condition[] => {
    if (value === undefined || value === null) return [];
    if (name === 'ids')
      return [
        { name, value, fits: among(Array.isArray(value) ? value : String(value).split(',')) },
      ];
    if (name === 'updatedAfter')
      return [
        {
          name,
          value,
          timeField: 'updatedAt',
          fits: (row) => notBefore(row.updatedAt ?? undefined, value),
        },
      ];
    const filter = resource.filters?.[name];
    if (!filter) return [];
    if (filter.by === 'search')
      return [
        {
          name,
          value,
          filter,
          fits: (row) => (containsWords(row, filter, value) ? 'meets' : 'differs'),
        },
      ];
    const timeField = filter.by === 'from' || filter.by === 'to' ? filter.field : undefined;
    return [
      {
        name,
        value,
        filter,
        ...(timeField && { timeField }),
        fits: (row) => fitTo(filter, { row, value, resource, now }),
      },
    ];
  });
}

/** Why a record doesn't tell whether it meets the condition. */
export function untoldReason({ timeField }: Condition, row: Row): string {
  const value = timeField && row[timeField];
  if (value === undefined || value === null) return "its records don't tell";
  return (
    `the ${timeField} of its records, such as ${JSON.stringify(value)}, isn't an ISO 8601 time with an offset. ` +
    'The specification (section 2): "All timestamps are strings in ISO 8601 date-time format"'
  );
}

/** A word that no record has. */
export const absurdWord = 'qxzvjkwqxzvjkw';

/** Whether every word is somewhere in the fields of the search, or all of them together without spaces and hyphens. */
function containsWords(
  row: Row,
  { fields, keys }: Extract<Filter, { by: 'search' }>,
  value: unknown,
): boolean {
  const texts = [...fields.map((field) => [field]), ...keys].map((parts) =>
    parts.flatMap((part) => row[part] ?? []).join(' '),
  );
  const text = texts.map(fold).join('\n');
  const letters = lettersOf(value);
  return (
    fold(value)
      .split(/\s+/)
      .every((word) => text.includes(word)) ||
    (letters !== '' && texts.some((one) => lettersOf(one).includes(letters)))
  );
}

interface Compared {
  readonly row: Row;
  readonly value: unknown;
  readonly resource: Resource;
  readonly now: number;
}

function fitTo(
  filter: Exclude<Filter, { by: 'search' }>,
  { row, value, resource, now }: Compared,
): Fit {
  const told = (field: string) => toldBy(row, field, resource);
  if (filter.by === 'rule') {
    const known = Object.fromEntries(Object.keys(row).map((field) => [field, told(field)]));
    return fitOf(filter.fits(known, value, now), (fits) => fits === true);
  }
  const found = told(filter.field);
  switch (filter.by) {
    case 'equals':
      return fitOf(found, (known) =>
        isIdField(filter.field)
          ? isSameId(known, value)
          : isSame(known, value, filter.lettersOnly === true),
      );
    case 'from':
      return notBefore(found, value);
    case 'to':
      return found === null ? 'differs' : notBefore(value, found);
  }
}

/**
 * What a record tells of a field. Where the interface has no null, a server says by null that it doesn't know. Anything else than a
 * boolean or a number in the place of one tells nothing.
 */
function toldBy(row: Row, field: string, { fields }: Resource): unknown {
  const value = row[field];
  const { schema } = fields[field] ?? {};
  if (value === undefined || !schema || schema.safeParse(value).success) return value;
  if (value === null) return undefined;
  switch (kindOf(schema)) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'integer':
      return typeof value === 'number' ? value : undefined;
    default:
      return value;
  }
}

const fitOf = (found: unknown, meets: (found: unknown) => boolean): Fit =>
  found === undefined ? 'unknown' : meets(found) ? 'meets' : 'differs';

const among = (ids: readonly unknown[]): Condition['fits'] => {
  const wanted = new Set(ids.map(idKey));
  return ({ id }) => fitOf(id, (found) => wanted.has(idKey(found)));
};

/** `byLetters`: servers normalize plates and chassis numbers in their own ways, so spaces and hyphens don't count. */
function isSame(found: unknown, value: unknown, byLetters: boolean): boolean {
  if (found === null || typeof found === 'boolean') return String(found) === String(value);
  return fold(found) === fold(value) || (byLetters && lettersOf(found) === lettersOf(value));
}

/**
 * Less than a second doesn't count, since servers may store whole seconds. Unknown where either isn't a whole ISO 8601 time: one without
 * an offset is a different moment in each place.
 */
function notBefore(later: unknown, earlier: unknown): Fit {
  const [end, start] = [momentOf(later), momentOf(earlier)];
  if (end === undefined || start === undefined) return later === null ? 'differs' : 'unknown';
  return end > start - 1_000 ? 'meets' : 'differs';
}
