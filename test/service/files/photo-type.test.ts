import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { photoTypes } from '../../../src/contract/cars.ts';
import { photoLimit } from '../../../src/contract/limits.ts';
import { checkFile, photoKind } from '../../../src/service/files/file-kinds.ts';
import { ApiProblem } from '../../../src/service/problem.ts';

const checkPhoto = (bytes: Uint8Array, declared: string | null | undefined) =>
  checkFile(photoKind, bytes, declared);

function box(type: string, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const lead = Buffer.alloc(8);
  lead.writeUInt32BE(content.length + 8);
  lead.write(type, 4, 'latin1');
  return Buffer.concat([lead, content]);
}
const ftyp = (major: string, ...compatible: string[]) =>
  box('ftyp', Buffer.from(`${major}\0\0\0\0${compatible.join('')}`, 'latin1'));
function ispe(width: number, height: number): Buffer {
  const content = Buffer.alloc(12);
  content.writeUInt32BE(width, 4);
  content.writeUInt32BE(height, 8);
  return box('ispe', content);
}
/** The boxes of a HEIC with a thumbnail as its first property and the photo, item 1, as its second. */
function heic(major = 'heic', ...compatible: string[]): Buffer {
  const primary = box('pitm', Buffer.from([0, 0, 0, 0, 0, 1]));
  const association = box('ipma', Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 2]));
  const properties = box('iprp', box('ipco', ispe(320, 240), ispe(4032, 3024)), association);
  return Buffer.concat([
    ftyp(major, ...compatible),
    box('meta', Buffer.alloc(4), primary, properties),
    // No brand, though it says so.
    box('mdat', Buffer.from('heic'.repeat(16))),
  ]);
}

function problemOf(bytes: Uint8Array, declared: string | null = null): ApiProblem {
  try {
    checkPhoto(bytes, declared);
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
  throw new Error('was accepted');
}

const images: Record<string, Buffer> = {};
beforeAll(async () => {
  const image = () => sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } });
  images['image/jpeg'] = await image().jpeg().toBuffer();
  images['image/jpeg, progressive and turned'] = await image()
    .jpeg({ progressive: true })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  images['image/png'] = await image().png().toBuffer();
  images['image/webp'] = await image().webp().toBuffer();
  images['image/webp, lossless'] = await image().webp({ lossless: true }).toBuffer();
  images['image/webp, with metadata'] = await image()
    .webp()
    .withMetadata({ orientation: 6 })
    .toBuffer();
  images['image/gif'] = await image().gif().toBuffer();
  images['image/avif'] = await image().avif({ effort: 0 }).toBuffer();
});

describe('real images', () => {
  test.each([
    'image/jpeg',
    'image/jpeg, progressive and turned',
    'image/png',
    'image/webp',
    'image/webp, lossless',
    'image/webp, with metadata',
    'image/gif',
    'image/avif',
  ])('%s: type, and size as stored', (name) => {
    const contentType = name.split(',')[0];
    const expected = { contentType, width: 64, height: 48 };
    expect(checkPhoto(images[name] as Buffer, null)).toEqual(expected);
    expect(checkPhoto(images[name] as Buffer, contentType)).toEqual(expected);
    // As a part of a larger piece of memory, which is how bytes arrive from a socket.
    const within = Buffer.concat([Buffer.alloc(13), images[name] as Buffer, Buffer.alloc(7)]);
    expect(checkPhoto(within.subarray(13, -7), null)).toEqual(expected);
  });
});

describe('brands of the HEIF container', () => {
  test.each([
    ['heic', [], 'image/heic'],
    ['heix', ['mif1'], 'image/heic'],
    ['hevc', ['msf1'], 'image/heic'],
    ['heim', [], 'image/heic'],
    ['mif1', ['mif1', 'heic'], 'image/heic'],
    ['mif1', ['miaf', 'avif'], 'image/avif'],
    ['mif1', [], 'image/heif'],
    ['msf1', ['iso8'], 'image/heif'],
    ['avif', ['mif1', 'miaf'], 'image/avif'],
    ['avis', ['msf1'], 'image/avif'],
  ])('%s with %j', (major, compatible, contentType) => {
    expect(checkPhoto(heic(major, ...compatible), null)).toEqual({
      contentType,
      width: 4032,
      height: 3024,
    });
  });

  test('without a size in its boxes it has no size', () => {
    const meta = Buffer.from('\0\0\0\x0cmeta\0\0\0\0', 'latin1');
    const described = Buffer.concat([
      ftyp('heic', 'mif1'),
      Buffer.from('\0\0\0\x08free', 'latin1'),
      meta,
    ]);
    expect(checkPhoto(described, null)).toEqual({
      contentType: 'image/heic',
      width: null,
      height: null,
    });
  });

  test.each([
    ['nothing', ''],
    ['zeros', '\0'.repeat(200)],
    ['a box that never ends', '\0\0\0\0mdat'],
    ['a box longer than the bytes', '\x7f\xff\xff\xffmdat and no more'],
  ])('brands with %s behind them are no photo', (_name, rest) => {
    expect(problemOf(Buffer.concat([ftyp('heic', 'mif1'), Buffer.from(rest, 'latin1')])).code).toBe(
      'photo_type_unsupported',
    );
  });

  test.each(['isom', 'qt  '])(
    '%s is no photo, whatever it calls itself compatible with',
    (major) => {
      expect(problemOf(ftyp(major, 'mif1', 'heic')).code).toBe('photo_type_unsupported');
    },
  );
});

