import { expect, test } from 'vitest';
import { type PlaceRecords, placesOf, whereIs } from '../../src/facility/places.ts';

const records = (fields: Record<string, object>) =>
  new Map(Object.entries(fields).map(([id, more]) => [id, { id, ...more }])) as never;
const known: PlaceRecords = {
  locations: records({ north: { name: 'North' }, south: { name: 'South' } }),
  zones: records({
    hall: { name: 'Hall', locationId: 'north' },
    yard: { name: 'Yard', locationId: 'north' },
    other: { name: 'Yard', locationId: 'south' },
  }),
  spots: records({
    a1: { name: 'A1', zoneId: 'hall', locationId: 'north' },
    b1: { name: 'B1', zoneId: 'hall', locationId: 'north' },
    b2: { name: 'B1', zoneId: 'yard', locationId: 'north' },
    c1: { name: 'C1', zoneId: null, locationId: 'north' },
    c2: { name: 'C1', zoneId: null, locationId: 'south' },
    bare: { zoneId: 'gone', locationId: 'gone' },
  }),
};
const at = (parkingSpotId: string | null, parkingZoneId: string | null = null) => ({
  parkingSpotId,
  parkingZoneId,
});

test.each([
  [at('a1'), 'spot A1, in Hall of North'],
  [at('b1'), 'spot B1 · Hall, in Hall of North'],
  [at('b2'), 'spot B1 · Yard, in Yard of North'],
  [at('c1'), 'spot C1 · North, in no zone of North'],
  [at('c2'), 'spot C1 · South, in no zone of South'],
  [at('bare'), 'spot bare, in no zone of no location'],
  [at(null, 'hall'), 'zone Hall, in Hall of North'],
  [at(null, 'yard'), 'zone Yard · North, in Yard of North'],
  [at(null, 'other'), 'zone Yard · South, in Yard of South'],
  [at('gone', 'hall'), 'zone Hall, in Hall of North'],
  [at('gone', 'gone'), 'no place, in no zone of no location'],
  [at(null), 'no place, in no zone of no location'],
])('%o: %s', (car, expected) => {
  const place = placesOf(known)(car);
  const { spot, zone, location } = whereIs(known, car);
  expect(spot).toBe(place?.kind === 'spot' ? place.record : undefined);
  const shown = place ? `${place.kind} ${place.name}` : 'no place';
  expect(`${shown}, in ${zone?.name ?? 'no zone'} of ${location?.name ?? 'no location'}`).toBe(
    expected,
  );
});

test('without locations, a place is named without one', () => {
  const { locations: _, ...others } = known;
  expect(placesOf(others)(at('c1'))?.name).toBe('C1');
  expect(whereIs(others, at('c1')).location).toBeUndefined();
});
