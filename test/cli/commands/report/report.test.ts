/** `cs report`: which visits and pictures the sheet has. What is on it: test/facility/sheet.test.ts. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { base64Of, facility } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { testService } from '../../../helpers/service.ts';

const service = await testService();
const make = facility(service);
const cwd = await makeFolder();
afterAll(() => removeFolder(cwd));

const spot = await make.spot((await make.location()).id);
const car = await make.car({ licensePlate: 'HH-R 1' });
/** A picture that lies on its side, and is wider than a sheet shows. */
const picture = async (background: string) =>
  base64Of(
    await sharp({ create: { width: 1_600, height: 800, channels: 3, background } })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer(),
  );
const visit = async (activityType: string, ...photos: string[]) => {
  const parkingSpotId = activityType === 'drop_off' ? spot.id : undefined;
  const event = await make.event(car.id, { activityType, parkingSpotId });
  for (const filename of photos)
    await make.photo(car.id, {
      ...{ sessionId: event.sessionId, filename },
      base64: await picture(filename.startsWith('front') ? 'red' : 'blue'),
    });
  return event.id;
};
const first = await visit('drop_off', 'front.jpg');
await visit('pick_up');
const last = await visit('drop_off', 'rear.jpg', 'front.jpg');

const report = async (...line: string[]) => {
  const { code, json } = await cs(['report', 'HH-R 1', ...line], {
    env: { CS_BASE_URL: service.url, CS_API_KEY: service.key },
    cwd,
    now: new Date(2050, 4, 2, 12),
  });
  const html = await readFile(json.file, 'utf8');
  const pictures = await Promise.all(
    Array.from(html.matchAll(/data:image\/jpeg;base64,([\w+/=]+)/g), async ([, text = '']) => {
      const image = sharp(Buffer.from(text, 'base64'));
      const [{ width, height }, { dominant }] = await Promise.all([
        image.metadata(),
        image.stats(),
      ]);
      return [dominant.r > dominant.b ? 'front' : 'rear', width, height];
    }),
  );
  return { code, json, pictures };
};

test('the last event, in a file named by car and day, with its pictures upright and small', async () => {
  expect(await report()).toEqual({
    code: 0,
    json: {
      file: join(cwd, 'HH-R-1-2050-05-02.html'),
      carId: car.id,
      eventIds: [last],
      photos: 2,
      notShown: [],
    },
    pictures: [
      ['front', 320, 640],
      ['rear', 320, 640],
    ],
  });
});

test('--compare: beside the event before it that has photos; --event: another one', async () => {
  expect(await report('--compare', '--to', 'both.html')).toMatchObject({
    json: { eventIds: [first, last], photos: 3 },
    pictures: { length: 3 },
  });
  expect(await report('--event', first, '--to', 'first.html')).toMatchObject({
    json: { file: join(cwd, 'first.html'), eventIds: [first], photos: 1 },
    pictures: { length: 1 },
  });
});

test('an existing file is replaced with --overwrite alone', async () => {
  const line = ['report', 'HH-R 1', '--to', 'kept.html'];
  const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
  const codes = [];
  for (const more of [[], [], ['--overwrite']])
    codes.push((await cs([...line, ...more], { env, cwd })).code);
  expect(codes).toEqual([0, 7, 0]);
});
