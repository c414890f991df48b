import { describe, expect, test } from 'vitest';
import { createEventType } from '../../../src/service/admin.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import {
  issues,
  list,
  made,
  type Row,
  refused,
  shows,
  testTable,
  total,
} from '../../helpers/table.ts';

const service = await testService();
const make = facility(service);

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const hall = await make.location();
const closedHall = await make.location();
const inClosedHall = await make.spot(closedHall.id);
await make.change(`/locations/${closedHall.id}`, { isActive: false });
const zone = await make.zone(hall.id, { capacity: 1 });
const open = await make.zone(hall.id);
const closedZone = await make.zone(hall.id);
const inClosedZone = await make.spot(hall.id, { zoneId: closedZone.id });
await make.change(`/parking/zones/${closedZone.id}`, { isActive: false });
const closedSpot = await make.spot(hall.id, { isActive: false });
const [first, second, third, taken] = [
  await make.spot(hall.id),
  await make.spot(hall.id),
  await make.spot(hall.id),
  await make.spot(hall.id),
];
const retired = await createEventType(service.admin, 'first', {
  value: 'retired',
  scope: 'vehicle',
  name: 'Retired',
});
await service.admin.database.write
  .updateTable('eventTypes')
  .set({ isActive: false })
  .where('id', '=', retired.id)
  .execute();

const car = await make.car();
const other = await make.car();
await make.event(other.id, { parkingSpotId: taken.id });
const zoned = await make.car();
await make.event(zoned.id, { parkingZoneId: zone.id, occurredAt: minutesAgo(60) });
const archived = await make.car({ status: 'archived' });
const fresh = await make.car();
const newcomer = await make.car();
const backdated = await make.car();
await make.event(backdated.id, { parkingSpotId: third.id, occurredAt: minutesAgo(100) });
await make.event(backdated.id, { activityType: 'pick_up', occurredAt: minutesAgo(50) });
const [fourth, fifth] = [await make.spot(hall.id), await make.spot(hall.id)];
const staying = await make.car();
await make.event(staying.id, { parkingSpotId: fourth.id, occurredAt: minutesAgo(20) });
const gone = await make.car();
await make.event(gone.id, { activityType: 'pick_up', occurredAt: minutesAgo(5) });

