/** A resource as plain data, for scripts: JSON Schema for what has a type. */
import { type Operation, operationsOf } from '../../../contract/operations.ts';
import type { Resource, Source } from '../../../contract/resource.ts';
import { listParameters, storedFieldsOf } from '../../../contract/schemas.ts';
import type { ScopeRule } from '../../../contract/scopes.ts';
import { codesOf } from '../../../openapi/problems.ts';
import { describeSchemas } from '../../../openapi/record.ts';
import { type Json, jsonSchema } from '../../../openapi/schema.ts';
import { flagFields } from '../../crud/fields.ts';
import { flagOf } from '../../terminal/text.ts';

export interface FieldInfo {
  readonly name: string;
  readonly about: string;
  /** Whether the specification states it, or this project decided it. */
  readonly source: Source;
  /** JSON Schema of the value as a record shows it. */
  readonly schema: Json;
  /** The same as a body gives it, where that is narrower. */
  readonly given?: Json;
  /** Whether a create must, may or must not give it. */
  readonly create: 'required' | 'optional' | 'never';
  /** Whether an update may change it. */
  readonly update: boolean;
  /** Whether records show it. */
  readonly read: boolean;
  /** What a create stores when it is left out. */
  readonly initial?: unknown;
  /** The resource whose record it names. */
  readonly references?: string;
  /** From each state, those that an update may set. */
  readonly transitions?: Readonly<Record<string, readonly string[]>>;
}

export interface ParameterInfo {
  readonly name: string;
  /** The flag of `cs` that gives it. */
  readonly flag: string;
  readonly about: string;
  readonly source: Source;
  readonly schema: Json;
  readonly required: boolean;
  readonly initial?: unknown;
}

export interface VerbInfo {
  readonly verb: string;
  readonly about: string;
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly source: Source;
  readonly scope: ScopeRule;
  /** A scope that is needed only when one of these fields is given. */
  readonly bodyScope?: { readonly fields: readonly string[]; readonly scope: string };
}

export interface ResourceInfo {
  readonly name: string;
  readonly singular: string;
  readonly plural: string;
  readonly path: string;
  readonly about: string;
  readonly fields: readonly FieldInfo[];
  readonly filters: readonly ParameterInfo[];
  readonly verbs: readonly VerbInfo[];
  /** JSON Schemas of the record and of the bodies that make and change one, by title. */
  readonly schemas: Json;
}

export function describeResource(resource: Resource): ResourceInfo {
  const { name, singular, plural, path, about } = resource;
  return {
    name,
    singular,
    plural,
    path,
    about,
    fields: fieldsOf(resource),
    filters: resource.operations.list ? parametersOf(resource, resource.filters ?? {}) : [],
    verbs: Array.from(operationsOf(resource), verbOf),
    schemas: Object.fromEntries(describeSchemas(resource)),
  };
}

/** One verb: how it is asked, what it takes and what it answers. */
export function describeVerb(operation: Operation) {
  const { resource, verb, answer, params, body } = operation;
  const query = verb === 'list' ? { ...listParameters, ...resource.filters } : (operation.query ?? {});
  const [record] = describeSchemas(resource)[0] as [string, Json];
  return {
    resource: resource.name,
    ...verbOf(operation),
    params,
    query: parametersOf(resource, query),
    body: body ? jsonSchema(body(), 'input') : null,
    answer: { status: operation.success, holds: answer, record: answer === 'record' || answer === 'list' ? record : null },
    codes: codesOf(operation),
  };
}

function fieldsOf(resource: Resource): FieldInfo[] {
  const stored = Object.entries(storedFieldsOf(resource)).map(
    ([name, { about, source, schema }]): FieldInfo => ({
      name,
      about,
      source,
      schema: jsonSchema(schema, 'output'),
      create: 'never',
      update: false,
      read: true,
    }),
  );
  const own = Object.entries(resource.fields).map(
    ([name, { about, source, schema, given, create, update, read, initial, references }]): FieldInfo => ({
      name,
      about,
      source,
      schema: jsonSchema(schema, 'output'),
      ...(given && { given: jsonSchema(given, 'input') }),
      create,
      update,
      read,
      ...(initial !== undefined && { initial }),
      ...(references && { references }),
      ...(resource.transitions?.field === name && { transitions: resource.transitions.to }),
    }),
  );
  // Some resources declare one of the stored fields themselves.
  return [...stored.filter(({ name }) => !(name in resource.fields)), ...own];
}

type Parameters = NonNullable<Resource['filters']> | NonNullable<Operation['query']> | typeof listParameters;

function parametersOf({ fields }: Resource, parameters: Parameters): ParameterInfo[] {
  const referring = Object.entries(parameters).map(([name, parameter]) => [
    name,
    { ...parameter, references: 'field' in parameter ? fields[parameter.field]?.references : undefined },
  ]);
  const flags = new Map(flagFields(Object.fromEntries(referring)).map(({ name, flag }) => [name, flag]));
  return Object.entries(parameters).map(([name, { about, source, schema, required, initial }]) => ({
    name,
    flag: flags.get(name) ?? flagOf(name),
    about,
    source,
    schema: jsonSchema(schema, 'input'),
    required: required === true,
    ...(initial !== undefined && { initial }),
  }));
}

const verbOf = ({ verb, about, method, path, source, scope, bodyScope }: Operation): VerbInfo => ({
  verb,
  about,
  method,
  path,
  source,
  scope,
  ...(bodyScope && { bodyScope }),
});
