import { afterAll, expect, test } from 'vitest';
import { createEventType } from '../../../src/service/admin.ts';
import { facility } from '../../helpers/facility.ts';
import { startTestService } from '../../helpers/service.ts';
import { testTable } from '../../helpers/table.ts';

const service = await startTestService();
afterAll(() => service.close());
const make = facility(service);

const [car, other] = [await make.car(), await make.car()];
const spot = await make.spot((await make.location()).id);
const event = await make.event(car.id, { parkingSpotId: spot.id });
await make.event(other.id, { activityType: 'inspection' });
const unused = await createEventType(service.admin, 'second', {
  value: 'own',
  scope: 'facility',
  name: 'Own',
  durationMinutes: 5,
});

testTable(service, [
  {
    name: 'types: all',
    method: 'GET',
    path: '/event-types',
    expect: { status: 200, page: { total: 6 } },
  },
  {
    name: 'types: that need a car',
    method: 'GET',
    path: '/event-types?scope=vehicle',
    expect: { status: 200, page: { total: 4 } },
  },
  {
    name: 'types: that need a customer',
    method: 'GET',
    path: '/event-types?scope=customer',
    expect: { status: 200, page: { total: 1 } },
  },
  {
    name: 'types: that need neither',
    method: 'GET',
    path: '/event-types?scope=facility&isActive=true',
    expect: { status: 200, page: { total: 1 } },
  },
  {
    name: 'types: inactive',
    method: 'GET',
    path: '/event-types?isActive=false',
    expect: { status: 200, ids: [] },
  },
  {
    name: 'types: unknown scope',
    method: 'GET',
    path: '/event-types?scope=boat',
    expect: { status: 422, code: 'validation_failed' },
  },
  {
    name: "types: another team's own",
    method: 'GET',
    path: `/event-types/${unused.id}`,
    key: service.otherKey,
    expect: {
      status: 200,
      data: {
        value: 'own',
        scope: 'facility',
        durationMinutes: 5,
        description: null,
        options: [],
        isActive: true,
      },
    },
  },
  {
    name: 'types cannot be made here',
    method: 'POST',
    path: '/event-types',
    body: {},
    expect: { status: 405, code: 'method_not_allowed' },
  },
  {
    name: "sessions: an event's is open and names it",
    method: 'GET',
    path: `/event-sessions/${event.sessionId}`,
    expect: {
      status: 200,
      data: {
        eventTypeId: event.eventTypeId,
        carId: car.id,
        customerId: null,
        appointmentId: null,
        carEventId: event.id,
        status: 'open',
        startedAt: event.occurredAt,
        photoCount: 0,
      },
    },
  },
  {
    name: 'sessions: of a car',
    method: 'GET',
    path: `/event-sessions?carId=${car.id}`,
    expect: { status: 200, ids: [event.sessionId] },
  },
  {
    name: 'sessions: in a state',
    method: 'GET',
    path: '/event-sessions?status=open',
    expect: { status: 200, page: { total: 2 } },
  },
  {
    name: 'sessions: ready',
    method: 'GET',
    path: '/event-sessions?status=ready',
    expect: { status: 200, ids: [] },
  },
  {
    name: 'sessions: of an appointment',
    method: 'GET',
    path: `/event-sessions?appointmentId=${car.id}`,
    expect: { status: 200, ids: [] },
  },
]);

test('a new team starts with the standard types', async () => {
  const { body } = await service.call('GET', '/event-types');
  const found = body.data.map(
    ({
      value,
      scope,
      config,
    }: {
      value: string;
      scope: string;
      config: Record<string, boolean>;
    }) => [value, scope, ...Object.keys(config).filter((name) => config[name])],
  );
  expect(found.sort()).toEqual([
    ['customer_visit', 'customer'],
    ['drop_off', 'vehicle', 'requiresParkingSpot'],
    ['facility_task', 'facility'],
    ['inspection', 'vehicle'],
    ['interior_cleaning', 'vehicle'],
    ['pick_up', 'vehicle', 'releasesParkingSpot'],
  ]);
});

test('a photo moves its session to the front of the list', async () => {
  const here = await service.newTeam();
  const own = facility(here);
  const [first, last] = [await own.car(), await own.car()];
  const { sessionId } = await own.event(first.id, { activityType: 'inspection' });
  const { sessionId: later } = await own.event(last.id, { activityType: 'inspection' });
  const sessions = async () => (await here.call('GET', '/event-sessions')).body.data;
  expect(await sessions()).toMatchObject([{ id: later }, { id: sessionId }]);
  await own.photo(first.id, { sessionId });
  expect(await sessions()).toMatchObject([{ id: sessionId, photoCount: 1 }, { id: later }]);
});
