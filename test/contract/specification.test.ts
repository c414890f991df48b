/** The statements of the specification, to the letter. A line here changes only with the specification. */
import { expect, test } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import { photoLimit } from '../../src/contract/limits.ts';
import { walk } from '../../src/contract/operations.ts';
import { problems } from '../../src/contract/problems.ts';
import {
  defaultLimit,
  listParameters,
  storedFields,
  storedFieldsOf,
} from '../../src/contract/schemas.ts';
import { scopes } from '../../src/contract/scopes.ts';
import { specified } from '../helpers/interface-table.ts';

const operations = [...walk(contract)];

test('the operations that it describes', () => {
  const marked = operations
    .filter(({ source }) => source === 'specification')
    .map(({ method, path }) => `${method} ${path}`);
  expect(marked.sort()).toEqual(specified);
});

test('scopes that it defines for operations without a description of their own', () => {
  const marked = operations.filter(
    ({ source, scopeSource = source }) => source === 'decision' && scopeSource === 'specification',
  );
  expect(marked.map(({ id, scope }) => [id, scope])).toEqual([
    ['cars.create', { all: ['read:cars', 'write:cars'] }],
    ['cars.update', { all: ['read:cars', 'write:cars'] }],
    ['calendar.list', { any: ['read:campaigns', 'read:social-events'] }],
  ]);
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
  expect([...scopes].sort()).toEqual(
    families.flatMap((family) => [`read:${family}`, `write:${family}`]).sort(),
  );
});

test('fields that it defines', () => {
  const named = (fields: Readonly<Record<string, { source: string }>>) =>
    Object.keys(fields).filter((name) => fields[name]?.source === 'specification');
  expect(named(storedFields)).toEqual(['id']);
  const stamped = Object.values(contract).filter(
    (resource) => named(storedFieldsOf(resource)).length > 1,
  );
  expect(stamped).toEqual([contract.appointments]);
  expect(named(storedFieldsOf(contract.appointments))).toEqual([
    'id',
    'teamId',
    'createdAt',
    'updatedAt',
  ]);
  expect(named(contract.appointments.fields)).toEqual(Object.keys(contract.appointments.fields));
  expect(named(contract.cars.fields)).toEqual(['year', 'make', 'model']);
  expect(named(contract.carEvents.fields)).toEqual([
    'activityType',
    'parkingSpotId',
    'parkingZoneId',
    'notes',
    'occurredAt',
    'sessionId',
  ]);
  expect(named(contract.carPhotos.fields)).toEqual([
    'sessionId',
    'filename',
    'contentType',
    'sourceUrl',
  ]);
  expect(named(contract.eventTypes.fields)).toEqual(['value', 'scope', 'config']);
  expect(named(contract.locations.fields)).toEqual(['isActive']);
  expect(named(contract.eventTypes.filters)).toEqual(['scope']);
  expect(named(contract.cars.filters)).toEqual(['customerId', 'status']);
});

test('lists: 50 records per page (default), 1 to 200, up to 200 ids', () => {
  const takes = (name: keyof typeof listParameters, value: unknown) =>
    listParameters[name].schema.safeParse(value).success;
  expect(defaultLimit).toBe(50);
  expect([listParameters.page.initial, listParameters.limit.initial]).toEqual([1, 50]);
  expect([0, 1, 200, 201].map((limit) => takes('limit', limit))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect([0, 1].map((page) => takes('page', page))).toEqual([false, true]);
  const id = '01890000-0000-7000-8000-000000000000';
  expect([200, 201].map((count) => takes('ids', Array(count).fill(id)))).toEqual([true, false]);
  expect(
    ['2026-01-01T00:00:00+01:00', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00'].map((at) =>
      takes('updatedAfter', at),
    ),
  ).toEqual([true, true, false]);
});

test('days of the week: 0 to 6, any number of entries', () => {
  const { schema } = contract.appointments.fields.recurrenceDaysOfWeek;
  expect(schema.parse([1, 2, 3, 4, 5, 6, 0, 1])).toEqual([1, 2, 3, 4, 5, 6, 0]);
  expect(schema.safeParse([7]).success).toBe(false);
});

test('photos of about 3 MB', () => {
  expect(photoLimit).toBe(3 * 1024 * 1024);
});

test('refusals use only 401, 403, 404 and 422; other statuses belong to the protocol', () => {
  const others = Object.entries(problems).filter(
    ([, { status }]) => ![401, 403, 404, 422].includes(status),
  );
  expect(others.map(([code, { status }]) => `${status} ${code}`)).toEqual([
    '400 bad_request',
    '405 method_not_allowed',
    '413 payload_too_large',
    '415 unsupported_media_type',
    '429 rate_limited',
    '500 internal_error',
    '503 unavailable',
    '507 storage_full',
  ]);
});
