import { imageDimensionsFromData } from 'image-dimensions';
import { documentTypeOf } from '../../contract/asset-type.ts';
import { type AssetType, assetTypes } from '../../contract/assets.ts';
import { type PhotoType, photoTypes } from '../../contract/cars.ts';
import {
  assetLimit,
  limitInMegabytes,
  photoLimit,
  sizeInMegabytes,
} from '../../contract/limits.ts';
import { photoTypeOf } from '../../contract/photo-type.ts';
import { ApiProblem } from '../problem.ts';

/** A kind of stored file: its size limit, types, and how to read its properties. */
export interface FileKind<Facts extends { contentType: AssetType }> {
  readonly noun: 'photo' | 'asset';
  /** Largest size in bytes, inclusive. */
  readonly limit: number;
  readonly types: readonly AssetType[];
  /** Undefined for other types, and for a header without content. */
  readonly read: (bytes: Uint8Array) => Facts | undefined;
}

/**
 * Accepts or refuses bytes as a file of the kind. Only the bytes decide the type, not names or declared types. Throws
 * `photo_too_large`, `photo_type_unsupported` or `photo_type_mismatch` for all kinds.
 */
export function checkFile<Facts extends { contentType: AssetType }>(
  { noun, limit, types, read }: FileKind<Facts>,
  bytes: Uint8Array,
  declared: string | null | undefined,
): Facts {
  if (bytes.length > limit) throw tooLarge(bytes.length, limit);
  const facts = read(bytes);
  if (!facts) {
    throw new ApiProblem(
      'photo_type_unsupported',
      `Unsupported file type; supported as ${noun}: ${types.join(', ')}`,
      {
        supported: types,
      },
    );
  }
  const found = facts.contentType;
  if (declared && !agree(declared, found)) {
    throw new ApiProblem(
      'photo_type_mismatch',
      `contentType is ${declared}, but the bytes are ${found}; correct it or leave it out`,
      {
        declared,
        found,
      },
    );
  }
  return facts;
}

/** Every HEIC is also a HEIF; both names are in use. */
function agree(declared: string, found: AssetType): boolean {
  return declared === found || (declared === 'image/heif' && found === 'image/heic');
}

/** Properties read from a photo's bytes. Pixels before rotation; null if unknown. */
export interface PhotoFacts {
  contentType: PhotoType;
  width: number | null;
  height: number | null;
}

export const photoKind: FileKind<PhotoFacts> = {
  noun: 'photo',
  limit: photoLimit,
  types: photoTypes,
  read: readPhoto,
};

/** The properties of a photo; undefined for other files, also for a header without an image. */
export function readPhoto(bytes: Uint8Array): PhotoFacts | undefined {
  const contentType = photoTypeOf(bytes);
  if (!contentType) return undefined;
  const size = sizeOf(bytes);
  const container =
    contentType === 'image/heic' || contentType === 'image/heif' || contentType === 'image/avif';
  // HEIC and AVIF containers may have sizes that only a decoder finds (sequences). Other types start with them.
  if (container ? !hasMeta(bytes) : !size) return undefined;
  return { contentType, width: size?.width ?? null, height: size?.height ?? null };
}

/** Whether the container has an image (`meta`) or a sequence (`moov`). */
function hasMeta(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + 8 <= bytes.length; ) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === 'meta' || type === 'moov') return true;
    const size = view.getUint32(at);
    // 1: the size follows as 64 bits, of which the lower half is enough. 0: until the end.
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
    // Malicious bytes can overflow the reader's stack; their size is unknown.
    return undefined;
  }
}

/** Properties read from an asset's bytes. */
interface AssetFacts {
  contentType: AssetType;
}

export const assetKind: FileKind<AssetFacts> = {
  noun: 'asset',
  limit: assetLimit,
  types: assetTypes,
  read: readAsset,
};

function readAsset(bytes: Uint8Array): AssetFacts | undefined {
  const contentType = readPhoto(bytes)?.contentType ?? documentTypeOf(bytes);
  return contentType && { contentType };
}

/** The problem for a file above `limit` bytes; `size` is null if reading stopped early. */
export function tooLarge(size: number | null, limit: number): ApiProblem {
  const found = size === null ? 'is' : `has ${sizeInMegabytes(size)},`;
  const message = `The file ${found} above the limit of ${limitInMegabytes(limit)}; make it smaller and retry`;
  return new ApiProblem('photo_too_large', message, {
    sizeBytes: size,
    limitBytes: limit,
  });
}
