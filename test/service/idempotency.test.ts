import { describe, expect, test } from 'vitest';
import { base64Of, facility, png } from '../helpers/facility.ts';
import { testService } from '../helpers/service.ts';
import { issues, made, ok, type Row, testTable } from '../helpers/table.ts';

const service = await testService();
const make = facility(service);

const body = { year: 1973, make: 'Porsche', model: '911' };
const post = (key: string, given: unknown = body, path = '/cars', apiKey?: string) =>
  service.call('POST', path, given, apiKey, { 'idempotency-key': key });
const total = async (path: string): Promise<number> => (await service.call('GET', path)).body.total;

test('a repeat returns the first answer byte for byte, marked as replayed', async () => {
  const before = await total('/cars');
  const first = await post('a');
  // Also after the record changed.
  await make.change(`/cars/${first.body.data.id}`, { color: 'red' });
  const again = await post('a');
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(Buffer.from(again.bytes)).toEqual(Buffer.from(first.bytes));
  expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
    null,
    'true',
  ]);
  expect(await total('/cars')).toBe(before + 1);
});

test('another body, or another path: refused', async () => {
  await post('c');
  const other = await post('c', { ...body, year: 1974 });
  expect({ status: other.status, ...other.body }).toMatchObject({
    status: 422,
    code: 'idempotency_key_reused',
    details: { key: 'c' },
  });
  expect((await post('c', { lastName: 'A' }, '/customers')).body.code).toBe(
    'idempotency_key_reused',
  );
});

test('a key of another API key is another key', async () => {
  const [first, other] = [
    await post('d'),
    await post('d', body, '/cars', await service.keyWith(['read:cars', 'write:cars'])),
  ];
  expect(other.headers.get('idempotent-replayed')).toBeNull();
  expect(other.body.data.id).not.toBe(first.body.data.id);
  expect((await post('d', body, '/cars', service.otherKey)).body.data.teamId).not.toBe(
    first.body.data.teamId,
  );
});

test('a refusal is not stored: the same request may succeed later', async () => {
  const spot = await make.spot((await make.location()).id);
  const [car, other] = [await make.car(), await make.car()];
  await make.event(other.id, { parkingSpotId: spot.id });
  const dropOff = () =>
    post('e', { activityType: 'drop_off', parkingSpotId: spot.id }, `/cars/${car.id}/events`);
  expect((await dropOff()).body.code).toBe('parking_spot_occupied');
  await make.event(other.id, { activityType: 'pick_up' });
  const parked = await dropOff();
  expect(parked.status).toBe(201);
  expect((await dropOff()).body).toEqual(parked.body);
  expect(await total(`/cars/${car.id}/events`)).toBe(1);
});

test('photos too', async () => {
  const car = await make.car();
  const upload = () => post('f', { base64: base64Of(png(1)) }, `/cars/${car.id}/photos`);
  const [first, again] = [await upload(), await upload()];
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});

test.each([
  ['for 24 hours less a minute the key is taken', -60_000],
  ['after 24 hours the key is free', 1_000],
])('%s', async (_name, beyondMs) => {
  const key = `${beyondMs}`;
  const first = await post(key);
  const createdAt = new Date(Date.now() - 24 * 3_600_000 - beyondMs).toISOString();
  await service.admin.database.write
    .updateTable('idempotencyRecords')
    .set({ createdAt })
    .where('key', '=', key)
    .execute();
  const later = await post(key);
  expect(later.status).toBe(201);
  expect(later.body.data.id === first.body.data.id).toBe(beyondMs < 0);
});

describe('the header', () => {
  const create = (name: string, expect: Row['expect'], more: Partial<Row> = {}): Row => ({
    method: 'POST',
    path: '/cars',
    body,
    name,
    expect,
    ...more,
  });
  const malformed = issues({ 'Idempotency-Key': 'invalid_format' });
  testTable(service, [
    create('255 characters', made(), { headers: { 'idempotency-key': 'k'.repeat(255) } }),
    create('256 characters', malformed, { headers: { 'idempotency-key': 'k'.repeat(256) } }),
    create('nothing in it', malformed, { headers: { 'idempotency-key': '' } }),
    create('spaces in it', malformed, { headers: { 'idempotency-key': 'a b' } }),
    create(
      'a bad body is told first',
      { status: 422, code: 'validation_failed' },
      { body: {}, headers: { 'idempotency-key': '' } },
    ),
    {
      name: 'means nothing to a GET',
      method: 'GET',
      path: '/cars?limit=1',
      headers: { 'idempotency-key': 'a b' },
      expect: ok(),
    },
  ]);
});
