import readExif from 'exif-reader';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { withoutLocation } from '../../../../src/cli/commands/photos/location.ts';
import { readHeader } from '../../../../src/cli/commands/photos/photo-file.ts';
import { photoTypeOf } from '../../../../src/contract/photo-type.ts';
import {
  exifBlock,
  exifSegment,
  heicPhoto,
  packedXmpChunk,
  rawProfileChunk,
  withChunks,
  withSegments,
  xmpPacket,
  xmpSegment,
} from './photo-bytes.ts';

const picture = sharp({
  create: {
    width: 64,
    height: 48,
    channels: 3,
    background: '#888888',
    noise: { type: 'gaussian', mean: 128, sigma: 30 },
  },
});
const noise = sharp(await picture.png().toBuffer());
const jpeg = await noise.clone().jpeg().toBuffer();
const png = await noise.clone().png().toBuffer();
const withMetadata = noise
  .clone()
  .withXmp(xmpPacket)
  .withExifMerge({
    IFD0: { Make: 'Acme Optics' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
  });

async function read(bytes: Buffer) {
  const type = photoTypeOf(bytes);
  if (!type) throw new Error('no photo');
  return { path: 'a', type, bytes, ...(await readHeader('a', { type, bytes })) };
}

/** As the format has it; libvips puts `Exif` in front. */
function withoutLead(webp: Buffer): Buffer {
  const at = webp.indexOf('EXIF');
  const bytes = Buffer.concat([webp.subarray(0, at + 8), webp.subarray(at + 14)]);
  bytes.writeUInt32LE(webp.readUInt32LE(at + 4) - 6, at + 4);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return bytes;
}
const webp = await withMetadata.clone().webp().toBuffer();

const photos = [
  { name: 'JPEG, big-endian EXIF', bytes: withSegments(jpeg, exifSegment(exifBlock())) },
  {
    name: 'JPEG, little-endian EXIF with a preview, and XMP',
    bytes: withSegments(
      jpeg,
      exifSegment(exifBlock({ bigEndian: false, thumbnail: jpeg })),
      xmpSegment(xmpPacket),
    ),
  },
  { name: 'WebP', bytes: webp },
  { name: 'WebP, EXIF as the format has it', bytes: withoutLead(webp) },
  { name: 'AVIF', bytes: await withMetadata.clone().avif({ effort: 0 }).toBuffer() },
];

describe('takes the location out and keeps every pixel', () => {
  test.for(photos)('$name', async ({ bytes }) => {
    const before = Buffer.from(bytes);
    const photo = await read(bytes);
    expect(photo.hasLocation).toBe(true);
    const cleaned = (await withoutLocation(photo)) ?? Buffer.alloc(0);
    expect(bytes.equals(before)).toBe(true);
    expect(cleaned.length).toBe(bytes.length);
    expect(await pixels(cleaned)).toEqual(await pixels(bytes));
    const { exif, xmp } = await sharp(cleaned).metadata();
    expect(readExif(exif ?? Buffer.alloc(0)).GPSInfo ?? {}).toEqual({});
    expect(readExif(exif ?? Buffer.alloc(0)).Image).toMatchObject({ Make: 'Acme Optics' });
    expect(xmp?.toString().trim()).toBe(photo.xmp && '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');
    expect(cleaned.toString('latin1')).not.toMatch(/GPSLatitude|51,30|0,7\.66/i);
    // Degrees, minutes and hundredths of seconds.
    expect(cleaned.includes(Buffer.from([0, 0, 0x11, 0xd7]))).toBe(false);
  });
});

test('HEIC keeps its picture, its date and how it is turned', async () => {
  const bytes = heicPhoto({ exif: exifBlock({ orientation: 6 }) });
  const cleaned = await withoutLocation(await read(bytes));
  const { exif } = await sharp(cleaned).metadata();
  const { Image, GPSInfo } = readExif(exif ?? Buffer.alloc(0));
  expect(Image).toMatchObject({ DateTime: new Date('2026-03-04T05:06:07Z'), Orientation: 6 });
  expect(GPSInfo ?? {}).toEqual({});
  expect(cleaned?.subarray(-20_000).equals(bytes.subarray(-20_000))).toBe(true);
});

test('what follows the picture, such as the video of a motion photo, goes with the location', async () => {
  const located = withSegments(jpeg, exifSegment(exifBlock()));
  const video = Buffer.from('\0\0\0\x1e\xa9xyz\0\x12\x15\xc7+51.5007-000.1246/', 'latin1');
  const cleaned = await withoutLocation(await read(Buffer.concat([located, video])));
  expect(cleaned?.length).toBe(located.length);
});

describe("is found, and can't be overwritten", () => {
  const block = exifBlock();
  const gpsEntry = block.indexOf(Buffer.from([0x88, 0x25]));
  const changed = (change: (bytes: Buffer) => void) => {
    const copy = Buffer.from(block);
    change(copy);
    return withSegments(jpeg, exifSegment(copy));
  };
  test.each([
    ['PNG', withMetadata.clone().png().toBuffer()],
    ['PNG, packed XMP', withChunks(png, packedXmpChunk(xmpPacket))],
    ['PNG, EXIF as a raw profile', withChunks(png, rawProfileChunk(block))],
    [
      'a value beyond the block',
      changed((bytes) => bytes.writeUInt32BE(60_000, gpsEntry + 20 + 8)),
    ],
  ])('%s', async (_, made) => {
    const photo = await read(await made);
    expect(photo.hasLocation).toBe(true);
    const cleaned = await withoutLocation(photo);
    if (cleaned) expect((await read(cleaned)).hasLocation).toBe(false);
  });
});

const pixels = (bytes: Buffer): Promise<Buffer> =>
  sharp(bytes, { failOn: 'warning' }).raw().toBuffer();
