/** Compares the records of a list with its filters, for servers that don't promise to apply them. */
import type { Filter, Resource } from '../contract/resource.ts';
import { kindOf } from '../contract/schemas.ts';
import type { Query } from './address.ts';
import { isIdField, isSameId } from './ids.ts';
import { fold, lettersOf, momentOf, written } from './values.ts';

type Row = Readonly<Record<string, unknown>>;

/** A filter with its value. */
export interface Condition {
  readonly name: string;
  readonly value: unknown;
  readonly filter: Filter;
}

/** The one filter that the specification states for its list (section 4). It shows others as examples. */
const stated = 'scope';

/** The conditions in a query. What every server is sent is none: the parameters of every list, and those that a list needs. */
export const conditionsOf = ({ filters = {} }: Resource, query: Query): Condition[] =>
  Object.entries(query).flatMap(([name, value]) => {
    const filter = filters[name];
    return filter && !filter.required && name !== stated && value !== undefined && value !== null
      ? [{ name, value, filter }]
      : [];
  });

interface Found<T> {
  readonly rows: T[];
  /** Why nothing tells which records meet a condition. */
  readonly unknown?: string;
}

/**
 * The records that meet every condition. A field that no record has is unknown. Where some have it, those without it are empty there.
 * A search looks into the fields that are shown. Where it finds nothing and others aren't, that is unknown.
 */
export function matching<T extends Row>(
  all: readonly T[],
  conditions: readonly Condition[],
  { resource: { fields }, now }: { resource: Resource; now: number },
): Found<T> {
  const shown = new Set<string>();
  // Null tells nothing of a field that is never null.
  for (const row of all)
    for (const [name, value] of Object.entries(row))
      if (
        !shown.has(name) &&
        (value !== null || fields[name]?.schema.safeParse(null).success !== false)
      )
        shown.add(name);

  /** Undefined for a value of another form than the contract has, which is compared with nothing. */
  const shownValue = (row: Row, name: string): unknown => {
    if (!shown.has(name)) return undefined;
    const value = row[name] ?? null;
    const schema = fields[name]?.schema;
    const isPlain = value === null || !schema || kindOf(schema) === 'text';
    return isPlain || schema.safeParse(value).success ? value : undefined;
  };

  /** Whether a record meets a condition; undefined where it doesn't tell. */
  function fits(row: Row, { filter, value }: Condition): boolean | undefined {
    if (filter.by === 'search') return hasWords(row, filter, value);
    if (filter.by === 'rule') {
      const record = Array.from(shown, (name) => [name, shownValue(row, name)]);
      return filter.fits(Object.fromEntries(record), value, now);
    }
    const found = shownValue(row, filter.field);
    if (found === undefined || found === null) return found === null ? false : undefined;
    if (filter.by === 'from') return isNotBefore(found, value);
    if (filter.by === 'to') return isNotBefore(value, found);
    if (isIdField(filter.field)) return isSameId(found, value);
    const textOf = filter.by === 'equals' && filter.lettersOnly ? lettersOf : written;
    return textOf(found) === textOf(value);
  }

  let unknown: string | undefined;
  const rows = all.filter((row) => {
    const answers = conditions.map((condition) => fits(row, condition));
    if (answers.includes(false)) return false;
    const open = conditions[answers.indexOf(undefined)];
    if (open) unknown ??= reasonFor(open, row);
    return true;
  });
  const searched = rows.length > 0 || all.length === 0 ? [] : conditions;
  const hidden = searched
    .flatMap(({ filter }) => (filter.by === 'search' ? filter.fields : []))
    .filter((name) => !shown.has(name));
  if (hidden.length > 0) unknown = `no record shows ${hidden.join(', ')}`;
  return unknown === undefined ? { rows } : { rows: [], unknown };
}

function reasonFor({ filter }: Condition, row: Row): string {
  if (!('field' in filter)) return "the records don't tell";
  const value = row[filter.field] ?? null;
  return value === null
    ? `no record shows ${filter.field}`
    : `the ${filter.field} of a record is ${JSON.stringify(value)}, in another form than the specification (section 2) has`;
}

/** Less than a second doesn't count, since servers may store whole seconds. */
function isNotBefore(later: unknown, earlier: unknown): boolean | undefined {
  const [end, start] = [momentOf(later), momentOf(earlier)];
  return end === undefined || start === undefined ? undefined : end > start - 1_000;
}

/** Whether every word is in the fields of the search, or all of them together without spaces and hyphens. */
function hasWords(
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
