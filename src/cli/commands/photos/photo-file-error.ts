import { CliError } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';

/**
 * Why a file can't be sent as a photo:
 * - `not_found`: the file doesn't exist, or no photo in the folder or pattern.
 * - `unreadable`: the system refuses to read it.
 * - `is_directory`: a folder in place of a photo.
 * - `empty`: no bytes.
 * - `not_a_photo`: an unsupported type, by its bytes.
 * - `damaged`: truncated, or not decodable.
 * - `too_large`: above the limit, and shrinking is off or not enough.
 * - `too_many_pixels`: more pixels than can be decoded safely.
 * - `cannot_shrink`: above the limit, and of a type that can't be shrunk here (HEIC, animations).
 * - `location_stuck`: its GPS position can't be removed.
 * - `changed`: the file isn't the one that the unfinished command began with.
 */
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

/** A file that can't be sent as a photo. */
export class PhotoFileError extends CliError {
  override readonly name = 'PhotoFileError';
  readonly path: string;
  readonly reason: PhotoFileReason;
  /** Without the path. */
  readonly why: string;

  constructor({
    path,
    reason,
    why,
    hint,
    cause,
  }: { path: string; reason: PhotoFileReason; why: string; hint: string; cause?: unknown }) {
    super({
      code: reason === 'too_large' ? 'photo_too_large' : 'invalid_file',
      message: `${path}: ${why}`,
      hint,
      details: { path, reason },
      cause,
    });
    this.path = path;
    this.reason = reason;
    this.why = why;
  }
}

/** Wraps a file system error. */
export function fileSystemError(path: string, cause: unknown): PhotoFileError {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new PhotoFileError({
      path,
      reason: 'not_found',
      why: "doesn't exist",
      hint: 'check the spelling and the folder',
      cause,
    });
  if (code === 'EISDIR')
    return new PhotoFileError({
      path,
      reason: 'is_directory',
      why: 'is a folder, not a photo',
      hint: 'name the photos in it',
      cause,
    });
  const why = `couldn't be read: ${describeFsError(cause)}`;
  return new PhotoFileError({
    path,
    reason: 'unreadable',
    why,
    hint: 'check the permissions, or copy the photo somewhere else',
    cause,
  });
}