describe('not a photo', () => {
  test.each([
    ['nothing', ''],
    ['text', 'a file that is no image'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['PDF', '%PDF-1.7\n'],
    ['WAV', 'RIFF\x24\0\0\0WAVEfmt '],
    ['the head of a JPEG', '\xff\xd8\xff\xe0'],
    ['a JPEG that goes on as text', '\xff\xd8\xff<script>alert(1)</script>'],
    ['the head of a PNG', '\x89PNG\r\n\x1a\n'],
    ['a PNG without pixels', '\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\0\0\0\0\0\x08\x02\0\0\0'],
    ['the head of a GIF', 'GIF89a'],
    ['the head of a WebP', 'RIFF\x24\0\0\0WEBP'],
  ])('%s', (_name, text) => {
    expect(problemOf(Buffer.from(text, 'latin1'))).toMatchObject({
      code: 'photo_type_unsupported',
      details: { supported: photoTypes },
    });
  });

  test('a declared type does not make it one', () => {
    expect(problemOf(Buffer.from('<svg/>'), 'image/jpeg').code).toBe('photo_type_unsupported');
  });
});

describe('declared types', () => {
  test('must match the bytes', () => {
    expect(problemOf(images['image/png'] as Buffer, 'image/jpeg')).toMatchObject({
      code: 'photo_type_mismatch',
      details: { declared: 'image/jpeg', found: 'image/png' },
    });
  });

  test('a HEIC may be declared as image/heif and is stored as HEIC, but not the reverse', () => {
    expect(checkPhoto(heic(), 'image/heif').contentType).toBe('image/heic');
    expect(problemOf(heic('mif1'), 'image/heic').code).toBe('photo_type_mismatch');
  });
});

describe('size', () => {
  test('the limit is included, and one byte more is refused with both sizes', () => {
    const padded = (size: number) => Buffer.concat([images['image/jpeg'] as Buffer], size);
    expect(checkPhoto(padded(photoLimit), null).contentType).toBe('image/jpeg');
    const refusal = problemOf(padded(photoLimit + 1));
    expect(refusal).toMatchObject({
      code: 'photo_too_large',
      details: { sizeBytes: photoLimit + 1, limitBytes: photoLimit },
    });
    expect(refusal.message).toContain('3.15 MB, above the limit of 3.14 MB');
  });
});

describe('hostile bytes', () => {
  const outcome = (bytes: Uint8Array) => {
    try {
      return checkPhoto(bytes, null).contentType;
    } catch (error) {
      return error instanceof ApiProblem ? error.code : error;
    }
  };
  const allowed = new Set<unknown>([...photoTypes, 'photo_type_unsupported']);

  test('every truncation is a photo or a refusal', () => {
    for (const image of [...Object.values(images), heic(), heic('mif1', 'avif')]) {
      for (let length = 0; length < Math.min(image.length, 1_000); length++) {
        const bytes = image.subarray(0, length);
        expect(allowed, `${length} bytes`).toContain(outcome(bytes));
      }
    }
  });

  test('every single byte set to 0, 1, 0x7f or 0xff is a photo or a refusal', () => {
    for (const image of [...Object.values(images), heic()]) {
      for (let at = 0; at < Math.min(image.length, 500); at++) {
        for (const value of [0, 1, 0x7f, 0xff]) {
          const bytes = Buffer.from(image);
          bytes[at] = value;
          expect(allowed, `byte ${at} as ${value}`).toContain(outcome(bytes));
        }
      }
    }
  });

  const many = Buffer.alloc(8 + 900_000);
  many.writeUInt32BE(300_000, 4);
  const fill = (lead: Uint8Array, byte: number) =>
    Buffer.concat([lead, Buffer.alloc(photoLimit - lead.length, byte)]);
  test.each<[string, () => Buffer]>([
    ['a JPEG of fill bytes', () => fill(Buffer.from([0xff, 0xd8, 0xff]), 0xff)],
    ['a JPEG of segments without length', () => fill(Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 0)],
    ['a container of empty boxes', () => fill(ftyp('heic'), 0)],
    [
      'a box that claims to be endless',
      () =>
        Buffer.concat([ftyp('heic'), Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.from('meta')]),
    ],
    [
      'an ftyp that claims to be endless',
      () => Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.from('ftypmif1')]),
    ],
    [
      'more associations than a call can take',
      () =>
        Buffer.concat([ftyp('heic'), box('meta', Buffer.alloc(4), box('iprp', box('ipma', many)))]),
    ],
    ['noise', () => fill(Buffer.concat([ftyp('avif'), randomBytes(100_000)]), 1)],
  ])('%s ends', (_name, make) => expect(allowed).toContain(outcome(make())));
});
