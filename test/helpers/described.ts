/** Compares answers of the service with the interface description alone. */
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import { openApiDocument } from '../../src/openapi/document.ts';
import { operationAt } from './answers.ts';
import type { Answer } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of any depth
type Json = any;
const document: Json = openApiDocument();
// biome-ignore lint/suspicious/noExplicitAny: the types of the package lack a part of its default export
const ajv = (formats as any)(new Ajv2020({ strict: false, allErrors: true })) as Ajv2020;
ajv.addSchema(document as AnySchema, 'openapi.json', false, false);

const compiled = new Map<string, ValidateFunction>();

/** Fails if status, headers, media type, code or content differ from the description. The path is below `/api/v1`. */
export function expectDescribed(method: string, path: string, answer: Answer): void {
  // The description itself is no operation of the contract.
  const template = operationAt(method, path)?.path ?? path;
  const operation = document.paths[template]?.[method.toLowerCase()];
  const at = `${method} ${path.slice(0, 200)} ${answer.status}`;
  if (!operation) {
    expect(answer.status, at).toBeGreaterThanOrEqual(400);
    expectSchema({ $ref: '#/components/schemas/Problem' }, answer.body, at);
    return;
  }
  const response = resolved(operation.responses[answer.status]);
  expect(
    response,
    `${at} is not described: ${JSON.stringify(answer.body)?.slice(0, 500)}`,
  ).toBeDefined();
  for (const [name, header] of Object.entries<Json>(response.headers))
    expectHeader(resolved(header), answer.headers.get(name), `${at} ${name}`);
  if (!response.content) {
    expect(answer.bytes, at).toHaveLength(0);
    return;
  }
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
  expect(Object.keys(response.content), at).toContain(type);
  if (answer.status >= 400)
    expect(
      response['x-codes'],
      `${at}: add the code to \`problems\` of the operation in src/contract`,
    ).toContain(answer.body?.code);
  if (type === 'application/json') expectSchema(response.content[type].schema, answer.body, at);
}

function expectHeader(header: Json, value: string | null, at: string): void {
  if (value === null) expect(header.required ?? false, `${at} is missing`).toBe(false);
  else expectSchema(header.schema, header.schema.type === 'integer' ? Number(value) : value, at);
}

function expectSchema(schema: Json, value: unknown, at: string): void {
  const key = JSON.stringify(schema);
  // Within the document, so that references resolve.
  const validate =
    compiled.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"#/', '"openapi.json#/')));
  compiled.set(key, validate);
  if (!validate(value))
    expect.fail(
      `${at}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 2_000)}`,
    );
}

const resolved = (value: Json): Json =>
  value?.$ref
    ? value.$ref
        .slice(2)
        .split('/')
        .reduce((inner: Json, name: string) => inner[name.replaceAll('~1', '/')], document)
    : value;
