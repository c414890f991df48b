/** The zod schemas of a resource, derived from its fields. Built on first use, then cached. */
import { z } from 'zod';
import * as fields from './fields.ts';
import { memoize } from './memoize.ts';
import { decision, type Field, type Filter, type Resource, type Source, spec } from './resource.ts';

/** The four fields of every stored record. In the specification every record has an id, and some have the others. */
export const storedFields = {
  id: { source: spec, schema: fields.id, about: 'Id, set by the service.' },
  teamId: { source: decision, schema: fields.id, about: 'The team.' },
  createdAt: {
    source: decision,
    schema: fields.timestamp,
    about: 'When the record was created.',
  },
  updatedAt: {
    source: decision,
    schema: fields.timestamp,
    about: 'When it was last changed.',
  },
} as const satisfies Record<string, StoredField>;

interface StoredField {
  readonly source: Source;
  readonly schema: z.ZodType;
  readonly about: string;
}

export const defaultLimit = 50;
export const maxLimit = 200;
/** The parameters of every list (specification, section 8). */
export const listParameters = {
  page: {
    source: spec,
    schema: z.int().min(1).max(1_000_000_000),
    about: 'Page number, starting at 1.',
    initial: 1,
  },
  limit: {
    source: spec,
    schema: z.int().min(1).max(maxLimit),
    about: 'Records per page, 1 to 200.',
    initial: defaultLimit,
  },
  updatedAfter: {
    source: spec,
    schema: fields.timestamp,
    about: 'Only records updated at or after this time. Must include an offset.',
  },
  ids: {
    source: spec,
    schema: z.array(fields.id).min(1).max(200),
    about: 'Only these records: comma-separated ids, up to 200.',
  },
} as const;

/** The storage type of a value, derived from its schema. */
export type Kind = 'boolean' | 'integer' | 'timestamp' | 'json' | 'text';

export function kindOf(schema: z.ZodType): Kind {
  if (
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault
  )
    return kindOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodNumber) return 'integer';
  if (schema instanceof z.ZodISODateTime) return 'timestamp';
  if (schema instanceof z.ZodArray || schema instanceof z.ZodObject) return 'json';
  return 'text';
}

/** The values of an enumeration, through whatever wraps it; for a list, those of its items. */
export function choicesOf(schema: z.ZodType): string[] | undefined {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return choicesOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return choicesOf(schema.element as z.ZodType);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : undefined;
}

/** The common fields of a resource's records: all four, or none for resources that aren't stored. */
export function storedFieldsOf({
  singleton,
  computed,
  recordSource,
}: Resource): Record<string, StoredField> {
  if (singleton || computed) return {};
  if (!recordSource) return storedFields;
  return Object.fromEntries(
    Object.entries(storedFields).map(([name, field]) => [name, { ...field, source: recordSource }]),
  );
}

/** Every field of a record in an answer, with its schema. */
export function shownFields(resource: Resource): Record<string, z.ZodType> {
  const own = Object.entries(resource.fields).filter(([, field]) => field.read);
  const stored = Object.entries(storedFieldsOf(resource));
  return Object.fromEntries([...stored, ...own].map(([name, field]) => [name, field.schema]));
}

/** A field's value in a body. */
export const givenSchema = ({
  schema,
  given = schema,
}: Pick<Field, 'schema' | 'given'>): z.ZodType => given;

export const createSchema = memoize((resource: Resource) => {
  const given = Object.entries(resource.fields).filter(([, field]) => field.create !== 'never');
  return z.strictObject(
    Object.fromEntries(
      given.map(([name, field]) => [
        name,
        field.create === 'required' ? givenSchema(field) : givenSchema(field).optional(),
      ]),
    ),
  );
});

/** Without defaults: an absent field of a PATCH stays unchanged. */
export const updateSchema = memoize((resource: Resource) => {
  const given = Object.entries(resource.fields).filter(([, field]) => field.update);
  return z.strictObject(
    Object.fromEntries(given.map(([name, field]) => [name, givenSchema(field).optional()])),
  );
});

/** Parses a query. */
export function querySchema(
  parameters: Readonly<Record<string, Pick<Filter, 'schema' | 'required'>>>,
): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(parameters).map(([name, { schema, required }]) => [
        name,
        required ? fromText(schema) : fromText(schema).optional(),
      ]),
    ),
  );
}

/** A parameter with several values: separated by commas, repeated (`ids=a&ids=b`, as many generated clients send them), or both. */
export const isRepeatable = (schema: z.ZodType): boolean => kindOf(schema) === 'json';

function fromText(schema: z.ZodType): z.ZodType {
  // The cast is safe: each branch below produces the schema's input type.
  const typed = schema as z.ZodType<unknown, never>;
  switch (kindOf(schema)) {
    case 'integer':
      return z
        .string()
        .regex(/^-?\d{1,15}$/, 'must be a whole number')
        .transform(Number)
        .pipe(typed);
    case 'boolean':
      return z.enum(['true', 'false']).transform((value) => value === 'true');
    case 'timestamp':
      // An unescaped + arrives as a space.
      return z
        .string()
        .transform((value) => value.replace(/ (?=\d\d:?\d\d$)/, '+'))
        .pipe(typed);
    case 'json':
      return z
        .union([z.string(), z.array(z.string())])
        .transform((value) =>
          [value].flat().flatMap((values) => values.split(',').map((part) => part.trim())),
        )
        .pipe(typed);
    default:
      return schema;
  }
}
