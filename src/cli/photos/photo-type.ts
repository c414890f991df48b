import { extname } from 'node:path';
import type { PhotoType } from '../../contract/cars.ts';

/** How many leading bytes `photoTypeOf` needs. */
export const headLength = 512;

const extensions: Record<PhotoType, readonly [preferred: string, ...others: string[]]> = {
  'image/jpeg': ['.jpg', '.jpeg', '.jpe'],
  'image/png': ['.png'],
  'image/webp': ['.webp'],
  'image/heic': ['.heic', '.heif', '.hif'],
  'image/heif': ['.heif', '.heic', '.hif'],
  'image/avif': ['.avif', '.heif', '.hif'],
  'image/gif': ['.gif'],
};
/** The brands of the one container that three types share. */
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
const genericBrands = ['mif1', 'msf1'];
const maxFilename = 255;

/** The media type that the first bytes tell, whatever the file is called; `undefined` for what the service does not take. */
export function photoTypeOf(bytes: Buffer): PhotoType | undefined {
  const ascii = (start: number, end: number) => bytes.toString('latin1', start, end);
  if (ascii(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp';
  if (ascii(0, 6) === 'GIF87a' || ascii(0, 6) === 'GIF89a') return 'image/gif';
  if (ascii(4, 8) === 'ftyp') return containerType(bytes);
  return undefined;
}

/** A generic leading brand leaves the coding to the brands that follow. */
function containerType(bytes: Buffer): PhotoType | undefined {
  const leading = bytes.toString('latin1', 8, 12);
  if (!genericBrands.includes(leading)) return brands[leading];
  const end = Math.min(bytes.readUInt32BE(0), bytes.length);
  for (let at = 16; at + 4 <= end; at += 4) {
    const type = brands[bytes.toString('latin1', at, at + 4)];
    if (type) return type;
  }
  return 'image/heif';
}

/** Whether the file goes on to its end; one from a card that was pulled out too early does not. */
export function isWhole(bytes: Buffer, type: PhotoType): boolean {
  switch (type) {
    case 'image/jpeg': {
      const picture = pictureStart(bytes);
      return picture !== undefined && bytes.includes('\xff\xd9', picture, 'latin1');
    }
    case 'image/png':
      return bytes.lastIndexOf('IEND', undefined, 'latin1') !== -1;
    case 'image/webp':
      return bytes.length >= 8 + bytes.readUInt32LE(4);
    case 'image/heic':
    case 'image/heif':
    case 'image/avif':
      return boxesFit(bytes);
    case 'image/gif':
      // Many writers leave the trailer out, so its absence says nothing.
      return true;
  }
}

/** Where the scan of a JPEG begins. Segments in front are stepped over: a thumbnail in one has an end marker of its own. */
function pictureStart(bytes: Buffer): number | undefined {
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = bytes.readUInt16BE(at);
    if (marker === 0xffda) return at;
    // Markers may be preceded by any number of fill bytes.
    at += marker === 0xffff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function boxesFit(bytes: Buffer): boolean {
  let at = 0;
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(at);
    // 0: to the end of the file. 1: the size follows as 64 bits.
    if (size === 0) return true;
    if (size === 1 && at + 16 > bytes.length) return false;
    const length = size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size;
    if (length < 8) return false;
    at += length;
  }
  return at <= bytes.length;
}

/** The file's name with the extension that its bytes deserve, short enough for the service. */
export function filenameFor(name: string, type: PhotoType): string {
  const [preferred, ...others] = extensions[type];
  const given = extname(name);
  const fits = [preferred, ...others].includes(given.toLowerCase());
  const known = Object.values(extensions).flat().includes(given.toLowerCase());
  const stem = fits || known ? name.slice(0, -given.length) : name;
  const extension = fits ? given : preferred;
  return stem.slice(0, maxFilename - extension.length).replace(/[\uD800-\uDBFF]$/, '') + extension;
}
