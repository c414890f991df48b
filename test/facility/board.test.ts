import { expect, test } from 'vitest';
import { type BoardRecords, makeBoard } from '../../src/facility/board.ts';

const byId = <R extends { id: string }>(...rows: R[]) => new Map(rows.map((row) => [row.id, row]));
const boardOf = (records: object) => makeBoard(records as unknown as BoardRecords);
const placesOf = (records: object) =>
  boardOf(records).map(({ id, location, spots }) => [
    id,
    location.id,
    spots.map((spot) => spot.id),
  ]);

test('a zone and a location with the same id are two places', () => {
  const zones = byId({ id: '1', name: 'Hall', locationId: '2' });
  const spots = byId(
    { id: '5', name: 'A', zoneId: '1', locationId: '2' },
    { id: '6', name: 'B', zoneId: null, locationId: '1' },
  );
  expect(placesOf({ zones, spots })).toEqual([
    [null, '1', ['6']],
    ['1', '2', ['5']],
  ]);
});

test("a spot in a zone that isn't in the list is shown without a zone", () => {
  expect(
    placesOf({ zones: byId(), spots: byId({ id: '5', name: 'A', zoneId: '9', locationId: '2' }) }),
  ).toEqual([[null, '2', ['5']]]);
});

test("whether a place is active is null where the server doesn't tell it", () => {
  const zones = byId(
    { id: '1', name: 'Hall' },
    { id: '2', name: 'Yard', isActive: false },
    { id: '3', name: 'Yard 2', isActive: true },
  );
  const spots = byId({ id: '5', name: 'A' });
  expect(boardOf({ zones, spots }).map(({ id, isActive }) => [id, isActive])).toEqual([
    ['1', null],
    ['2', false],
    ['3', true],
    [null, null],
  ]);
});

test('a spot of an inactive zone or location is inactive, unless a car is there', () => {
  const records = {
    locations: byId({ id: 'l', name: 'Harbour' }, { id: 'c', name: 'Mill', isActive: false }),
    zones: byId({ id: 'z', name: 'Hall', locationId: 'l', isActive: false }),
    spots: byId(
      { id: '1', name: 'A1', zoneId: 'z', locationId: 'l' },
      { id: '2', name: 'A2', zoneId: 'z', locationId: 'l' },
      { id: '3', name: 'B1', zoneId: null, locationId: 'l' },
      { id: '4', name: 'B2', zoneId: null, locationId: 'l', isActive: false },
      { id: '5', name: 'C1', zoneId: null, locationId: 'c' },
      { id: '6', name: 'C2', zoneId: null, locationId: 'c' },
    ),
    cars: byId({ id: 'a', parkingSpotId: '2' }, { id: 'b', parkingSpotId: '6' }),
  };
  const states = boardOf(records).flatMap(({ spots }) => spots.map(({ id, state }) => [id, state]));
  expect(Object.fromEntries(states)).toEqual({
    1: 'inactive',
    2: 'taken',
    3: 'free',
    4: 'inactive',
    5: 'inactive',
    6: 'taken',
  });
});
