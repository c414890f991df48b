import { expect, test } from 'vitest';
import { freesPlace, requiresPlace } from '../../src/facility/event-type.ts';

test.each([
  [true, true],
  [false, false],
  ['true', undefined],
  ['false', undefined],
  [1, undefined],
  [null, undefined],
  [undefined, undefined],
])('a server that says %j: %j', (sent, told) => {
  const type = { config: { requiresParkingSpot: sent, releasesParkingSpot: sent } as never };
  expect([requiresPlace(type), freesPlace(type)]).toEqual([told, told]);
});

test.each([{ config: null }, {}])('unknown without a config', (type) => {
  expect([requiresPlace(type), freesPlace(type)]).toEqual([undefined, undefined]);
});
