/** Photo files: their type, what their header tells, and why one can't be sent. */
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { PhotoType } from '../../../contract/cars.ts';
import { formatBytes } from '../../../contract/limits.ts';
import { photoHeadLength, photoTypeOf } from '../../../contract/photo-type.ts';
import { loadSharp } from '../../../parts.ts';
import { CliError } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';

/** `cannot_shrink`: above the limit, and of a type that can't be shrunk here. `location_stuck`: its GPS position can't be removed. */
export type PhotoFileReason =
  | 'not_found'
  | 'unreadable'
  | 'is_directory'
  | 'empty'
  | 'not_a_photo'
  | 'damaged'
  | 'too_large'
  | 'too_many_pixels'
  | 'cannot_shrink'
  | 'location_stuck'
  | 'changed';

/** A file that can't be sent as a photo. `why` follows its path in a sentence. */
export class PhotoFileError extends CliError {
  override readonly name = 'PhotoFileError';
  readonly path: string;
  readonly reason: PhotoFileReason;
  readonly why: string;

  constructor(path: string, reason: PhotoFileReason, why: string, hint: string, cause?: unknown) {
    const code = reason === 'too_large' ? 'photo_too_large' : 'invalid_file';
    super({ code, message: `${path}: ${why}`, hint, details: { path, reason }, cause });
    this.path = path;
    this.reason = reason;
    this.why = why;
  }
}

export interface PhotoOptions {
  /** Keep the location in the metadata. */
  readonly keepLocation?: boolean;
  /** Shrink photos above the limit, or refuse them (default: true). */
  readonly resize?: boolean;
  /** The field of the request with the bytes (default: `base64`). */
  readonly photoField?: string;
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
  /** Also where it can't be told. */
  hasLocation: boolean;
}

export interface PhotoHeader {
  readonly width: number | null;
  readonly height: number | null;
  /** More than 1 for an animation. */
  readonly frames: number;
  readonly exif?: Buffer | undefined;
  readonly xmp?: Buffer | undefined;
  readonly hasLocation: boolean;
}

export interface Photo extends PhotoHeader {
  readonly path: string;
  readonly type: PhotoType;
  readonly bytes: Buffer;
}

/** Photos of 100 megapixels have less. */
const mostBytes = 100_000_000;

/** Throws a PhotoFileError. Decodes no pixels. */
export async function readPhoto(path: string): Promise<Photo> {
  const { type, bytes } = await readBytes(path).catch((error: unknown) => {
    throw error instanceof PhotoFileError ? error : fileSystemError(path, error);
  });
  if (!isComplete(bytes, type)) throw damagedPhoto(path);
  return { path, type, bytes, ...(await readHeader(path, { type, bytes })) };
}

export async function readFacts(path: string): Promise<PhotoFacts> {
  const { type: contentType, bytes, width, height, hasLocation } = await readPhoto(path);
  const filename = basename(path);
  return { path, filename, sizeBytes: bytes.length, contentType, width, height, hasLocation };
}

async function readBytes(path: string): Promise<{ type: PhotoType; bytes: Buffer }> {
  await using file = await open(path);
  const { size } = await file.stat();
  const head = Buffer.alloc(photoHeadLength);
  const { bytesRead } = await file.read(head, 0, photoHeadLength, 0);
  if (bytesRead === 0)
    throw new PhotoFileError(path, 'empty', 'is empty', 'copy it again from the camera or phone');
  const type = photoTypeOf(head.subarray(0, bytesRead));
  if (!type)
    throw new PhotoFileError(
      path,
      'not_a_photo',
      "isn't a supported photo type (JPEG, PNG, WebP, HEIC, HEIF, AVIF, GIF)",
      'leave it out, or save it as JPEG',
    );
  if (size > mostBytes)
    throw new PhotoFileError(
      path,
      'too_large',
      `is too large to be read: ${formatBytes(size)}, maximum ${formatBytes(mostBytes)}`,
      'save it smaller',
    );
  return { type, bytes: await file.readFile() };
}

