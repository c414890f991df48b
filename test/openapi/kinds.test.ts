/** The description: one example of each kind in full, so that no change goes unnoticed. */
import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/openapi/document.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of any depth
const document: any = openApiDocument();

test.each([
  [
    'a list, with filters and any of two scopes',
    '/event-types',
    'get',
    {
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
    },
  ],
  [
    'a create whose body determines a scope',
    '/cars/{id}/events',
    'post',
    {
      operationId: 'carEvents.create',
      summary:
        'Log an event of a car. Its type decides whether it parks the car or ends its parking',
      description:
        'Log an event of a car. Its type decides whether it parks the car or ends its parking. Needs `write:cars`. With `parkingSpotId` or `parkingZoneId` also `write:parking`.',
      tags: ['car events'],
      'x-source': 'specification',
      'x-scopes': { all: ['write:cars'] },
      'x-scope-source': 'specification',
      'x-body-scope': { fields: ['parkingSpotId', 'parkingZoneId'], scope: 'write:parking' },
      security: [{ apiKey: [] }, { bearer: [] }],
      parameters: [
        {
          name: 'id',
          in: 'path',
          required: true,
          description: 'Of the record that it belongs to.',
          schema: { type: 'string', format: 'uuid' },
          example: '019aa0a3-4d00-7000-8000-b5615b90e87b',
        },
        {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'A repeat with the same key within 24 hours is answered with what the first was answered with, and with Idempotent-Replayed: true.',
          'x-source': 'decision',
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
          example: '5f0c7b3a-drop-off-4711',
        },
        {
          name: 'If-Parked-In',
          in: 'header',
          description:
            'Where the car must be parked; otherwise the request is refused with parking_changed. The id of a spot or a zone, `any` for anywhere, `none` for nowhere. A repeat with the same Idempotency-Key gets the first answer, wherever the car is by then.',
          'x-source': 'decision',
          schema: {
            type: 'string',
            pattern: '^(any|none|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
          },
          example: 'any',
        },
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/CarEventCreate' },
            examples: { CarEventCreate: { $ref: '#/components/examples/CarEventCreate' } },
          },
        },
      },
      answers: {
        201: {
          description:
            'Log an event of a car. Its type decides whether it parks the car or ends its parking.',
          headers: {
            'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
            'Accept-Preconditions': { $ref: '#/components/headers/Accept-Preconditions' },
            'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' },
          },
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { data: { $ref: '#/components/schemas/CarEvent' } },
                required: ['data'],
              },
              examples: { CarEvent: { $ref: '#/components/examples/CarEvent' } },
            },
          },
        },
      },
      refusals: [400, 401, 403, 404, 413, 415, 422, 429, 500, 503, 507],
    },
  ],
])('%s: %s %s', (_kind, path, method, written) => {
  const { responses, ...rest } = document.paths[path][method];
  const statuses = Object.keys(responses).map(Number);
  const answers = Object.fromEntries(
    statuses.filter((status) => status < 400).map((status) => [status, responses[status]]),
  );
  expect({ ...rest, answers, refusals: statuses.filter((status) => status >= 400) }).toEqual(
    written,
  );
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

test('title, servers and tags', () => {
  const { info, servers, tags } = document;
  const { description, ...rest } = info;
  expect(rest).toEqual({
    title: 'Car storage',
    version: '1.1.0',
    summary: 'Cars, customers, parking, appointments and marketing of a car storage facility.',
    contact: { name: 'The operator of this server' },
    license: { name: 'MIT', identifier: 'MIT' },
  });
  expect(description).toContain('**Keys.**');
  expect(servers).toEqual([{ url: '/api/v1', description: 'This server.' }]);
  expect(tags.at(0)).toEqual({ name: 'keys', description: 'The current key and its team.' });
  expect(tags.at(-1)).toEqual({ name: 'description', description: 'This description itself.' });
});
