/** Compares the records of a list with its filters, for servers that don't promise to apply them. */
import type { Filter, Resource } from '../contract/resource.ts';
import { kindOf } from '../contract/schemas.ts';
import type { Query } from './address.ts';
import { isIdField, isSameId } from './ids.ts';
import { fold, lettersOf, momentOf } from './values.ts';

type Row = Readonly<Record<string, unknown>>;

/** A filter with its value. */
export interface Condition {
  readonly name: string;
  readonly value: unknown;
  readonly filter: Filter;
}

/** The conditions in a query. Parameters of every list and required ones are sent to every server, so they are none. */
export const conditionsOf = ({ filters = {} }: Resource, query: Query): Condition[] =>
  Object.entries(query).flatMap(([name, value]) => {
    const filter = filters[name];
    return filter && !filter.required && value !== undefined && value !== null
      ? [{ name, value, filter }]
      : [];
  });

interface Found<T> {
  readonly rows: T[];
  /** Why nothing tells whether other records meet a condition. */
  readonly unknown?: string;
}

/**
 * The records that meet every condition. A field that no record has is unknown. Where some have it, those without it are empty there.
 * A search may find records by fields that are shown, and is unknown where it finds none and others aren't.
 */
export function matching<T extends Row>(
  all: readonly T[],
  conditions: readonly Condition[],
  { resource, now }: { resource: Resource; now: number },
): Found<T> {
  const shown = new Set<string>();
  for (const row of all)
    for (const name of Object.keys(row))
      if (!shown.has(name) && isShown(row[name], name, resource)) shown.add(name);
  const fits = (row: T, condition: Condition) => {
    const filled = Object.fromEntries(Array.from(shown, (name) => [name, row[name] ?? null]));
    return fitOf(filled, condition, { resource, now });
  };
  if (all.length === 0) return { rows: [] };
  for (const condition of conditions)
    if (all.every((row) => fits(row, condition) === undefined))
      return { rows: [], unknown: reasonFor(condition, all[0] as T) };
  let undecided: string | undefined;
  const rows = all.filter((row) => {
    const answers = conditions.map((condition) => ({ condition, fit: fits(row, condition) }));
    if (answers.some(({ fit }) => fit === false)) return false;
    const open = answers.find(({ fit }) => fit === undefined);
    if (open) undecided ??= reasonFor(open.condition, row);
    return true;
  });
  if (undecided) return { rows: [], unknown: undecided };
  const searched =
    rows.length === 0
      ? conditions.flatMap(({ filter }) => (filter.by === 'search' ? filter.fields : []))
      : [];
  const hidden = searched.filter((field) => !shown.has(field));
  return hidden.length > 0 ? { rows, unknown: `no record shows ${hidden.join(', ')}` } : { rows };
}

/** Null tells nothing of a field that is never null. */
const isShown = (value: unknown, name: string, { fields }: Resource): boolean =>
  value !== undefined && (value !== null || fields[name]?.schema.safeParse(null).success !== false);

function reasonFor({ filter }: Condition, row: Row): string {
  if (filter.by === 'rule') return "the records don't tell";
  const field = filter.by === 'search' ? filter.fields.join(', ') : filter.field;
  const value = filter.by === 'search' ? undefined : row[filter.field];
  return value === undefined || value === null
    ? `no record shows ${field}`
    : `the ${field} of a record is ${JSON.stringify(value)}, in another form than the specification (section 2) has`;
}

/** Whether a record meets a condition; undefined where it doesn't tell. */
function fitOf(
  row: Row,
  { filter, value }: Condition,
  { resource, now }: { resource: Resource; now: number },
): boolean | undefined {
  if (filter.by === 'search') return hasWords(row, filter, value);
  const told = (field: string) => toldBy(row, field, resource);
  if (filter.by === 'rule')
    return filter.fits(
      Object.fromEntries(Object.keys(row).map((field) => [field, told(field)])),
      value,
      now,
    );
  const found = told(filter.field);
  if (found === undefined || found === null) return found === null ? false : undefined;
  switch (filter.by) {
    case 'equals':
      if (isIdField(filter.field)) return isSameId(found, value);
      if (fold(found) === fold(value)) return true;
      return filter.lettersOnly === true && lettersOf(found) === lettersOf(value);
    case 'from':
      return notBefore(found, value);
    case 'to':
      return notBefore(value, found);
  }
}

/** The value of a field; undefined for one of another form than the contract has, which is compared with nothing. */
function toldBy(row: Row, field: string, { fields }: Resource): unknown {
  const value = row[field];
  const schema = fields[field]?.schema;
  if (value === undefined || value === null || !schema) return value;
  return kindOf(schema) === 'text' || schema.safeParse(value).success ? value : undefined;
}

/** Less than a second doesn't count, since servers may store whole seconds. */
function notBefore(later: unknown, earlier: unknown): boolean | undefined {
  const [end, start] = [momentOf(later), momentOf(earlier)];
  return end === undefined || start === undefined ? undefined : end > start - 1_000;
}

/** Whether every word is in the fields of the search, or all of them together without spaces and hyphens. Undefined where the record has none of the fields. */
function hasWords(
  row: Row,
  { fields, keys }: Extract<Filter, { by: 'search' }>,
  value: unknown,
): boolean | undefined {
  if (fields.every((field) => row[field] === undefined)) return undefined;
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