const log = (name: string, carId: string, body: object, expect: Row['expect']): Row => ({
  name,
  method: 'POST',
  path: `/cars/${carId}/events`,
  body: { activityType: 'drop_off', ...body },
  expect,
});
/** An event that expects the car in this place. */
const expecting = (
  place: string,
  carId: string,
  ifParkedIn: string,
  details: Record<string, unknown> | undefined,
  code: NonNullable<Row['expect']['code']> = 'parking_changed',
): Row => ({
  ...log(`If-Parked-In: ${place}`, carId, { activityType: 'inspection' }, refused(code, details)),
  headers: { 'if-parked-in': ifParkedIn },
});
testTable(service, [
  log(
    'drop-off: neither spot nor zone',
    car.id,
    {},
    refused('parking_required', { fields: ['parkingSpotId', 'parkingZoneId'] }),
  ),
  log(
    'drop-off: both',
    car.id,
    { parkingSpotId: first.id, parkingZoneId: open.id },
    refused('conflicting_fields'),
  ),
  log(
    'drop-off: occupied spot',
    car.id,
    { parkingSpotId: taken.id },
    refused('parking_spot_occupied', { occupiedByCarId: other.id }),
  ),
  log(
    'drop-off: full zone',
    car.id,
    { parkingZoneId: zone.id },
    refused('parking_zone_full', { capacity: 1, occupied: 1 }),
  ),
  log(
    'drop-off: inactive spot',
    car.id,
    { parkingSpotId: closedSpot.id },
    refused('parking_inactive', { parkingSpotId: closedSpot.id }),
  ),
  log(
    'drop-off: spot in an inactive zone',
    car.id,
    { parkingSpotId: inClosedZone.id },
    refused('parking_inactive'),
  ),
  log(
    'drop-off: spot in an inactive location',
    car.id,
    { parkingSpotId: inClosedHall.id },
    refused('parking_inactive'),
  ),
  log(
    'drop-off: inactive zone',
    car.id,
    { parkingZoneId: closedZone.id },
    refused('parking_inactive'),
  ),
  expecting('any of a car that is away', car.id, 'any', {
    carId: car.id,
    expected: 'any',
    parkedIn: null,
    change: null,
  }),
  expecting('none of a parked car', other.id, 'none', {
    parkedIn: { kind: 'spot', id: taken.id, name: taken.name },
    change: expect.objectContaining({
      kind: 'parked',
      key: 'all scopes',
      activityType: 'drop_off',
    }),
  }),
  expecting('another spot', other.id, first.id, {
    expected: first.id,
    parkedIn: { kind: 'spot', id: taken.id, name: taken.name },
  }),
  expecting('the spot of a car in a zone', zoned.id, taken.id, {
    parkedIn: { kind: 'zone', id: zone.id, name: zone.name },
  }),
  expecting('any of a car that was picked up', backdated.id, 'any', {
    parkedIn: null,
    change: expect.objectContaining({
      kind: 'released',
      activityType: 'pick_up',
      key: 'all scopes',
    }),
  }),
  expecting(
    'any of an archived car: that it is archived comes first',
    archived.id,
    'any',
    undefined,
    'car_archived',
  ),
  {
    ...expecting('no place at all', car.id, 'A3', undefined),
    expect: {
      status: 422,
      code: 'validation_failed',
      error: 'If-Parked-In must be the id of a spot or a zone, or any or none',
      issues: { 'If-Parked-In': 'invalid_format' },
    },
  },
  {
    ...expecting('the spot in upper case', other.id, taken.id.toUpperCase(), undefined),
    expect: made(),
  },
  { ...expecting('its zone', zoned.id, zone.id, undefined), expect: made() },
  { ...expecting('any of a parked car', other.id, 'any', undefined), expect: made() },
  {
    ...expecting('none of a car that is away', fresh.id, 'none', undefined),
    expect: made(),
  },
  log(
    'any event: archived car',
    archived.id,
    { activityType: 'inspection' },
    refused('car_archived'),
  ),
  log(
    'unknown type',
    car.id,
    { activityType: 'polishing' },
    refused('not_found', { field: 'activityType' }),
  ),
  log(
    'inactive type',
    car.id,
    { activityType: 'retired' },
    refused('event_type_inactive', { field: 'activityType' }),
  ),
  log(
    'type for customers',
    car.id,
    { activityType: 'customer_visit' },
    refused('event_type_scope_mismatch', { activityType: 'customer_visit', scope: 'customer' }),
  ),
  log(
    'type for the facility',
    car.id,
    { activityType: 'facility_task' },
    refused('event_type_scope_mismatch', { scope: 'facility' }),
  ),
  log(
    'a time that UTC cannot write',
    car.id,
    { activityType: 'inspection', occurredAt: '0000-01-01T00:00:00+14:00' },
    issues({ occurredAt: 'invalid_format' }),
  ),
  log(
    'pick-up with a spot',
    car.id,
    { activityType: 'pick_up', parkingSpotId: first.id },
    refused('parking_not_allowed'),
  ),
  log(
    'more than five minutes ahead',
    car.id,
    { activityType: 'inspection', occurredAt: minutesAgo(-6) },
    refused('occurred_at_in_future'),
  ),
  log(
    'a clock that runs ahead',
    fresh.id,
    { activityType: 'inspection', occurredAt: minutesAgo(-4) },
    made(),
  ),

  log(
    'drop-off onto a spot',
    car.id,
    { parkingSpotId: first.id, notes: 'keys in the box' },
    made({
      activityType: 'drop_off',
      parkingSpotId: first.id,
      parkingZoneId: null,
      notes: 'keys in the box',
      carId: car.id,
      appointmentId: null,
    }),
  ),
  shows('the car is stored there', `/cars/${car.id}`, {
    status: 'stored',
    parkingSpotId: first.id,
    parkingZoneId: null,
  }),
  shows('the spot shows the car', `/parking/spots/${first.id}`, { occupiedByCarId: car.id }),
  log(
    'the same spot again keeps the assignment',
    car.id,
    { parkingSpotId: first.id, occurredAt: minutesAgo(600) },
    made({ parkingSpotId: first.id }),
  ),
  total(`/parking/assignments?carId=${car.id}`, 1),
  log(
    'a move is one call',
    car.id,
    { parkingSpotId: second.id },
    made({ parkingSpotId: second.id }),
  ),
  shows('the old spot is free', `/parking/spots/${first.id}`, { occupiedByCarId: null }),
  shows('the new one is taken', `/parking/spots/${second.id}`, { occupiedByCarId: car.id }),
  total(`/parking/assignments?carId=${car.id}&active=true`, 1),
  total(`/parking/assignments?carId=${car.id}&active=false`, 1),
  log(
    'a move refused leaves the car where it is',
    car.id,
    { parkingSpotId: taken.id },
    refused('parking_spot_occupied'),
  ),
  log(
    'a move into a zone',
    car.id,
    { parkingZoneId: open.id },
    made({ parkingSpotId: null, parkingZoneId: open.id }),
  ),
  shows('the zone counts it', `/parking/zones/${open.id}`, { occupied: 1, available: null }),
  shows('the car shows the zone alone', `/cars/${car.id}`, {
    parkingSpotId: null,
    parkingZoneId: open.id,
  }),
  log(
    'an event that parks by choice',
    fresh.id,
    { activityType: 'inspection', parkingSpotId: first.id },
    made(),
  ),
  shows('parks all the same', `/cars/${fresh.id}`, { status: 'stored', parkingSpotId: first.id }),
  log(
    'an event without parking leaves it',
    fresh.id,
    { activityType: 'interior_cleaning' },
    made({ parkingSpotId: null, parkingAssignmentId: null }),
  ),
  shows('where it was', `/cars/${fresh.id}`, { status: 'stored', parkingSpotId: first.id }),
  log('pick-up', car.id, { activityType: 'pick_up' }, made({ parkingAssignmentId: expectId() })),
  shows('the car is checked out', `/cars/${car.id}`, {
    status: 'checked_out',
    parkingSpotId: null,
    parkingZoneId: null,
  }),
  shows('the zone counts down', `/parking/zones/${open.id}`, { occupied: 0 }),
  log(
    'pick-up of a car that is not parked is stored',
    car.id,
    { activityType: 'pick_up' },
    made({ parkingAssignmentId: null }),
  ),

  log(
    'backdated before the latest change of the car',
    backdated.id,
    { parkingSpotId: second.id, occurredAt: minutesAgo(51) },
    refused('occurred_at_conflict'),
  ),
  log(
    'backdated before the latest use of the spot',
    newcomer.id,
    { parkingSpotId: third.id, occurredAt: minutesAgo(51) },
    refused('occurred_at_conflict'),
  ),
  log(
    'backdated freely where parking does not change',
    backdated.id,
    { activityType: 'inspection', occurredAt: '1999-12-31T23:30:00-02:00' },
    made({ occurredAt: '2000-01-01T01:30:00.000Z' }),
  ),
  log(
    'backdated to after both',
    backdated.id,
    { parkingSpotId: third.id, occurredAt: minutesAgo(49) },
    made(),
  ),
  log(
    'pick-up before the drop-off',
    backdated.id,
    { activityType: 'pick_up', occurredAt: minutesAgo(50) },
    refused('occurred_at_conflict'),
  ),
  log(
    'pick-up after it',
    backdated.id,
    { activityType: 'pick_up', occurredAt: minutesAgo(48) },
    made(),
  ),
  log('drop-off where the car stands already', staying.id, { parkingSpotId: fourth.id }, made()),
  log(
    'pick-up before that drop-off',
    staying.id,
    { activityType: 'pick_up', occurredAt: minutesAgo(10) },
    refused('occurred_at_conflict', { latest: expect.any(String) }),
  ),
  log(
    'move before that drop-off',
    staying.id,
    { parkingSpotId: fifth.id, occurredAt: minutesAgo(10) },
    refused('occurred_at_conflict'),
  ),
  log(
    'the same place before that drop-off',
    staying.id,
    { parkingSpotId: fourth.id, occurredAt: minutesAgo(10) },
    made(),
  ),
  log('pick-up after that drop-off', staying.id, { activityType: 'pick_up' }, made()),
  log(
    'drop-off before the pick-up of a car that has gone',
    gone.id,
    { parkingSpotId: fifth.id, occurredAt: minutesAgo(6) },
    refused('occurred_at_conflict'),
  ),
  total(
    `/cars/${backdated.id}/events?occurredFrom=2000-01-01T01:30:00Z&occurredTo=2000-01-01T02:30:00+01:00`,
    1,
  ),
  list(`/cars/${archived.id}/events`),
]);

