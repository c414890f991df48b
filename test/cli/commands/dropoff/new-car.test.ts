/** What a car that is not known was looked for by. */
import { expect, test } from 'vitest';
import { plateIn } from '../../../../src/cli/commands/counter/new-car.ts';

test.each([
  ['HH-NEW 1', 'HH-NEW 1'],
  [' hh-new 1 ', 'HH-NEW 1'],
  ['AB12 CDE', 'AB12 CDE'],
  ['12-ABC-3', '12-ABC-3'],
  ['WÜ·E 61H', 'WÜ·E 61H'],
  ['Jaguar 3', undefined],
  ['new', undefined],
  ['1961', undefined],
  ['WP0ZZZ91ZES100001', undefined],
  ['', undefined],
])('%j is the plate %j', (sought, plate) => {
  expect(plateIn(sought)).toBe(plate);
});
