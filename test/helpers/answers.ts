/** Checks for every answer of the service, whatever the request. */
import { expect } from 'vitest';
import { z } from 'zod';
import { contract } from '../../src/contract/contract.ts';
import { type Operation, walk } from '../../src/contract/operations.ts';
import { type ProblemCode, problems } from '../../src/contract/problems.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { kindOf, shownFields } from '../../src/contract/schemas.ts';
import type { Answer } from './service.ts';

const operations = [...walk(contract)].map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Codes that every request can get. */
const protocol: readonly ProblemCode[] = [
  'route_not_found',
  'bad_request',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'unavailable',
  'idempotency_key_reused',
];

/** The operation of a request; the path is below `/api/v1`. */
export function operationAt(method: string, path: string): Operation | undefined {
  const [plain] = path.split('?', 1);
  return operations.find(
    ({ operation, pattern }) => operation.method === method && pattern.test(plain as string),
  )?.operation;
}

/** Compares an answer with the contract: the shape of errors, the codes of the operation, exactly the fields of its records. */
export function expectWellFormed(method: string, path: string, answer: Answer): void {
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  const operation = operationAt(method, path);
  if (answer.status >= 400) expectProblem(answer, operation);
  else if (operation?.answer === 'record') expectRecord(operation.resource, answer.body.data);
  else if (operation?.answer === 'list') {
    expect(Object.keys(answer.body)).toEqual(['data', 'page', 'limit', 'total']);
    for (const record of answer.body.data) expectRecord(operation.resource, record);
  } else if (operation?.answer === 'deleted')
    expect(answer.body).toEqual({ data: { id: expect.any(String), deleted: true } });
}

export function expectProblem(answer: Answer, operation?: Operation): void {
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Object.keys(answer.body)).toEqual(['error', 'code', 'details']);
  expect(answer.body.error).toMatch(/\S/);
  expect(problems).toHaveProperty(answer.body.code);
  expect(answer.status).toBe(problems[answer.body.code as ProblemCode].status);
  if (operation) expect([...(operation.problems ?? []), ...protocol]).toContain(answer.body.code);
}

/** By resource: creating a schema takes longer than checking many records. */
const shapes = new Map<
  Resource,
  { readonly schema: z.ZodType; readonly times: readonly string[] }
>();

function shapeOf(resource: Resource) {
  const known = shapes.get(resource);
  if (known) return known;
  const fields = shownFields(resource);
  const times = Object.keys(fields).filter(
    (name) => kindOf(fields[name] as z.ZodType) === 'timestamp',
  );
  const shape = { schema: z.strictObject(fields), times };
  shapes.set(resource, shape);
  return shape;
}

export function expectRecord(resource: Resource, record: unknown): void {
  const { schema, times } = shapeOf(resource);
  const result = schema.safeParse(record);
  expect(result.error?.issues ?? []).toEqual([]);
  for (const name of times) {
    const time = (record as Record<string, unknown>)[name];
    if (time !== null) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
}
