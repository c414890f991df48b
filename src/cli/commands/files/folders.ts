/** The folder of --to. */
import { CliError } from '../../errors/exit.ts';
import { describeFsError, exitCodeOfFsError, isFull, roomHint } from '../../errors/file-system.ts';
import { makeFolder } from '../../input/make-folder.ts';

/** Creates the folder of --to, or one below it, if it is missing. */
export function makeTargetFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw unusableFolder(folder, error, {
      EEXIST: 'a file is in its place',
      ENOENT: 'nothing can be created there',
    });
  }
}

/** The folder of --to can't be created or written. */
export const unusableFolder = (
  folder: string,
  error: unknown,
  reasons?: Record<string, string>,
): CliError =>
  new CliError({
    code: 'file_unusable',
    message: `Couldn't use the folder ${folder}: ${describeFsError(error, reasons)}.`,
    hint: isFull(error) ? roomHint : 'choose another folder with --to',
    exitCode: exitCodeOfFsError(error, 2),
    cause: error,
  });
