/** File system errors in words, so that no message shows a bare `ENOENT`. */
import { CliError, type ErrorCode, type ExitCode } from './exit.ts';

const partIsFile = 'a part of the path is a file, not a folder';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EISDIR: 'it is a folder',
  ENOTDIR: partIsFile,
  // Only folders are created in a way that fails so.
  EEXIST: partIsFile,
  ELOOP: 'its links lead in a circle',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  EROFS: 'the disk is read-only',
  EIO: 'the disk or the device fails',
  ENFILE: 'too many files are open',
  EMFILE: 'too many files are open',
};

/** SQLite's codes. Its I/O error is the answer of a disk that is full as well. */
const reasonsOfSqlite: Readonly<Record<number, string>> = {
  10: 'the disk is full or fails',
  13: reasons.ENOSPC as string,
};

/**
 * The cause of a file system error, for messages such as `Couldn't read X: …`. An unknown code
 * gives the error's own text.
 */
export function describeFsError(
  error: unknown,
  special: Readonly<Record<string, string>> = {},
): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const known = special[code] ?? reasons[code] ?? reasonOfSqlite(error);
  return known ?? (message ? withoutCall(message) : code);
}

/** `EXDEV: cross-device link not permitted, link 'a' -> 'b'` without its code and its call. */
const withoutCall = (message: string): string =>
  message.replace(/^E[A-Z0-9]+: /, '').replace(/, \w+( '.*)?$/, '');

const reasonOfSqlite = (error: unknown): string | undefined => {
  const { errcode = 0 } = error as { errcode?: number };
  return reasonsOfSqlite[errcode & 0xff];
};

/** Whether the disk has no room, as far as the system tells. */
export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '') ||
  reasonOfSqlite(error) !== undefined;

interface Unusable {
  readonly hint: string;
  /** In place of the system's reasons. */
  readonly reasons?: Readonly<Record<string, string>> | undefined;
  /** (default: `file_unusable`) */
  readonly code?: ErrorCode;
  /** (default: 2) */
  readonly exitCode?: ExitCode;
}

/**
 * A file, a folder or a database that can't be used. `what`: `Couldn't write cars.csv`. A full disk
 * has one code and one exit code in every command, as for an unwritable result: the command line is
 * right, and works with free space.
 */
export const unusableFile = (
  what: string,
  error: unknown,
  { hint, reasons, code = 'file_unusable', exitCode = 2 }: Unusable,
): CliError =>
  new CliError({
    message: `${what}: ${describeFsError(error, reasons)}.`,
    cause: error,
    ...(isFull(error)
      ? { code: 'file_unusable', exitCode: 1, hint: `free some space, or ${hint}` }
      : { code, exitCode, hint }),
  });
