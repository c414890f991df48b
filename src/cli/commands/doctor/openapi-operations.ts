/** Reads the operations of an OpenAPI document: parameters, bodies and answers as flat lists of fields. */
import { isObject } from '../../input/plain-object.ts';

type Json = Record<string, unknown>;

export interface Field {
  /** Without null; empty if not described. */
  readonly types: readonly string[];
  /** Allowed values of an enum. */
  readonly values?: readonly string[];
  readonly required: boolean;
}
/** By name, nested ones as `address.city`; undefined if not described. */
export type Fields = ReadonlyMap<string, Field> | undefined;

export interface OperationFields {
  /** `GET /cars/{id}`. */
  readonly name: string;
  readonly record: Fields;
  readonly body: Fields;
  readonly query: Fields;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const maxDepth = 6;

/** By method and path, without the names of path parameters: servers may choose their own. */
export function readOperations(document: unknown): Map<string, OperationFields> {
  const found = new Map<string, OperationFields>();
  if (!isObject(document) || !isObject(document.paths)) return found;
  for (const [written, item] of Object.entries(document.paths)) {
    const path = written.replace(/^\/api\/v1(?=\/)/, '').replace(/(?<=.)\/$/, '');
    const known = resolve(document, item);
    if (!isObject(known)) continue;
    for (const method of methods) {
      const operation = resolve(document, known[method]);
      if (!isObject(operation)) continue;
      const name = `${method.toUpperCase()} ${path}`;
      found.set(
        name.replace(/\{[^}]*\}/g, '{}'),
        describe(document, name, { parameters: known.parameters, operation }),
      );
    }
  }
  return found;
}

function describe(
  document: Json,
  name: string,
  { parameters, operation }: { parameters: unknown; operation: Json },
): OperationFields {
  const lists = [parameters, operation.parameters].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  const query = lists
    .map((parameter) => resolve(document, parameter))
    .filter((one) => isObject(one) && one.in === 'query') as Json[];
  const body = resolve(document, operation.requestBody);
  return {
    name,
    record: recordOf(document, operation),
    body: isObject(body) ? fieldsOf(document, schemaIn(document, body)) : undefined,
    query: new Map(
      query.map((one) => [String(one.name), fieldOf(document, one.schema, one.required === true)]),
    ),
  };
}

/** The record in `data` of a successful answer: a single one, or an item of the list. */
function recordOf(document: Json, { responses }: Json): Fields {
  if (!isObject(responses)) return undefined;
  const status = ['200', '201', '2XX', 'default'].find((one) => one in responses);
  const answer = status && resolve(document, responses[status]);
  const whole = isObject(answer) ? merged(document, schemaIn(document, answer)) : undefined;
  const data =
    whole && isObject(whole.properties) ? merged(document, whole.properties.data) : undefined;
  return data && fieldsOf(document, data.items ?? data);
}

/** The JSON schema of a body or an answer. */
function schemaIn(document: Json, holder: Json): unknown {
  if (!isObject(holder.content)) return undefined;
  const [, media] =
    Object.entries(holder.content).find(([type]) => /^application\/([\w.+-]+\+)?json/.test(type)) ??
    [];
  return isObject(media) ? resolve(document, media.schema) : undefined;
}

function fieldsOf(document: Json, schema: unknown): Fields {
  const fields = new Map<string, Field>();
  collect(document, schema, { prefix: '', depth: 0, fields });
  return fields.size > 0 ? fields : undefined;
}

function collect(
  document: Json,
  schema: unknown,
  at: { prefix: string; depth: number; fields: Map<string, Field> },
): void {
  const whole = merged(document, schema);
  if (!whole || !isObject(whole.properties) || at.depth > maxDepth) return;
  const required = Array.isArray(whole.required) ? whole.required : [];
  for (const [name, inner] of Object.entries(whole.properties)) {
    const path = `${at.prefix}${name}`;
    at.fields.set(path, fieldOf(document, inner, required.includes(name)));
    const object = merged(document, inner);
    collect(document, object?.items ?? object, { ...at, prefix: `${path}.`, depth: at.depth + 1 });
  }
}

function fieldOf(document: Json, schema: unknown, required: boolean): Field {
  const whole = merged(document, schema);
  const items = whole?.items === undefined ? undefined : merged(document, whole.items);
  const types = [whole?.type]
    .flat()
    .filter((type): type is string => typeof type === 'string' && type !== 'null');
  const values = valuesOf(whole) ?? valuesOf(items);
  return { types, ...(values ? { values } : {}), required };
}

function valuesOf(schema: Json | undefined): string[] | undefined {
  const values = Array.isArray(schema?.enum)
    ? schema.enum
    : schema?.const === undefined
      ? undefined
      : [schema.const];
  return values?.filter((value) => value !== null).map(String);
}

/** Merges a schema with its references and allOf parts; of alternatives, takes the only one that isn't null. */
function merged(document: Json, schema: unknown, depth = 0): Json | undefined {
  const found = resolve(document, schema);
  if (!isObject(found) || depth > maxDepth) return undefined;
  const { allOf, anyOf, oneOf, ...own } = found;
  const all = Array.isArray(allOf)
    ? allOf.map((part) => merged(document, part, depth + 1) ?? {})
    : [];
  const alternatives = [anyOf, oneOf]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((part) => merged(document, part, depth + 1) ?? {})
    .filter((part) => part.type !== 'null');
  const parts = [...all, ...(alternatives.length === 1 ? alternatives : []), own];
  const properties = parts.flatMap((part) => (isObject(part.properties) ? [part.properties] : []));
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []));
  return Object.assign(
    {},
    ...parts,
    properties.length > 0 ? { properties: Object.assign({}, ...properties), required } : {},
  );
}

/** Follows references in the document up to a limit, since they can be circular. */
function resolve(document: Json, value: unknown): unknown {
  let at = value;
  for (let step = 0; step < maxDepth && isObject(at) && typeof at.$ref === 'string'; step++) {
    at = at.$ref
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((inner, key) => {
        const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
        return isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
      }, document);
  }
  return at;
}
