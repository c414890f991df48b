import sharp from 'sharp';
import { expect, test } from 'vitest';
import { makeSamplePhoto } from '../../../../src/cli/commands/demo/sample.ts';
import { readFacts } from '../../../../src/cli/commands/photos/photo-file.ts';
import { preparePhoto } from '../../../../src/cli/commands/photos/prepare.ts';
import { photoLimit } from '../../../../src/contract/limits.ts';
import { photoFolder } from '../photos/folder.ts';

const folder = await photoFolder();
const taken = new Date(2026, 4, 1, 9, 30, 15);

test('a large photo resembles one of a phone and is shrunk', async () => {
  const bytes = await makeSamplePhoto('front', taken, true);
  const path = await folder.put('front.jpg', bytes);
  expect(bytes.length).toBeGreaterThan(photoLimit);
  expect(await readFacts(path)).toMatchObject({
    contentType: 'image/jpeg',
    width: 4032,
    height: 3024,
    hasLocation: true,
  });
  const metadata = await sharp(bytes).metadata();
  expect(metadata).toMatchObject({ width: 3024, height: 4032, orientation: 6 });
  expect(metadata.exif?.toString('latin1')).toContain('2026:05:01 09:30:15');

  const photo = await preparePhoto(path);
  expect(photo).toMatchObject({ width: 4032, height: 3024, shrunk: true, locationRemoved: true });
  expect(photo.sizeBytes).toBeLessThanOrEqual(photoLimit);
});

test('a small photo is sent unchanged and is always the same', async () => {
  const bytes = await makeSamplePhoto('side', taken, false);
  const facts = await readFacts(await folder.put('side.jpg', bytes));
  expect(facts).toMatchObject({ width: 1600, height: 1200, hasLocation: false });
  expect(bytes.length).toBeGreaterThan(300_000);
  expect(bytes.length).toBeLessThan(1_000_000);
  expect((await makeSamplePhoto('side', taken, false)).equals(bytes)).toBe(true);
});
