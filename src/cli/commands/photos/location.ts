import { photoTypeOf } from '../../../contract/photo-type.ts';
import { blankExifLocation, exifHasLocation } from './location-exif.ts';
import { codedPngLocation, withoutPngLocation } from './location-png.ts';
import { blankVideoLocation, videoHasLocation } from './location-video.ts';
import { blankXmpLocation, xmpHasLocation } from './location-xmp.ts';

/**
 * Where a photo was taken stands in its EXIF block, its XMP packet, or the short video that some phones append.
 * All are searched for anywhere in the bytes rather than along the container's own structure: one way serves
 * JPEG, WebP, HEIC, AVIF and GIF, and second pictures inside a file (previews, depth maps) are found too.
 * PNG has checksums and packed texts, hence a module of its own.
 */
export function hasLocation(bytes: Buffer): boolean {
  return plainLocation(bytes) || (photoTypeOf(bytes) === 'image/png' && codedPngLocation(bytes, plainLocation));
}

/**
 * A copy of the photo that no longer says where it was taken, the pixels and all other metadata untouched;
 * `undefined` when the location is written in a way that cannot be overwritten in place.
 */
export function withoutLocation(bytes: Buffer): Buffer | undefined {
  const png = photoTypeOf(bytes) === 'image/png';
  const copy = png ? withoutPngLocation(bytes, { has: plainLocation, blank }) : Buffer.from(bytes);
  if (!png) blank(copy);
  return hasLocation(copy) ? undefined : copy;
}

function plainLocation(bytes: Buffer): boolean {
  return exifHasLocation(bytes) || xmpHasLocation(bytes) || videoHasLocation(bytes);
}

function blank(bytes: Buffer): void {
  blankExifLocation(bytes);
  blankXmpLocation(bytes);
  blankVideoLocation(bytes);
}
