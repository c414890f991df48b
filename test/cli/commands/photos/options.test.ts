/** What `--keep-location` and `--no-resize` make of the bytes that a drop-off sends. */
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import readExif from 'exif-reader';
import sharp from 'sharp';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { counterOfFile, folderWith, intoSpot, jpeg } from '../counter/counter.ts';

const counter = counterOfFile();
let located: Buffer;
beforeAll(async () => {
  located = await jpeg(200, 150, { gps: true });
});

async function begin() {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const line = ['dropoff', ...intoSpot(car.id, spot.id), '--yes'];
  return { car, line };
}

async function storedBytes(carId: string, cwd: string): Promise<Buffer> {
  await cs(['cars', 'photos', 'download', carId, '--to', 'stored'], { cwd, env: counter.env() });
  return readFile(join(cwd, 'stored/a.jpg'));
}
const placeIn = async (bytes: Buffer) => {
  const { exif } = await sharp(bytes).metadata();
  return exif && readExif(exif).GPSInfo?.GPSLatitude;
};

test('removes the location by default', async () => {
  const { car, line } = await begin();
  const cwd = await folderWith({ 'a.jpg': located });
  const { code, json } = await cs([...line, '--photo', 'a.jpg'], { cwd, env: counter.env() });
  expect([code, json.photos[0].locationRemoved]).toEqual([0, true]);
  expect(await placeIn(located)).toEqual([53, 32, 0]);
  expect(await placeIn(await storedBytes(car.id, cwd))).toBeUndefined();
});

test('--keep-location sends the photo unchanged', async () => {
  const { car, line } = await begin();
  const cwd = await folderWith({ 'a.jpg': located });
  const { code, json } = await cs([...line, '--photo', 'a.jpg', '--keep-location'], {
    cwd,
    env: counter.env(),
  });
  expect([code, json.photos[0].locationRemoved]).toEqual([0, false]);
  expect((await storedBytes(car.id, cwd)).equals(located)).toBe(true);
});

test('a photo that changes during the command is not sent, and the command to send it has the flags', async () => {
  const { car, line } = await begin();
  const cwd = await folderWith({ 'a.jpg': located });
  const proxy = await startFaultyProxy(counter.service.url, async ({ method, url }) => {
    if (method === 'POST' && url.endsWith('/events')) await appendFile(join(cwd, 'a.jpg'), 'more');
    return undefined;
  });
  onTestFinished(() => proxy.close());
  const result = await cs([...line, '--photo', 'a.jpg', '--no-resize'], {
    cwd,
    env: counter.env(undefined, proxy.url),
  });
  expect([result.code, result.json.photos[0].error.code]).toEqual([11, 'invalid_file']);
  expect(result.error.hint).toContain(' --no-resize a.jpg');
  expect((await counter.storedOf(car.id)).photos).toEqual([]);
});
