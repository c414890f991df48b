/** Many at once: exactly as many win as there is place for, and the others leave nothing behind. */
import { expect, test } from 'vitest';
import { scopes } from '../../src/contract/scopes.ts';
import { createKey, setQuota } from '../../src/service/admin.ts';
import { base64Of, facility, png } from '../helpers/facility.ts';
import { type Answer, testService } from '../helpers/service.ts';
import { filesOf } from '../helpers/stored-files.ts';

const service = await testService();
const make = facility(service);
const hall = await make.location();

const times = <T>(count: number, task: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => task(n)));
const dropOff = (carId: string, where: object): Promise<Answer> =>
  service.call('POST', `/cars/${carId}/events`, { activityType: 'drop_off', ...where });
const countBy = (answers: Answer[]): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const { status, body } of answers) {
    const what = body.code ?? String(status);
    found[what] = (found[what] ?? 0) + 1;
  }
  return found;
};
const total = async (path: string): Promise<number> => (await service.call('GET', path)).body.total;

/** A car that lost has no event, no session, no assignment, and is what it was. */
async function expectUntouched(car: { id: string }): Promise<void> {
  expect(await make.read(`/cars/${car.id}`)).toEqual(car);
  expect(await total(`/cars/${car.id}/events`)).toBe(0);
  expect(await total(`/event-sessions?carId=${car.id}`)).toBe(0);
  expect(await total(`/parking/assignments?carId=${car.id}`)).toBe(0);
}

test('20 cars for one spot: one gets it', async () => {
  const spot = await make.spot(hall.id);
  const cars = await times(20, () => make.car());
  const answers = await Promise.all(cars.map((car) => dropOff(car.id, { parkingSpotId: spot.id })));
  expect(countBy(answers)).toEqual({ 201: 1, parking_spot_occupied: 19 });
  const winner = answers.findIndex(({ status }) => status === 201);
  expect(await make.read(`/parking/spots/${spot.id}`)).toMatchObject({
    occupiedByCarId: cars[winner]?.id,
  });
  expect(await total(`/parking/assignments?parkingSpotId=${spot.id}`)).toBe(1);
  for (const loser of cars.toSpliced(winner, 1)) await expectUntouched(loser);
});

test('20 cars for a zone of three: three get in', async () => {
  const zone = await make.zone(hall.id, { capacity: 3 });
  const cars = await times(20, () => make.car());
  const answers = await Promise.all(cars.map((car) => dropOff(car.id, { parkingZoneId: zone.id })));
  expect(countBy(answers)).toEqual({ 201: 3, parking_zone_full: 17 });
  expect(await make.read(`/parking/zones/${zone.id}`)).toMatchObject({ occupied: 3, available: 0 });
  expect(await total(`/parking/assignments?parkingZoneId=${zone.id}&active=true`)).toBe(3);
  const losers = cars.filter((_, n) => answers[n]?.status !== 201);
  for (const loser of losers) await expectUntouched(loser);
});

test('20 files at once for a team with room for three: three are stored, and nothing is left of the others', async () => {
  const team = await service.newTeam();
  const { team: own } = (await team.call('GET', '/me')).body.data;
  await setQuota(service.admin, own.id, 3_500);
  const answers = await times(20, (n) =>
    team.call('POST', '/marketing/assets', { base64: base64Of(png(n, 1_000)) }),
  );
  expect(countBy(answers)).toEqual({ 201: 3, quota_exceeded: 17 });
  expect(await filesOf(service.admin, own.id)).toHaveLength(3);
});

