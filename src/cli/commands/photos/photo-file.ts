import { open, readFile } from 'node:fs/promises';
import { type PhotoType, photoTypes } from '../../../contract/cars.ts';
import { photoHeadLength, photoTypeOf } from '../../../contract/photo-type.ts';
import { fileSystemError, PhotoFileError } from '../../errors/photo-file.ts';

export interface PhotoMetadata {
  /** As a person sees the photo: turned upright. Null where the bytes do not tell. */
  width: number | null;
  height: number | null;
  /** Pictures one after the other in time: more than 1 for an animation. */
  frames: number;
  exif?: Buffer;
  xmp?: Buffer;
}

/** The type and size of a file, from its first bytes. */
export async function readHead(path: string): Promise<{ type: PhotoType; sizeBytes: number }> {
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

/** All bytes of a photo, and their type. */
export async function readPhoto(path: string): Promise<{ type: PhotoType; bytes: Buffer }> {
  const bytes = await readFile(path).catch((error) => Promise.reject(fileSystemError(path, error)));
  return { type: requireType(path, bytes), bytes };
}

function requireType(path: string, head: Buffer): PhotoType {
  if (head.length === 0)
    throw new PhotoFileError({
      path,
      reason: 'empty',
      why: 'the file is empty',
      hint: 'copy the photo again from the camera or phone',
    });
  const type = photoTypeOf(head);
  if (type) return type;
  const names = photoTypes.map((known) => known.slice('image/'.length).toUpperCase()).join(', ');
  throw new PhotoFileError({
    path,
    reason: 'not_a_photo',
    why: `is not a photo of a type that can be sent (${names})`,
    hint: 'leave it out, or save it as JPEG',
  });
}

/** What the header of a photo says. Reads no pixels, and given a path no more of the file than it needs. */
export async function readMetadata(path: string, type: PhotoType, bytes?: Buffer): Promise<PhotoMetadata> {
  const { default: sharp } = await import('sharp');
  try {
    // libvips takes what stands in [ ] at the end of a name for options.
    const input = bytes ?? (path.endsWith(']') ? await readFile(path) : path);
    const found = await sharp(input).metadata();
    const { width, height } = found.autoOrient;
    const animated = type === 'image/gif' || type === 'image/webp' || found.delay !== undefined;
    return { width, height, frames: animated ? (found.pages ?? 1) : 1, exif: found.exif, xmp: found.xmp };
  } catch (error) {
    // HEIC may be beyond this build of the image library and still be a good photo.
    if (type === 'image/heic' || type === 'image/heif') return { width: null, height: null, frames: 1 };
    throw decodeError(path, error);
  }
}

/** The error for what the image library answered. */
export function decodeError(path: string, cause: unknown): PhotoFileError {
  if (cause instanceof Error && /exceeds pixel limit/i.test(cause.message))
    return new PhotoFileError({
      path,
      reason: 'too_many_pixels',
      why: 'has more pixels than can be handled safely',
      hint: 'save it with a smaller width and height',
      cause,
    });
  return damaged(path, cause);
}

/** The error for a photo that is cut short or broken. */
export function damaged(path: string, cause?: unknown): PhotoFileError {
  return new PhotoFileError({
    path,
    reason: 'damaged',
    why: 'the photo is cut short or damaged',
    hint: 'copy it again from the camera or phone, or take it again',
    cause,
  });
}
