import type { Exif } from 'sharp';
import { drawScene, scene, type View } from './sample-scene.ts';

interface SampleOptions {
  view: View;
  /** When it was taken, in local time. */
  taken: Date;
  /** Makes a photo with the size of a phone's and more than this many bytes (default: about 0.6 MB). */
  bytesAbove?: number;
  /** In degrees, north and east positive. */
  location?: { lat: number; lon: number };
  /** EXIF orientation of the camera: 1 upright, 3 upside down, 6 and 8 on a side. Viewers show it upright. */
  orientation?: 1 | 3 | 6 | 8;
}

/** Degrees by which a camera held like that stores the picture. */
const turns = { 1: 0, 3: 180, 6: 270, 8: 90 };
const svgDensity = 72;

/**
 * A JPEG sample photo: a drawing of a car in a garage with the grain and the EXIF data of a real photo.
 * The same options give the same picture.
 */
export async function makeSamplePhoto({
  view,
  taken,
  bytesAbove,
  location,
  orientation = 1,
}: SampleOptions): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const large = bytesAbove !== undefined;
  // 4032 × 3024 like a phone's photo, or the size of the drawing.
  const scale = large ? 4032 / scene.width : 1;
  const { data, info } = await sharp(Buffer.from(drawScene(view)), { density: svgDensity * scale })
    .rotate(turns[orientation])
    .flatten()
    .raw()
    .toBuffer({ resolveWithObject: true });
  addGrain(data, large ? 12 : 7);

  for (const quality of large ? [88, 93, 97] : [86]) {
    const photo = await sharp(data, {
      raw: { width: info.width, height: info.height, channels: 3 },
    })
      .withExif(exifOf({ taken, location }))
      .withMetadata({ orientation })
      .jpeg({ quality })
      .toBuffer();
    if (photo.length > (bytesAbove ?? 0)) return photo;
  }
  throw new RangeError(`a sample photo can't have more than ${bytesAbove} bytes`);
}

/** Noise like a camera sensor's, equal for the three colours of a pixel. */
function addGrain(pixels: Buffer, strength: number): void {
  let state = 0x2545f491;
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    // xorshift: fast, uniform and repeatable. The sum of its bytes is close to a normal distribution.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const sum = (state & 255) + ((state >>> 8) & 255) + ((state >>> 16) & 255) + (state >>> 24);
    const grain = ((sum - 510) * strength) / 148;
    for (let channel = at; channel < at + 3; channel++)
      pixels[channel] = Math.max(0, Math.min(255, (pixels[channel] ?? 0) + grain));
  }
}

function exifOf({ taken, location }: Pick<SampleOptions, 'taken' | 'location'>): Exif {
  const time = exifTime(taken);
  return {
    IFD0: { Make: 'Sample', Model: 'Counter Camera', Software: 'car-storage', DateTime: time },
    IFD2: {
      DateTimeOriginal: time,
      DateTimeDigitized: time,
      FNumber: '18/10',
      ExposureTime: '1/60',
      ISOSpeedRatings: '400',
    },
    ...(location && {
      IFD3: {
        GPSLatitudeRef: location.lat < 0 ? 'S' : 'N',
        GPSLatitude: exifDegrees(location.lat),
        GPSLongitudeRef: location.lon < 0 ? 'W' : 'E',
        GPSLongitude: exifDegrees(location.lon),
      },
    }),
  };
}

/** `2026:05:01 09:30:00`, in local time, as cameras write it. */
function exifTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join(':');
  return `${date} ${[two(time.getHours()), two(time.getMinutes()), two(time.getSeconds())].join(':')}`;
}

/** Degrees, minutes and seconds as three fractions. */
function exifDegrees(value: number): string {
  const hundredths = Math.round(Math.abs(value) * 360_000);
  return `${Math.floor(hundredths / 360_000)}/1 ${Math.floor(hundredths / 6_000) % 60}/1 ${hundredths % 6_000}/100`;
}
