/** What the operating system answers about files, in words. One list for every message: none shows a bare `ENOENT`. */
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

/** SQLite says it in a way of its own. */
const sqliteFull = 13;

/** What the system found wrong, for behind `cannot be read: `. For a reason that is not known, what the error itself says. */
export function describeFsError(error: unknown, special: Readonly<Record<string, string>> = {}): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (isSqliteFull(error)) return reasons.ENOSPC as string;
  return special[code] ?? reasons[code] ?? (message ? withoutCall(message) : code);
}

/** `EXDEV: cross-device link not permitted, link 'a' -> 'b'` without its code and its call. */
const withoutCall = (message: string): string => message.replace(/^E[A-Z0-9]+: /, '').replace(/, \w+( '.*)?$/, '');

const isSqliteFull = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR' && (error as { errcode?: number }).errcode === sqliteFull;

/** Whether there is no room: the same command does well once there is some, so it is no mistake on the command line. */
export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '') || isSqliteFull(error);

/** Exit 1 where the disk is full, as for a result that cannot be written; another one otherwise. */
export const exitCodeOfFsError = (error: unknown, otherwise: ExitCode): ExitCode => (isFull(error) ? 1 : otherwise);

export const roomHint = 'free some space, or choose another place';
