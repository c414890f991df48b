import { expect, test } from 'vitest';
import { documentsIdempotencyKey } from '../../src/client/description.ts';

const parameter = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } };

test.each([
  ['on the operation', { paths: { '/cars': { post: { parameters: [parameter] } } } }, true],
  ['on the path', { paths: { '/cars': { parameters: [parameter], post: {} } } }, true],
  [
    'with the prefix in the path',
    { paths: { '/api/v1/cars': { post: { parameters: [parameter] } } } },
    true,
  ],
  [
    'by reference',
    {
      paths: { '/cars': { post: { parameters: [{ $ref: '#/components/parameters/Key' }] } } },
      components: { parameters: { Key: parameter } },
    },
    true,
  ],
  [
    'in lower case',
    { paths: { '/cars': { post: { parameters: [{ ...parameter, name: 'idempotency-key' }] } } } },
    true,
  ],
  [
    'as a query parameter',
    { paths: { '/cars': { post: { parameters: [{ ...parameter, in: 'query' }] } } } },
    false,
  ],
  [
    'on another method',
    { paths: { '/cars': { patch: { parameters: [parameter] }, post: {} } } },
    false,
  ],
  ['on another path', { paths: { '/customers': { post: { parameters: [parameter] } } } }, false],
  ['on a path without POST', { paths: { '/cars': { parameters: [parameter], get: {} } } }, false],
  [
    'by a reference without a target',
    { paths: { '/cars': { post: { parameters: [{ $ref: '#/nowhere' }] } } } },
    false,
  ],
  ['nowhere', {}, false],
  ['without a description', undefined, false],
  ['in an invalid description', { paths: [null, 'x'] }, false],
])('documented %s', (_, description, documented) => {
  expect(documentsIdempotencyKey(description, '/cars')).toBe(documented);
});

test('path parameters match any id', () => {
  const description = { paths: { '/cars/{id}/events': { post: { parameters: [parameter] } } } };
  expect(documentsIdempotencyKey(description, '/cars/0197/events')).toBe(true);
  expect(documentsIdempotencyKey(description, '/cars/0197/photos')).toBe(false);
  expect(documentsIdempotencyKey(description, '/cars/0197')).toBe(false);
});
