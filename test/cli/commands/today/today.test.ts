/** `cs today`: what stands in which section, what is said, and how many requests it takes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LateVisit } from '../../../../src/cli/commands/today/shape.ts';
import type { RecordFor } from '../../../../src/contract/contract.ts';
import { cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { type Counter, openCounter } from '../counter/counter.ts';

/** Noon of a day in local time, so that no test runs around midnight. */
const now = new Date(2026, 4, 5, 12, 0);
const at = (hour: number, minute = 0, day = 5) =>
  new Date(2026, 4, day, hour, minute).toISOString();

let counter: Counter;
let types: Record<string, string>;
let cars: Record<string, RecordFor<'cars'>>;
let owner: RecordFor<'customers'>;
let mill: RecordFor<'locations'>;
beforeAll(async () => {
  counter = await openCounter();
  const all: { id: string; value: string }[] = await counter.make.read('/event-types');
  types = Object.fromEntries(all.map(({ id, value }) => [value, id]));
  owner = await counter.make.customer({
    firstName: 'Zoë',
    lastName: 'Müller',
    phone: '+49 40 555 0107',
  });
  mill = await counter.make.location({ name: 'Mill' });
  const make = (name: string) =>
    counter.car({ nickname: name, licensePlate: `HH-${name.toUpperCase()} 1`, model: '911 10' });
  cars = Object.fromEntries(
    await Promise.all(
      ['comes', 'goes', 'late', 'stays', 'asks', 'gone'].map(
        async (name) => [name, await make(name)] as const,
      ),
    ),
  );
  const visit = (name: string, type: string, startAt: string, endAt: string, more: object = {}) =>
    counter.make.appointment({
      carId: cars[name]?.id,
      appointmentTypeId: types[type],
      startAt,
      endAt,
      ...more,
    });
  await visit('comes', 'drop_off', at(15), at(15, 30), {
    customerId: owner.id,
    locationId: mill.id,
  });
  await visit('goes', 'pick_up', at(14), at(14, 30), { status: 'accepted' });
  await visit('late', 'drop_off', at(11), at(11, 30));
  await visit('stays', 'inspection', at(9), at(10), { status: 'in_progress' });
  await visit('asks', 'pick_up', at(9, 0, 9), at(10, 0, 9), { status: 'pending_approval' });
  // Not of the day, over, or too long ago.
  await visit('gone', 'pick_up', at(10), at(11), { status: 'cancelled' });
  await visit('gone', 'pick_up', at(9, 0, 6), at(10, 0, 6));
  await visit('gone', 'pick_up', at(8, 0, 3), at(9, 0, 3), { status: 'completed' });
  await visit('gone', 'drop_off', at(9, 0, 2), at(10, 0, 2));
  await visit(
    'gone',
    'drop_off',
    new Date(2026, 3, 20).toISOString(),
    new Date(2026, 3, 21).toISOString(),
  );
});
afterAll(() => counter.service.close());

const today = (argv: readonly string[] = [], options: Parameters<typeof cs>[1] = {}) =>
  cs(['today', ...argv], { env: counter.env(), now, ...options });
const namesIn = (visits: { car: { nickname: string } }[]) => visits.map(({ car }) => car.nickname);

describe('the sections', () => {
  test('as JSON: one object with stable keys, ids with names', async () => {
    const { json, code, stderr } = await today();
    expect([code, stderr]).toEqual([0, '']);
    expect(Object.keys(json)).toEqual([
      'date',
      'from',
      'to',
      'location',
      'arrivals',
      'departures',
      'other',
      'late',
      'walkIns',
      'withoutPhotos',
      'waitingForApproval',
      'notRead',
    ]);
    expect([json.date, json.from, json.to]).toEqual([
      '2026-05-05',
      at(0),
      new Date(2026, 4, 5, 23, 59, 59, 999).toISOString(),
    ]);
    expect(namesIn(json.arrivals)).toEqual(['late', 'comes']);
    expect(namesIn(json.departures)).toEqual(['goes']);
    expect(namesIn(json.other)).toEqual(['stays']);
    expect(namesIn(json.waitingForApproval)).toEqual(['asks']);
    expect(
      json.late.map(({ car, reason, lateMinutes }: LateVisit) => [
        car?.nickname,
        reason,
        lateMinutes,
      ]),
    ).toEqual([
      ['gone', 'not_checked_in', 3 * 24 * 60 + 180],
      ['stays', 'not_completed', 120],
      ['late', 'not_checked_in', 60],
    ]);
    expect(json.arrivals[1]).toMatchObject({
      eventType: { id: types.drop_off, name: 'Drop-off' },
      car: { id: cars.comes?.id, licensePlate: 'HH-COMES 1' },
      customer: { id: owner.id, name: 'Zoë Müller', phone: '+49 40 555 0107' },
      location: { id: mill.id, name: 'Mill' },
      spot: null,
      appointment: { status: 'scheduled', carId: cars.comes?.id },
    });
  });

  test('-o id prints the id of each shown appointment once', async () => {
    const [{ stdout }, { json }] = [await today(['-o', 'id']), await today()];
    const ids = [
      ...json.arrivals,
      ...json.departures,
      ...json.other,
      ...json.late,
      ...json.waitingForApproval,
    ].map(({ appointment }: { appointment: { id: string } }) => appointment.id);
    expect(stdout.trim().split('\n')).toEqual([...new Set(ids)]);
    expect(new Set(ids).size).toBeLessThan(ids.length);
  });

  test('names the time zone where a location has another time', async () => {
    await counter.make.location({ name: 'Far', timezone: 'Pacific/Kiritimati' });
    const far = await today(['--location', 'Far'], { as: 'terminal', columns: 200 });
    expect(far.stderr).toMatch(
      /^Times are in this machine's zone \(.+\), not in that of Far \(Pacific\/Kiritimati\)\.\n$/,
    );
    expect((await today(['--location', 'Far'])).stderr).toBe('');
  });

  test('-o csv has a row per visit', async () => {
    const csv = (columns: string) => today(['-o', 'csv', '--columns', columns]);
    const { stdout } = await csv('section,licensePlate,customer,lateMinutes');
    expect(stdout.split('\r\n').slice(0, 3)).toEqual([
      'section,licensePlate,customer,lateMinutes',
      'arrivals,HH-LATE 1,,',
      'arrivals,HH-COMES 1,Zoë Müller,',
    ]);
    expect((await csv('bogus')).code).toBe(2);
  });

  test('another day: --date takes tomorrow or a date', async () => {
    for (const date of ['tomorrow', '2026-05-06']) {
      const { json } = await today(['--date', date]);
      expect([json.date, namesIn(json.arrivals), namesIn(json.departures)]).toEqual([
        '2026-05-06',
        [],
        ['gone'],
      ]);
    }
  });

  test('of one location', async () => {
    const { json } = await today(['--location', 'mill']);
    expect(json.location).toEqual({ id: mill.id, name: 'Mill' });
    expect([
      namesIn(json.arrivals),
      json.departures,
      json.late,
      json.withoutPhotos,
      json.waitingForApproval,
    ]).toEqual([['comes'], [], [], [], []]);
  });
});

