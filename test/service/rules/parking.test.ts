import { describe, expect } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import {
  issues,
  list,
  made,
  ok,
  refused,
  row,
  shows,
  testTable,
  total,
} from '../../helpers/table.ts';

const service = await testService();
const make = facility(service);

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const [hall, other, closed] = [await make.location(), await make.location(), await make.location()];
await make.change(`/locations/${closed.id}`, { isActive: false });
const zone = await make.zone(hall.id, { name: 'Yard', capacity: 2 });
const elsewhere = await make.zone(other.id, { name: 'Yard' });
const endless = await make.zone(hall.id, { name: 'Field' });
const spot = await make.spot(hall.id, { name: 'A1', zoneId: zone.id });
const spare = await make.spot(hall.id, { name: 'A2' });
const [car, second, third] = [await make.car(), await make.car(), await make.car()];
await make.assignment({ carId: second.id, parkingZoneId: zone.id });
const open = await make.assignment({
  carId: third.id,
  parkingSpotId: spare.id,
  startedAt: ago(30),
});

/** Where no test but that of lists parks a car. */
const mill = await make.location();
const free = await make.spot(mill.id);
await make.spot(mill.id, { isActive: false });
await make.assignment({
  carId: (await make.car()).id,
  parkingSpotId: (await make.spot(mill.id)).id,
});

describe('zones', () => {
  const create = row('POST', '/parking/zones');
  const change = row('PATCH', `/parking/zones/${zone.id}`);
  testTable(service, [
    create('no capacity', { locationId: hall.id, name: 'Ramp' }, made({ available: null })),
    create(
      'in an inactive location',
      { locationId: closed.id, name: 'B' },
      refused('location_inactive'),
    ),
    change(
      'fewer places than cars: none left',
      { capacity: 1 },
      ok({ capacity: 1, occupied: 1, available: 0 }),
    ),
    list(`/parking/zones?locationId=${hall.id}&available=false`, zone.id),
    change('no limit', { capacity: null }, ok({ capacity: null, available: null })),
    change('places left', { capacity: 2 }, ok({ available: 1 })),
    change('inactive', { isActive: false }, ok({ isActive: false })),
    list(`/parking/zones?locationId=${hall.id}&available=false`, zone.id),
    change('active again', { isActive: true }, ok()),
    list(
      `/parking/zones?locationId=${other.id}&available=true&ids=${elsewhere.id},${zone.id}`,
      elsewhere.id,
    ),
  ]);
});

describe('spots', () => {
  const create = row('POST', '/parking/spots');
  const change = row('PATCH', `/parking/spots/${spot.id}`);
  testTable(service, [
    create(
      'a zone of another location',
      { locationId: hall.id, name: 'B1', zoneId: elsewhere.id },
      issues({ zoneId: 'same_location' }),
    ),
    create(
      'in an inactive location',
      { locationId: closed.id, name: 'B1' },
      refused('location_inactive'),
    ),
    change(
      'into a zone of another location',
      { zoneId: elsewhere.id },
      issues({ zoneId: 'same_location' }),
    ),
    change('out of its zone', { zoneId: null }, ok({ zoneId: null })),
    change('back into it', { zoneId: zone.id }, ok({ zoneId: zone.id })),
    list(`/parking/spots?zoneId=${zone.id}`, spot.id),
    list(`/parking/spots?locationId=${mill.id}&available=true`, free.id),
    total(`/parking/spots?locationId=${mill.id}&available=false`, 2),
  ]);
});

