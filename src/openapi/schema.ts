/** A zod schema as a JSON Schema for readers and generators of any language. */
import { z } from 'zod';

export type Json = Record<string, unknown>;

/**
 * Formats have a name but no pattern, which would be long and say no more.
 * Patterns with character classes that some languages don't support are left out; the introduction of the document describes them.
 * Defaults of an input are `x-default`: many generators make a field with `default` required, also in a request.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: json }) => {
      if (zodSchema instanceof z.ZodISODateTime)
        Object.assign(json, { type: 'string', format: 'date-time' });
      if (json.format) {
        delete json.pattern;
        delete json.allOf;
      }
      // Several patterns of a text are in allOf.
      const patterns = [json, ...(json.allOf ?? [])].flatMap(({ pattern }) =>
        pattern && !pattern.includes('\\p{') ? [pattern] : [],
      );
      delete json.pattern;
      if (json.allOf?.every(({ pattern }) => pattern)) delete json.allOf;
      if (patterns.length === 1) json.pattern = patterns[0];
      else if (patterns.length > 1) json.allOf = patterns.map((pattern) => ({ pattern }));
      if (io === 'input' && 'default' in json) {
        json['x-default'] = json.default;
        delete json.default;
      }
      if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
      if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
    },
  }) as Json;
  return plain(described) as Json;
}

/** `anyOf` of a type and null as a list of types, at any depth. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, plain(inner)]),
  ) as Json;
  if (!Array.isArray(anyOf)) return anyOf === undefined ? rest : { anyOf, ...rest };
  const [one, none] = anyOf as Json[];
  if (anyOf.length !== 2 || none?.type !== 'null' || typeof one?.type !== 'string')
    return { anyOf, ...rest };
  return {
    ...one,
    type: [one.type, 'null'],
    ...(Array.isArray(one.enum) ? { enum: [...one.enum, null] } : {}),
    ...rest,
  };
}
