/** What lists of cars show. */
import { expect, test } from 'vitest';
import { newId } from '../../../src/service/records.ts';
import { heicPhoto } from '../../cli/commands/photos/photo-bytes.ts';
import { signInAdmin } from '../../helpers/dashboard.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService({ dashboard: {} });
const admin = await signInAdmin(service);

test('the cover of a car is the oldest photo that browsers show; one without any is null; cars without photos, unknown ids and other teams have none', async () => {
  const records = facility(service);
  const [car, bare, hidden] = [await records.car(), await records.car(), await records.car()];
  for (const { id } of [car, hidden])
    await records.photo(id, { base64: heicPhoto({ width: 40, height: 30 }).toString('base64') });
  const first = await records.photo(car.id);
  await records.photo(car.id);
  const list = async (browser: typeof admin, ids: string[]) =>
    (await browser.ask('GET', `/api/v1/team/covers?ids=${ids.join()}`)).body.data;
  expect(await list(admin, [car.id, bare.id, hidden.id, newId()])).toEqual([
    { id: car.id, photoId: first.id },
    { id: hidden.id, photoId: null },
  ]);
  expect(await list(await signInAdmin(service, 'second'), [car.id])).toEqual([]);
  expect((await admin.ask('GET', '/api/v1/team/covers')).body.data).toEqual([]);
});

test('the names of the photos of visits, each with its own; other teams and unknown ids have none', async () => {
  const records = facility(service);
  const car = await records.car();
  const { id: locationId } = await records.location();
  const spot = await records.spot(locationId);
  const { sessionId } = await records.event(car.id, { parkingSpotId: spot.id });
  for (const filename of ['front.jpg', 'rear.jpg'])
    await records.photo(car.id, { sessionId, filename });
  await records.photo(car.id, { filename: 'elsewhere.jpg' });
  const list = async (browser: typeof admin) =>
    (await browser.ask('GET', `/api/v1/team/photo-names?ids=${sessionId},${newId()}`)).body.data;
  const [visit, ...others] = await list(admin);
  expect([visit.id, visit.names.sort(), others]).toEqual([
    sessionId,
    ['front.jpg', 'rear.jpg'],
    [],
  ]);
  expect(await list(await signInAdmin(service, 'second'))).toEqual([]);
});
