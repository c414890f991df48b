import { imageDimensionsFromData } from 'image-dimensions';
import { type PhotoType, photoLimit, photoTypes } from '../../contract/cars.ts';
import { photoTypeOf } from '../../contract/photo-type.ts';
import type { FileKind } from './file-kind.ts';

/** What the bytes of a photo say of themselves. Pixels as stored, before any turning; null where the bytes do not tell. */
export interface PhotoFacts {
  contentType: PhotoType;
  width: number | null;
  height: number | null;
}

export const photoKind: FileKind<PhotoFacts> = { noun: 'photo', limit: photoLimit, types: photoTypes, read: readPhoto };

/** The facts of a photo; undefined for what is none, also for a header with no image behind it. */
export function readPhoto(bytes: Uint8Array): PhotoFacts | undefined {
  const contentType = photoTypeOf(bytes);
  if (!contentType) return undefined;
  const size = sizeOf(bytes);
  const container = contentType === 'image/heic' || contentType === 'image/heif' || contentType === 'image/avif';
  // The container of HEIC and AVIF may put its sizes where only a decoder finds them (sequences do). The others say them first.
  if (container ? !hasMeta(bytes) : !size) return undefined;
  return { contentType, width: size?.width ?? null, height: size?.height ?? null };
}

/** Whether the container describes a picture (`meta`) or a sequence (`moov`) at all. */
function hasMeta(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + 8 <= bytes.length; ) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === 'meta' || type === 'moov') return true;
    const size = view.getUint32(at);
    // 1: the size follows as 64 bits, of which the lower half is enough here. 0: to the end.
    const length = size === 1 && at + 16 <= bytes.length ? view.getUint32(at + 12) : size;
    if (length < 8) return false;
    at += length;
  }
  return false;
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
