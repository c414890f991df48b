/**
 * The zod schema of records as commands print them. The specification leaves most fields open, so a
 * server of another team may leave one out or send null, have states of its own, and times in
 * another form. `cs schema cars` describes the records of our service.
 */
import { z } from 'zod';
import { contract, type RecordFor, type ResourceName } from '../../contract/contract.ts';
import { memoize } from '../../contract/memoize.ts';
import { kindOf, shownFields } from '../../contract/schemas.ts';
import { kebab } from '../terminal/text.ts';

/** Where the fields are described: `cs schema cars`. */
const recordKey = 'x-record';

const recordSchemas = memoize((name: ResourceName) =>
  z
    .looseObject({ ...optionalFields(shownFields(contract[name])), id: z.string() })
    .meta({ [recordKey]: kebab(name) }),
);

const optionalFields = (fields: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(fields).map(([field, schema]) => [field, anyValue(schema).optional()]),
  );

/** A value of the field on any server, or null. */
export function anyValue(schema: z.ZodType): z.ZodType {
  if (
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault
  )
    return anyValue(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodObject) return z.looseObject(optionalFields(schema.shape)).nullable();
  if (schema instanceof z.ZodArray) return z.array(z.unknown()).nullable();
  switch (kindOf(schema)) {
    case 'boolean':
      return z.boolean().nullable();
    case 'integer':
      return z.number().nullable();
    case 'timestamp':
      return z.union([z.string(), z.number()]).nullable();
    default:
      return z.string().nullable();
  }
}

export const recordSchema = <N extends ResourceName>(name: N): z.ZodType<RecordFor<N>> =>
  recordSchemas(name) as unknown as z.ZodType<RecordFor<N>>;

/** A record with fields that a command adds or replaces. */
export function extendRecord<N extends ResourceName, F extends z.ZodRawShape>(
  name: N,
  fields: F,
): z.ZodType<Omit<RecordFor<N>, keyof F> & z.infer<z.ZodObject<F>>> {
  return recordSchemas(name)
    .extend(fields)
    .meta({ [recordKey]: kebab(name) }) as never;
}
