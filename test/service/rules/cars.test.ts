import { afterAll } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { startTestService } from '../../helpers/service.ts';
import { type Row, testTable } from '../../helpers/table.ts';

const service = await startTestService();
afterAll(() => service.close());
const make = facility(service);

const nextYear = new Date().getUTCFullYear() + 1;
const hall = await make.location();
const closed = await make.location();
await make.change(`/locations/${closed.id}`, { isActive: false });
const owner = await make.customer();
const spot = await make.spot(hall.id);

const full = await make.car({
  vin: 'WP0-FULL',
  trim: 'S',
  color: 'red',
  nickname: 'Rudi',
  mileage: 5,
  notes: 'a',
  customerId: owner.id,
  locationId: hall.id,
  licensePlate: 'B-CS 1',
});
const stored = await make.car();
await make.event(stored.id, { parkingSpotId: spot.id });
const archived = await make.car({ vin: 'ARCHIVED-1', status: 'archived' });
const [toArchive, expected] = [await make.car(), await make.car()];
await make.car({ vin: 'TAKEN-2' });
const sameVinArchived = await make.car({ vin: 'TAKEN-2', status: 'archived' });

const valid = { year: 1973, make: 'Porsche', model: '911' };
const create = (name: string, given: object, expect: Row['expect']): Row => ({
  name: `create: ${name}`,
  method: 'POST',
  path: '/cars',
  body: { ...valid, ...given },
  expect,
});
const change = (name: string, id: string, body: object, expect: Row['expect']): Row => ({
  name: `change: ${name}`,
  method: 'PATCH',
  path: `/cars/${id}`,
  body,
  expect,
});
const issue = (path: string, rule: string): Row['expect'] => ({
  status: 422,
  code: 'validation_failed',
  issues: { [path]: rule },
});
const created = (data: Record<string, unknown>): Row['expect'] => ({ status: 201, data });
const changed = (data: Record<string, unknown>): Row['expect'] => ({ status: 200, data });

const empty = {
  trim: null,
  color: null,
  vin: null,
  licensePlate: null,
  licensePlateRegion: null,
  nickname: null,
  mileage: null,
  customerId: null,
  locationId: null,
  parkingSpotId: null,
  parkingZoneId: null,
  notes: null,
};

