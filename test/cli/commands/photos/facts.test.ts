import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { readFacts } from '../../../../src/cli/commands/photos/photo-file.ts';
import { photoFolder } from './folder.ts';
import { emptyPng, exifBlock, exifSegment, heicPhoto, withSegments } from './photo-bytes.ts';

const folder = await photoFolder();
const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: '#336699' } });
const jpeg = await picture.clone().jpeg().toBuffer();
const png = await picture.clone().png().toBuffer();
const webp = await picture.clone().webp().toBuffer();
const gif = await picture.clone().gif().toBuffer();
const avif = await picture.clone().avif().toBuffer();
const tiff = await picture.clone().tiff().toBuffer();

describe('reads', () => {
  test('reads size, type, upright dimensions and location', async () => {
    const bytes = withSegments(jpeg, exifSegment(exifBlock({ orientation: 6 })));
    const path = await folder.put('front.png', bytes);
    expect(await readFacts(path)).toEqual({
      path,
      filename: 'front.png',
      sizeBytes: bytes.length,
      contentType: 'image/jpeg',
      width: 30,
      height: 40,
      hasLocation: true,
    });
  });

  const unlocated = [
    { name: 'plain.jpg', bytes: jpeg },
    {
      name: 'time-only.jpg',
      bytes: withSegments(jpeg, exifSegment(exifBlock({ timeOnly: true }))),
    },
  ];
  test.for(unlocated)('no location of $name', async ({ name, bytes }) => {
    expect(await readFacts(await folder.put(name, bytes))).toMatchObject({
      hasLocation: false,
      width: 40,
      height: 30,
    });
  });

  test('a JPEG with fill bytes before a marker', async () => {
    const bytes = Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff]), jpeg.subarray(2)]);
    expect(await readFacts(await folder.put('fill.jpg', bytes))).toMatchObject({ width: 40 });
  });

  const types = [
    { contentType: 'image/png', bytes: png },
    { contentType: 'image/webp', bytes: webp },
    { contentType: 'image/gif', bytes: gif },
    { contentType: 'image/avif', bytes: avif },
    { contentType: 'image/heic', bytes: heicPhoto({ width: 40, height: 30 }) },
  ];
  test.for(types)('$contentType', async ({ contentType, bytes }) => {
    expect(await readFacts(await folder.put('photo', bytes))).toMatchObject({
      contentType,
      width: 40,
      height: 30,
      hasLocation: false,
    });
  });
});

describe('refuses', () => {
  const cases = [
    { name: 'empty.jpg', bytes: Buffer.alloc(0), reason: 'empty' },
    { name: 'letter.jpg', bytes: Buffer.from('Dear customer'), reason: 'not_a_photo' },
    {
      name: 'drawing.svg',
      bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      reason: 'not_a_photo',
    },
    { name: 'scan.tiff', bytes: tiff, reason: 'not_a_photo' },
    { name: 'header-only.jpg', bytes: jpeg.subarray(0, 30), reason: 'damaged' },
    { name: 'bomb.png', bytes: emptyPng(100_000, 100_000), reason: 'too_many_pixels' },
    { name: 'short.jpg', bytes: Buffer.from([0xff, 0xd8, 0xff]), reason: 'damaged' },
  ];
  test.for(cases)('$name: $reason', async ({ name, bytes, reason }) => {
    const path = await folder.put(name, bytes);
    await expect(readFacts(path)).rejects.toMatchObject({
      name: 'PhotoFileError',
      path,
      reason,
      message: expect.stringContaining(path),
    });
  });

  test('a missing file, and a folder', async () => {
    await expect(readFacts(`${folder.path}/gone.jpg`)).rejects.toMatchObject({
      reason: 'not_found',
    });
    await expect(readFacts(folder.path)).rejects.toMatchObject({
      reason: 'is_directory',
      hint: 'name the photos in it',
    });
  });
});
