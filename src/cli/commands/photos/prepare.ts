/** Prepares a photo for the upload: small enough, upright, without its location. */
import { hash } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { PhotoType } from '../../../contract/cars.ts';
import { formatBytes, photoLimit } from '../../../contract/limits.ts';
import { loadSharp } from '../../../parts.ts';
import { formatDistinctBytes } from './describe.ts';
import { withoutLocation } from './location.ts';
import {
  decodeError,
  type Photo,
  PhotoFileError,
  type PhotoOptions,
  readHeader,
  readPhoto,
} from './photo-file.ts';

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
  /** Whether it was encoded again. */
  shrunk: boolean;
  locationRemoved: boolean;
}

type Encoded = Pick<PreparedPhoto, 'bytes' | 'width' | 'height'> & { readonly type: PhotoType };

/**
 * At most `limit` bytes, and without the location, which may be a customer's home. Within the limit pixels stay as they are. Above it,
 * the photo becomes an upright JPEG that fits, with its date, camera and colours.
 *
 * Throws a PhotoFileError.
 */
export async function preparePhoto(
  path: string,
  { limit = photoLimit, keepLocation = false, resize = true, expectedSha256 }: PrepareOptions = {},
): Promise<PreparedPhoto> {
  const original = await readPhoto(path);
  const { bytes, hasLocation } = original;
  if (expectedSha256 !== undefined && hash('sha256', bytes) !== expectedSha256)
    throw new PhotoFileError(
      path,
      'changed',
      'has changed since the command began',
      'add it as a new photo if it is the right one',
    );
  const locationRemoved = hasLocation && !keepLocation;
  const isSmall = bytes.length <= limit;
  if (!isSmall && !resize) throw tooLarge(path, bytes.length, limit);
  const kept = isSmall && (locationRemoved ? await withoutLocation(original) : bytes);
  const sent: Encoded = kept
    ? { ...original, bytes: kept }
    : await encode(original, { limit, keepLocation });
  return {
    filename: filenameFor(basename(path), sent.type),
    contentType: sent.type,
    bytes: sent.bytes,
    width: sent.width,
    height: sent.height,
    sizeBytes: sent.bytes.length,
    originalSizeBytes: bytes.length,
    sha256: hash('sha256', sent.bytes),
    shrunk: !kept,
    locationRemoved,
  };
}

interface Wanted {
  readonly limit: number;
  readonly keepLocation: boolean;
}

async function encode(photo: Photo, { limit, keepLocation }: Wanted): Promise<Encoded> {
  const { path, type, bytes, frames } = photo;
  const isSmall = bytes.length <= limit;
  if (frames > 1) throw isSmall ? stuckLocation(path) : cannotShrink(photo, limit, 'an animation');
  const sharp = await loadSharp();
  if (isSmall && type === 'image/png') {
    const again = await sharp(bytes).autoOrient().keepIccProfile().png().toBuffer();
    if (again.length <= limit) return { ...photo, bytes: again };
  }
  try {
    const small = await shrink(photo, limit, keepLocation ? 'all' : 'exif');
    if (!small) throw tooLarge(path, bytes.length, limit);
    if (keepLocation) return small;
    const header = await readHeader(path, small);
    const clean = await withoutLocation({ path, ...small, ...header });
    const bare = clean ? { ...small, bytes: clean } : await shrink(photo, limit, 'none');
    if (bare) return bare;
    throw stuckLocation(path);
  } catch (error) {
    // HEVC is patented, so the image library ships without its decoder.
    if (type !== 'image/heic' && type !== 'image/heif') throw error;
    throw isSmall ? stuckLocation(path) : cannotShrink(photo, limit, 'a HEIC photo', error);
  }
}