test('ten people move one car to ten spots: it is parked in one, and the others are free', async () => {
  const car = await make.car();
  const spots = await times(10, () => make.spot(hall.id));
  const answers = await Promise.all(
    spots.map((spot) => dropOff(car.id, { parkingSpotId: spot.id })),
  );
  expect(countBy(answers)).toEqual({ 201: 10 });
  const { parkingSpotId } = await make.read(`/cars/${car.id}`);
  for (const { id } of spots)
    expect((await make.read(`/parking/spots/${id}`)).occupiedByCarId).toBe(
      id === parkingSpotId ? car.id : null,
    );
  expect(await total(`/parking/assignments?carId=${car.id}`)).toBe(10);
  expect(await total(`/parking/assignments?carId=${car.id}&active=true`)).toBe(1);
});

test('two pick-ups of one car, each from a screen that shows it: one is stored, the other is told about it', async () => {
  const spot = await make.spot(hall.id);
  const counters = await Promise.all(
    ['Counter 1', 'Counter 2'].map(
      async (name) => (await createKey(service.admin, { team: 'first', name, scopes })).key,
    ),
  );
  for (const round of [0, 1, 2, 3, 4, 5]) {
    const car = await make.car();
    await make.event(car.id, { parkingSpotId: spot.id });
    const pickUp = (key: string, n: number) =>
      service.call(
        'POST',
        `/cars/${car.id}/events`,
        { activityType: 'pick_up', notes: `${n}` },
        key,
        {
          'if-parked-in': round % 2 ? 'any' : spot.id,
          'idempotency-key': crypto.randomUUID(),
        },
      );
    const answers = await Promise.all(counters.map(pickUp));
    expect(countBy(answers)).toEqual({ 201: 1, parking_changed: 1 });
    const winner = answers.findIndex(({ status }) => status === 201);
    const {
      id: eventId,
      occurredAt: at,
      parkingAssignmentId: assignmentId,
    } = (answers[winner] as Answer).body.data;
    const key = `Counter ${winner + 1}`;
    const { error, details } = (answers[1 - winner] as Answer).body;
    expect(error).toBe(`The car isn't parked: pick_up at ${at} with the key ${key}`);
    expect(details.change).toEqual({
      kind: 'released',
      at,
      key,
      assignmentId,
      eventId,
      activityType: 'pick_up',
    });
    expect(await total(`/cars/${car.id}/events?activityType=pick_up`)).toBe(1);
  }
});

test('a move and a pick-up of one car: the car is gone, and a move that came second created nothing', async () => {
  const [from, to] = [await make.spot(hall.id), await make.spot(hall.id)];
  for (const _ of [1, 2, 3, 4, 5, 6]) {
    const car = await make.car();
    await make.event(car.id, { parkingSpotId: from.id });
    const headers = { 'if-parked-in': from.id };
    const [moved, pickedUp] = await Promise.all([
      service.call(
        'POST',
        '/parking/assignments',
        { carId: car.id, parkingSpotId: to.id },
        undefined,
        headers,
      ),
      service.call(
        'POST',
        `/cars/${car.id}/events`,
        { activityType: 'pick_up' },
        undefined,
        headers,
      ),
    ]);
    expect([moved.status, pickedUp.status].sort()).toEqual([201, 422]);
    expect(await total(`/parking/assignments?carId=${car.id}`)).toBe(moved.status === 201 ? 2 : 1);
    if (moved.status === 201) await make.event(car.id, { activityType: 'pick_up' });
    expect(await make.read(`/cars/${car.id}`)).toMatchObject({
      status: 'checked_out',
      parkingSpotId: null,
    });
  }
});

test('20 uploads of the same photo: one row, 19 answered with it', async () => {
  const car = await make.car();
  const { sessionId } = await make.event(car.id, { activityType: 'inspection' });
  const answers = await times(20, () =>
    service.call('POST', `/cars/${car.id}/photos`, { sessionId, base64: base64Of(png(20)) }),
  );
  expect(countBy(answers)).toEqual({ 201: 1, 200: 19 });
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  expect(await total(`/cars/${car.id}/photos`)).toBe(1);
  expect(await make.read(`/event-sessions/${sessionId}`)).toMatchObject({ photoCount: 1 });
});

