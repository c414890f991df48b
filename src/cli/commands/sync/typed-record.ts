/** The fields of a resource with their types. A value of another type, and a field that this version doesn't know, are kept apart as `extra`. */
import { momentOf } from '../../../client/values.ts';
import type { Resource } from '../../../contract/resource.ts';
import { type Kind, kindOf, shownFields } from '../../../contract/schemas.ts';
import { isObject } from '../../input/plain-object.ts';
import type { Row } from '../../output/view.ts';

export interface TypedField {
  readonly name: string;
  readonly kind: Kind;
}

export const typedFields = (resource: Resource): TypedField[] =>
  Object.entries(shownFields(resource)).map(([name, schema]) => ({ name, kind: kindOf(schema) }));

export interface TypedRecord {
  /** In the order of the fields; null where the record lacks the field. */
  readonly values: readonly unknown[];
  /** Everything else of the record, by field. */
  readonly extra: Readonly<Record<string, unknown>> | null;
}

/** Splits the records of a resource. */
export function recordSplitter(fields: readonly TypedField[]): (record: Row) => TypedRecord {
  const known = new Set(fields.map(({ name }) => name));
  return (record) => {
    let extra: Record<string, unknown> | null = null;
    const keep = (name: string) => {
      extra ??= {};
      extra[name] = record[name];
    };
    const values = fields.map(({ name, kind }) => {
      const value: unknown = record[name];
      if (value === null || value === undefined) return null;
      const typed = typedValue(kind, value);
      if (typed === undefined) keep(name);
      return typed ?? null;
    });
    for (const name in record) if (!known.has(name)) keep(name);
    return { values, extra };
  };
}

/**
 * Brings records into one form, in which equal ones are equal text: times in UTC, null for what is absent, and keys in order. A server may
 * write the same record otherwise in each answer.
 */
export function comparableForm(
  fields: readonly TypedField[],
): (record: Row) => ReadonlyMap<string, string> {
  const split = recordSplitter(fields);
  return (record) => {
    const { values, extra } = split(record);
    const typed = fields.map(({ name }, index): [string, unknown] => [name, values[index]]);
    const present = Object.entries(extra ?? {}).filter(
      ([, value]) => value !== null && value !== undefined,
    );
    return new Map(
      [...typed, ...present.sort(byKey)].map(([name, value]) => [
        name,
        JSON.stringify(value, sortKeys),
      ]),
    );
  };
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);
const sortKeys = (_: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(byKey)) : value;

/** Undefined for a value of another type. */
function typedValue(kind: Kind, value: unknown): unknown {
  switch (kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'integer':
      return Number.isSafeInteger(value) ? value : undefined;
    case 'timestamp':
      return typeof value === 'string' ? utcTime(value) : undefined;
    case 'json':
      return isObject(value) || Array.isArray(value) ? value : undefined;
    case 'text':
      return typeof value === 'string' ? value : undefined;
  }
}

const inUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** In UTC with milliseconds, so that times sort as text. Undefined for a time without an offset: which moment it is, nobody knows. */
function utcTime(text: string): string | undefined {
  if (inUtc.test(text)) return text;
  const moment = momentOf(text);
  return moment === undefined ? undefined : new Date(moment).toISOString();
}
