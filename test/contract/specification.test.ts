/** What the specification states, to the letter. A line here changes only when the specification does. */
import { expect, test } from 'vitest';
import { photoLimit } from '../../src/contract/cars.ts';
import { contract } from '../../src/contract/contract.ts';
import { walk } from '../../src/contract/operations.ts';
import { problems } from '../../src/contract/problems.ts';
import { defaultLimit, listParameters, storedFields } from '../../src/contract/schemas.ts';
import { scopes } from '../../src/contract/scopes.ts';

const operations = [...walk(contract)];

test.each([
  ['GET', '/cars', 'list', { all: ['read:cars'] }],
  ['GET', '/cars/{id}', 'record', { all: ['read:cars'] }],
  ['POST', '/cars', 'record', { all: ['read:cars', 'write:cars'] }],
  ['POST', '/cars/{id}/events', 'record', { all: ['write:cars'] }],
  ['POST', '/cars/{id}/photos', 'record', { all: ['write:cars'] }],
  ['GET', '/event-types', 'list', { any: ['read:appointments', 'read:cars'] }],
  ['GET', '/customers', 'list', { all: ['read:customers'] }],
  ['DELETE', '/locations/{id}', 'deleted', { all: ['write:locations'] }],
])('%s %s', (method, path, answer, scope) => {
  const found = operations.find((operation) => operation.method === method && operation.path === path);
  expect(found).toMatchObject({ source: 'specification', answer, scope });
});

test('an event with a spot or zone needs write:parking as well', () => {
  expect(contract.carEvents.operations.create.bodyScope).toEqual({ fields: ['parkingSpotId', 'parkingZoneId'], scope: 'write:parking' });
});

test('the 24 scopes', () => {
  const families = [
    'cars',
    'customers',
    'contacts',
    'locations',
    'parking',
    'appointments',
    'communications',
    'campaigns',
    'templates',
    'forms',
    'social-events',
    'marketing-assets',
  ];
  expect([...scopes].sort()).toEqual(families.flatMap((family) => [`read:${family}`, `write:${family}`]).sort());
});

test('fields that it names', () => {
  const stated = (fields: Readonly<Record<string, { source: string }>>) =>
    Object.keys(fields).filter((name) => fields[name]?.source === 'specification');
  expect(stated(storedFields)).toEqual(['id', 'teamId', 'createdAt', 'updatedAt']);
  expect(stated(contract.cars.fields)).toEqual(['year', 'make', 'model']);
  expect(stated(contract.carEvents.fields)).toEqual(['activityType', 'parkingSpotId', 'parkingZoneId', 'notes', 'occurredAt', 'sessionId']);
  expect(stated(contract.carPhotos.fields)).toEqual(['sessionId', 'filename', 'contentType', 'sourceUrl']);
  expect(stated(contract.eventTypes.fields)).toEqual(['value', 'scope', 'config']);
  expect(stated(contract.locations.fields)).toEqual(['isActive']);
  expect(stated(contract.eventTypes.filters)).toEqual(['scope']);
  expect(stated(contract.cars.filters)).toEqual(['customerId', 'status']);
});

test('lists: 50 to a page, 1 to 200, up to 200 ids', () => {
  const takes = (name: keyof typeof listParameters, value: unknown) => listParameters[name].schema.safeParse(value).success;
  expect(defaultLimit).toBe(50);
  expect([0, 1, 200, 201].map((limit) => takes('limit', limit))).toEqual([false, true, true, false]);
  expect([0, 1].map((page) => takes('page', page))).toEqual([false, true]);
  const id = '01890000-0000-7000-8000-000000000000';
  expect([200, 201].map((count) => takes('ids', Array(count).fill(id)))).toEqual([true, false]);
  expect(['2026-01-01T00:00:00+01:00', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00'].map((at) => takes('updatedAfter', at))).toEqual([
    true,
    true,
    false,
  ]);
});

test('photos of about 3 MB', () => {
  expect(photoLimit).toBe(3 * 1024 * 1024);
});

test('refusals stay within 401, 403, 404 and 422; other statuses belong to the protocol', () => {
  const others = Object.entries(problems).filter(([, { status }]) => ![401, 403, 404, 422].includes(status));
  expect(others.map(([code, { status }]) => `${status} ${code}`)).toEqual([
    '400 bad_request',
    '405 method_not_allowed',
    '413 payload_too_large',
    '415 unsupported_media_type',
    '429 rate_limited',
    '500 internal_error',
    '503 unavailable',
  ]);
});
