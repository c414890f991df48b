/** `cs usage`: the days of a month by customer, car and zone. The rule has its cases in test/facility/stay-days.test.ts. */
import { describe, expect, test } from 'vitest';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { json, startMisbehavingServer } from '../../../helpers/misbehaving-server.ts';
import { testService } from '../../../helpers/service.ts';

const service = await testService();
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const make = facility(service);
const main = await make.location({ name: 'Main', timezone: 'Europe/Berlin' });
const tokyo = await make.location({ name: 'Tokyo', timezone: 'Asia/Tokyo' });
const hall = await make.zone(main.id, { name: 'Hall' });
const yard = await make.zone(tokyo.id, { name: 'Yard' });
const a1 = await make.spot(main.id, { name: 'A1', zoneId: hall.id });
const gate = await make.spot(main.id, { name: 'Gate' });
const ann = await make.customer({ firstName: 'Ann', lastName: 'Lee' });
const emma = await make.car({ licensePlate: 'HH-E 61', customerId: ann.id });
const greta = await make.car({ licensePlate: 'HH-G 2', customerId: ann.id });
const otto = await make.car({ licensePlate: 'HH-O 7', customerId: null });
const park = async (carId: string, place: object, startedAt: string, endedAt?: string) => {
  const body = { carId, ...place, startedAt };
  const { id } = (await service.call('POST', '/parking/assignments', body)).body.data;
  if (endedAt) await service.call('PATCH', `/parking/assignments/${id}`, { endedAt });
};
// Two days at the spot, and after a move one more by the gate.
await park(emma.id, { parkingSpotId: a1.id }, '2025-10-06T08:00:00Z', '2025-10-07T09:00:00Z');
await park(emma.id, { parkingSpotId: gate.id }, '2025-10-07T09:00:00Z', '2025-10-08T09:00:00Z');
await park(greta.id, { parkingZoneId: hall.id }, '2025-10-30T08:00:00Z');
// The first of October there.
await park(otto.id, { parkingZoneId: yard.id }, '2025-09-30T15:30:00Z', '2025-09-30T16:00:00Z');

const october = (argv: readonly string[] = [], options: CliOptions = {}) =>
  cs(['usage', '--month', '2025-10', ...argv], { env, ...options });

