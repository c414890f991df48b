/** Declares fields and filters with one call each, so that a family reads like a table. */
import type { z } from 'zod';
import { text, timestamp } from './fields.ts';
import type { Field, Source } from './resource.ts';

interface More {
  references?: string;
  innerReferences?: Readonly<Record<string, string>>;
  initial?: unknown;
}

/** Required on create; can be changed. */
export const required = <T extends z.ZodType>(source: Source, schema: T, about: string, more?: More): Field<T, 'required', true, true> => ({
  source,
  schema,
  about,
  create: 'required',
  update: true,
  read: true,
  ...more,
});
/** Required on create; never changes. */
export const immutable = <T extends z.ZodType>(
  source: Source,
  schema: T,
  about: string,
  more?: More,
): Field<T, 'required', false, true> => ({
  source,
  schema,
  about,
  create: 'required',
  update: false,
  read: true,
  ...more,
});
/** Optional or null; can be changed and cleared. */
export const optional = <T extends z.ZodType>(
  source: Source,
  schema: T,
  about: string,
  more?: More,
): Field<z.ZodNullable<T>, 'optional', true, true> => ({
  source,
  schema: nullable(schema),
  about,
  create: 'optional',
  update: true,
  read: true,
  ...more,
});
/** Optional on create, or null; never changes. */
export const createOnly = <T extends z.ZodType>(
  source: Source,
  schema: T,
  about: string,
  more?: More,
): Field<z.ZodNullable<T>, 'optional', false, true> => ({
  source,
  schema: nullable(schema),
  about,
  create: 'optional',
  update: false,
  read: true,
  ...more,
});
/** Has a default; never null. */
export const defaulted = <T extends z.ZodType>(
  source: Source,
  schema: T,
  initial: z.output<T>,
  about: string,
  more?: More,
): Field<T, 'optional', true, true> => ({
  source,
  schema,
  about,
  initial,
  create: 'optional',
  update: true,
  read: true,
  ...more,
});
/** Set by the service. */
export const readOnly = <T extends z.ZodType>(source: Source, schema: T, about: string, more?: More): Field<T, 'never', false, true> => ({
  source,
  schema,
  about,
  create: 'never',
  update: false,
  read: true,
  ...more,
});
/** Part of a create; never stored or shown. */
export const writeOnly = <T extends z.ZodType>(
  source: Source,
  schema: T,
  about: string,
): Field<z.ZodNullable<T>, 'optional', false, false> => ({
  source,
  schema: nullable(schema),
  about,
  create: 'optional',
  update: false,
  read: false,
});
/** Empty at first; set by a PATCH. */
export const updateOnly = <T extends z.ZodType>(
  source: Source,
  schema: T,
  about: string,
): Field<z.ZodNullable<T>, 'never', true, true> => ({
  source,
  schema: nullable(schema),
  about,
  create: 'never',
  update: true,
  read: true,
});

export const equals = <T extends z.ZodType>(source: Source, schema: T, field: string, about: string) =>
  ({ source, schema, by: 'equals', field, about }) as const;
export const from = (source: Source, field: string, about: string) => ({ source, schema: timestamp, by: 'from', field, about }) as const;
export const to = (source: Source, field: string, about: string) => ({ source, schema: timestamp, by: 'to', field, about }) as const;
/** Each of `keys` is a field, or several fields joined by a space. */
export const search = (source: Source, fields: readonly string[], keys: readonly (string | readonly string[])[], about: string) => {
  const names = keys.map((key) => [key].flat().join(' '));
  const last = names.at(-1);
  const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last;
  return {
    source,
    schema: text(200),
    by: 'search',
    fields,
    keys: keys.map((key) => [key].flat()),
    about:
      `${about} Case is ignored; every word must be found. Records whose ${list} is the whole value come first, with or without spaces and hyphens. ` +
      `If every word has one or two characters, ${list} must begin with it.`,
  } as const;
};
export const byRule = <T extends z.ZodType>(source: Source, schema: T, about: string) => ({ source, schema, by: 'rule', about }) as const;

const nullables = new WeakMap<z.ZodType, z.ZodNullable>();

/** Cached per schema, as in `fields.ts`. */
function nullable<T extends z.ZodType>(schema: T): z.ZodNullable<T> {
  const made = nullables.get(schema) ?? schema.nullable();
  nullables.set(schema, made);
  // Only this function writes to the cache, and each value is built from its key.
  return made as z.ZodNullable<T>;
}
