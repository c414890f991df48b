import { expect, test } from 'vitest';
import { createEventType } from '../../../src/service/admin.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import { list, ok, row, shows, testTable, total } from '../../helpers/table.ts';

const service = await testService();
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
  total('/event-types', 6),
  total('/event-types?scope=vehicle', 4),
  list('/event-types?isActive=false'),
  row('GET', `/event-types/${unused.id}`)(
    "types: another team's own",
    undefined,
    ok({ value: 'own', durationMinutes: 5, description: null, options: [], isActive: true }),
    { key: service.otherKey },
  ),
  shows("sessions: an event's is open and names it", `/event-sessions/${event.sessionId}`, {
    eventTypeId: event.eventTypeId,
    carId: car.id,
    customerId: null,
    appointmentId: null,
    carEventId: event.id,
    status: 'open',
    startedAt: event.occurredAt,
    photoCount: 0,
  }),
  list(`/event-sessions?carId=${car.id}`, event.sessionId),
  total('/event-sessions?status=open', 2),
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
