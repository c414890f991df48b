/** What the demonstration takes in, on a facility that other runs or people have changed. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { planDropoff } from '../../../../src/cli/commands/demo/drop-off.ts';
import { type Client, createClient } from '../../../../src/client/client.ts';
import { facility, png } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { startTestService } from '../../../helpers/service.ts';

let make: ReturnType<typeof facility>;
let client: Client;
/** Photos that are there are not drawn again; test/cli/commands/demo/sample.test.ts draws some. */
const folder = await makeFolder();
for (const name of ['front.jpg', 'side.jpg']) await writeFile(join(folder, name), png(1));
const service = await startTestService();
afterAll(async () => {
  await service.close();
  await removeFolder(folder);
});
beforeEach(async () => {
  const team = await service.newTeam();
  make = facility(team);
  client = createClient({ baseUrl: service.url, key: team.key });
});
afterEach(() => client.close());

const plan = () => planDropoff(client, folder, new Date('2026-11-22T09:00:00Z'));
const spots = async (...names: string[]) => {
  const { id } = await make.location({ name: 'Harbour' });
  return Promise.all(names.map((name) => make.spot(id, { name })));
};

test('drops off the car with the longest absence, in the first free spot by name', async () => {
  await spots('A2', 'A1');
  const longest = await make.car();
  await make.car();
  const planned = await plan();
  expect(planned).toMatchObject({
    car: { id: longest.id },
    eventType: { value: 'drop_off' },
    place: { kind: 'spot', record: { name: 'A1' }, within: 'Harbour' },
  });
  expect(planned.photos?.map(({ path }) => path.slice(folder.length + 1))).toEqual([
    'front.jpg',
    'side.jpg',
  ]);
});

test('fulfils the appointment of that day', async () => {
  await spots('A1');
  const car = await make.car();
  const types: { id: string; value: string }[] = await make.read('/event-types');
  const typeId = (value: string) => types.find((type) => type.value === value)?.id;
  const visit = { carId: car.id, startAt: '2026-11-22T08:00:00Z', endAt: '2026-11-22T08:30:00Z' };
  const late = await make.appointment({ ...visit, appointmentTypeId: typeId('drop_off') });
  await make.appointment({ ...visit, appointmentTypeId: typeId('pick_up') });
  await make.appointment({ ...visit, appointmentTypeId: typeId('drop_off'), status: 'completed' });
  expect(await plan()).toMatchObject({ car: { id: car.id }, appointment: { id: late.id } });
});

test('when all cars are stored, picks up the oldest one and drops it off again', async () => {
  const [first, second] = await spots('A1', 'A2');
  const [early, late] = [await make.car(), await make.car()];
  await make.event(early.id, { parkingSpotId: second?.id });
  await make.event(late.id, { parkingSpotId: first?.id });
  expect(await plan()).toMatchObject({
    car: { id: early.id, status: 'checked_out' },
    place: { record: { name: 'A2' } },
  });
});

test.each([
  ['no car', 'data_unusable', () => spots('A1')],
  [
    'no free spot',
    'data_unusable',
    async () => {
      await make.car();
    },
  ],
])('%s: %s, exit 7', async (_name, code, prepare) => {
  await prepare();
  await expect(plan()).rejects.toMatchObject({ code, exitCode: 7 });
});
