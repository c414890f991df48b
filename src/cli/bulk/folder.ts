/** The folder that --to names. */
import { mkdir } from 'node:fs/promises';
import { CliError } from '../exit.ts';

/** Makes it when it is not there. Exit 2 when it cannot be. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'a file is in its place' : code;
    throw new CliError({
      code: 'folder_unusable',
      message: `The folder ${folder} cannot be made: ${why}.`,
      hint: 'choose another one with --to',
      exitCode: 2,
      cause: error,
    });
  }
}
