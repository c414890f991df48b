import { expect, test } from 'vitest';
import { isSameId, withNumberIds, withTextIds } from '../../src/client/ids.ts';

test('numbers become text, in the record and where it names others', () => {
  const record = { id: 7, carId: 12, assetIds: [1, 2], customerId: null, mileage: 5 };
  expect(withTextIds(record)).toEqual({
    id: '7',
    carId: '12',
    assetIds: ['1', '2'],
    customerId: null,
    mileage: 5,
  });
  expect(withNumberIds({ carId: '12', assetIds: ['1', 'x'], notes: '5' })).toEqual({
    carId: 12,
    assetIds: [1, 'x'],
    notes: '5',
  });
});

test('a text that a server with numbers would write otherwise stays text', () => {
  const body = {
    customerId: '007',
    carId: '1e3',
    locationId: '-0',
    ids: ['0', '-5', '9007199254740993'],
  };
  expect(withNumberIds({ ...body, assetIds: body.ids })).toEqual({
    ...body,
    assetIds: [0, -5, 9007199254740993n],
  });
});

test('the id of another system keeps its zeros', () => {
  expect(withNumberIds({ customerId: '7', externalId: '00123' })).toEqual({
    customerId: 7,
    externalId: '00123',
  });
});

test.each([
  ['7F3C9A52-0000-4000-8000-00000000000A', '7f3c9a52-0000-4000-8000-00000000000a', true],
  ['aB3xK9', 'aB3xK9', true],
  ['aB3xK9', 'Ab3xk9', false],
  [7, '7', true],
])('whether %s and %s are the same id: %s', (a, b, expected) => {
  expect(isSameId(a, b)).toBe(expected);
});
