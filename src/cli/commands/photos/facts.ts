import { basename } from 'node:path';
import type { PhotoType } from '../../../contract/cars.ts';
import { hasLocation } from './location.ts';
import { readHead, readMetadata, readPhoto } from './photo-file.ts';

/** What is known of a photo before it is sent. */
export interface PhotoFacts {
  path: string;
  filename: string;
  sizeBytes: number;
  /** By its bytes, not by its name. */
  contentType: PhotoType;
  /** In pixels as a person sees it, turned upright; null where the bytes do not tell (some HEIC). */
  width: number | null;
  height: number | null;
  /** Whether its metadata says where it was taken. */
  hasLocation: boolean;
  /** When it was taken, if the camera noted it; without a zone in the photo, the zone of this machine. */
  taken?: Date;
}

/**
 * Reads a photo's facts from its header; pixels are not decoded, so dozens of large photos take a moment.
 * Throws a PhotoFileError (not_found, unreadable, is_directory, empty, not_a_photo, damaged, too_many_pixels).
 */
export async function readFacts(path: string): Promise<PhotoFacts> {
  const { type, sizeBytes } = await readHead(path);
  const { width, height, exif, xmp } = await readMetadata(path, type);
  // Without a readable header the whole file is searched.
  const searched = width === null ? [(await readPhoto(path)).bytes] : [exif, xmp].filter((block) => block !== undefined);
  return {
    path,
    filename: basename(path),
    sizeBytes,
    contentType: type,
    width,
    height,
    hasLocation: searched.some(hasLocation),
    taken: exif && (await readTaken(exif)),
  };
}

async function readTaken(block: Buffer): Promise<Date | undefined> {
  const { default: readExif } = await import('exif-reader');
  try {
    const { Photo, Image } = readExif(block);
    const wall = Photo?.DateTimeOriginal ?? Photo?.DateTimeDigitized ?? Image?.DateTime;
    if (!(wall instanceof Date)) return undefined;
    const zone = /^[+-]\d\d:\d\d/.exec(String(Photo?.OffsetTimeOriginal ?? Photo?.OffsetTime ?? ''))?.[0] ?? '';
    // exif-reader gives the camera's wall time as if it were UTC.
    const taken = new Date(wall.toISOString().slice(0, -1) + zone);
    return Number.isNaN(taken.getTime()) ? undefined : taken;
  } catch {
    // A broken date is no reason to refuse a photo.
    return undefined;
  }
}
