/**
 * The values of a record in the types of their fields. Some servers send true, false and numbers as text, 0 and 1 for false and true, or
 * text such as the name of a spot as a number. A value that can't be read as its type stays as it is.
 */
import { z } from 'zod';
import { memoize } from '../contract/memoize.ts';
import type { Resource } from '../contract/resource.ts';
import { kindOf, shownFields } from '../contract/schemas.ts';

type Row = Record<string, unknown>;
type Convert = (value: unknown) => unknown;

/** Returns the same record where every value has its type already. */
export const typedRecords = memoize((resource: Resource): ((record: Row) => Row) => {
  const convert = convertFields(shownFields(resource));
  return (record) => convert(record) as Row;
});

const convertFields = (fields: Readonly<Record<string, z.ZodType>>): Convert => {
  const converters = Object.entries(fields).flatMap(([name, schema]): [string, Convert][] => {
    const convert = converterOf(schema);
    return convert ? [[name, convert]] : [];
  });
  return (value) => {
    if (!isRow(value)) return value;
    const changes = converters.flatMap(([name, convert]) => {
      const converted = convert(value[name]);
      return converted === value[name] ? [] : [[name, converted]];
    });
    return changes.length === 0 ? value : { ...value, ...Object.fromEntries(changes) };
  };
};

function converterOf(schema: z.ZodType): Convert | undefined {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return converterOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodObject) return convertFields(schema.shape);
  if (schema instanceof z.ZodArray) {
    const convert = converterOf(schema.element as z.ZodType);
    return convert && ((value) => (Array.isArray(value) ? unchanged(value, value.map(convert)) : value));
  }
  switch (kindOf(schema)) {
    case 'boolean':
      return (value) => (typeof value === 'string' || typeof value === 'number' ? (booleans.get(value) ?? value) : value);
    case 'integer':
      return (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value);
    case 'text':
      return schema instanceof z.ZodUnknown ? undefined : (value) => (typeof value === 'number' ? String(value) : value);
    default:
      return undefined;
  }
}

const booleans = new Map<string | number, boolean>([
  ['true', true],
  ['false', false],
  [1, true],
  [0, false],
]);

const unchanged = (before: unknown[], after: unknown[]) => (after.every((value, index) => value === before[index]) ? before : after);

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
