import { imageDimensionsFromData } from 'image-dimensions';
import { documentTypeOf } from '../../contract/asset-type.ts';
import { type AssetType, assetLimit, assetTypes } from '../../contract/assets.ts';
import { type PhotoType, photoLimit, photoTypes } from '../../contract/cars.ts';
import { photoTypeOf } from '../../contract/photo-type.ts';
import { ApiProblem } from '../problem.ts';

/** A kind of file that is kept: how large it may be, of which types it is, and what its bytes say of themselves. */
export interface FileKind<Facts extends { contentType: AssetType }> {
  readonly noun: 'photo' | 'asset';
  /** Most bytes, inclusive. */
  readonly limit: number;
  readonly types: readonly AssetType[];
  /** Undefined for bytes of no such type, also for a header with nothing behind it. */
  readonly read: (bytes: Uint8Array) => Facts | undefined;
}

/**
 * Accepts bytes as a file of the kind or refuses them. The type is read from the bytes alone: names and declared types are claims.
 * Throws `photo_too_large`, `photo_type_unsupported` or `photo_type_mismatch`, whatever the kind.
 */
export function checkFile<Facts extends { contentType: AssetType }>(
  { noun, limit, types, read }: FileKind<Facts>,
  bytes: Uint8Array,
  declared: string | null | undefined,
): Facts {
  if (bytes.length > limit) throw tooLarge(bytes.length, limit);
  const facts = read(bytes);
  if (!facts) {
    throw new ApiProblem('photo_type_unsupported', `Unsupported file type; supported as ${noun}: ${types.join(', ')}`, {
      supported: types,
    });
  }
  const found = facts.contentType;
  if (declared && !agree(declared, found)) {
    throw new ApiProblem('photo_type_mismatch', `contentType says ${declared}, but the bytes are ${found}; correct it or leave it out`, {
      declared,
      found,
    });
  }
  return facts;
}

/** Every HEIC is also a HEIF, and both names are in use for the same files. */
function agree(declared: string, found: AssetType): boolean {
  return declared === found || (declared === 'image/heif' && found === 'image/heic');
}

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

/** What the bytes of an asset say of themselves. */
interface AssetFacts {
  contentType: AssetType;
}

export const assetKind: FileKind<AssetFacts> = { noun: 'asset', limit: assetLimit, types: assetTypes, read: readAsset };

function readAsset(bytes: Uint8Array): AssetFacts | undefined {
  const contentType = readPhoto(bytes)?.contentType ?? documentTypeOf(bytes);
  return contentType && { contentType };
}

/** The refusal of a file larger than `limit` bytes. `size` is in bytes too; null when reading stopped before the end was known. */
export function tooLarge(size: number | null, limit: number): ApiProblem {
  const found = size === null ? 'is' : `has ${inMebibytes(size)},`;
  const message = `The file ${found} above the limit of ${inMebibytes(limit)}; make it smaller and send it again`;
  return new ApiProblem('photo_too_large', message, {
    sizeBytes: size,
    limitBytes: limit,
  });
}

function inMebibytes(bytes: number): string {
  // Rounded up to two decimals, so that a file one byte too large does not read "3 MiB, above the limit of 3 MiB".
  const mebibytes = Math.ceil((bytes / (1024 * 1024)) * 100) / 100;
  return `${mebibytes} MiB`;
}
