import { basename } from 'node:path';
import { type PhotoType, photoLimit } from '../../../contract/cars.ts';
import { PhotoFileError } from '../../errors/photo-file.ts';
import { formatBytes, formatBytesApart } from './describe.ts';
import { hasLocation, withoutLocation } from './location.ts';
import { damaged, type PhotoMetadata, readMetadata, readPhoto } from './photo-file.ts';
import { filenameFor, isWhole } from './photo-type.ts';
import { shrinkPhoto } from './shrink.ts';

/** What a person can choose. */
export interface PhotoOptions {
  /** Leave in the metadata where the photo was taken. */
  readonly keepLocation?: boolean;
  /** Whether a photo above the limit may be made smaller, or is refused; true unless given. */
  readonly resize?: boolean;
}

export interface PrepareOptions extends PhotoOptions {
  /** Most bytes a photo may have; the service's limit unless given. */
  readonly limit?: number;
}

/** Whether a photo will be encoded anew, as far as its size tells. */
export const willShrink = ({ sizeBytes }: { sizeBytes: number }, { resize = true }: PhotoOptions): boolean =>
  resize && sizeBytes > photoLimit;

/** A photo as it is sent. */
export interface PreparedPhoto {
  /** The file's own name, with the extension of what is sent. */
  filename: string;
  contentType: PhotoType;
  bytes: Buffer;
  /** As a person sees it; null where the bytes do not tell (some HEIC). */
  width: number | null;
  height: number | null;
  sizeBytes: number;
  originalSizeBytes: number;
  /** Whether it was encoded anew; otherwise the pixels are those of the file. */
  shrunk: boolean;
  locationRemoved: boolean;
}

interface Original extends PhotoMetadata {
  path: string;
  type: PhotoType;
  bytes: Buffer;
}

const phoneHint = 'set the phone to "Most Compatible" (Settings > Camera > Formats), or convert the photo to JPEG first';

/**
 * Makes a photo ready to be sent: at most `limit` bytes, and without the place where it was taken, which may be a customer's
 * home. Within the limit nothing is encoded anew; the place is overwritten in the metadata. Above it, the photo is turned
 * upright and shrunk to a JPEG that fits, with its date, camera and colours.
 *
 * Throws a PhotoFileError of any reason; nothing is ever sent half.
 */
export async function preparePhoto(
  path: string,
  { limit = photoLimit, keepLocation = false, resize = true }: PrepareOptions = {},
): Promise<PreparedPhoto> {
  const { type, bytes } = await readPhoto(path);
  if (!isWhole(bytes, type)) throw damaged(path);
  const original: Original = { path, type, bytes, ...(await readMetadata(path, type, bytes)) };

  const located = !keepLocation && hasLocation(bytes);
  if (bytes.length > limit) {
    if (!resize) throw tooLarge(path, bytes.length, limit);
    return encode(original, { limit, keepLocation, located });
  }
  const cleaned = located ? withoutLocation(bytes) : bytes;
  if (!cleaned) return encode(original, { limit, keepLocation, located });
  return prepared(original, { type, bytes: cleaned, width: original.width, height: original.height, shrunk: false, located });
}

async function encode(
  original: Original,
  { limit, keepLocation, located }: { limit: number; keepLocation: boolean; located: boolean },
): Promise<PreparedPhoto> {
  const { path, type, bytes, width, height, frames } = original;
  const above = bytes.length > limit;
  if (frames > 1) {
    if (!above) throw locationStuck(path);
    throw cannotShrink({ path, kind: 'an animation', size: bytes.length, limit, hint: 'send one picture of it, saved as JPEG' });
  }
  const small = await shrinkPhoto(path, bytes, { limit, width, height, keepXmp: keepLocation }).catch((error) => {
    // Pictures of HEVC need a decoder that is not shipped with the image library, for its patents.
    if (type !== 'image/heic' && type !== 'image/heif') throw error;
    if (!above) throw locationStuck(path);
    throw cannotShrink({ path, kind: 'a HEIC photo', size: bytes.length, limit, hint: phoneHint, cause: error });
  });
  if (!small) throw tooLarge(path, bytes.length, limit);
  const cleaned = keepLocation ? small.bytes : withoutLocation(small.bytes);
  if (!cleaned) throw locationStuck(path);
  return prepared(original, { ...small, type: 'image/jpeg', bytes: cleaned, shrunk: true, located });
}

function prepared(
  original: Original,
  sent: { type: PhotoType; bytes: Buffer; width: number | null; height: number | null; shrunk: boolean; located: boolean },
): PreparedPhoto {
  return {
    filename: filenameFor(basename(original.path), sent.type),
    contentType: sent.type,
    bytes: sent.bytes,
    width: sent.width,
    height: sent.height,
    sizeBytes: sent.bytes.length,
    originalSizeBytes: original.bytes.length,
    shrunk: sent.shrunk,
    locationRemoved: sent.located,
  };
}

function tooLarge(path: string, size: number, limit: number): PhotoFileError {
  const [has, may] = formatBytesApart(size, limit);
  return new PhotoFileError({
    path,
    reason: 'too_large',
    why: `has ${has}, and a photo may have ${may}`,
    hint: 'leave out --no-resize to have it shrunk, or save it smaller',
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
  const why = `is ${kind} of ${formatBytes(size)}, above the limit of ${formatBytes(limit)}, and cannot be shrunk here`;
  return new PhotoFileError({ path, reason: 'cannot_shrink', why, hint, cause });
}

function locationStuck(path: string): PhotoFileError {
  return new PhotoFileError({
    path,
    reason: 'location_stuck',
    why: 'says where it was taken, in a way that cannot be taken out',
    hint: 'convert it to JPEG, or send it as it is with --keep-location',
  });
}
