import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordFor } from '../../../src/contract/contract.ts';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { startTestService, type TestService } from '../../helpers/service.ts';

let service: TestService;
let env: Record<string, string>;
let car: RecordFor<'cars'>;
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await startTestService();
  env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
  const make = facility(service);
  const main = await make.location({ name: 'Main' });
  const yard = await make.location({ name: 'Yard' });
  const hall = await make.zone(main.id, { name: 'Hall 1' });
  const spot = await make.spot(main.id, { name: 'A12' });
  await make.spot(main.id, { name: 'B1', zoneId: hall.id });
  await make.spot(yard.id, { name: 'B1' });
  const ann = await make.customer({ firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com' });
  car = await make.car({ licensePlate: 'WN AB 123', vin: 'WP0ZZZ91ZES100001', nickname: 'Greta', model: '911' });
  await make.car({ licensePlate: 'WN AB 1234', nickname: 'Hans', model: '912' });
  Object.assign(ids, { main: main.id, hall: hall.id, spot: spot.id, ann: ann.id, car: car.id });
});
afterAll(() => service.close());

test.each([
  ['cars', 'WN AB 123', 'car'],
  ['cars', 'wn ab 123', 'car'],
  ['cars', 'wnab123', 'car'],
  ['cars', 'WN-AB-123', 'car'],
  ['cars', 'wp0zzz91zes100001', 'car'],
  ['cars', ' greta ', 'car'],
  ['customers', 'ann  LEE', 'ann'],
  ['customers', 'ann@example.com', 'ann'],
  ['locations', 'main', 'main'],
  ['parking zones', 'hall 1', 'hall'],
  ['parking spots', 'a12', 'spot'],
])('cs %s get %j', async (noun, name, wanted) => {
  const { code, json } = await cs([...noun.split(' '), 'get', name], { env });
  expect([code, json.id]).toEqual([0, ids[wanted]]);
});

test('an event type by its value or name', async () => {
  const [byValue, byName] = await Promise.all(['drop_off', 'Drop-off'].map((name) => cs(['event-types', 'get', name], { env })));
  expect(byValue?.json.value).toBe('drop_off');
  expect(byName?.json).toEqual(byValue?.json);
});

test('a part of a name is no name, nor is what a car happens to be', async () => {
  for (const name of ['WN AB', 'Gret', 'Porsche', '911', '']) expect((await cs(['cars', 'get', name], { env })).code).toBe(6);
});

test('the same name in two locations: candidates tell where', async () => {
  const { code, error } = await cs(['parking', 'spots', 'get', 'B1'], { env });
  expect(code).toBe(14);
  expect(error.details.candidates.map(({ name }: { name: string }) => name).sort()).toEqual(['B1 · Hall 1 · Main', 'B1 · Yard']);
});

test('a name given with a location is unambiguous', async () => {
  const { json } = await cs(['cars', 'events', 'log', 'Hans', '--type', 'drop_off', '--spot', 'B1', '--location', 'Yard', '-n'], { env });
  expect(json.body.parkingSpotId).toEqual(expect.any(String));
});

test('an archived car stands back for one that is not, and is found when it is the only one', async () => {
  const make = facility(service);
  await make.car({ vin: 'SHARED-1', model: 'then', status: 'archived' });
  const now = await make.car({ vin: 'SHARED-1', model: 'now' });
  await make.car({ vin: 'ALONE-1', model: 'gone', status: 'archived' });
  expect((await cs(['cars', 'get', 'shared-1'], { env })).json.id).toBe(now.id);
  expect((await cs(['cars', 'get', 'alone-1'], { env })).json.model).toBe('gone');
});

test('names of another team are unknown', async () => {
  expect((await cs(['cars', 'get', 'Greta'], { env: { ...env, CS_API_KEY: service.otherKey } })).code).toBe(6);
});
