/** The folder of --to. */
import type { CliError } from '../../errors/exit.ts';
import { unusableFile } from '../../errors/file-system.ts';
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
  unusableFile(`Couldn't use the folder ${folder}`, error, {
    reasons,
    hint: 'choose another folder with --to',
  });
