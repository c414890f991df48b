/** The error responses of operations, with an example for each code. */
import type { Operation } from '../contract/operations.ts';
import { type ProblemCode, problems } from '../contract/problems.ts';
import type { Json } from './schema.ts';

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };

const etag = { ETag: { $ref: '#/components/headers/ETag' } };

/** A request with the current ETag is answered with 304, without the bytes. */
export const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  description: 'ETags of earlier answers.',
  'x-source': 'decision',
  schema: { type: 'string' },
  example: '"5f0c7b3a"',
};
export const notModified: Json = {
  304: {
    description: 'The same as one of If-None-Match.',
    headers: { ...requestId, ...etag },
    'x-source': 'decision',
  },
};

/** Headers of answers. */
export const answerHeaders: Json = {
  'X-Request-Id': {
    description: 'Finds the request in the log of the service.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    'x-source': 'decision',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer', minimum: 1, maximum: 60 },
    'x-source': 'decision',
  },
  ETag: {
    description:
      'The bytes that this is about: in If-None-Match it asks whether they are still the same.',
    required: true,
    schema: { type: 'string', pattern: '^"[0-9a-f]+"$' },
    'x-source': 'decision',
  },
  RateLimit: {
    description:
      'For each limit of the request, the number of requests left (`r`). On every answer to a request with a key, except without limits.',
    schema: { type: 'string' },
    'x-source': 'decision',
  },
  'RateLimit-Policy': {
    description:
      'For each limit of the request, the number of requests (`q`) in so many seconds (`w`). On the same answers.',
    schema: { type: 'string' },
    'x-source': 'decision',
  },
  'Accept-Preconditions': {
    description:
      'The preconditions that the server knows, by header. A precondition that it does not know has no effect.',
    required: true,
    schema: { type: 'string' },
    'x-source': 'decision',
  },
  'Total-Of': {
    description:
      'The list has every record that meets each parameter as it is described here, its `total` counts those of all pages, and a page is as large as its `limit`.',
    required: true,
    schema: { const: 'all-pages' },
    'x-source': 'decision',
  },
  'Idempotent-Replayed': {
    description:
      'This is the answer that the first request with the same Idempotency-Key was given.',
    schema: { const: 'true' },
    'x-source': 'decision',
  },
};

export const headersOf = ({
  method,
  answer,
}: Pick<Operation, 'method'> & { answer?: Operation['answer'] }): Json => ({
  ...requestId,
  ...(answer === 'bytes'
    ? etag
    : { 'Accept-Preconditions': { $ref: '#/components/headers/Accept-Preconditions' } }),
  ...(answer === 'list' ? { 'Total-Of': { $ref: '#/components/headers/Total-Of' } } : {}),
  ...(method === 'POST'
    ? { 'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' } }
    : {}),
});

/** All codes of an operation: its own, and those of every request of its kind. */
export function codesOf({ problems: own = [], params, method }: Operation): ProblemCode[] {
  const protocol: ProblemCode[] = ['bad_request', 'rate_limited', 'internal_error', 'unavailable'];
  if (params.length > 0) protocol.push('route_not_found');
  if (method !== 'GET')
    protocol.push('payload_too_large', 'unsupported_media_type', 'storage_full');
  if (method === 'POST') protocol.push('idempotency_key_reused');
  return [...own, ...protocol];
}

const limitHeaders: Json = Object.fromEntries(
  ['Retry-After', 'RateLimit', 'RateLimit-Policy'].map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]),
);

/** Statuses that each operation describes itself; others mean the same everywhere. */
const own = new Set([404, 422]);

/** A response for each status of the codes. */
export function describeRefusals(codes: readonly ProblemCode[]): Json {
  return Object.fromEntries(
    byStatus(codes).map(([status, some]) => [
      status,
      own.has(status)
        ? describeRefusal(status, some)
        : { $ref: `#/components/responses/${sharedName(status)}` },
    ]),
  );
}

/** The shared responses, by name. */
export function sharedRefusals(operations: readonly Operation[]): Json {
  const codes = [...new Set(operations.flatMap(codesOf))];
  return Object.fromEntries(
    byStatus(codes)
      .filter(([status]) => !own.has(status))
      .map(([status, some]) => [sharedName(status), describeRefusal(status, some)]),
  );
}

const sharedName = (status: number) => `Refused${status}`;
const byStatus = (codes: readonly ProblemCode[]) =>
  [...Map.groupBy(codes, (code) => problems[code].status)].sort(([a], [b]) => a - b);

function describeRefusal(status: number, codes: readonly ProblemCode[]): Json {
  return {
    description: codes.map((code) => `- \`${code}\`: ${problems[code].about}`).join('\n'),
    headers: { ...requestId, ...(status === 429 ? limitHeaders : {}) },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
    'x-codes': codes,
  };
}

export const problemSchema: Json = {
  type: 'object',
  description: 'Every error, whatever its status.',
  'x-source': 'specification',
  properties: {
    error: {
      type: 'string',
      description: 'What is wrong, for a person.',
      'x-source': 'specification',
    },
    code: {
      type: 'string',
      enum: Object.keys(problems),
      description: 'What is wrong, for a program.',
      'x-source': 'specification',
      'x-enum-source': 'decision',
    },
    details: {
      description: 'What there is to know beyond the code; null when there is nothing.',
      'x-source': 'specification',
    },
  },
  required: ['error', 'code', 'details'],
};

/** An example of each code: with the message of the specification if there is one, else with the meaning of the code. */
export function problemExamples(operations: readonly Operation[]): Json {
  const codes = new Set(operations.flatMap(codesOf));
  return Object.fromEntries(
    [...codes].map((code) => [
      code,
      {
        summary: problems[code].about,
        value: {
          error: messages[code] ?? problems[code].about,
          code,
          details: details[code] ?? null,
        },
      },
    ]),
  );
}

const messages: { [C in ProblemCode]?: string } = {
  api_key_expired: 'API key expired',
  api_key_revoked: 'API key revoked',
  api_disabled: 'API is disabled for this team',
  missing_scope: 'Missing scope: read:cars',
  validation_failed: 'limit must be at most 200',
};

const details: { [C in ProblemCode]?: unknown } = {
  missing_scope: { scope: 'read:cars' },
  validation_failed: {
    issues: [{ path: 'limit', rule: 'too_big', message: 'must be at most 200' }],
  },
  parking_changed: {
    carId: '019aa0a3-4d00-7000-8000-2b1b6f2f3c11',
    expected: '019aa0a3-4d00-7000-8000-5a0c9f4a7d12',
    parkedIn: null,
    change: {
      kind: 'released',
      at: '2026-11-20T08:00:00.000Z',
      key: 'Counter 2',
      assignmentId: '019aa0a3-4d00-7000-8000-7c3d1e5b8a13',
      eventId: '019aa0a3-4d00-7000-8000-9e4f2a6c1b14',
      activityType: 'pick_up',
    },
  },
  rate_limited: { retryAfter: 3 },
};
