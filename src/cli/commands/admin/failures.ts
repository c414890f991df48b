/** What can go wrong with a backup, in the command's words. */
import { CliError } from '../../errors/exit.ts';
import { describeFsError, exitCodeOfFsError, isFull, roomHint } from '../../errors/file-system.ts';
import { quote } from '../../terminal/text.ts';

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
  DamagedBackup: ({ file, data }, cause) =>
    new CliError({
      code: 'backup_damaged',
      message: `Couldn't restore ${file}: ${cause.message}. Nothing was changed.`,
      hint: `restore another backup: \`cs admin restore FILE --data ${quote(data)}\``,
      exitCode: 3,
      cause,
    }),
};

/** What a person can mend; anything else is a fault of ours. */
const mendable: ReadonlySet<string> = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS']);
const special: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
};

interface Place {
  /** The backup. */
  readonly file: string;
  readonly data: string;
  /** Whether the backup is what is written, and not the data. */
  readonly writesFile?: boolean;
}

/** What the system says of the data folder is for others to explain; this is of the backup. */
export function failureOf(error: unknown, place: Place): CliError | undefined {
  if (!(error instanceof Error)) return undefined;
  const known = failures[error.name];
  if (known) return known(place, error);
  const { code = '', path } = error as NodeJS.ErrnoException;
  // A write that fails does not say of which file.
  const noRoom = place.writesFile === true && isFull(error);
  if (!noRoom && (!mendable.has(code) || !path || path.startsWith(place.data))) return undefined;
  return new CliError({
    code: 'file_unusable',
    message: `${place.file} cannot be used: ${describeFsError(error, special)}.`,
    hint: noRoom ? roomHint : 'check the path',
    exitCode: code === 'ENOENT' ? 6 : exitCodeOfFsError(error, 2),
    cause: error,
  });
}
