import { extname } from 'node:path';
import type { PhotoType } from '../../../contract/cars.ts';

const extensions: Record<PhotoType, readonly [preferred: string, ...others: string[]]> = {
  'image/jpeg': ['.jpg', '.jpeg', '.jpe'],
  'image/png': ['.png'],
  'image/webp': ['.webp'],
  'image/heic': ['.heic', '.heif', '.hif'],
  'image/heif': ['.heif', '.heic', '.hif'],
  'image/avif': ['.avif', '.heif', '.hif'],
  'image/gif': ['.gif'],
};
const maxFilename = 255;

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
