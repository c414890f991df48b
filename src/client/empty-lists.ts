/**
 * Whether "nothing found" is the truth: some servers find nothing for a parameter that they don't know. A filter is tried once, with the
 * value of a record that the list has.
 */
import type { Condition } from './filters.ts';

type Row = Readonly<Record<string, unknown>>;

interface Reads {
  readonly now: number;
  /** The first records of the list without filters. */
  sample(): Promise<readonly Row[]>;
  /** Whether the server finds a record with this filter alone. */
  finds(name: string, value: unknown): Promise<boolean>;
}

/** The filters of an empty list that the server doesn't apply. `tried` remembers those that it does. */
export async function findUnapplied(
  conditions: readonly Condition[],
  tried: Set<string>,
  { sample, finds, now }: Reads,
): Promise<string[]> {
  const open = conditions.filter(
    ({ name, filter }) => filter && !filter.required && !tried.has(name),
  );
  if (open.length === 0) return [];
  const rows = await sample();
  const wrong: string[] = [];
  for (const condition of open) {
    const value = rows.map((row) => valueIn(row, condition, now)).find((one) => one !== undefined);
    if (value === undefined) continue;
    if (await finds(condition.name, value)) tried.add(condition.name);
    else wrong.push(condition.name);
  }
  return wrong;
}

/** A value with which the filter must find this record; undefined where the record has none. */
function valueIn(row: Row, { filter }: Condition, now: number): unknown {
  switch (filter?.by) {
    case 'equals':
    case 'from':
    case 'to':
      return present(row[filter.field]);
    case 'search':
      return filter.fields
        .map((field) => /[\p{L}\p{N}]{3,}/u.exec(String(row[field] ?? ''))?.[0])
        .find((word) => word !== undefined);
    case 'rule':
      return [true, false, ...Object.values(row).flat()].find(
        (value) => present(value) !== undefined && filter.fits(row, value, now) === true,
      );
    default:
      return undefined;
  }
}

const present = (value: unknown) =>
  value === null || value === '' || typeof value === 'object' ? undefined : value;
