/** What lists of cars show. */
import { afterAll, expect, test } from 'vitest';
import { newId } from '../../../src/service/records.ts';
import { heicPhoto } from '../../cli/commands/photos/photo-bytes.ts';
import { signInAdmin } from '../../helpers/dashboard.ts';
import { facility } from '../../helpers/facility.ts';
import { startTestService } from '../../helpers/service.ts';

const service = await startTestService({ dashboard: {} });
afterAll(() => service.close());
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