test('cars without photos: dropped off that day, still here, none in any session of the day', async () => {
  const own = await openCounter();
  try {
    const make = async (name: string) => {
      const [car, spot] = [await own.car({ nickname: name }), await own.spot()];
      return { car, spot, event: await own.make.event(car.id, { parkingSpotId: spot.id }) };
    };
    const [bare, shot, left] = [await make('bare'), await make('shot'), await make('left')];
    await own.make.photo(shot.car.id, { sessionId: shot.event.sessionId });
    await own.make.event(left.car.id, { activityType: 'pick_up' });
    // Moved on the same day: the photos of its first session are enough.
    await own.make.event(shot.car.id, { parkingSpotId: (await own.spot()).id });
    const earlier = await own.car({ nickname: 'earlier' });
    await own.make.event(earlier.id, {
      parkingSpotId: (await own.spot()).id,
      occurredAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
    });
    // Midnight may have passed since.
    const now = new Date(bare.event.occurredAt);
    const ask = (argv: string[] = []) => cs(['today', ...argv], { env: own.env(), now });
    expect((await ask()).json.withoutPhotos).toMatchObject([
      { car: { id: bare.car.id }, spot: { id: bare.spot.id }, eventId: bare.event.id },
    ]);
    const blind = await cs(['today'], {
      env: own.env(await own.service.keyWith(['read:appointments'])),
      now,
    });
    expect([blind.code, blind.json.withoutPhotos, blind.json.arrivals]).toEqual([11, null, []]);
    const elsewhere = await own.make.location({ name: 'Elsewhere' });
    expect((await ask(['--location', elsewhere.id])).json.withoutPhotos).toEqual([]);
    expect((await ask(['--location', 'Harbour'])).json.withoutPhotos).toHaveLength(1);
    // A day of nothing else has no ids of appointments, and says why.
    const ids = await ask(['--location', 'Harbour', '-o', 'id']);
    expect([ids.stdout, ids.stderr]).toEqual([
      '',
      "Ids of appointments. Left out: 2 cars that came, see `cs today --jq '[.walkIns[], .withoutPhotos[]][].car.id'`\n",
    ]);
  } finally {
    await own.service.close();
  }
});

describe('missing scopes', () => {
  test('a section reports it, the others are complete, exit 11', async () => {
    const env = counter.env(await counter.service.keyWith(['read:cars']));
    const { json, error, code } = await today([], { env });
    expect([code, json.arrivals, json.withoutPhotos]).toEqual([11, null, []]);
    expect(json.notRead).toEqual([
      {
        sections: ['arrivals', 'departures', 'other', 'late', 'waitingForApproval'],
        code: 'missing_scope',
        message: 'Missing scope: read:appointments',
      },
    ]);
    expect(error).toMatchObject({ code: 'partial', exitCode: 11 });
    expect(error.message).toBe(
      "Couldn't read arrivals, departures, other, late, waiting for approval: Missing scope: read:appointments.",
    );
  });

  test('shows ids without the scopes for cars and customers', async () => {
    const env = counter.env(await counter.service.keyWith(['read:appointments']));
    const { json, code } = await today([], { env });
    expect(code).toBe(0);
    expect(json.arrivals[0]).toMatchObject({
      car: null,
      customer: null,
      appointment: { carId: cars.late?.id },
    });
  });

  test('no readable section: exit 5', async () => {
    const env = counter.env(await counter.service.keyWith(['read:parking']));
    expect((await today([], { env })).error).toMatchObject({ code: 'missing_scope', exitCode: 5 });
  });
});

test('needs few requests for any number of appointments', async () => {
  const proxy = await startFaultyProxy(counter.service.url, () => undefined);
  const { code } = await today([], { env: counter.env(counter.service.key, proxy.url) });
  await proxy.close();
  expect(code).toBe(0);
  expect(proxy.requests.length).toBe(9);
});

test('a broken connection fails the command instead of showing a part', async () => {
  const proxy = await startFaultyProxy(counter.service.url, ({ url }) =>
    url.includes('/event-sessions') ? 'reset' : undefined,
  );
  const { code, stdout } = await today(['--retries', '0'], {
    env: counter.env(counter.service.key, proxy.url),
  });
  await proxy.close();
  expect([code, stdout]).toEqual([9, '']);
});
