import { imageDimensionsFromData } from 'image-dimensions';
import { type PhotoType, photoLimit, photoTypes } from '../../contract/cars.ts';
import { photoTypeOf } from '../../contract/photo-type.ts';
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
  const contentType = photoTypeOf(bytes);
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

function sizeOf(bytes: Uint8Array): { width: number; height: number } | undefined {
  try {
    const size = imageDimensionsFromData(bytes);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    // Hostile bytes can outgrow the reader's stack; that they tell no size is all there is to say.
    return undefined;
  }
}