const isHeic = (type: PhotoType): boolean => type === 'image/heic' || type === 'image/heif';

export async function readHeader(
  path: string,
  { type, bytes }: { type: PhotoType; bytes: Buffer },
): Promise<PhotoHeader> {
  const sharp = await loadSharp();
  try {
    const { autoOrient, pages = 1, delay, exif, xmp, comments } = await sharp(bytes).metadata();
    const isAnimated = type === 'image/gif' || type === 'image/webp' || delay !== undefined;
    const hasLocation =
      (exif !== undefined && (await exifHasLocation(exif))) ||
      (xmp !== undefined && nameOfPlace.test(xmp.toString('latin1'))) ||
      // A profile in hexadecimal, as ImageMagick writes it into a PNG.
      (comments ?? []).some(
        ({ keyword, text }) =>
          /^Raw profile type (?:exif|xmp|app1)/i.test(keyword) || nameOfPlace.test(text),
      );
    return { ...autoOrient, frames: isAnimated ? pages : 1, exif, xmp, hasLocation };
  } catch (error) {
    // The image library can't read every HEIC.
    if (isHeic(type)) return { width: null, height: null, frames: 1, hasLocation: true };
    throw decodeError(path, error);
  }
}

const nameOfPlace = /(?:latitude|longitude)\w*\s*[=>/]/i;

async function exifHasLocation(exif: Buffer): Promise<boolean> {
  const { default: readExif } = await import('exif-reader');
  try {
    const { GPSInfo = {} } = readExif(exif);
    return Object.keys(GPSInfo).some((name) => /Latitude|Longitude|Area/.test(name));
  } catch {
    // It may have one.
    return true;
  }
}

/** The error for a failure of the image library. */
export const decodeError = (path: string, cause: unknown): PhotoFileError =>
  cause instanceof Error && /exceeds pixel limit/i.test(cause.message)
    ? new PhotoFileError(
        path,
        'too_many_pixels',
        'has too many pixels',
        'save it with a smaller width and height',
        cause,
      )
    : damagedPhoto(path, cause);

const damagedPhoto = (path: string, cause?: unknown): PhotoFileError =>
  new PhotoFileError(
    path,
    'damaged',
    'is incomplete or damaged',
    'copy it again from the camera or phone, or take it again',
    cause,
  );

export function fileSystemError(path: string, cause: unknown): PhotoFileError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new PhotoFileError(
      path,
      'not_found',
      "doesn't exist",
      'check the spelling and the folder',
      cause,
    );
  if (code === 'EISDIR')
    return new PhotoFileError(
      path,
      'is_directory',
      'is a folder, not a photo',
      'name the photos in it',
      cause,
    );
  const why = `couldn't be read: ${describeFsError(cause)}`;
  const hint = 'check the permissions, or copy the photo somewhere else';
  return new PhotoFileError(path, 'unreadable', why, hint, cause);
}

/** False for a truncated file, such as from a card that was removed too early. */
export function isComplete(bytes: Buffer, type: PhotoType): boolean {
  if (type === 'image/jpeg') return jpegEnd(bytes) !== undefined;
  if (type === 'image/png') return bytes.lastIndexOf('IEND', undefined, 'latin1') !== -1;
  if (type === 'image/webp') return bytes.length >= 8 + bytes.readUInt32LE(4);
  // Many programs leave the end of a GIF out.
  return type === 'image/gif' || hasCompleteBoxes(bytes);
}

/** Where the picture of a JPEG ends. Skips the segments before it: a preview in one has an end of its own. */
export function jpegEnd(bytes: Buffer): number | undefined {
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = bytes.readUInt16BE(at);
    if (marker === 0xffda) {
      const end = bytes.indexOf('\xff\xd9', at, 'latin1');
      return end === -1 ? undefined : end + 2;
    }
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
