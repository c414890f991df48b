import { imageDimensionsFromData } from 'image-dimensions';
import { type PhotoType, photoLimit, photoTypes } from '../../contract/cars.ts';
import { Refusal } from '../refusal.ts';
import { tooLarge } from './limit.ts';

/** What the bytes of a photo say of themselves. Pixels as stored, before any turning; null where the bytes do not tell. */
export interface PhotoFacts {
  contentType: PhotoType;
  width: number | null;
  height: number | null;
}

/**
 * Accepts the bytes as a photo or refuses them. The type is read from the bytes alone: names and declared types are claims.
 * Throws `photo_too_large`, `photo_type_unsupported` (also for a header with no image behind it) or `photo_type_mismatch`.
 */
export function checkPhoto(bytes: Uint8Array, declared: string | null | undefined): PhotoFacts {
  if (bytes.length > photoLimit) throw tooLarge(bytes.length, photoLimit);
  const contentType = typeOf(bytes);
  const size = sizeOf(bytes);
  const container = contentType === 'image/heic' || contentType === 'image/heif' || contentType === 'image/avif';
  // The container of HEIC and AVIF may put its sizes where only a decoder finds them (sequences do). The others say them first.
  if (!contentType || (!size && !container)) {
    throw new Refusal('photo_type_unsupported', `The bytes are not a photo that can be kept; the types are ${photoTypes.join(', ')}`, {
      supported: photoTypes,
    });
  }
  if (declared && !agree(declared, contentType)) {
    throw new Refusal('photo_type_mismatch', `contentType says ${declared}, but the bytes are ${contentType}; correct it or leave it out`, {
      declared,
      found: contentType,
    });
  }
  return { contentType, width: size?.width ?? null, height: size?.height ?? null };
}

/** Every HEIC is also a HEIF, and both names are in use for the same files. */
function agree(declared: string, found: PhotoType): boolean {
  return declared === found || (declared === 'image/heif' && found === 'image/heic');
}

function typeOf(bytes: Uint8Array): PhotoType | undefined {
  const lead = latin1(bytes, 0, 12);
  if (lead.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (lead.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (lead.startsWith('GIF87a') || lead.startsWith('GIF89a')) return 'image/gif';
  if (lead.startsWith('RIFF') && lead.endsWith('WEBP')) return 'image/webp';
  if (lead.slice(4, 8) === 'ftyp') return containerType(bytes);
  return undefined;
}

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

/** The type by the brands of the leading `ftyp` box. A generic major brand leaves the codec to the compatible ones. */
function containerType(bytes: Uint8Array): PhotoType | undefined {
  const major = latin1(bytes, 8, 12);
  if (!generic.has(major)) return brands[major];
  const boxEnd = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), bytes.length);
  for (let at = 16; at + 4 <= boxEnd; at += 4) {
    const found = brands[latin1(bytes, at, at + 4)];
    if (found) return found;
  }
  return 'image/heif';
}

function sizeOf(bytes: Uint8Array): { width: number; height: number } | undefined {
  try {
    const size = imageDimensionsFromData(bytes);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    // Hostile bytes can outgrow the reader's stack; that they tell no size is all there is to say.
    return undefined;
  }
}

const latin1 = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