test('deleting and uploading the same bytes: a stored photo has its bytes', async () => {
  const car = await make.car();
  const upload = () =>
    service.call('POST', `/cars/${car.id}/photos`, { base64: base64Of(png(21)) });
  await times(30, async (n) => {
    if (n % 2 === 0) return upload();
    const { body } = await service.call('GET', `/cars/${car.id}/photos`);
    return body.data[0]
      ? service.call('DELETE', `/cars/${car.id}/photos/${body.data[0].id}`)
      : upload();
  });
  await upload();
  const { body } = await service.call('GET', `/cars/${car.id}/photos`);
  expect(body.total).toBe(1);
  expect(
    Buffer.from(
      (await service.call('GET', `/cars/${car.id}/photos/${body.data[0].id}/content`)).bytes,
    ),
  ).toEqual(png(21));
});

test('20 requests with one Idempotency-Key: one record, the rest replayed', async () => {
  const headers = { 'idempotency-key': 'once-only' };
  const body = { year: 1990, make: 'Idem', model: 'Potent' };
  const answers = await times(20, () => service.call('POST', '/cars', body, undefined, headers));
  expect(countBy(answers)).toEqual({ 201: 20 });
  expect(
    answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length,
  ).toBe(19);
  expect(new Set(answers.map(({ bytes }) => Buffer.from(bytes).toString())).size).toBe(1);
  expect(await total('/cars?q=idem%20potent')).toBe(1);
});

test('unique values: of 20 at once, one is stored', async () => {
  const answers = await times(20, () =>
    service.call('POST', '/customers', { lastName: 'A', externalId: 'same' }),
  );
  expect(countBy(answers)).toEqual({ 201: 1, duplicate: 19 });
});

test('stamps strictly increase, and a sync during 200 writes misses nothing', async () => {
  const seen = new Map<string, string>();
  let since = new Date(0).toISOString();
  let writing = true;
  const sync = async () => {
    while (writing) {
      const started = new Date().toISOString();
      for (let page = 1; ; page++) {
        const { body } = await service.call(
          'GET',
          `/customers?updatedAfter=${since}&limit=200&page=${page}`,
        );
        for (const { id, updatedAt } of body.data) seen.set(id, updatedAt);
        if (page * 200 >= body.total) break;
      }
      since = started;
    }
  };
  const syncing = sync();
  const written: { id: string; updatedAt: string }[] = await times(100, async (n) => {
    const made = await make.customer({ lastName: `n${n}` });
    return make.change(`/customers/${made.id}`, { notes: `n${n}` });
  });
  writing = false;
  await syncing;
  writing = true;
  const last = sync();
  writing = false;
  await last;
  for (const { id, updatedAt } of written) expect(seen.get(id)).toBe(updatedAt);
  expect(new Set(written.map(({ updatedAt }) => updatedAt)).size).toBe(written.length);
});

test('of many writes, only those with unknown references or those of another team get 404, before other checks', async () => {
  const car = await make.car();
  const foreign = await facility(service, service.otherKey).car();
  const span = { startAt: '2026-05-04T10:00:00Z', endAt: '2026-05-04T11:00:00Z' };
  const bodies = times(40, async (n) => {
    if (n % 10 === 3) return { ...span, carId: foreign.id };
    if (n % 10 === 5) return { ...span, locationId: car.id, optionId: car.id };
    return { ...span, carId: car.id };
  });
  const answers = await Promise.all(
    (await bodies).map((body) => service.call('POST', '/appointments', body)),
  );
  expect(countBy(answers)).toEqual({ 201: 32, not_found: 8 });
  for (const [n, { body }] of answers.entries()) {
    if (n % 10 === 3) expect(body.details).toEqual({ field: 'carId' });
    if (n % 10 === 5) expect(body.details).toEqual({ field: 'locationId' });
  }
  expect(await total(`/appointments?carId=${car.id}`)).toBe(32);
});
