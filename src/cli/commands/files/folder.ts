/** The folder that --to names. */
import { mkdir } from 'node:fs/promises';
import { CliError } from '../../errors/exit.ts';
import { describeFsError, exitCodeOfFsError, isFull, roomHint } from '../../errors/file-system.ts';

/** Makes it when it is not there. Exit 2 when it cannot be, 1 when the disk is full. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    const why = describeFsError(error, { ENOTDIR: 'a file is in its place', ENOENT: 'nothing can be made there' });
    throw new CliError({
      code: 'folder_unusable',
      message: `The folder ${folder} cannot be made: ${why}.`,
      hint: isFull(error) ? roomHint : 'choose another one with --to',
      exitCode: exitCodeOfFsError(error, 2),
      cause: error,
    });
  }
}
