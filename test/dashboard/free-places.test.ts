/** The places that are offered for a car, nearest first. */
import { expect, test } from 'vitest';
import type { BoardZone } from '../../src/facility/board.ts';

// Without its types, which are those of a browser.
const pages: string = '../../src/dashboard';
const { freePlaces } = await import(`${pages}/free-places.ts`);

const spot = (name: string, state = 'free') => ({ id: name, name, state });
const zone = (id: string, location: string, more: object = {}): BoardZone =>
  ({
    id,
    name: id,
    location: { id: location, name: location },
    isActive: true,
    capacity: 2,
    occupied: 1,
    spots: [],
    ...more,
  }) as unknown as BoardZone;

const hall = zone('Hall', 'Harbour', {
  occupied: 2,
  spots: [spot('A1'), spot('A2'), spot('A3', 'taken'), spot('A4'), spot('A5', 'inactive')],
});
const yard = zone('Yard', 'Harbour');
const mill = zone('Mill', 'Old Mill');
const closed = zone('Cellar', 'Harbour', { isActive: false, spots: [spot('C1')] });
type Group = { readonly title: string; readonly places: readonly { readonly name: string }[] };
const offered = (near: object): string[] =>
  freePlaces([mill, hall, closed, yard], near).map(({ title, places }: Group) =>
    [title, ...places.map(({ name }) => name)].join(': '),
  );

test('those of its zone by their distance, then those of its location; none that is out of use', () => {
  expect(offered({ zoneId: 'Hall', spotId: 'A3', locationId: 'Harbour' })).toEqual([
    'Hall · Harbour: A2: A4: A1',
    'Yard · Harbour: anywhere in Yard',
    'Mill · Old Mill: anywhere in Mill',
  ]);
});

test('a car without a spot is in its zone already', () => {
  expect(offered({ zoneId: 'Yard', locationId: 'Harbour' })).toEqual([
    'Hall · Harbour: A1: A2: A4',
    'Mill · Old Mill: anywhere in Mill',
  ]);
});
