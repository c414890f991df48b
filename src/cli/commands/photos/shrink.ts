import { availableParallelism } from 'node:os';
import { unlinkThumbnail } from './exif.ts';
import { decodeError } from './photo-file.ts';

export interface ShrinkOptions {
  /** Maximum bytes of the result. */
  limit: number;
  /** Null when unknown. */
  width: number | null;
  height: number | null;
  /** Keep XMP, which describes the file before the change. */
  keepXmp: boolean;
}

export interface Encoding {
  side: number;
  quality: number;
}

/** Photos to decode at once. Node has four threads for such work; one of them is left for files. */
export const atOnce = Math.min(availableParallelism(), 3);
/** The threads of one photo, so that all processors are in use. */
const threads = Math.ceil(availableParallelism() / atOnce);

/** The size that phones take. */
const firstSide = 4096;
const firstQuality = 85;
const smallestSide = 320;
/** Qualities to try, with the typical size of a phone photo at each, relative to the first. */
const steps = [
  { quality: 85, share: 1 },
  { quality: 80, share: 0.85 },
  { quality: 75, share: 0.74 },
  { quality: 70, share: 0.67 },
];
/** If a lower quality isn't enough, the photo gets smaller at this quality: small and sharp shows more than large and blurred. */
const finalQuality = 75;
const safetyFactor = 0.95;
/** libjpeg's warnings for a truncated picture. Other warnings (odd colour profiles, stray bytes) occur in good photos. */
const isBroken = /corrupt JPEG data: (?:premature end|bad huffman|found marker)/i;

/**
 * The photo as an upright JPEG of at most `limit` bytes, with its colours and EXIF. Limits the longest side first, then lowers
 * the quality, then the size; each step depends on how far the last one missed, so one or two encodings are enough.
 * `undefined` if no useful size fits. Throws a PhotoFileError if it can't be decoded.
 *
 * Without mozjpeg, which saves a quarter of the size and takes three times as long.
 */
export async function shrinkPhoto(
  path: string,
  bytes: Buffer,
  { limit, width, height, keepXmp }: ShrinkOptions,
): Promise<{ bytes: Buffer; width: number; height: number } | undefined> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(threads);
  const run = async ({ side, quality }: Encoding, failOn: 'warning' | 'error') => {
    const image = sharp(bytes, { failOn })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .keepExif()
      .keepIccProfile()
      .jpeg({ quality });
    if (keepXmp) image.keepXmp();
    return image.toBuffer({ resolveWithObject: true });
  };

  let next: Encoding | undefined = {
    side: Math.min(firstSide, Math.max(width ?? firstSide, height ?? firstSide)),
    quality: firstQuality,
  };
  while (next) {
    const encoding: Encoding = next;
    const { data, info } = await run(encoding, 'warning')
      .catch((error) =>
        isBroken.test(String(error)) ? Promise.reject(error) : run(encoding, 'error'),
      )
      .catch((error) => Promise.reject(decodeError(path, error)));
    unlinkThumbnail(data);
    if (data.length <= limit) return { bytes: data, width: info.width, height: info.height };
    next = nextEncoding(encoding, limit / data.length);
  }
  return undefined;
}

/** The encoding to try after one that was too large; `share` is the limit relative to its size, below 1. */
export function nextEncoding({ side, quality }: Encoding, share: number): Encoding | undefined {
  const target = share * shareOf(quality);
  const lower = steps.find((step) => step.quality < quality && step.share <= target);
  if (lower) return { side, quality: lower.quality };
  const final = Math.min(quality, finalQuality);
  // The size is proportional to the area.
  const smaller = Math.floor(side * Math.min(1, Math.sqrt(target / shareOf(final))) * safetyFactor);
  return smaller < smallestSide ? undefined : { side: smaller, quality: final };
}

const shareOf = (quality: number) => steps.find((step) => step.quality === quality)?.share ?? 1;
