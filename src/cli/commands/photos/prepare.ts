import { hash } from 'node:crypto';
import { basename } from 'node:path';
import type { PhotoType } from '../../../contract/cars.ts';
import { formatBytes, photoLimit } from '../../../contract/limits.ts';
import { formatDistinctBytes } from './describe.ts';
import { hasLocation, withoutLocation } from './location.ts';
import {
  damagedPhoto,
  filenameFor,
  isComplete,
  type PhotoMetadata,
  type PhotoOptions,
  readMetadata,
  readPhoto,
} from './photo-file.ts';
import { PhotoFileError } from './photo-file-error.ts';
import { shrinkPhoto } from './shrink.ts';

export interface PrepareOptions extends PhotoOptions {
  /** Maximum bytes of a photo (default: the service's limit). */
  readonly limit?: number;
  /** SHA-256 of the file that is meant (default: any). */
  readonly expectedSha256?: string | undefined;
}

/** A photo ready for the upload. */
export interface PreparedPhoto {
  /** The file's name, with the extension of the bytes. */
  filename: string;
  contentType: PhotoType;
  bytes: Buffer;
  /** Upright; null when unknown (some HEIC). */
  width: number | null;
  height: number | null;
  sizeBytes: number;
  originalSizeBytes: number;
  /** Of `bytes`, in hexadecimal. */
  sha256: string;
  /** Of the file. */
  originalSha256: string;
  /** Whether it was re-encoded. */
  shrunk: boolean;
  locationRemoved: boolean;
}

interface Original extends PhotoMetadata {
  path: string;
  type: PhotoType;
  bytes: Buffer;
  sha256: string;
}

const phoneHint =
  'set the phone to "Most Compatible" (Settings > Camera > Formats), or convert the photo to JPEG first';

/**
 * Prepares a photo for the upload: at most `limit` bytes, and without its location, which may be a customer's home.
 * Within the limit pixels stay as they are and the location is overwritten in the metadata. Above it, the photo becomes
 * an upright JPEG that fits, with its date, camera and colours.
 *
 * Throws a PhotoFileError.
 */
export async function preparePhoto(
  path: string,
  { limit = photoLimit, keepLocation = false, resize = true, expectedSha256 }: PrepareOptions = {},
): Promise<PreparedPhoto> {
  const { type, bytes } = await readPhoto(path);
  const sha256 = hash('sha256', bytes);
  if (expectedSha256 !== undefined && sha256 !== expectedSha256) throw changedPhoto(path);
  if (!isComplete(bytes, type)) throw damagedPhoto(path);
  const original: Original = {
    path,
    type,
    bytes,
    sha256,
    ...(await readMetadata(path, type, bytes)),
  };

  const removeLocation = !keepLocation && hasLocation(bytes);
  if (bytes.length > limit) {
    if (!resize) throw tooLarge(path, bytes.length, limit);
    return encode(original, { limit, keepLocation, removeLocation });
  }
  const cleaned = removeLocation ? withoutLocation(bytes) : bytes;
  if (!cleaned) return encode(original, { limit, keepLocation, removeLocation });
  return prepared(original, {
    type,
    bytes: cleaned,
    width: original.width,
    height: original.height,
    shrunk: false,
    locationRemoved: removeLocation,
  });
}

async function encode(
  original: Original,
  {
    limit,
    keepLocation,
    removeLocation,
  }: { limit: number; keepLocation: boolean; removeLocation: boolean },
): Promise<PreparedPhoto> {
  const { path, type, bytes, width, height, frames } = original;
  const above = bytes.length > limit;
  if (frames > 1) {
    if (!above) throw irremovableLocation(path);
    throw cannotShrink({
      path,
      kind: 'an animation',
      size: bytes.length,
      limit,
      hint: 'save one frame of it as JPEG and send that',
    });
  }
  const small = await shrinkPhoto(path, bytes, {
    limit,
    width,
    height,
    keepXmp: keepLocation,
  }).catch((error) => {
    // HEVC is patented, so the image library ships without its decoder.
    if (type !== 'image/heic' && type !== 'image/heif') throw error;
    if (!above) throw irremovableLocation(path);
    throw cannotShrink({
      path,
      kind: 'a HEIC photo',
      size: bytes.length,
      limit,
      hint: phoneHint,
      cause: error,
    });
  });
  if (!small) throw tooLarge(path, bytes.length, limit);
  const cleaned = keepLocation ? small.bytes : withoutLocation(small.bytes);
  if (!cleaned) throw irremovableLocation(path);
  return prepared(original, {
    ...small,
    type: 'image/jpeg',
    bytes: cleaned,
    shrunk: true,
    locationRemoved: removeLocation,
  });
}

function prepared(
  original: Original,
  sent: {
    type: PhotoType;
    bytes: Buffer;
    width: number | null;
    height: number | null;
    shrunk: boolean;
    locationRemoved: boolean;
  },
): PreparedPhoto {
  return {
    filename: filenameFor(basename(original.path), sent.type),
    contentType: sent.type,
    bytes: sent.bytes,
    width: sent.width,
    height: sent.height,
    sizeBytes: sent.bytes.length,
    originalSizeBytes: original.bytes.length,
    originalSha256: original.sha256,
    sha256: sent.bytes === original.bytes ? original.sha256 : hash('sha256', sent.bytes),
    shrunk: sent.shrunk,
    locationRemoved: sent.locationRemoved,
  };
}

function changedPhoto(path: string): PhotoFileError {
  return new PhotoFileError({
    path,
    reason: 'changed',
    why: 'has changed since the command began',
    hint: 'add it as a new photo if it is the right one',
  });
}

function tooLarge(path: string, size: number, limit: number): PhotoFileError {
  const [actual, maximum] = formatDistinctBytes(size, limit);
  return new PhotoFileError({
    path,
    reason: 'too_large',
    why: `is too large: ${actual}, maximum ${maximum}`,
    hint: 'leave out --no-resize to shrink it, or save it smaller',
  });
}

function cannotShrink({
  path,
  kind,
  size,
  limit,
  hint,
  cause,
}: {
  path: string;
  kind: string;
  size: number;
  limit: number;
  hint: string;
  cause?: unknown;
}) {
  const why = `is ${kind} of ${formatBytes(size)}, above the limit of ${formatBytes(limit)}, and can't be shrunk here`;
  return new PhotoFileError({ path, reason: 'cannot_shrink', why, hint, cause });
}

function irremovableLocation(path: string): PhotoFileError {
  return new PhotoFileError({
    path,
    reason: 'location_stuck',
    why: "contains a location that can't be removed",
    hint: 'convert it to JPEG, or use --keep-location',
  });
}
