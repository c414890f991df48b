/** The interface description (OpenAPI 3.1), read off the contract. Every operation and field says where it comes from. */
import { z } from 'zod';
import { contract } from '../contract/contract.ts';
import { type Operation, walk } from '../contract/operations.ts';
import { type ProblemCode, problems } from '../contract/problems.ts';
import type { Resource, Source } from '../contract/resource.ts';
import { createSchema, listParameters, storedFields, updateSchema } from '../contract/schemas.ts';

type Json = Record<string, unknown>;
interface Described {
  readonly source: Source;
  readonly schema: z.ZodType;
  readonly about: string;
}

let built: Json | undefined;

/** The description of the whole interface; version 1.1.0 as the specification gives it. */
export function openApiDocument(): Json {
  built ??= build();
  return built;
}

function build(): Json {
  const paths: Record<string, Json> = {};
  for (const operation of walk(contract)) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] as Json, { [operation.method.toLowerCase()]: describeOperation(operation) });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Car storage',
      version: '1.1.0',
      description: 'x-source tells what the specification states from what this server decided.',
    },
    servers: [{ url: '/api/v1' }],
    security: [{ apiKey: [] }, { bearer: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' }, bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: problemSchema(), ...Object.fromEntries(Object.values(contract).flatMap(describeSchemas)) },
    },
  };
}

function describeSchemas(resource: Resource): [string, Json][] {
  const all: Record<string, Described> = { ...(resource.singleton ? {} : storedFields), ...shown(resource) };
  const record = {
    type: 'object',
    description: resource.about,
    properties: Object.fromEntries(
      Object.entries(all).map(([name, field]) => [
        name,
        { ...jsonSchema(field.schema, 'output'), description: field.about, 'x-source': field.source },
      ]),
    ),
    required: Object.keys(all),
  };
  const title = titleOf(resource);
  const bodies: [string, Json][] = [];
  if (resource.operations.create) bodies.push([`${title}Create`, body(resource, createSchema(resource))]);
  if (resource.operations.update) bodies.push([`${title}Update`, body(resource, updateSchema(resource))]);
  return [[title, record], ...bodies];
}

const shown = (resource: Resource) => Object.fromEntries(Object.entries(resource.fields).filter(([, field]) => field.read));

function body(resource: Resource, schema: z.ZodObject): Json {
  const described = jsonSchema(schema, 'input') as { properties: Record<string, Json> };
  for (const [name, property] of Object.entries(described.properties)) {
    const field = resource.fields[name];
    if (field) Object.assign(property, { description: field.about, 'x-source': field.source });
  }
  return described;
}

function describeOperation(operation: Operation): Json {
  const title = titleOf(operation.resource);
  const described: Json = {
    operationId: operation.id,
    summary: operation.about,
    tags: [operation.resource.plural],
    'x-source': operation.source,
    'x-scopes': operation.scope,
    parameters: parametersOf(operation),
    responses: { [operation.success]: success(operation, title), ...failures(operation.problems ?? []) },
  };
  if (operation.bodyScope) described['x-body-scope'] = operation.bodyScope;
  if (operation.body) {
    const schema = { $ref: `#/components/schemas/${title}${operation.verb === 'create' ? 'Create' : 'Update'}` };
    described.requestBody = { required: true, content: { 'application/json': { schema } } };
  }
  return described;
}

function parametersOf(operation: Operation): Json[] {
  const path = operation.params.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }));
  const named: Record<string, Described> =
    operation.verb === 'list' ? { ...listParameters, ...operation.resource.filters } : { ...operation.query };
  const query = Object.entries(named).map(([name, parameter]) => ({
    name,
    in: 'query',
    description: parameter.about,
    'x-source': parameter.source,
    schema: jsonSchema(parameter.schema, 'input'),
    ...(name === 'ids' ? { style: 'form', explode: false } : {}),
  }));
  const idempotency = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repeat with the same key within 24 hours answers what the first was answered, with Idempotent-Replayed: true.',
    'x-source': 'decision',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  };
  return [...path, ...query, ...(operation.method === 'POST' ? [idempotency] : [])];
}

function success(operation: Operation, title: string): Json {
  const record = { $ref: `#/components/schemas/${title}` };
  const object = (properties: Json) => ({ type: 'object', properties, required: Object.keys(properties) });
  const integer = { type: 'integer' };
  const content: Record<Operation['answer'], Json> = {
    record: { 'application/json': { schema: object({ data: record }) } },
    list: {
      'application/json': { schema: object({ data: { type: 'array', items: record }, page: integer, limit: integer, total: integer }) },
    },
    deleted: {
      'application/json': { schema: object({ data: object({ id: { type: 'string', format: 'uuid' }, deleted: { const: true } }) }) },
    },
    bytes: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
  };
  return { description: operation.about, content: content[operation.answer] };
}

function failures(codes: readonly ProblemCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      status,
      {
        description: some.map((code) => `${code}: ${problems[code].about}`).join('\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

function problemSchema(): Json {
  return {
    type: 'object',
    'x-source': 'specification',
    properties: { error: { type: 'string' }, code: { type: 'string', enum: Object.keys(problems), 'x-source': 'decision' }, details: {} },
    required: ['error', 'code', 'details'],
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return described;
}

/** `carEvents` → `CarEvent`. */
const titleOf = (resource: Resource) => resource.singular.replace(/(^|\s)(\w)/g, (_all, _space, letter: string) => letter.toUpperCase());
