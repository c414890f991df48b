/** Reads photo files: type, metadata and facts, without decoding pixels. */
import { open, readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { PhotoType } from '../../../contract/cars.ts';
import { photoHeadLength, photoTypeOf } from '../../../contract/photo-type.ts';
import { hasLocation } from './location.ts';
import { fileSystemError, PhotoFileError } from './photo-file-error.ts';

export interface PhotoOptions {
  /** Keep the location in the metadata. */
  readonly keepLocation?: boolean;
  /** Shrink photos above the limit, or refuse them (default: true). */
  readonly resize?: boolean;
  /** The field of the request with the bytes (default: `base64`). */
  readonly photoField?: string;
}

export interface PhotoMetadata {
  /** Upright; null when unknown. */
  width: number | null;
  height: number | null;
  /** More than 1 for an animation. */
  frames: number;
  exif?: Buffer;
  xmp?: Buffer;
}

/** Type and size, from the first bytes. */
async function readHead(path: string): Promise<{ type: PhotoType; sizeBytes: number }> {
  try {
    await using file = await open(path);
    const head = Buffer.alloc(photoHeadLength);
    const { bytesRead } = await file.read(head, 0, photoHeadLength, 0);
    const { size } = await file.stat();
    return { type: requireType(path, head.subarray(0, bytesRead)), sizeBytes: size };
  } catch (error) {
    throw error instanceof PhotoFileError ? error : fileSystemError(path, error);
  }
}

export async function readPhoto(path: string): Promise<{ type: PhotoType; bytes: Buffer }> {
  const bytes = await readFile(path).catch((error) => Promise.reject(fileSystemError(path, error)));
  return { type: requireType(path, bytes), bytes };
}

function requireType(path: string, head: Buffer): PhotoType {
  if (head.length === 0)
    throw new PhotoFileError({
      path,
      reason: 'empty',
      why: 'is empty',
      hint: 'copy the photo again from the camera or phone',
    });
  const type = photoTypeOf(head);
  if (type) return type;
  throw new PhotoFileError({
    path,
    reason: 'not_a_photo',
    why: `isn't a supported photo type (JPEG, PNG, WebP, HEIC, HEIF, AVIF, GIF)`,
    hint: 'leave it out, or save it as JPEG',
  });
}

/** The header's metadata. Given a path, reads no more of the file than that. */
export async function readMetadata(
  path: string,
  type: PhotoType,
  bytes?: Buffer,
): Promise<PhotoMetadata> {
  const { default: sharp } = await import('sharp');
  try {
    // libvips takes [ ] at the end of a file name for options.
    const input = bytes ?? (path.endsWith(']') ? await readFile(path) : path);
    const found = await sharp(input).metadata();
    const { width, height } = found.autoOrient;
    const animated = type === 'image/gif' || type === 'image/webp' || found.delay !== undefined;
    return {
      width,
      height,
      frames: animated ? (found.pages ?? 1) : 1,
      exif: found.exif,
      xmp: found.xmp,
    };
  } catch (error) {
    // This build of the image library can't read every HEIC.
    if (type === 'image/heic' || type === 'image/heif')
      return { width: null, height: null, frames: 1 };
    throw decodeError(path, error);
  }
}

/** The error for a failure of the image library. */
export function decodeError(path: string, cause: unknown): PhotoFileError {
  if (cause instanceof Error && /exceeds pixel limit/i.test(cause.message))
    return new PhotoFileError({
      path,
      reason: 'too_many_pixels',
      why: 'has too many pixels',
      hint: 'save it with a smaller width and height',
      cause,
    });
  return damagedPhoto(path, cause);
}

export function damagedPhoto(path: string, cause?: unknown): PhotoFileError {
  return new PhotoFileError({
    path,
    reason: 'damaged',
    why: 'is incomplete or damaged',
    hint: 'copy it again from the camera or phone, or take it again',
    cause,
  });
}

/** A photo before it is prepared. */
export interface PhotoFacts {
  path: string;
  filename: string;
  sizeBytes: number;
  /** From its bytes, not its name. */
  contentType: PhotoType;
  /** In pixels, upright; null when unknown (some HEIC). */
  width: number | null;
  height: number | null;
  hasLocation: boolean;
  /** Time of the camera, if recorded; in this machine's zone if the photo has none. */
  taken?: Date;
}

/** Throws a PhotoFileError (not_found, unreadable, is_directory, empty, not_a_photo, damaged, too_many_pixels). */
export async function readFacts(path: string): Promise<PhotoFacts> {
  const { type, sizeBytes } = await readHead(path);
  const { width, height, exif, xmp } = await readMetadata(path, type);
  // Without a readable header, search the whole file.
  const searched =
    width === null
      ? [(await readPhoto(path)).bytes]
      : [exif, xmp].filter((block) => block !== undefined);
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
    const localTime = Photo?.DateTimeOriginal ?? Photo?.DateTimeDigitized ?? Image?.DateTime;
    if (!(localTime instanceof Date)) return undefined;
    const zone =
      /^[+-]\d\d:\d\d/.exec(String(Photo?.OffsetTimeOriginal ?? Photo?.OffsetTime ?? ''))?.[0] ??
      '';
    // exif-reader returns the camera's local time as UTC.
    const taken = new Date(localTime.toISOString().slice(0, -1) + zone);
    return Number.isNaN(taken.getTime()) ? undefined : taken;
  } catch {
    // A photo with an unreadable date is still usable.
    return undefined;
  }
}

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

/** False for a truncated file, such as from a card that was removed too early. */
export function isComplete(bytes: Buffer, type: PhotoType): boolean {
  switch (type) {
    case 'image/jpeg': {
      const scan = findScan(bytes);
      return scan !== undefined && bytes.includes('\xff\xd9', scan, 'latin1');
    }
    case 'image/png':
      return bytes.lastIndexOf('IEND', undefined, 'latin1') !== -1;
    case 'image/webp':
      return bytes.length >= 8 + bytes.readUInt32LE(4);
    case 'image/heic':
    case 'image/heif':
    case 'image/avif':
      return hasCompleteBoxes(bytes);
    case 'image/gif':
      // Many programs omit the trailer.
      return true;
  }
}

/** Offset of a JPEG's scan. Skips the segments before it: a thumbnail in one has its own end marker. */
function findScan(bytes: Buffer): number | undefined {
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = bytes.readUInt16BE(at);
    if (marker === 0xffda) return at;
    // Any number of fill bytes can precede a marker.
    at += marker === 0xffff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function hasCompleteBoxes(bytes: Buffer): boolean {
  let at = 0;
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(at);
    // 0: to the end of the file. 1: the size follows as 64 bits.
    if (size === 0) return true;
    if (size === 1 && at + 16 > bytes.length) return false;
    const length = size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size;
    if (length < 8) return false;
    at += length;
  }
  return at <= bytes.length;
}

/** The file's name with the extension of its type, within the service's length limit. */
export function filenameFor(name: string, type: PhotoType): string {
  const [preferred, ...others] = extensions[type];
  const current = extname(name);
  const isCorrect = [preferred, ...others].includes(current.toLowerCase());
  const isKnown = Object.values(extensions).flat().includes(current.toLowerCase());
  const stem = isCorrect || isKnown ? name.slice(0, -current.length) : name;
  const extension = isCorrect ? current : preferred;
  return stem.slice(0, maxFilename - extension.length).replace(/[\uD800-\uDBFF]$/, '') + extension;
}