describe('of an appointment', async () => {
  const [scheduled, subject] = [await make.car(), await make.car()];
  const spot = await make.spot(hall.id);
  const appointment = await make.appointment({ eventType: 'drop_off', carId: subject.id });
  const session = async (appointmentId: string) =>
    (await service.call('GET', `/event-sessions?appointmentId=${appointmentId}`)).body.data[0];
  const untyped = await make.appointment({ carId: subject.id });
  const inspection = async (
    status:
      | 'scheduled'
      | 'completed'
      | 'declined'
      | 'pending_approval'
      | 'checked_in'
      | 'accepted'
      | 'in_progress',
  ) => (await make.appointment({ eventType: 'inspection', carId: subject.id, status })).id;
  const fulfil = (name: string, appointmentId: string, body: object, expect: Row['expect']) =>
    log(name, subject.id, { appointmentId, ...body }, expect);

  testTable(service, [
    log(
      'for another car',
      scheduled.id,
      { appointmentId: appointment.id, parkingSpotId: spot.id },
      refused('session_mismatch', { carId: subject.id }),
    ),
    fulfil(
      'of another type',
      appointment.id,
      { activityType: 'inspection' },
      refused('session_mismatch'),
    ),
    fulfil(
      'of no type',
      untyped.id,
      { activityType: 'inspection' },
      refused('session_mismatch', { appointmentTypeId: null }),
    ),
    fulfil(
      'onto a spot that is taken',
      appointment.id,
      { parkingSpotId: taken.id },
      refused('parking_spot_occupied'),
    ),
    fulfil(
      'that is over',
      await inspection('completed'),
      { activityType: 'inspection' },
      refused('invalid_transition', {
        from: 'completed',
        to: 'in_progress',
        allowed: ['in_progress'],
      }),
    ),
    fulfil(
      'that was declined',
      await inspection('declined'),
      { activityType: 'inspection' },
      refused('invalid_transition', { allowed: ['scheduled'] }),
    ),
    ...(await Promise.all(
      (['pending_approval', 'accepted', 'checked_in', 'in_progress'] as const).map(async (status) =>
        fulfil(
          `that is ${status}`,
          await inspection(status),
          { activityType: 'inspection' },
          made(),
        ),
      ),
    )),
  ]);

  test('gives its session to the event and is in progress', async () => {
    const before = await session(appointment.id);
    const event = await make.event(subject.id, {
      appointmentId: appointment.id,
      parkingSpotId: spot.id,
    });
    expect(event).toMatchObject({ appointmentId: appointment.id, sessionId: before.id });
    expect(await session(appointment.id)).toMatchObject({
      id: before.id,
      status: 'open',
      startedAt: event.occurredAt,
      carEventId: event.id,
    });
    expect(await make.read(`/appointments/${appointment.id}`)).toMatchObject({
      status: 'in_progress',
      updatedAt: event.createdAt,
    });
    expect(await make.read(`/cars/${subject.id}`)).toMatchObject({
      status: 'stored',
      parkingSpotId: spot.id,
    });

    const again = await make.event(subject.id, {
      appointmentId: appointment.id,
      parkingSpotId: spot.id,
    });
    expect(again.sessionId).toBe(before.id);
    expect(await session(appointment.id)).toMatchObject({
      carEventId: event.id,
      startedAt: event.occurredAt,
    });
    const { body } = await service.call(
      'GET',
      `/cars/${subject.id}/events?appointmentId=${appointment.id}`,
    );
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([again.id, event.id]);
  });
  test('a photo before the event has opened the session already', async () => {
    const id = await inspection('scheduled');
    const { id: sessionId } = await session(id);
    await make.photo(subject.id, { sessionId });
    const { startedAt } = await session(id);
    const event = await make.event(subject.id, { activityType: 'inspection', appointmentId: id });
    expect(await session(id)).toMatchObject({
      id: sessionId,
      startedAt,
      carEventId: event.id,
      photoCount: 1,
    });
  });
});

test('without a stated time an event is logged when its parking changed, also after a clock that runs ahead', async () => {
  const [early, spot] = [await make.car(), await make.spot(hall.id)];
  const ahead = minutesAgo(-4);
  await make.event(early.id, { parkingSpotId: spot.id, occurredAt: ahead });
  expect((await make.event(early.id, { parkingSpotId: spot.id })).occurredAt).toBe(ahead);
  const move = await make.event(early.id, { parkingZoneId: open.id });
  expect(move.occurredAt).toBe(ahead);
  const pickUp = await make.event(early.id, { activityType: 'pick_up' });
  expect(pickUp.occurredAt).toBe(ahead);
  const assignment = await make.read(`/parking/assignments/${pickUp.parkingAssignmentId}`);
  expect(assignment).toMatchObject({
    startedAt: ahead,
    endedAt: ahead,
    startedByEventId: move.id,
    endedByEventId: pickUp.id,
  });
  expect(await make.read(`/event-sessions/${pickUp.sessionId}`)).toMatchObject({
    startedAt: ahead,
  });
});

function expectId(): unknown {
  return expect.stringMatching(/^[0-9a-f-]{36}$/);
}
