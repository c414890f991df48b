/** What can go wrong with a backup, in the command's words. */
import { CliError } from '../../exit.ts';

/** By their names, since the service is not loaded before it is needed. */
const failures: Readonly<Record<string, (place: Place, cause: Error) => CliError>> = {
  FolderNotEmpty: ({ data }, cause) =>
    new CliError({
      code: 'folder_not_empty',
      message: `${data} is not empty, and a backup replaces nothing.`,
      hint: 'choose an empty folder with --data',
      exitCode: 7,
      cause,
    }),
  DamagedBackup: ({ file }, cause) =>
    new CliError({
      code: 'backup_damaged',
      message: `${file} is not a whole backup: ${cause.message}. Nothing was restored.`,
      hint: 'use another backup',
      exitCode: 3,
      cause,
    }),
};

const refusals: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'the file system is read-only',
};

interface Place {
  /** The backup. */
  readonly file: string;
  readonly data: string;
}

/** What the system says of the data folder is for others to explain; this is of the backup. */
export function failureOf(error: unknown, place: Place): CliError | undefined {
  if (!(error instanceof Error)) return undefined;
  const known = failures[error.name];
  if (known) return known(place, error);
  const { code = '', path } = error as NodeJS.ErrnoException;
  const why = refusals[code];
  if (!why || !path || path.startsWith(place.data)) return undefined;
  const message = `${place.file} cannot be used: ${why}.`;
  return new CliError({ code: 'file_unusable', message, hint: 'check the path', exitCode: code === 'ENOENT' ? 6 : 2, cause: error });
}
