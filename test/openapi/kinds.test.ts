/** The description: one example of each kind in full, so that no change goes unnoticed. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/openapi/document.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of any depth
const document: any = openApiDocument();

test('a list, with filters and any of two scopes', () => {
  const { responses, ...rest } = document.paths['/event-types'].get;
  const refusals = Object.keys(responses)
    .map(Number)
    .filter((status) => status >= 400);
  expect({ ...rest, answers: { 200: responses[200] }, refusals }).toEqual({
    operationId: 'eventTypes.list',
    summary: "List the team's event types",
    description:
      "List the team's event types. Ordered by updatedAt, descending. Needs `read:appointments` or `read:cars`.",
    tags: ['event types'],
    'x-source': 'specification',
    'x-scopes': { any: ['read:appointments', 'read:cars'] },
    'x-scope-source': 'specification',
    security: [{ apiKey: [] }, { bearer: [] }],
    parameters: [
      {
        name: 'page',
        in: 'query',
        description: 'Page number, starting at 1.',
        'x-source': 'specification',
        schema: {
          type: 'integer',
          minimum: 1,
          maximum: 1000000000,
          default: 1,
          'x-default-source': 'specification',
        },
        example: 1,
      },
      {
        name: 'limit',
        in: 'query',
        description: 'Records per page, 1 to 200.',
        'x-source': 'specification',
        schema: {
          type: 'integer',
          minimum: 1,
          maximum: 200,
          default: 50,
          'x-default-source': 'specification',
        },
        example: 50,
      },
      {
        name: 'updatedAfter',
        in: 'query',
        description: 'Only records updated at or after this time. Must include an offset.',
        'x-source': 'specification',
        schema: { type: 'string', format: 'date-time' },
        example: '2026-11-20T08:00:00.000Z',
      },
      {
        name: 'ids',
        in: 'query',
        description:
          'Only these records: comma-separated ids, up to 200. The parameter may also be repeated.',
        'x-source': 'specification',
        schema: {
          minItems: 1,
          maxItems: 200,
          type: 'array',
          items: { type: 'string', format: 'uuid' },
        },
        style: 'form',
        explode: false,
        'x-repeat-source': 'decision',
        example: ['019aa0a3-4d00-7000-8000-2b7dea192bb7'],
      },
      {
        name: 'scope',
        in: 'query',
        description: 'Event types with this scope.',
        'x-source': 'specification',
        schema: { type: 'string', enum: ['vehicle', 'customer', 'facility'] },
        example: 'vehicle',
      },
      {
        name: 'isActive',
        in: 'query',
        description: 'Whether the event type is active.',
        'x-source': 'decision',
        schema: { type: 'boolean' },
        example: true,
      },
    ],
    answers: {
      200: {
        description: "List the team's event types.",
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
          'Accept-Preconditions': { $ref: '#/components/headers/Accept-Preconditions' },
          'Total-Of': { $ref: '#/components/headers/Total-Of' },
        },
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                data: { type: 'array', items: { $ref: '#/components/schemas/EventType' } },
                page: { type: 'integer', minimum: 1, description: 'As asked for, or 1.' },
                limit: {
                  type: 'integer',
                  minimum: 1,
                  maximum: 200,
                  description: 'As asked for, or 50.',
                },
                total: {
                  type: 'integer',
                  minimum: 0,
                  description: 'How many there are on all pages.',
                },
              },
              required: ['data', 'page', 'limit', 'total'],
            },
            examples: { EventTypePage: { $ref: '#/components/examples/EventTypePage' } },
          },
        },
      },
    },
    refusals: [400, 401, 403, 422, 429, 500, 503],
  });
});

test('a create whose body determines a scope', () => {
  const { description, responses, parameters, ...rest } = document.paths['/cars/{id}/events'].post;
  expect(description).toMatch(
    /Needs `write:cars`. With `parkingSpotId` or `parkingZoneId` also `write:parking`.$/,
  );
  expect(rest).toMatchObject({
    'x-scopes': { all: ['write:cars'] },
    'x-body-scope': { fields: ['parkingSpotId', 'parkingZoneId'], scope: 'write:parking' },
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/CarEventCreate' },
          examples: { CarEventCreate: { $ref: '#/components/examples/CarEventCreate' } },
        },
      },
    },
  });
  const [inPath, ...inHeader] = parameters;
  expect(inPath).toMatchObject({ name: 'id', in: 'path', required: true });
  expect(inHeader).toMatchObject([
    { name: 'Idempotency-Key', schema: { minLength: 1, maxLength: 255, pattern: '^[!-~]+$' } },
    { name: 'If-Parked-In', schema: { pattern: expect.stringContaining('^(any|none|') } },
  ]);
  expect(Object.keys(responses).map(Number)).toEqual([
    201, 400, 401, 403, 404, 413, 415, 422, 429, 500, 503, 507,
  ]);
  expect(responses[201].content['application/json'].schema).toEqual({
    type: 'object',
    properties: { data: { $ref: '#/components/schemas/CarEvent' } },
    required: ['data'],
  });
});

test('refusals of an operation: its own text for 404 and 422, shared responses for the rest', () => {
  const { responses } = document.paths['/locations/{id}'].delete;
  expect(responses[403]).toEqual({ $ref: '#/components/responses/Refused403' });
  expect(responses[422]).toEqual({
    description:
      "- `validation_failed`: One or more values are invalid. details.issues lists all of them, each with the reason. Nothing was stored.\n- `resource_in_use`: Other records still use this one, so it can't be deleted. The details count them.",
    headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: {
          validation_failed: { $ref: '#/components/examples/validation_failed' },
          resource_in_use: { $ref: '#/components/examples/resource_in_use' },
        },
      },
    },
    'x-codes': ['validation_failed', 'resource_in_use'],
  });
});

test('a field with states: its transitions, its default and the source of each', () => {
  expect(document.components.schemas.AppointmentCreate.properties.status).toEqual({
    type: 'string',
    enum: [
      'scheduled',
      'pending_approval',
      'accepted',
      'declined',
      'checked_in',
      'in_progress',
      'completed',
      'cancelled',
      'no_show',
    ],
    description: 'Status. Default: `scheduled`.',
    'x-source': 'specification',
    'x-transitions': {
      pending_approval: ['scheduled', 'accepted', 'declined', 'cancelled'],
      scheduled: ['accepted', 'checked_in', 'in_progress', 'completed', 'cancelled', 'no_show'],
      accepted: ['scheduled', 'checked_in', 'in_progress', 'completed', 'cancelled', 'no_show'],
      checked_in: ['in_progress', 'completed', 'cancelled'],
      in_progress: ['completed', 'cancelled'],
      declined: ['scheduled'],
      cancelled: ['scheduled'],
      no_show: ['scheduled'],
      completed: ['in_progress'],
    },
    'x-transitions-source': 'decision',
    'x-default': 'scheduled',
    'x-default-source': 'decision',
  });
});

/** A part in eight digits. */
const digest = (part: unknown) =>
  createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 8);

test('no part changes unseen', () => {
  const { paths, components, ...rest } = document;
  const operations = Object.values<Record<string, { tags: string[] }>>(paths).flatMap((path) =>
    Object.values(path),
  );
  const families = Map.groupBy(operations, ({ tags: [family] }) => family);
  const parts = [...families, ...Object.entries({ ...components, ...rest })];
  expect(
    parts.map(([name, part]) => `${digest(part)} ${name}`).join('\n'),
    '`git diff --no-index` of dist/openapi.json before and after a build shows the difference',
  ).toMatchSnapshot();
});
