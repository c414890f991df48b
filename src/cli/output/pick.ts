/** Fields picked by name: `--json=id,licensePlate`, and the fields among `--columns`. */

import { usage } from '../errors/exit.ts';
import { nearest } from '../terminal/text.ts';
import { isObject, type Names, type RecordFormat } from './format.ts';
import type { Row } from './view.ts';

/** The value of a field, or of a nested field with dots; `null` if missing. */
export function valueAt(row: Row, name: string): unknown {
  if (Object.hasOwn(row, name)) return row[name] ?? null;
  let at: unknown = row;
  for (const part of name.split('.')) {
    if (!isObject(at) || !Object.hasOwn(at, part)) return null;
    at = at[part];
  }
  return at ?? null;
}

export const pickFields = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, valueAt(row, name)]));

/**
 * Whether the row is a failure, `{ id, error: { code, message } }`. A record's own field `error` is
 * a text.
 */
export const isFailure = (row: Row): boolean =>
  isObject(row.error) && typeof row.error.code === 'string';

/** The field names of all records, in order of appearance. */
export function fieldNames(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name in row) names.add(name);
  return [...names];
}

/** Refuses an unknown name: exit 2 with the valid ones. */
export function checkNames(wanted: Names, known: readonly string[], of: string): void {
  for (const name of wanted.value) {
    const [field = ''] = name.split('.');
    if (known.includes(field) || known.includes(name)) continue;
    throw unknownName({ name, origin: wanted.origin, known, what: `a field of ${of}` });
  }
}

interface Unknown {
  readonly name: string;
  readonly origin: string;
  readonly known: readonly string[];
  readonly what: string;
}

export function unknownName({ name, origin, known, what }: Unknown) {
  const [close] = nearest(name, known);
  const list = `valid: ${known.join(', ')}`;
  return usage(
    `"${name}" (${origin}) isn't ${what}.`,
    close ? `did you mean ${close}? ${list}` : list,
  );
}

/** Only the picked fields. */
export function selectFields(
  fields: Names | undefined,
  format: RecordFormat,
  failures?: true,
): RecordFormat {
  if (!fields) return format;
  const pick = (row: Row) => (failures && isFailure(row) ? row : pickFields(row, fields.value));
  const isRecord = (value: unknown): value is Row => typeof value === 'object' && value !== null;
  return {
    ...format,
    records: (rows) => format.records(rows.map(pick)),
    one: (value) =>
      format.one(
        Array.isArray(value)
          ? value.map((item) => (isRecord(item) ? pick(item) : item))
          : isRecord(value)
            ? pick(value)
            : value,
      ),
  };
}
