import { unlinkThumbnail } from './exif-block.ts';
import { decodeError } from './photo-file.ts';

export interface ShrinkOptions {
  /** Most bytes the result may have. */
  limit: number;
  /** Null where the header did not tell. */
  width: number | null;
  height: number | null;
  /** Whether XMP is kept beside EXIF. It describes the file as it was, so it is not unless asked for. */
  keepXmp: boolean;
}

export interface Encoding {
  side: number;
  quality: number;
}

/** More than any screen at the counter shows, and what phones take. */
const firstSide = 4096;
const firstQuality = 85;
const smallestSide = 320;
/** The qualities tried, with the size that photos of phones come to at each, relative to the first. */
const steps = [
  { quality: 85, share: 1 },
  { quality: 80, share: 0.85 },
  { quality: 75, share: 0.74 },
  { quality: 70, share: 0.67 },
];
/** Where the quality alone does not do, the photo gets smaller at this one: small and sharp shows more than large and smeared. */
const settledQuality = 75;
const safety = 0.95;
/**
 * What libjpeg says of a picture that is partly gone. It is a mere warning, as are many things in good photos
 * (odd colour profiles, stray bytes), so a warning alone refuses nothing.
 */
const isBroken = /corrupt JPEG data: (?:premature end|bad huffman|found marker)/i;

/**
 * The photo as a JPEG of at most `limit` bytes: upright, colours as they were, EXIF kept. The longest side is lowered first,
 * then the quality, then the size; each step is chosen by how far the last one missed, so one or two encodings do.
 * `undefined` when nothing of use fits. Throws a PhotoFileError when it cannot be decoded.
 *
 * mozjpeg is left off: a quarter smaller, three times slower.
 */
export async function shrinkPhoto(
  path: string,
  bytes: Buffer,
  { limit, width, height, keepXmp }: ShrinkOptions,
): Promise<{ bytes: Buffer; width: number; height: number } | undefined> {
  const { default: sharp } = await import('sharp');
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

  let next: Encoding | undefined = { side: Math.min(firstSide, Math.max(width ?? firstSide, height ?? firstSide)), quality: firstQuality };
  while (next) {
    const encoding: Encoding = next;
    const { data, info } = await run(encoding, 'warning')
      .catch((error) => (isBroken.test(String(error)) ? Promise.reject(error) : run(encoding, 'error')))
      .catch((error) => Promise.reject(decodeError(path, error)));
    unlinkThumbnail(data);
    if (data.length <= limit) return { bytes: data, width: info.width, height: info.height };
    next = nextEncoding(encoding, limit / data.length);
  }
  return undefined;
}

/** What to try after an encoding came out too large; `share` is the part of it that would have fit, below 1. */
export function nextEncoding({ side, quality }: Encoding, share: number): Encoding | undefined {
  const wanted = share * shareOf(quality);
  const softer = steps.find((step) => step.quality < quality && step.share <= wanted);
  if (softer) return { side, quality: softer.quality };
  const settled = Math.min(quality, settledQuality);
  // Bytes go with the area.
  const smaller = Math.floor(side * Math.min(1, Math.sqrt(wanted / shareOf(settled))) * safety);
  return smaller < smallestSide ? undefined : { side: smaller, quality: settled };
}

const shareOf = (quality: number) => steps.find((step) => step.quality === quality)?.share ?? 1;
