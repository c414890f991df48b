/** A resource as plain data for scripts; types as JSON Schema. */
import { type Operation, operationsOf } from '../../../contract/operations.ts';
import { aboutWithDefault, type Resource, type Source } from '../../../contract/resource.ts';
import { storedFieldsOf } from '../../../contract/schemas.ts';
import type { ScopeRule } from '../../../contract/scopes.ts';
import { codesOf } from '../../../openapi/problems.ts';
import { describeSchemas } from '../../../openapi/record.ts';
import { type Json, jsonSchema } from '../../../openapi/schema.ts';
import { flagFields } from '../../resources/fields.ts';
import { flagOf } from '../../terminal/text.ts';

export interface FieldInfo {
  readonly name: string;
  readonly about: string;
  /** From the specification, or a decision of this project. */
  readonly source: Source;
  /** JSON Schema of the value in a record. */
  readonly schema: Json;
  /** JSON Schema of the value in a body, if it is narrower. */
  readonly given?: Json;
  /** In the body of a create. */
  readonly create: 'required' | 'optional' | 'never';
  /** Whether an update can change it. */
  readonly update: boolean;
  /** Whether records contain it. */
  readonly read: boolean;
  /** Default of a create. */
  readonly initial?: unknown;
  /** The resource that it refers to. */
  readonly references?: string;
  /** For each state, the states that an update can set. */
  readonly transitions?: Readonly<Record<string, readonly string[]>>;
}

export interface ParameterInfo {
  readonly name: string;
  /** The flag of `cs`. */
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
  /** Relative to `/api/v1`. */
  readonly path: string;
  readonly source: Source;
  readonly scope: ScopeRule;
  /** A scope that is required only with one of these fields. */
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
  /** JSON Schemas of the record and of the bodies of create and update, by title. */
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
    verbs: operationsOf(resource).map(verbOf),
    schemas: Object.fromEntries(describeSchemas(resource)),
  };
}

/** One verb: request, parameters and answer. */
export function describeVerb(operation: Operation) {
  const { resource, answer, params, parameters, body } = operation;
  const [record] = describeSchemas(resource)[0] as [string, Json];
  return {
    resource: resource.name,
    ...verbOf(operation),
    params,
    query: parametersOf(resource, parameters),
    body: body ? jsonSchema(body(), 'input') : null,
    answer: {
      status: operation.success,
      holds: answer,
      record: answer === 'record' || answer === 'list' ? record : null,
    },
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
    ([
      name,
      { about, source, schema, given, create, update, read, initial, initialText, references },
    ]): FieldInfo => ({
      name,
      about: aboutWithDefault({ about, initialText }),
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

function parametersOf({ fields }: Resource, parameters: Operation['parameters']): ParameterInfo[] {
  const referring = Object.entries(parameters).map(([name, parameter]) => [
    name,
    {
      ...parameter,
      references: parameter.field === undefined ? undefined : fields[parameter.field]?.references,
    },
  ]);
  const flags = new Map(
    flagFields(Object.fromEntries(referring)).map(({ name, flag }) => [name, flag]),
  );
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
