import { z } from 'zod';

/** The values of a choice, through whatever wraps it; of a list, those that it may hold. */
export function choicesOf(schema: z.ZodType): string[] | undefined {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return choicesOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return choicesOf(schema.element as z.ZodType);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : undefined;
}
