/** The description of one operation. */
import type { Operation } from '../contract/operations.ts';
import { decision, type Order, type Precondition } from '../contract/resource.ts';
import { isRepeatable, listParameters } from '../contract/schemas.ts';
import { exampleOf } from './example.ts';
import { codesOf, describeRefusals, headersOf, ifNoneMatch, notModified } from './problems.ts';
import { titleOf } from './record.ts';
import { type Json, jsonSchema } from './schema.ts';

export function describeOperation(operation: Operation): Json {
  const { resource, scope, bodyScope, source, scopeSource = source, answer } = operation;
  return {
    operationId: operation.id,
    summary: operation.about.replace(/\.$/, ''),
    description: [
      operation.about,
      orderOf(operation),
      scopesInWords(operation),
      operation.upload ? uploads : '',
    ]
      .filter(Boolean)
      .join(' '),
    tags: [resource.plural],
    'x-source': source,
    'x-scopes': scope,
    'x-scope-source': scopeSource,
    ...(bodyScope ? { 'x-body-scope': bodyScope } : {}),
    security,
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation),
      ...(operation.method === 'POST' ? [idempotencyKey] : []),
      ...Object.values(operation.preconditions ?? {}).map(preconditionParameter),
      ...(answer === 'bytes' ? [ifNoneMatch] : []),
    ],
    ...(operation.body ? { requestBody: bodyOf(operation) } : {}),
    responses: {
      ...successes(operation),
      ...(answer === 'bytes' ? notModified : {}),
      ...describeRefusals(codesOf(operation)),
    },
  };
}

/** The operation of the description itself, the only one without a key. */
export function describeDocument(): Json {
  return {
    operationId: 'openapi.get',
    summary: 'Read this description',
    description: 'Read this description. No key is needed.',
    tags: ['description'],
    'x-source': 'decision',
    security: [],
    parameters: [ifNoneMatch],
    responses: {
      200: {
        description: 'An OpenAPI document.',
        headers: headersOf({ method: 'GET', answer: 'bytes' }),
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      ...notModified,
      ...describeRefusals(['bad_request', 'internal_error', 'unavailable']),
    },
  };
}

const uploads = 'It is an upload, of which fewer may come in a minute than of other requests.';

/** Either header is enough. */
const security: Json[] = [{ apiKey: [] }, { bearer: [] }];

function scopesInWords({ scope, bodyScope }: Operation): string {
  const quoted = (scopes: readonly string[], word: string) =>
    scopes.map((one) => `\`${one}\``).join(` ${word} `);
  const needed =
    'all' in scope ? quoted(scope.all, 'and') : 'any' in scope ? quoted(scope.any, 'or') : '';
  const more = bodyScope
    ? ` With ${quoted(bodyScope.fields, 'or')} also \`${bodyScope.scope}\`.`
    : '';
  return `${needed ? `Needs ${needed}.` : 'Any valid key will do.'}${more}`;
}

function orderOf({ answer, resource }: Operation): string {
  if (answer !== 'list') return '';
  const { field, direction }: Order = resource.order ?? { field: 'updatedAt', direction: 'desc' };
  return `Ordered by ${field}, ${direction === 'asc' ? 'ascending' : 'descending'}.`;
}

function pathParameters({ params, resource, verb }: Operation): Json[] {
  const own = verb !== 'list' && verb !== 'create';
  return params.map((name, at) => {
    const named =
      own && at === params.length - 1
        ? resource.name
        : (resource.parent?.resource ?? resource.name);
    const about =
      named === resource.name
        ? `Of the ${resource.singular}.`
        : 'Of the record that it belongs to.';
    return {
      name,
      in: 'path',
      required: true,
      description: about,
      schema: { type: 'string', format: 'uuid' },
      example: exampleOf(idSchema, named),
    };
  });
}
const idSchema = listParameters.ids.schema.element;

function queryParameters({ parameters }: Operation): Json[] {
  return Object.entries(parameters).map(([name, { required, about, source, schema, initial }]) => ({
    name,
    in: 'query',
    ...(required ? { required } : {}),
    description: isRepeatable(schema) ? `${about} The parameter may also be repeated.` : about,
    'x-source': source,
    // The default has the same source as the parameter.
    schema: {
      ...jsonSchema(schema, 'input'),
      ...(initial === undefined ? {} : { default: initial, 'x-default-source': source }),
    },
    // Comma-separated, as the specification has it: clients that follow the description work with every server.
    ...(isRepeatable(schema) ? { style: 'form', explode: false, 'x-repeat-source': decision } : {}),
    example: initial ?? exampleOf(schema, name),
  }));
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A repeat with the same key within 24 hours is answered with what the first was answered with, and with Idempotent-Replayed: true.',
  'x-source': 'decision',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: '5f0c7b3a-drop-off-4711',
};

const preconditionParameter = ({ header, about, source, schema }: Precondition): Json => ({
  name: header,
  in: 'header',
  description: about,
  'x-source': source,
  schema: jsonSchema(schema, 'input'),
  example: 'any',
});

function bodyOf({ resource, verb }: Operation): Json {
  const name = `${titleOf(resource)}${verb === 'create' ? 'Create' : 'Update'}`;
  return {
    required: true,
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${name}` },
        ...exampleNamed(name),
      },
    },
  };
}

function successes(operation: Operation): Json {
  const { success, existing, about } = operation;
  const headers = headersOf(operation);
  const content = contentOf(operation);
  return {
    ...(existing ? { 200: { description: existing, headers, content } } : {}),
    [success]: { description: about, headers, content },
  };
}

function contentOf({ answer, resource }: Operation): Json {
  const object = (properties: Json): Json => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
  });
  const title = titleOf(resource);
  const record = { $ref: `#/components/schemas/${title}` };
  const json = (schema: Json, example: string): Json => ({
    'application/json': { schema, ...exampleNamed(example) },
  });
  const count = (about: string, minimum: number, maximum?: number): Json => ({
    type: 'integer',
    minimum,
    maximum,
    description: about,
  });
  switch (answer) {
    case 'record':
      return json(object({ data: record }), title);
    case 'list':
      return json(
        object({
          data: { type: 'array', items: record },
          page: count('As asked for, or 1.', 1),
          limit: count('As asked for, or 50.', 1, 200),
          total: count('How many there are on all pages.', 0),
        }),
        `${title}Page`,
      );
    case 'deleted':
      return json(
        object({
          data: object({ id: { type: 'string', format: 'uuid' }, deleted: { const: true } }),
        }),
        `${title}Deleted`,
      );
    case 'bytes':
      return Object.fromEntries(
        mediaTypes(resource).map((type) => [
          type,
          { schema: { type: 'string', format: 'binary' } },
        ]),
      );
  }
}

const exampleNamed = (name: string): Json => ({
  examples: { [name]: { $ref: `#/components/examples/${name}` } },
});

/** The media types of a resource with bytes, from its field. */
function mediaTypes({ fields }: Operation['resource']): string[] {
  const { enum: types } = fields.contentType ? jsonSchema(fields.contentType.schema, 'output') : {};
  return Array.isArray(types) ? (types as string[]) : ['application/octet-stream'];
}
