/** Records as rows of a mirror: a typed column per field, and `extra` for everything else that a server sends. */
import { momentOf } from '../../../client/values.ts';
import type { Resource } from '../../../contract/resource.ts';
import { type Kind, kindOf, shownFields } from '../../../contract/schemas.ts';
import { isObject } from '../../input/plain-object.ts';
import type { Row } from '../../output/view.ts';
import { kebab } from '../../terminal/text.ts';

export interface Column {
  readonly field: string;
  /** `parking_spot_id`: SQL ignores case, so the names of JSON would lose theirs. */
  readonly name: string;
  readonly kind: Kind;
}

/** `parkingSpots` as `parking_spots`. */
export const sqlName = (name: string): string => kebab(name).replaceAll('-', '_');

/** Those of the fields, without `extra`. */
export const columnsOf = (resource: Resource): Column[] =>
  Object.entries(shownFields(resource)).map(([field, schema]) => ({
    field,
    name: sqlName(field),
    kind: kindOf(schema),
  }));

/** A record by the names of its fields as a mirror keeps it: times in UTC, null for what is absent, unknown fields at the end. */
export function normalized(columns: readonly Column[], record: Row): Row {
  const { values, extra } = split(columns, record);
  const known = columns.map(({ field }, at) => [field, values[at]]);
  return { ...Object.fromEntries(known), ...extra };
}

/** In the order of the columns, then `extra`. SQLite has 0, 1 and JSON text, PostgreSQL the values of JSON (`asJson`). */
export function cellsOf(columns: readonly Column[], record: Row, asJson: boolean): unknown[] {
  const { values, extra } = split(columns, record);
  if (asJson) return [...values, extra];
  const cells = values.map((value) => {
    if (typeof value === 'boolean') return Number(value);
    return typeof value === 'object' && value ? JSON.stringify(value) : value;
  });
  return [...cells, extra && JSON.stringify(extra)];
}

/** The record that a row was made of, as `normalized` gives it. */
export function recordOf(columns: readonly Column[], row: Row): Row {
  const values = columns.map(({ field, name, kind }) => [field, cellValue(kind, row[name])]);
  return { ...Object.fromEntries(values), ...(cellValue('json', row.extra) as object | null) };
}

function split(columns: readonly Column[], record: Row) {
  let extra = null as Row | null;
  const keep = (field: string) => {
    extra ??= {};
    extra[field] = record[field];
  };
  const values = columns.map(({ field, kind }) => {
    const value: unknown = record[field] ?? null;
    if (value === null) return null;
    const typed = typedValue(kind, value);
    if (typed === undefined) keep(field);
    return typed ?? null;
  });
  for (const field in record) if (!columns.some((one) => one.field === field)) keep(field);
  return { values, extra };
}

/** Undefined for a value of another type. A time without an offset is one: which moment it is, nobody knows. */
function typedValue(kind: Kind, value: unknown): unknown {
  switch (kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'integer':
      return Number.isSafeInteger(value) ? value : undefined;
    case 'timestamp': {
      // Nearly every time has this form.
      if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value))) return value;
      const moment = momentOf(value);
      return moment === undefined ? undefined : new Date(moment).toISOString();
    }
    case 'json':
      return isObject(value) || Array.isArray(value) ? value : undefined;
    case 'text':
      return typeof value === 'string' ? value : undefined;
  }
}

/** A cell as SQLite or PostgreSQL returns it. */
function cellValue(kind: Kind, cell: unknown): unknown {
  if (cell === null || cell === undefined) return null;
  if (kind === 'boolean') return Boolean(cell);
  if (kind === 'integer') return Number(cell);
  if (cell instanceof Date) return cell.toISOString();
  return kind === 'json' && typeof cell === 'string' ? JSON.parse(cell) : cell;
}