describe('assignments', () => {
  const create = row('POST', '/parking/assignments');
  const change = row('PATCH', `/parking/assignments/${open.id}`);
  const ended = ago(10);
  testTable(service, [
    create('neither', { carId: car.id }, refused('parking_required')),
    create(
      'taken spot',
      { carId: car.id, parkingSpotId: spare.id },
      refused('parking_spot_occupied', { occupiedByCarId: third.id }),
    ),
    create(
      'expected, but away',
      { carId: car.id, parkingSpotId: spot.id },
      {
        ...refused('parking_changed', { expected: 'any', parkedIn: null, change: null }),
        error: "The car isn't parked",
      },
      { headers: { 'if-parked-in': 'any' } },
    ),
    create(
      'taken spot, from an outdated screen',
      { carId: car.id, parkingSpotId: spare.id },
      refused('parking_changed'),
      { headers: { 'if-parked-in': spot.id } },
    ),
    create(
      'in the future',
      { carId: car.id, parkingSpotId: spot.id, startedAt: ago(-10) },
      refused('occurred_at_in_future', { field: 'startedAt' }),
    ),
    create(
      'parks',
      { carId: car.id, parkingZoneId: zone.id, notes: 'n' },
      made({
        carId: car.id,
        parkingSpotId: null,
        parkingZoneId: zone.id,
        endedAt: null,
        startedByEventId: null,
        endedByEventId: null,
        startedByKey: 'all scopes',
        endedByKey: null,
        notes: 'n',
      }),
    ),
    shows('the car is stored', `/cars/${car.id}`, { status: 'stored', parkingZoneId: zone.id }),
    shows('the zone is full', `/parking/zones/${zone.id}`, { occupied: 2, available: 0 }),
    create(
      'the same zone again: what is there',
      { carId: car.id, parkingZoneId: zone.id },
      ok({ notes: 'n' }),
    ),
    create(
      'moves',
      { carId: car.id, parkingZoneId: endless.id },
      made({ parkingZoneId: endless.id }),
    ),
    create(
      'expected in the zone that it left',
      { carId: car.id, parkingSpotId: spot.id },
      refused('parking_changed', {
        parkedIn: { kind: 'zone', id: endless.id, name: 'Field' },
        change: expect.objectContaining({
          kind: 'parked',
          eventId: null,
          activityType: null,
          key: 'all scopes',
        }),
      }),
      { headers: { 'if-parked-in': zone.id } },
    ),
    shows('a place is free', `/parking/zones/${zone.id}`, { occupied: 1, available: 1 }),
    change('before it began', { endedAt: ago(31) }, refused('occurred_at_conflict')),
    change(
      'in the future',
      { endedAt: ago(-10) },
      refused('occurred_at_in_future', { field: 'endedAt' }),
    ),
    change(
      'null while it is open',
      { endedAt: null },
      ok({ endedAt: null, updatedAt: open.updatedAt }),
    ),
    change(
      'ends',
      { endedAt: ended, notes: 'cover on' },
      ok({ endedAt: ended, notes: 'cover on', endedByKey: 'all scopes' }),
    ),
    shows('the car is checked out', `/cars/${third.id}`, {
      status: 'checked_out',
      parkingSpotId: null,
    }),
    shows('the spot is free', `/parking/spots/${spare.id}`, { occupiedByCarId: null }),
    change('at the same time again', { endedAt: ended }, ok({ endedAt: ended })),
    change(
      'at another time',
      { endedAt: ago(5) },
      refused('not_parked', { endedAt: ended, endedByEventId: null, endedByKey: 'all scopes' }),
    ),
    change('reopened', { endedAt: null }, refused('not_parked')),
    list(`/parking/assignments?parkingSpotId=${spare.id}&active=false`, open.id),
    list(`/parking/assignments?parkingSpotId=${spare.id}&active=true`),
    total(`/parking/assignments?parkingZoneId=${endless.id}`, 1),
  ]);
});

describe('available names only what can be parked on', async () => {
  const place = await make.location();
  const inside = await make.zone(place.id);
  const bay = await make.spot(place.id, { zoneId: inside.id });
  const found = (what: 'spots' | 'zones', available: boolean, ...ids: string[]) =>
    list(`/parking/${what}?locationId=${place.id}&available=${available}`, ...ids);
  const free = [found('spots', true, bay.id), found('zones', true, inside.id)];
  testTable(
    service,
    [`/parking/zones/${inside.id}`, `/locations/${place.id}`].flatMap((path) => [
      ...free,
      row('PATCH', path)('what it belongs to is out of use', { isActive: false }, ok()),
      ...[found('spots', true), found('zones', true)],
      ...[found('spots', false, bay.id), found('zones', false, inside.id)],
      row('PATCH', path)('and in use again', { isActive: true }, ok()),
    ]),
  );
});
