/** Declares fields and filters with one call each, so that a family reads like a table. */
import { z } from 'zod';
import { text, timestamp } from './fields.ts';
import { memoize } from './memoize.ts';
import type { Field, Filter, Meanings, OnCreate, Source } from './resource.ts';

interface More {
  references?: string;
  innerReferences?: Readonly<Record<string, string>>;
  meanings?: Meanings;
  initial?: unknown;
  initialText?: string;
  adjusts?: Field['adjusts'];
}

/** The declaration of a field of this kind. */
const kind =
  <C extends OnCreate, U extends boolean>(create: C, update: U) =>
  <T extends z.ZodType>(
    source: Source,
    schema: T,
    about: string,
    more?: More,
  ): Field<T, C, U, true> => ({
    source,
    schema,
    about,
    create,
    update,
    read: true,
    ...more,
  });

/** The same for a field that may be null. */
const nullableKind =
  <C extends OnCreate, U extends boolean, R extends boolean>(create: C, update: U, read: R) =>
  <T extends z.ZodType>(
    source: Source,
    schema: T,
    about: string,
    more?: More,
  ): Field<z.ZodNullable<T>, C, U, R> => ({
    source,
    schema: nullable(schema),
    about,
    create,
    update,
    read,
    ...more,
  });

/** Required on create; can be changed. */
export const required = kind('required', true);
/** Required on create; never changes. */
export const immutable = kind('required', false);
/** Set by the service. */
export const readOnly = kind('never', false);
/** Optional or null; can be changed and cleared. */
export const optional = nullableKind('optional', true, true);
/** Optional on create, or null; never changes. */
export const createOnly = nullableKind('optional', false, true);
/** Part of a create; never stored or shown. */
export const writeOnly = nullableKind('optional', false, false);
/** Empty at first; set by a PATCH. */
export const updateOnly = nullableKind('never', true, true);

const withDefault = kind('optional', true);
/** Has a default; never null. */
export const defaulted = <T extends z.ZodType>(
  source: Source,
  schema: T,
  initial: z.output<T>,
  about: string,
  more?: More,
) => withDefault(source, schema, about, { initial, ...more });

export const equals = <T extends z.ZodType>(
  source: Source,
  schema: T,
  field: string,
  about: string,
) => ({ source, schema, by: 'equals', field, about }) as const;
export const from = (source: Source, field: string, about: string) =>
  ({ source, schema: timestamp, by: 'from', field, about }) as const;
export const to = (source: Source, field: string, about: string) =>
  ({ source, schema: timestamp, by: 'to', field, about }) as const;
/** Each of `keys` is a field, or several fields joined by a space. `words` names fields and keys for people. */
export const search = (
  source: Source,
  fields: readonly string[],
  keys: readonly (string | readonly string[])[],
  words: { readonly fields: string; readonly keys: string },
) =>
  ({
    source,
    schema: text(200),
    by: 'search',
    fields,
    keys: keys.map((key) => [key].flat()),
    about:
      `Search in ${words.fields}. Every word must match; case is ignored. Exact matches of ${words.keys} come first, with or without ` +
      `spaces and hyphens. Words of one or two characters match only the start of ${words.keys}.`,
  }) as const;
type ByRule = Extract<Filter, { by: 'rule' }>;
export const byRule = <T extends z.ZodType>(
  source: Source,
  schema: T,
  about: string,
  fits: ByRule['fits'],
) => ({ source, schema, by: 'rule', about, fits }) as const;
/** A boolean filter. */
export const whether = (source: Source, field: string, about: string, meanings: Meanings) =>
  ({ ...equals(source, z.boolean(), field, about), meanings }) as const;

const nullableOf = memoize((schema: z.ZodType) => schema.nullable());
// The result is built from this schema.
const nullable = <T extends z.ZodType>(schema: T): z.ZodNullable<T> =>
  nullableOf(schema) as z.ZodNullable<T>;