/** The longest side that phones take. */
const firstSide = 4096;
const smallestSide = 320;
/** Qualities to try, with the typical size of a phone photo at each. Smaller and sharp shows more than large and blurred. */
const qualities = [
  { quality: 85, share: 1 },
  { quality: 80, share: 0.85 },
  { quality: 75, share: 0.74 },
] as const;
/** libjpeg's warnings for a truncated picture. Other warnings (odd colour profiles, stray bytes) occur in good photos. */
const isBroken = /corrupt JPEG data: (?:premature end|bad huffman|found marker)/i;

/**
 * An upright JPEG of at most `limit` bytes; undefined if no useful size fits. Lowers the quality first, then the size; each step
 * depends on how far the last one missed, so one or two encodings are enough. Without optimised coding, which saves a tenth of the
 * size, and takes twice the time and, measured, 230 MB more for photos of 12 megapixels.
 */
async function shrink(
  { path, bytes, width, height }: Photo,
  limit: number,
  metadata: 'all' | 'exif' | 'none',
): Promise<Encoded | undefined> {
  const sharp = await loadSharp();
  let side = Math.min(firstSide, Math.max(width ?? firstSide, height ?? firstSide));
  let step = 0;
  const run = (failOn: 'warning' | 'error') => {
    const image = sharp(bytes, { failOn })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .keepIccProfile()
      .jpeg({
        optimiseCoding: false,
        quality: (qualities[step] as (typeof qualities)[number]).quality,
      });
    if (metadata !== 'none') image.keepExif();
    if (metadata === 'all') image.keepXmp();
    return image.toBuffer({ resolveWithObject: true });
  };
  while (side >= smallestSide) {
    const { data, info } = await run('warning')
      .catch((error) => (isBroken.test(String(error)) ? Promise.reject(error) : run('error')))
      .catch((error) => Promise.reject(decodeError(path, error)));
    if (data.length <= limit)
      return { type: 'image/jpeg', bytes: data, width: info.width, height: info.height };
    const shareNow = qualities[step]?.share ?? 1;
    const target = (limit / data.length) * shareNow;
    const next = qualities.findIndex(({ share }, index) => index > step && share <= target);
    if (next !== -1) step = next;
    else {
      step = qualities.length - 1;
      // The size is proportional to the area.
      side = Math.floor(side * Math.min(1, Math.sqrt(target / qualities[2].share)) * 0.95);
    }
  }
  return undefined;
}

function tooLarge(path: string, size: number, limit: number): PhotoFileError {
  const [actual, maximum] = formatDistinctBytes(size, limit);
  return new PhotoFileError(
    path,
    'too_large',
    `is too large: ${actual}, maximum ${maximum}`,
    'leave out --no-resize to shrink it, or save it smaller',
  );
}

const cannotShrink = (
  { path, bytes, frames }: Photo,
  limit: number,
  kind: string,
  cause?: unknown,
) =>
  new PhotoFileError(
    path,
    'cannot_shrink',
    `is ${kind} of ${formatBytes(bytes.length)}, above the limit of ${formatBytes(limit)}, and can't be shrunk here`,
    frames > 1
      ? 'save one frame of it as JPEG and send that'
      : 'set the phone to "Most Compatible" (Settings > Camera > Formats), or convert the photo to JPEG first',
    cause,
  );

const stuckLocation = (path: string): PhotoFileError =>
  new PhotoFileError(
    path,
    'location_stuck',
    "contains a location that can't be removed",
    'convert it to JPEG, or use --keep-location',
  );

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

/** The file's name with the extension of its type, within the service's length limit. */
export function filenameFor(name: string, type: PhotoType): string {
  const current = extname(name).toLowerCase();
  const isCorrect = extensions[type].includes(current);
  const isKnown = Object.values(extensions).flat().includes(current);
  const extension = isCorrect ? extname(name) : extensions[type][0];
  const stem = isKnown ? name.slice(0, -current.length) : name;
  return stem.slice(0, maxFilename - extension.length).replace(/[\uD800-\uDBFF]$/, '') + extension;
}
