/** File system errors in words, so that no message shows a bare `ENOENT`. */
import type { ExitCode } from './exit.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a file already exists there',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  EROFS: 'the disk is read-only',
  EFBIG: 'the file would be larger than is allowed',
  EIO: 'the disk or the device fails',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EBUSY: 'something else uses it',
  ETXTBSY: 'something else uses it',
};

/** SQLite has its own code. */
const sqliteFull = 13;

/**
 * The cause of a file system error, for messages such as `Couldn't read X: …`. An unknown code
 * gives the error's own text.
 */
export function describeFsError(
  error: unknown,
  special: Readonly<Record<string, string>> = {},
): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (isSqliteFull(error)) return reasons.ENOSPC as string;
  return special[code] ?? reasons[code] ?? (message ? withoutCall(message) : code);
}

/** `EXDEV: cross-device link not permitted, link 'a' -> 'b'` without its code and its call. */
const withoutCall = (message: string): string =>
  message.replace(/^E[A-Z0-9]+: /, '').replace(/, \w+( '.*)?$/, '');

const isSqliteFull = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR' &&
  (error as { errcode?: number }).errcode === sqliteFull;

/**
 * Whether the disk is full: not an error of the command line, since the same command works with
 * free space.
 */
export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '') || isSqliteFull(error);

/** Exit 1 for a full disk, as for an unwritable result; another code otherwise. */
export const exitCodeOfFsError = (error: unknown, otherwise: ExitCode): ExitCode =>
  isFull(error) ? 1 : otherwise;

export const roomHint = 'free some space, or choose another place';
