import { truncate } from 'node:fs/promises';
import readExif from 'exif-reader';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { isComplete } from '../../../../src/cli/commands/photos/photo-file.ts';
import { preparePhoto } from '../../../../src/cli/commands/photos/prepare.ts';
import { readPhotos } from '../../../../src/cli/commands/photos/read.ts';
import { photoLimit } from '../../../../src/contract/limits.ts';
import { photoFolder } from './folder.ts';
import {
  exifBlock,
  exifSegment,
  heicPhoto,
  packedXmpChunk,
  withChunks,
  withSegments,
  xmpPacket,
  xmpSegment,
} from './photo-bytes.ts';

const folder = await photoFolder();
/** Noise does not compress: a small picture with many bytes. The left half is red, so that turning shows. */
const noisy = async (width: number, height: number) => {
  const noise = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000000',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const red = await sharp({
    create: { width: width / 2, height, channels: 3, background: '#ff0000' },
  })
    .png()
    .toBuffer();
  return sharp(
    await sharp(noise)
      .composite([{ input: red, gravity: 'west' }])
      .png({ compressionLevel: 1 })
      .toBuffer(),
  );
};
const image = await noisy(800, 600);
const jpeg = await image.clone().jpeg({ quality: 95 }).toBuffer();
const thumbnail = await image.clone().resize(80).jpeg().toBuffer();
const located = withSegments(
  jpeg,
  exifSegment(exifBlock({ orientation: 6, thumbnail })),
  xmpSegment(xmpPacket),
);
const limit = 60_000;

describe('within the limit', () => {
  test('without a location the bytes are sent untouched, at the limit itself too', async () => {
    const path = await folder.put('plain.jpg', jpeg);
    for (const most of [jpeg.length, photoLimit]) {
      const photo = await preparePhoto(path, { limit: most });
      expect(photo).toMatchObject({
        filename: 'plain.jpg',
        contentType: 'image/jpeg',
        width: 800,
        height: 600,
        shrunk: false,
        locationRemoved: false,
      });
      expect(photo.bytes.equals(jpeg)).toBe(true);
    }
  });

  test('removes a location and changes nothing else', async () => {
    const photo = await preparePhoto(await folder.put('located.jpg', located));
    expect(photo).toMatchObject({
      width: 600,
      height: 800,
      shrunk: false,
      locationRemoved: true,
      sizeBytes: located.length,
    });
    expect(await sharp(photo.bytes).raw().toBuffer()).toEqual(await sharp(jpeg).raw().toBuffer());
    await expectNoLocation(photo.bytes);
  });

  test('keeps a location with keepLocation', async () => {
    const photo = await preparePhoto(await folder.put('located.jpg', located), {
      keepLocation: true,
      resize: false,
    });
    expect(photo).toMatchObject({ locationRemoved: false, shrunk: false });
    expect(photo.bytes.equals(located)).toBe(true);
  });

  test('keeps an animation', async () => {
    const bytes = await animation('gif');
    const photo = await preparePhoto(await folder.put('turntable.gif', bytes));
    expect(photo.bytes.equals(bytes)).toBe(true);
  });

  test("a location that can't be overwritten: encodes the photo again without it", async () => {
    const rest = Buffer.from(`http://ns.adobe.com/xmp/extension/\0${xmpPacket}`);
    // It may have one: its order of bytes isn't known.
    const unreadable = exifBlock().fill('?', 0, 2);
    const endless = exifBlock();
    endless.writeUInt32BE(60_000, 4);
    const cases = {
      'unreadable.jpg': withSegments(jpeg, exifSegment(unreadable)),
      'endless.jpg': withSegments(jpeg, exifSegment(endless), xmpSegment(xmpPacket)),
      'extended.jpg': withSegments(jpeg, xmpSegment(xmpPacket), rest),
      'packed.png': withChunks(await image.clone().png().toBuffer(), packedXmpChunk(xmpPacket)),
    };
    for (const [name, bytes] of Object.entries(cases)) {
      const photo = await preparePhoto(await folder.put(name, bytes));
      expect(photo).toMatchObject({
        filename: name,
        shrunk: true,
        locationRemoved: true,
        width: 800,
        height: 600,
      });
      await expectNoLocation(photo.bytes);
    }
  });

  test('the extension follows the bytes', async () => {
    expect(await preparePhoto(await folder.put('IMG_2.HEIC', jpeg))).toMatchObject({
      filename: 'IMG_2.jpg',
      contentType: 'image/jpeg',
    });
    expect(await preparePhoto(await folder.put('front.left.JPEG', jpeg))).toMatchObject({
      filename: 'front.left.JPEG',
    });
    expect(await preparePhoto(await folder.put('v1.2', jpeg))).toMatchObject({
      filename: 'v1.2.jpg',
    });
  });
});

