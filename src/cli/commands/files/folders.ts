/** The folder of --to, and folders below it for names from a server. */
import { lstat, mkdir } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CliError } from '../../errors/exit.ts';
import { describeFsError, exitCodeOfFsError, isFull, roomHint } from '../../errors/file-system.ts';
import { makeFolder } from '../../input/make-folder.ts';

/** Creates the folder of --to if it is missing. */
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

/** The absolute path of a file below `folder`. A path that leads elsewhere is refused. */
export function pathBelow(folder: string, path: string): string {
  const absolute = resolve(folder, path);
  const below = relative(folder, absolute);
  if (below === '' || below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below))
    throw new CliError({
      code: 'unexpected_answer',
      message: `"${path}" isn't below ${folder}, so it was not saved.`,
      hint: 'the server sent this name: report it to its operator',
    });
  return absolute;
}

/** Creates the folders between `folder` and a file below it. Refuses to pass through a symbolic link or a file. */
export async function makeFoldersBelow(folder: string, path: string): Promise<void> {
  const names = relative(folder, path).split(sep).slice(0, -1);
  let current = folder;
  for (const name of names) {
    current = join(current, name);
    const existing = await makeOne(current);
    if (existing?.isDirectory() === false)
      throw new CliError({
        code: 'file_exists',
        message: `${current} ${existing.isSymbolicLink() ? "is a symbolic link, which downloads don't follow" : "isn't a folder"}.`,
        hint: 'choose another folder with --to',
      });
  }
}

/** What already exists there; a link isn't followed. */
async function makeOne(folder: string) {
  try {
    await mkdir(folder);
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return lstat(folder);
    throw unusableFolder(folder, error);
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
