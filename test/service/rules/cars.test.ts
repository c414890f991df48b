import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import {
  issues,
  list,
  made,
  ok,
  type Row,
  refused,
  row,
  rowOf,
  testTable,
} from '../../helpers/table.ts';

const service = await testService();
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
const expected = await make.car();
await make.car({ vin: 'TAKEN-2' });
const sameVinArchived = await make.car({ vin: 'TAKEN-2', status: 'archived' });

const valid = { year: 1973, make: 'Porsche', model: '911' };
const create = (name: string, given: object, expect: Row['expect']): Row =>
  row('POST', '/cars')(name, { ...valid, ...given }, expect);
const change = rowOf('PATCH', (id) => `/cars/${id}`);
testTable(service, [
  create(
    'vin and plate in upper case, names trimmed',
    { make: ' Saab ', vin: 'wp0zz-1', licensePlate: 'b-cs 99', licensePlateRegion: 'de' },
    made({ make: 'Saab', vin: 'WP0ZZ-1', licensePlate: 'B-CS 99', licensePlateRegion: 'DE' }),
  ),
  create(
    'plate of 17 letters that are two in capitals',
    { licensePlate: 'ß'.repeat(17) },
    issues({ licensePlate: 'too_big' }),
  ),
  create('the newest car', { year: nextYear }, made({ year: nextYear })),
  create('newer than that', { year: nextYear + 1 }, issues({ year: 'too_big' })),
  create(
    'ids in upper case',
    { customerId: owner.id.toUpperCase() },
    made({ customerId: owner.id }),
  ),
  create(
    'everything that is wrong, at once',
    { year: 1, make: '', colour: 'red', status: 'lost' },
    issues({ year: 'too_small', make: 'too_small', status: 'invalid_value', colour: 'unknown' }),
  ),
  create(
    'vin of another car, in lower case',
    { vin: 'wp0-full' },
    refused('duplicate', { field: 'vin', id: full.id }),
  ),
  create('vin of an archived car', { vin: 'ARCHIVED-1' }, made({ vin: 'ARCHIVED-1' })),
  create(
    'inactive location',
    { locationId: closed.id },
    refused('location_inactive', { field: 'locationId', locationId: closed.id }),
  ),
  change(
    'to what it is: updatedAt stays',
    full.id,
    { color: 'red', vin: 'wp0-full', mileage: 5 },
    ok({ updatedAt: full.updatedAt }),
  ),
  change(
    'one field: the others stay',
    full.id,
    { color: 'blue' },
    ok({ color: 'blue', trim: 'S', notes: 'a', customerId: owner.id }),
  ),
  change(
    'archived while parked',
    stored.id,
    { status: 'archived' },
    refused('car_parked', { parkingSpotId: spot.id }),
  ),
  change('an archived car', archived.id, { notes: 'x' }, ok({ notes: 'x', status: 'archived' })),
  change(
    'back from archived with a vin taken since',
    sameVinArchived.id,
    { status: 'checked_out' },
    refused('duplicate', { field: 'vin' }),
  ),
  change(
    'into an inactive location',
    expected.id,
    { locationId: closed.id },
    refused('location_inactive'),
  ),
  list('/cars?vin=wp0-full', full.id),
  list('/cars?licensePlate=b-cs%201', full.id),
  row('GET', '/cars?status=lost')(
    'filter: unknown status',
    undefined,
    issues({ status: 'invalid_value' }),
  ),
]);
