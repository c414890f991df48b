import { expect, test } from 'vitest';
import { typedRecords } from '../../src/client/typed-records.ts';
import { contract, type ResourceName } from '../../src/contract/contract.ts';

const cases: [ResourceName, Record<string, unknown>, Record<string, unknown>][] = [
  ['locations', { isActive: 'true' }, { isActive: true }],
  ['locations', { isActive: 'false' }, { isActive: false }],
  ['locations', { isActive: 0 }, { isActive: false }],
  ['locations', { isActive: 1 }, { isActive: true }],
  ['parkingZones', { available: '2', capacity: '-0' }, { available: 2, capacity: -0 }],
  ['cars', { year: '1973' }, { year: 1973 }],
  [
    'eventTypes',
    { config: { requiresParkingSpot: 'false', more: '1' } },
    { config: { requiresParkingSpot: false, more: '1' } },
  ],
  ['appointments', { recurrenceDaysOfWeek: ['0', 6] }, { recurrenceDaysOfWeek: [0, 6] }],
  ['locations', { isActive: 'True' }, { isActive: true }],
  [
    'eventTypes',
    { scope: 'VEHICLE', config: { releasesParkingSpot: 1 } },
    { scope: 'vehicle', config: { releasesParkingSpot: true } },
  ],
  [
    'appointments',
    { status: 'CHECKED-IN', carId: '', startAt: '', notes: '' },
    { status: 'checked_in', carId: null, startAt: null, notes: '' },
  ],
  ['parkingSpots', { occupiedByCarId: '', zoneId: '' }, { occupiedByCarId: null, zoneId: null }],
  ['parkingSpots', { name: 12, zoneId: 3 }, { name: '12', zoneId: '3' }],
  ['parkingSpots', { name: { en: 'A3' } }, { name: '{"en":"A3"}' }],
  ['locations', { name: false, isActive: 1 }, { name: 'false', isActive: true }],
  [
    'appointments',
    { startAt: '2026-05-05t14:00z', endAt: '2026-05-05T14:00:00.5+0200' },
    { startAt: '2026-05-05T14:00:00Z', endAt: '2026-05-05T14:00:00.5+02:00' },
  ],
  ['appointments', { startAt: '2026-05-05T14:00-05' }, { startAt: '2026-05-05T14:00:00-05:00' }],
];

test.each(cases)('%s: %j is read as %j', (name, sent, read) => {
  expect(typedRecords(contract[name])(sent)).toEqual(read);
});

const kept: [ResourceName, Record<string, unknown>][] = [
  ['locations', { isActive: 'yes' }],
  ['appointments', { status: 'E-12', id: '' }],
  // The server's own words.
  ['customers', { status: 'ACTIVE', externalId: '' }],
  ['locations', { isActive: 2 }],
  ['locations', { isActive: null }],
  ['appointments', { startAt: '2026-05-05T14:00:00', endAt: '2026-05-05T14:00:00.000Z' }],
  ['customers', { address: { city: 'Kiel' }, tags: ['vip'] }],
  ['parkingZones', { capacity: {}, occupied: [1], createdAt: { at: 1 } }],
  ['locations', {}],
  ['cars', { year: '1973/74', unknown: '5', updatedAt: 1_777_000_000 }],
  ['cars', { year: 1973, make: 'Porsche', nickname: null }],
  ['eventTypes', { config: 'none', options: [{ durationMinutes: 30 }] }],
];

test.each(kept)('%s: %j stays as it is', (name, sent) => {
  expect(typedRecords(contract[name])(sent)).toBe(sent);
});
