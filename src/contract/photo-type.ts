import type { PhotoType } from './cars.ts';

/** How many leading bytes `photoTypeOf` needs. */
export const photoHeadLength = 512;

/** Brands of the container format that three types share. */
const brands: Readonly<Record<string, PhotoType>> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  heix: 'image/heic',
  heim: 'image/heic',
  heis: 'image/heic',
  hevc: 'image/heic',
  hevx: 'image/heic',
  hevm: 'image/heic',
  hevs: 'image/heic',
};
const generic = new Set(['mif1', 'msf1']);

/**
 * The media type by the first bytes, independent of file names and headers; `undefined` for unsupported types (decision).
 * Command and service share this function, so that they agree.
 */
export function photoTypeOf(bytes: Uint8Array): PhotoType | undefined {
  const head = latin1(bytes, 0, 12);
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp';
  if (head.slice(4, 8) === 'ftyp') return containerType(bytes);
  return undefined;
}

/** The type by the brands of the leading `ftyp` box. With a generic major brand the compatible brands decide. */
function containerType(bytes: Uint8Array): PhotoType | undefined {
  const major = latin1(bytes, 8, 12);
  if (!generic.has(major)) return brands[major];
  const boxEnd = Math.min(
    new DataView(bytes.buffer, bytes.byteOffset).getUint32(0),
    bytes.length,
    photoHeadLength,
  );
  for (let at = 16; at + 4 <= boxEnd; at += 4) {
    const found = brands[latin1(bytes, at, at + 4)];
    if (found) return found;
  }
  return 'image/heif';
}

const latin1 = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to));
