import { expect, test } from 'vitest';
import { withNumberIds, withTextIds } from '../../src/client/ids.ts';

test('numbers become text, in the record and where it names others', () => {
  const record = { id: 7, carId: 12, assetIds: [1, 2], customerId: null, mileage: 5 };
  expect(withTextIds(record)).toEqual({ id: '7', carId: '12', assetIds: ['1', '2'], customerId: null, mileage: 5 });
  expect(withNumberIds({ carId: '12', assetIds: ['1', 'x'], notes: '5' })).toEqual({ carId: 12, assetIds: [1, 'x'], notes: '5' });
});

test('the id of another system keeps its zeros', () => {
  expect(withNumberIds({ customerId: '7', externalId: '00123' })).toEqual({ customerId: 7, externalId: '00123' });
});
