/** What a write easily does unseen: read a table of the team whole. Then each takes longer than the one before. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService();
const make = facility(service);

/** Tables that are read whole: a facility has few rows in them. */
const few = new Set([
  'admins',
  'allowedSenders',
  'assetFolders',
  'eventTypes',
  'locations',
  'parkingZones',
  'rsvpOptions',
  'teams',
]);

/** The statements that read a table of the team whole, or that of all teams. Each is prepared once in a service. */
async function wholeReadsOf(writes: () => Promise<unknown>): Promise<string[]> {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  await writes();
  const statements = new Set(prepare.mock.calls.map(([statement]) => statement));
  prepare.mockRestore();
  const { read } = service.admin.database;
  const found: string[] = [];
  // The plan of an insert also names what SQLite would look for, had another statement broken a reference.
  for (const statement of [...statements].filter((text) =>
    /^\s*(select|update|delete|with)\b/i.test(text),
  )) {
    const { rows } = await read.executeQuery<{ detail: string }>({
      sql: `explain query plan ${statement}`,
      parameters: Array.from(statement.matchAll(/\?/g), () => ''),
    } as never);
    for (const { detail } of rows) {
      const table = /^(?:SCAN|SEARCH) (\w+)(?:$| USING .*\(teamId=\?\)$)/.exec(detail)?.[1];
      if (table && !few.has(table) && new RegExp(`(from|update) "${table}"`).test(statement))
        found.push(`${detail}: ${statement}`);
    }
  }
  expect(statements.size).toBeGreaterThan(0);
  return found;
}

test('no create reads a table of the team whole', async () => {
  const location = await make.location();
  const whole = await wholeReadsOf(async () => {
    const zone = await make.zone(location.id);
    const spot = await make.spot(location.id, { zoneId: zone.id });
    const customer = await make.customer({ firstName: 'Ada', email: 'ada@example.com' });
    await make.contact({ customerId: customer.id });
    const car = await make.car({
      customerId: customer.id,
      licensePlate: 'HH-A 1',
      vin: 'WP0ZZZ99ZTS392124',
    });
    await make.event(car.id, { parkingSpotId: spot.id });
    await make.photo(car.id);
    await make.assignment({ carId: (await make.car()).id, parkingZoneId: zone.id });
    await make.appointment({ carId: car.id, customerId: customer.id });
    await make.asset();
    const event = await make.socialEvent();
    const invite = await make.invite(event.id, { customerId: customer.id });
    await make.rsvp(event.id, { inviteId: invite.id });
    await make.rsvp(event.id, { email: 'guest@example.com' });
    const thread = await make.thread({ customerId: customer.id });
    await make.message(thread.id, { externalId: 'm-1' });
    await service.call('POST', '/cars', { year: 1973, make: 'Porsche', model: '911' }, undefined, {
      'idempotency-key': 'once',
    });
  });
  expect(whole).toEqual([]);
});

test('no change reads a table of the team whole', async () => {
  const location = await make.location();
  const [from, to] = [await make.spot(location.id), await make.spot(location.id)];
  const customer = await make.customer();
  const car = await make.car({ customerId: customer.id });
  await make.event(car.id, { parkingSpotId: from.id });
  const appointment = await make.appointment({ carId: car.id });
  const thread = await make.thread({ customerId: customer.id });
  const whole = await wholeReadsOf(async () => {
    const moved = await make.assignment({ carId: car.id, parkingSpotId: to.id });
    await make.change(`/parking/assignments/${moved.id}`, { endedAt: new Date().toISOString() });
    await make.change(`/cars/${car.id}`, { licensePlate: 'HH-B 2' });
    await make.change(`/customers/${customer.id}`, { email: 'new@example.com', tags: ['vip'] });
    await make.change(`/appointments/${appointment.id}`, {
      startAt: '2090-05-04T09:00:00Z',
      endAt: '2090-05-04T10:00:00Z',
    });
    await make.change(`/communications/threads/${thread.id}`, { status: 'resolved' });
  });
  expect(whole).toEqual([]);
});
