/** `available=true` names only what can be parked on: the spot or zone, and everything it belongs to, is active. */
import { expect, test } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService();
const make = facility(service);
const location = await make.location({ name: 'Here' });
const zone = await make.zone(location.id, { name: 'Hall' });
const spot = await make.spot(location.id, { name: 'A1', zoneId: zone.id });
const free = async (what: 'spots' | 'zones', available: boolean): Promise<string[]> =>
  (await service.call('GET', `/parking/${what}?available=${available}`)).body.data.map(
    ({ id }: { id: string }) => id,
  );

test.each([
  ['the zone', `/parking/zones/${zone.id}`],
  ['the location', `/locations/${location.id}`],
])('with %s inactive nothing in it is available', async (_name, path) => {
  expect([await free('spots', true), await free('zones', true)]).toEqual([[spot.id], [zone.id]]);
  await service.call('PATCH', path, { isActive: false });
  expect([await free('spots', true), await free('zones', true)]).toEqual([[], []]);
  expect([await free('spots', false), await free('zones', false)]).toEqual([[spot.id], [zone.id]]);
  await service.call('PATCH', path, { isActive: true });
});