describe('in a pipe', () => {
  const month = '2025-10';
  test('by customer, and cars without one', async () => {
    const { code, json, stderr } = await october();
    expect([code, stderr, json]).toEqual([
      0,
      '',
      [
        { month, id: ann.id, name: 'Ann Lee', cars: 2, days: 5 },
        { month, id: null, name: null, cars: 1, days: 1 },
      ],
    ]);
  });

  test('by car', async () => {
    const { json } = await october(['--by', 'car']);
    const owner = { customerId: ann.id, customer: 'Ann Lee' };
    expect(json).toEqual([
      { month, id: emma.id, name: 'HH-E 61', ...owner, cars: 1, days: 3 },
      { month, id: expect.any(String), name: 'HH-G 2', ...owner, cars: 1, days: 2 },
      { month, id: otto.id, name: 'HH-O 7', customerId: null, customer: null, cars: 1, days: 1 },
    ]);
  });

  test('by zone, also for a key that reads neither cars nor customers', async () => {
    const key = await service.keyWith(['read:parking', 'read:locations']);
    const { json } = await october(['--by', 'zone'], { env: { ...env, CS_API_KEY: key } });
    const inMain = { locationId: main.id, location: 'Main' };
    const inTokyo = { locationId: tokyo.id, location: 'Tokyo' };
    expect(json).toEqual([
      { month, id: hall.id, name: 'Hall', ...inMain, cars: 2, days: 4 },
      { month, id: yard.id, name: 'Yard', ...inTokyo, cars: 1, days: 1 },
      { month, id: null, name: null, ...inMain, cars: 1, days: 1 },
    ]);
  });

  test('as csv, and as ids', async () => {
    const csv = await october(['-o', 'csv']);
    expect(csv.stdout.split('\r\n')).toEqual([
      'month,id,name,cars,days',
      `2025-10,${ann.id},Ann Lee,2,5`,
      '2025-10,,,1,1',
      '',
    ]);
    const { stdout, stderr } = await october(['-o', 'id']);
    expect([stdout, stderr]).toEqual([
      `${ann.id}\n`,
      expect.stringContaining('Left out, without an id: cars without an owner.'),
    ]);
  });

  test('this month', async () => {
    const now = new Date(2025, 9, 31, 12);
    const { json } = await cs(['usage', '--json=month,days'], { env, now });
    expect(json).toEqual([
      { month, days: 5 },
      { month, days: 1 },
    ]);
  });

  test('a drop-off that was undone is no day, where the key reads it', async () => {
    const make = facility(service);
    const { id } = await make.car({ customerId: ann.id });
    const occurredAt = '2025-08-05T08:00:00Z';
    const event = await make.event(id, { parkingZoneId: hall.id, occurredAt });
    const notes = `Takes back the drop-off ${event.id}`;
    await make.event(id, { activityType: 'pick_up', occurredAt, notes });
    const august = (key: string) =>
      cs(['usage', '--month', '2025-08', '--by', 'zone'], { env: { ...env, CS_API_KEY: key } });
    expect((await august(service.key)).json).toEqual([]);
    const { code, json } = await august(await service.keyWith(['read:parking', 'read:locations']));
    expect([code, json]).toEqual([0, [expect.objectContaining({ id: hall.id, days: 1 })]]);
  });

  const [startedAt, endedAt] = ['2025-10-01T00:00:00Z', '2025-10-02T00:00:00Z'];
  const known: Record<string, object> = {
    assignments: { id: 'a', carId: 'c', parkingZoneId: 'z', startedAt, endedAt },
    zones: { id: 'z', name: 'Hall', locationId: 'l' },
    locations: { id: 'l', name: 'Main', timezone: 'Europe/Berlin' },
    cars: { id: 'c', customerId: null },
  };
  const parking = 'which car the parking a was for, and when it started and ended';
  test.each([
    ['all', 'cars', {}, undefined],
    ['all but an end', 'assignments', { endedAt: undefined }, parking],
    ['all but a car', 'assignments', { carId: null }, parking],
    ['all but a start', 'assignments', { startedAt: 'soon' }, parking],
    ['all but a time zone', 'locations', { timezone: undefined }, 'the time zone of Main'],
    ['all but owners', 'cars', { customerId: undefined }, "the cars' owners"],
    ['all but the car', 'cars', { id: 'other' }, 'anything of the car c'],
  ])('of a server that tells %s: counted, or none at all', async (_, list, change, missing) => {
    const records: typeof known = { ...known, [list]: { ...known[list], ...change } };
    const server = await startMisbehavingServer(({ url }) => {
      const record = records[/\/(\w+)(\?|$)/.exec(url)?.[1] ?? ''];
      const data = record ? [record] : [];
      return json(200, { data, page: 1, limit: 200, total: data.length });
    });
    const { code, stdout, stderr } = await october(['--json=days'], {
      env: { ...env, CS_BASE_URL: server.url },
    });
    await server.close();
    expect([code, stdout.replace(/\s/g, ''), stderr]).toEqual(
      missing
        ? [9, '', expect.stringContaining(`"The server doesn't tell ${missing}, so the days can't`)]
        : [0, '[{"days":2}]', ''],
    );
  });
});

test('a terminal shows a table with its total', async () => {
  const { stdout, stderr } = await october([], { as: 'terminal' });
  expect(`${stdout}${stderr}`.split('\n')).toEqual([
    'CUSTOMER                 CARS  DAYS',
    'Ann Lee                     2     5',
    '(cars without an owner)     1     1',
    '2 lines',
    'Total of 2025-10: 6 days of 3 cars',
    '',
  ]);
});
