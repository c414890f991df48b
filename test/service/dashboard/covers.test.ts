/** What lists of cars show and are searched by. */
import { afterAll, expect, test } from 'vitest';
import { newId } from '../../../src/service/records.ts';
import { heicPhoto } from '../../cli/commands/photos/photo-bytes.ts';
import { signInAdmin } from '../../helpers/dashboard.ts';
import { facility } from '../../helpers/facility.ts';
import { startTestService } from '../../helpers/service.ts';

const service = await startTestService({ dashboard: {} });
afterAll(() => service.close());
const admin = await signInAdmin(service);

test('the cover of a car is the oldest photo that browsers show; cars without one, unknown ids and other teams have none', async () => {
  const records = facility(service);
  const [car, bare] = [await records.car(), await records.car()];
  await records.photo(car.id, { base64: heicPhoto({ width: 40, height: 30 }).toString('base64') });
  const first = await records.photo(car.id);
  await records.photo(car.id);
  const list = async (browser: typeof admin, ids: string[]) =>
    (await browser.ask('GET', `/api/v1/team/covers?ids=${ids.join()}`)).body.data;
  expect(await list(admin, [car.id, bare.id, newId()])).toEqual([
    { id: car.id, photoId: first.id },
  ]);
  expect(await list(await signInAdmin(service, 'second'), [car.id])).toEqual([]);
  expect((await admin.ask('GET', '/api/v1/team/covers')).body.data).toEqual([]);
});

test('the cars of customers are those of the ids alone, and of the own team', async () => {
  const records = facility(service);
  const [ada, other] = [await records.customer(), await records.customer()];
  const cars = [
    await records.car({ customerId: ada.id }),
    await records.car({ customerId: ada.id, status: 'archived' }),
  ];
  await records.car({ customerId: other.id });
  const list = async (browser: typeof admin, ids: string[]) =>
    (await browser.ask('GET', `/api/v1/team/owned-cars?ids=${ids.join()}`)).body.data;
  expect(await list(admin, [ada.id, newId()])).toEqual([
    { id: ada.id, carIds: cars.map(({ id }) => id).sort() },
  ]);
  expect(await list(await signInAdmin(service, 'second'), [ada.id])).toEqual([]);
  expect((await admin.ask('GET', '/api/v1/team/owned-cars')).body.data).toEqual([]);
});