describe('above the limit', () => {
  test('fits, is upright, and keeps date and camera but no location', async () => {
    const photo = await preparePhoto(await folder.put('big.jpg', located), { limit });
    expect(photo).toMatchObject({
      contentType: 'image/jpeg',
      shrunk: true,
      locationRemoved: true,
      originalSizeBytes: located.length,
    });
    expect(photo.sizeBytes).toBeLessThanOrEqual(limit);
    expect(photo.bytes.length).toBe(photo.sizeBytes);

    const { width, height, orientation, exif } = await sharp(photo.bytes).metadata();
    expect([width, height]).toEqual([photo.width, photo.height]);
    expect(photo.height).toBeGreaterThan(photo.width ?? 0);
    expect(orientation ?? 1).toBe(1);
    const read = readExif(exif ?? Buffer.alloc(0));
    expect(read.Image).toMatchObject({
      Make: 'Acme Optics',
      DateTime: new Date('2026-03-04T05:06:07Z'),
    });
    expect(read.Thumbnail).toBeUndefined();
    // Turned clockwise, the left is at the top.
    expect(await colorAt(photo.bytes, 'top')).toBe('red');
    expect(await colorAt(photo.bytes, 'bottom')).toBe('grey');
    await expectNoLocation(photo.bytes);
  });

  test('uses most of the size limit', async () => {
    const photo = await preparePhoto(await folder.put('big.jpg', located), { limit });
    expect(photo.sizeBytes).toBeGreaterThan(limit / 2);
  });

  test('lowers the longest side first', async () => {
    const wide = await sharp({
      create: { width: 9000, height: 300, channels: 3, background: '#336699' },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
    expect(await preparePhoto(await folder.put('wide.png', wide))).toMatchObject({
      filename: 'wide.jpg',
      width: 4096,
      height: 137,
    });
  });

  test('keeps the location with keepLocation, in EXIF and XMP', async () => {
    const photo = await preparePhoto(await folder.put('big.jpg', located), {
      limit,
      keepLocation: true,
    });
    const { exif, xmp } = await sharp(photo.bytes).metadata();
    expect(photo).toMatchObject({ shrunk: true, locationRemoved: false });
    expect(readExif(exif ?? Buffer.alloc(0)).GPSInfo).toMatchObject({
      GPSLatitude: [51, 30, 45.67],
    });
    expect(xmp?.toString()).toContain('GPSLatitude');
  });

  test('keeps the colours of a wide profile', async () => {
    const wide = await image.clone().withIccProfile('p3').jpeg({ quality: 95 }).toBuffer();
    const photo = await preparePhoto(await folder.put('p3.jpg', wide), { limit });
    const { icc } = await sharp(photo.bytes).metadata();
    expect(icc?.equals((await sharp(wide).metadata()).icc ?? Buffer.alloc(0))).toBe(true);
    expect(await colorAt(photo.bytes, 'top')).toBe('red');
  });

  test('a transparent PNG gets a white background', async () => {
    const clear = await sharp({
      create: { width: 400, height: 400, channels: 4, background: '#00000000' },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const photo = await preparePhoto(await folder.put('clear.png', clear), { limit });
    expect(photo).toMatchObject({ filename: 'clear.jpg', contentType: 'image/jpeg' });
    expect([...(await sharp(photo.bytes).raw().toBuffer()).subarray(0, 3)]).toEqual([
      255, 255, 255,
    ]);
  });

  test('WebP and AVIF become JPEG', async () => {
    for (const [name, bytes] of [
      ['a.webp', await image.clone().webp({ lossless: true, effort: 0 }).toBuffer()],
      ['a.avif', await image.clone().avif({ quality: 90, effort: 0 }).toBuffer()],
    ] as const)
      expect(await preparePhoto(await folder.put(name, bytes), { limit })).toMatchObject({
        filename: 'a.jpg',
        contentType: 'image/jpeg',
        shrunk: true,
      });
  });
});

describe('refuses', () => {
  const refused = async (
    name: string,
    bytes: Buffer,
    options: Parameters<typeof preparePhoto>[1] = { limit },
  ) => {
    const path = await folder.put(name, bytes);
    return preparePhoto(path, options).then(
      () => Promise.reject(new Error('was accepted')),
      (error) => ({
        reason: error.reason,
        message: error.message.replace(`${path}: `, ''),
        hint: error.hint,
      }),
    );
  };

  test('a file that is too large without shrinking, with two different sizes', async () => {
    const padded = Buffer.concat([jpeg, Buffer.alloc(300_000 - jpeg.length)]);
    expect(await refused('big.jpg', padded, { limit: 299_999, resize: false })).toMatchObject({
      reason: 'too_large',
      message: 'is too large: 300,000 bytes, maximum 299,999 bytes',
      hint: 'leave out --no-resize to shrink it, or save it smaller',
    });
  });

  test("a photo that can't be shrunk enough", async () => {
    expect(await refused('big.jpg', jpeg, { limit: 500 })).toMatchObject({ reason: 'too_large' });
  });

  test('HEIC above the limit', async () => {
    expect(
      await refused('IMG_1.HEIC', heicPhoto({ exif: exifBlock(), size: 100_000 })),
    ).toMatchObject({
      reason: 'cannot_shrink',
      message: "is a HEIC photo of 101 KB, above the limit of 60 KB, and can't be shrunk here",
      hint: 'set the phone to "Most Compatible" (Settings > Camera > Formats), or convert the photo to JPEG first',
    });
  });

  test.for(['gif', 'webp'] as const)('an animated %s above the limit', async (format) => {
    expect(await refused(`a.${format}`, await animation(format), { limit: 100 })).toMatchObject({
      reason: 'cannot_shrink',
      message: expect.stringContaining('an animation'),
      hint: 'save one frame of it as JPEG and send that',
    });
  });

  test("a location that can't be removed: of HEIC that the image library can't read", async () => {
    const heic = heicPhoto({});
    heic.write('nope', heic.indexOf('hdlr'), 'latin1');
    expect(await refused('odd.heic', heic)).toMatchObject({
      reason: 'location_stuck',
      hint: 'convert it to JPEG, or use --keep-location',
    });
    const path = await folder.put('odd.heic', heic);
    // Known before the event is stored.
    const io = { cwd: folder.path, home: folder.path, signal: new AbortController().signal };
    await expect(readPhotos({ io } as never, [path], {})).rejects.toMatchObject({
      message: "odd.heic: contains a location that can't be removed. Nothing was stored.",
    });
    const { width, bytes } = await preparePhoto(path, { limit, keepLocation: true });
    expect([width, bytes.equals(heic)]).toEqual([null, true]);
  });

  test('more than 100 MB, before it is read', async () => {
    const path = await folder.put('huge.jpg', jpeg);
    await truncate(path, 200_000_000);
    await expect(preparePhoto(path)).rejects.toMatchObject({
      reason: 'too_large',
      why: 'is too large to be read: 200 MB, maximum 100 MB',
      hint: 'save it smaller',
    });
  });

  const cut = async (format: 'jpeg' | 'png' | 'webp' | 'avif') => {
    const whole =
      format === 'jpeg'
        ? located
        : await image
            .clone()
            [format](format === 'avif' ? { effort: 0 } : {})
            .toBuffer();
    return whole.subarray(0, Math.floor(whole.length * 0.7));
  };
  test.for(['jpeg', 'png', 'webp', 'avif'] as const)(
    'a %s cut short, within and above the limit',
    async (format) => {
      expect(await refused(`cut.${format}`, await cut(format), {})).toMatchObject({
        reason: 'damaged',
      });
      expect(await refused(`cut.${format}`, await cut(format), { limit: 1_000 })).toMatchObject({
        reason: 'damaged',
      });
    },
  );

  test('a box whose length is written in 64 bits', () => {
    const box = Buffer.alloc(24);
    box.writeUInt32BE(1, 0);
    box.write('mdat', 4);
    box.writeBigUInt64BE(24n, 8);
    expect([24, 23, 12].map((length) => isComplete(box.subarray(0, length), 'image/avif'))).toEqual(
      [true, false, false],
    );
    // 0: to the end of the file. Less than the box's own head: no box at all.
    for (const [size, complete] of [
      [0, true],
      [7, false],
    ] as const) {
      box.writeUInt32BE(size, 0);
      expect([size, isComplete(box, 'image/avif')]).toEqual([size, complete]);
    }
    box.writeUInt32BE(1, 0);
    box.writeBigUInt64BE(0n, 8);
    expect(isComplete(box, 'image/avif')).toBe(false);
  });

  const halves = [
    {
      name: 'breaks off before its end marker',
      spoil: (bytes: Buffer) =>
        Buffer.concat([bytes.subarray(0, bytes.length >> 1), bytes.subarray(-2)]),
    },
    {
      name: 'was overwritten in the middle',
      spoil: (bytes: Buffer) =>
        Buffer.from(bytes).fill(0, bytes.length >> 1, (bytes.length >> 1) + 4_096),
    },
  ];
  test.for(halves)('a JPEG that $name, above the limit', async ({ spoil }) => {
    expect(await refused('half.jpg', spoil(jpeg))).toMatchObject({ reason: 'damaged' });
  });
});

async function animation(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all(
    ['#ff0000', '#00ff00', '#0000ff'].map((background) =>
      sharp({ create: { width: 40, height: 40, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    [format]()
    .toBuffer();
}

async function colorAt(bytes: Buffer, edge: 'top' | 'bottom'): Promise<'red' | 'grey'> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const edgeRow = edge === 'top' ? 4 : info.height - 4;
  const [red = 0, green = 0] = data.subarray((edgeRow * info.width + 4) * info.channels);
  return red > 200 && green < 80 ? 'red' : 'grey';
}

async function expectNoLocation(bytes: Buffer): Promise<void> {
  const { exif, xmp } = await sharp(bytes).metadata();
  if (exif) expect(readExif(exif).GPSInfo ?? {}).toEqual({});
  expect(xmp?.toString() ?? '').not.toMatch(/gps|latitude|longitude/i);
  expect(bytes.toString('latin1')).not.toMatch(/GPSL|51,30|0,7\.66/i);
}
