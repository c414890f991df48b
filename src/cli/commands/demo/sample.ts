import type { Exif } from 'sharp';
import { loadSharp } from '../../../parts.ts';
import { drawScene, scene, type View } from './sample-scene.ts';

/**
 * A JPEG sample photo: a drawing of a car in a garage with the grain and the EXIF data of a real photo. The same arguments give the
 * same picture. `taken`: when, in local time. `isLarge`: as a phone takes it: above the photo limit, on its side, with the place; otherwise
 * about 0.6 MB.
 */
export async function makeSamplePhoto(view: View, taken: Date, isLarge: boolean): Promise<Buffer> {
  const sharp = await loadSharp();
  const density = 72 * (isLarge ? 4032 / scene.width : 1);
  const { data, info } = await sharp(Buffer.from(drawScene(view)), { density })
    .rotate(isLarge ? 270 : 0)
    .flatten()
    .raw()
    .toBuffer({ resolveWithObject: true });
  addGrain(data, isLarge ? 12 : 7);
  const { width, height } = info;
  return sharp(data, { raw: { width, height, channels: 3 } })
    .withExif(exifOf(taken, isLarge))
    .withMetadata({ orientation: isLarge ? 6 : 1 })
    .jpeg({ quality: isLarge ? 93 : 86 })
    .toBuffer();
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

function exifOf(taken: Date, hasPlace: boolean): Exif {
  const two = (value: number) => String(value).padStart(2, '0');
  const date = [taken.getFullYear(), two(taken.getMonth() + 1), two(taken.getDate())].join(':');
  const time = `${date} ${[taken.getHours(), taken.getMinutes(), taken.getSeconds()].map(two).join(':')}`;
  return {
    IFD0: { Make: 'Sample', Model: 'Counter Camera', Software: 'car-storage', DateTime: time },
    IFD2: { DateTimeOriginal: time, FNumber: '18/10', ExposureTime: '1/60' },
    ...(hasPlace && {
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '53/1 32/1 3696/100',
        GPSLongitudeRef: 'E',
        GPSLongitude: '9/1 59/1 1968/100',
      },
    }),
  };
}