testTable(service, [
  create(
    'only what must be given; the rest is null',
    {},
    created({ ...valid, ...empty, status: 'expected' }),
  ),
  create('null is as good as left out', { vin: null, customerId: null }, created(empty)),
  create(
    'vin and plate in upper case, names trimmed',
    { make: ' Saab ', vin: 'wp0zz-1', licensePlate: 'b-cs 99', licensePlateRegion: 'de' },
    {
      status: 201,
      data: { make: 'Saab', vin: 'WP0ZZ-1', licensePlate: 'B-CS 99', licensePlateRegion: 'DE' },
    },
  ),
  create(
    'plate of 32, within spaces',
    { licensePlate: ` ${'p'.repeat(32)} ` },
    created({ licensePlate: 'P'.repeat(32) }),
  ),
  create('plate of 33', { licensePlate: 'p'.repeat(33) }, issue('licensePlate', 'too_big')),
  create(
    'plate of 17 letters that are two in capitals',
    { licensePlate: 'ß'.repeat(17) },
    issue('licensePlate', 'too_big'),
  ),
  create('the oldest car', { year: 1886 }, created({ year: 1886 })),
  create('older than that', { year: 1885 }, issue('year', 'too_small')),
  create('the newest car', { year: nextYear }, created({ year: nextYear })),
  create('newer than that', { year: nextYear + 1 }, issue('year', 'too_big')),
  create('year as text', { year: '1973' }, issue('year', 'invalid_type')),
  create('half a year', { year: 1973.5 }, issue('year', 'invalid_type')),
  create('make of 100', { make: 'm'.repeat(100) }, created({ make: 'm'.repeat(100) })),
  create('make of 101', { make: 'm'.repeat(101) }, issue('make', 'too_big')),
  create('make of spaces', { make: '   ' }, issue('make', 'too_small')),
  create('notes of 10,000', { notes: 'n'.repeat(10_000) }, created({})),
  create('notes of 10,001', { notes: 'n'.repeat(10_001) }, issue('notes', 'too_big')),
  create('U+0000 in a text', { notes: 'a\0b' }, issue('notes', 'invalid_format')),
  create('half of a surrogate pair', { nickname: 'a\ud83d' }, issue('nickname', 'invalid_format')),
  create('a whole surrogate pair', { nickname: 'Käfer 🚗' }, created({ nickname: 'Käfer 🚗' })),
  create('vin with other characters', { vin: 'WP0 1' }, issue('vin', 'invalid_format')),
  create('vin of 26', { vin: 'A'.repeat(26) }, issue('vin', 'invalid_format')),
  create('mileage below 0', { mileage: -1 }, issue('mileage', 'too_small')),
  create('mileage 0', { mileage: 0 }, created({ mileage: 0 })),
  create('customerId that is no uuid', { customerId: 'x' }, issue('customerId', 'invalid_format')),
  create(
    'ids in upper case',
    { customerId: owner.id.toUpperCase() },
    created({ customerId: owner.id }),
  ),
  create(
    'everything that is wrong, at once',
    { year: 1, make: '', colour: 'red', status: 'lost' },
    {
      status: 422,
      code: 'validation_failed',
      issues: { year: 'too_small', make: 'too_small', status: 'invalid_value', colour: 'unknown' },
    },
  ),
  create('checked_out', { status: 'checked_out' }, created({ status: 'checked_out' })),
  create(
    'vin of another car, in lower case',
    { vin: 'wp0-full' },
    {
      status: 422,
      code: 'duplicate',
      details: { field: 'vin', id: full.id },
    },
  ),
  create('vin of an archived car', { vin: 'ARCHIVED-1' }, created({ vin: 'ARCHIVED-1' })),
  {
    ...create('vin of a car of another team', { vin: 'WP0-FULL' }, created({ vin: 'WP0-FULL' })),
    key: service.otherKey,
  },
  create(
    'inactive location',
    { locationId: closed.id },
    { status: 422, code: 'location_inactive', details: { locationId: closed.id } },
  ),

  change('nothing: updatedAt stays', full.id, {}, changed({ updatedAt: full.updatedAt })),
  change(
    'to what it is: updatedAt stays',
    full.id,
    { color: 'red', vin: 'wp0-full', mileage: 5 },
    changed({ updatedAt: full.updatedAt }),
  ),
  change(
    'one field: the others stay',
    full.id,
    { color: 'blue' },
    changed({ color: 'blue', trim: 'S', notes: 'a', customerId: owner.id }),
  ),
  change(
    'null clears',
    full.id,
    { notes: null, customerId: null, locationId: null, mileage: null },
    {
      status: 200,
      data: { notes: null, customerId: null, locationId: null, mileage: null, color: 'blue' },
    },
  ),
  change(
    'null where it cannot be',
    full.id,
    { year: null, status: null },
    {
      status: 422,
      code: 'validation_failed',
      issues: { year: 'invalid_type', status: 'invalid_value' },
    },
  ),
  change(
    'read-only fields',
    full.id,
    { id: full.id, createdAt: full.createdAt, parkingZoneId: null },
    {
      status: 422,
      code: 'validation_failed',
      issues: { id: 'read_only', createdAt: 'read_only', parkingZoneId: 'read_only' },
    },
  ),
  change('year out of range', full.id, { year: nextYear + 1 }, issue('year', 'too_big')),
  change(
    'archived while parked',
    stored.id,
    { status: 'archived' },
    { status: 422, code: 'car_parked', details: { parkingSpotId: spot.id } },
  ),
  change('archived', toArchive.id, { status: 'archived' }, changed({ status: 'archived' })),
  change(
    'back from archived',
    toArchive.id,
    { status: 'checked_out' },
    changed({ status: 'checked_out' }),
  ),
  change(
    'an archived car',
    archived.id,
    { notes: 'x' },
    changed({ notes: 'x', status: 'archived' }),
  ),
  change(
    'back from archived with a vin taken since',
    sameVinArchived.id,
    { status: 'checked_out' },
    {
      status: 422,
      code: 'duplicate',
      details: { field: 'vin' },
    },
  ),
  change(
    'into an inactive location',
    expected.id,
    { locationId: closed.id },
    { status: 422, code: 'location_inactive' },
  ),

  {
    name: 'filter: customer',
    method: 'GET',
    path: `/cars?customerId=${owner.id}&limit=1`,
    expect: { status: 200, page: { total: 1 } },
  },
  {
    name: 'filter: status',
    method: 'GET',
    path: '/cars?status=stored',
    expect: { status: 200, ids: [stored.id] },
  },
  {
    name: 'filter: vin in any case',
    method: 'GET',
    path: '/cars?vin=wp0-full',
    expect: { status: 200, ids: [full.id] },
  },
  {
    name: 'filter: plate in any case',
    method: 'GET',
    path: '/cars?licensePlate=b-cs%201',
    expect: { status: 200, ids: [full.id] },
  },
  {
    name: 'filter: words',
    method: 'GET',
    path: '/cars?q=RUDI%20blu',
    expect: { status: 200, ids: [full.id] },
  },
  {
    name: 'filter: words with umlauts',
    method: 'GET',
    path: '/cars?q=K%C3%84F',
    expect: { status: 200, page: { total: 1 } },
  },
  {
    name: 'filter: % is no wildcard',
    method: 'GET',
    path: '/cars?q=%25',
    expect: { status: 200, ids: [] },
  },
  {
    name: 'filter: _ is no wildcard',
    method: 'GET',
    path: '/cars?q=_',
    expect: { status: 200, ids: [] },
  },
  {
    name: 'filter: unknown status',
    method: 'GET',
    path: '/cars?status=lost',
    expect: issue('status', 'invalid_value'),
  },
  {
    name: 'filter: no uuid',
    method: 'GET',
    path: '/cars?customerId=1',
    expect: issue('customerId', 'invalid_format'),
  },
]);
