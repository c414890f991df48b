import readExif from 'exif-reader';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { hasLocation, withoutLocation } from '../../../../src/cli/commands/photos/location.ts';
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
    IFD3: {
      GPSLatitudeRef: 'N',
      GPSLatitude: '51/1 30/1 0/1',
      GPSLongitudeRef: 'W',
      GPSLongitude: '0/1 7/1 0/1',
    },
  });

const photos = [
  { name: 'JPEG, big-endian EXIF', bytes: withSegments(jpeg, exifSegment(exifBlock())) },
  {
    name: 'JPEG, little-endian EXIF',
    bytes: withSegments(jpeg, exifSegment(exifBlock({ bigEndian: false }))),
  },
  {
    name: 'JPEG, EXIF with a preview',
    bytes: withSegments(jpeg, exifSegment(exifBlock({ thumbnail: jpeg }))),
  },
  {
    name: 'JPEG, EXIF and XMP',
    bytes: withSegments(jpeg, exifSegment(exifBlock()), xmpSegment(xmpPacket)),
  },
  {
    name: 'JPEG with a second picture',
    bytes: Buffer.concat([jpeg, withSegments(jpeg, exifSegment(exifBlock()))]),
  },
  { name: 'JPEG of the image library', bytes: await withMetadata.clone().jpeg().toBuffer() },
  { name: 'WebP', bytes: await withMetadata.clone().webp().toBuffer() },
  { name: 'AVIF', bytes: await withMetadata.clone().avif({ effort: 0 }).toBuffer() },
  { name: 'PNG', bytes: await withMetadata.clone().png().toBuffer() },
  { name: 'PNG, packed XMP', bytes: withChunks(png, packedXmpChunk(xmpPacket)) },
  { name: 'PNG, EXIF as a raw profile', bytes: withChunks(png, rawProfileChunk(exifBlock())) },
];

describe('removes the location and keeps every pixel', () => {
  test.for(photos)('$name', async ({ bytes }) => {
    const before = Buffer.from(bytes);
    expect(hasLocation(bytes)).toBe(true);
    const cleaned = withoutLocation(bytes);
    if (!cleaned) throw new Error('the location could not be taken out');

    expect(bytes.equals(before)).toBe(true);
    expect(hasLocation(cleaned)).toBe(false);
    expect(await pixels(cleaned)).toEqual(await pixels(bytes));
    const { exif, xmp, format } = await sharp(cleaned).metadata();
    if (exif) expect(readExif(exif).GPSInfo).toBeUndefined();
    expect(xmp?.toString() ?? '').not.toMatch(/gps|latitude|longitude/i);
    expect(cleaned.toString('latin1')).not.toMatch(/GPSLatitude|51,30|0,7\.66/i);
    if (format !== 'png') expect(cleaned.length).toBe(bytes.length);
  });
});

test('keeps all other metadata', async () => {
  const bytes = withSegments(
    jpeg,
    exifSegment(exifBlock({ orientation: 8, thumbnail: jpeg })),
    xmpSegment(xmpPacket),
  );
  const cleaned = withoutLocation(bytes);
  const { exif, xmp } = await sharp(cleaned).metadata();
  const read = readExif(exif ?? Buffer.alloc(0));
  expect(read.Image).toMatchObject({
    Make: 'Acme Optics',
    Orientation: 8,
    DateTime: new Date('2026-03-04T05:06:07Z'),
  });
  expect(read.Image).not.toHaveProperty('GPSTag');
  expect(read.Thumbnail).toMatchObject({ JPEGInterchangeFormatLength: jpeg.length });
  expect(xmp?.toString()).toContain('xmp:CreatorTool="Acme 1.0"');
  expect(xmp?.toString()).toContain('<xmp:Rating>4</xmp:Rating>');
});

test('PNG checksums stay right', async () => {
  const cleaned = withoutLocation(await withMetadata.clone().png().toBuffer());
  // Any wrong checksum fails at this level.
  const { exif } = await sharp(cleaned, { failOn: 'warning' }).metadata();
  expect(readExif(exif ?? Buffer.alloc(0)).Image).toMatchObject({ Make: 'Acme Optics' });
});

test('HEIC keeps its picture and its date', async () => {
  const bytes = heicPhoto({ exif: exifBlock({ bigEndian: true }) });
  const cleaned = withoutLocation(bytes);
  const { exif, width } = await sharp(cleaned).metadata();
  const read = readExif(exif ?? Buffer.alloc(0));
  expect(width).toBe(4032);
  expect(read.Image).toMatchObject({ DateTime: new Date('2026-03-04T05:06:07Z') });
  expect(read.GPSInfo).toBeUndefined();
  expect(cleaned?.subarray(-20_000).equals(bytes.subarray(-20_000))).toBe(true);
});

test('the video behind a motion photo', () => {
  const place = Buffer.from('\0\0\0\x1e\xa9xyz\0\x12\x15\xc7+51.5007-000.1246/', 'latin1');
  const bytes = Buffer.concat([jpeg, Buffer.from('\0\0\0\x18ftypmp42', 'latin1'), place]);
  expect(hasLocation(bytes)).toBe(true);
  const cleaned = withoutLocation(bytes)?.toString('latin1');
  expect(cleaned).not.toContain('51.5007');
  expect(cleaned).toContain('\0\0\0\x1efree');
});

test("doesn't write across a split XMP packet", () => {
  const cut = xmpPacket.indexOf('0,7.66') + 3;
  const bytes = withSegments(
    jpeg,
    xmpSegment(xmpPacket.slice(0, cut)),
    Buffer.from(xmpPacket.slice(cut)),
  );
  expect(hasLocation(bytes)).toBe(true);
  expect(withoutLocation(bytes)).toBeUndefined();
});

describe('ignores broken EXIF', () => {
  const block = exifBlock();
  const gpsEntry = block.indexOf(Buffer.from([0x88, 0x25]));
  const changed = (change: (bytes: Buffer) => void) => {
    const copy = Buffer.from(block);
    change(copy);
    return withSegments(jpeg, exifSegment(copy));
  };
  const cases = [
    {
      name: 'a GPS directory beyond the block',
      bytes: changed((bytes) => bytes.writeUInt32BE(60_000, gpsEntry + 8)),
    },
    {
      name: 'a first directory beyond the block',
      bytes: changed((bytes) => bytes.writeUInt32BE(0xfffffff0, 4)),
    },
    {
      name: 'a directory of 65535 entries',
      bytes: changed((bytes) => bytes.writeUInt16BE(0xffff, 8)),
    },
    {
      name: 'a GPS value that reaches into the picture',
      bytes: changed((bytes) =>
        bytes.writeUInt32BE(500, bytes.indexOf(Buffer.from([0, 2, 0, 5, 0, 0, 0, 3])) + 8),
      ),
    },
    {
      name: 'a GPS directory that is the first one',
      bytes: changed((bytes) => bytes.writeUInt32BE(8, gpsEntry + 8)),
    },
    { name: 'a block cut short', bytes: withSegments(jpeg, exifSegment(block.subarray(0, 70))) },
  ];
  test.for(cases)('$name', async ({ bytes }) => {
    const cleaned = withoutLocation(bytes);
    expect(cleaned && hasLocation(cleaned)).toBe(false);
    expect(await pixels(cleaned ?? Buffer.alloc(0), false)).toEqual(await pixels(jpeg, false));
  });
});

async function pixels(bytes: Buffer, strict = true): Promise<Buffer> {
  return sharp(bytes, { failOn: strict ? 'warning' : 'error' })
    .raw()
    .toBuffer();
}
