/** Keeps what is saved below the folder that a person named: names come from a server, and links may lie in the way. */
import { lstat, mkdir } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CliError } from '../../errors/exit.ts';
import { describeFsError, exitCodeOfFsError, isFull, roomHint } from '../../errors/file-system.ts';

/** The absolute path of a file below `folder`. Fails with exit 9 for a path that leads elsewhere. */
export function pathBelow(folder: string, path: string): string {
  const whole = resolve(folder, path);
  const below = relative(folder, whole);
  if (below === '' || below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below))
    throw new CliError({
      code: 'unsafe_path',
      message: `"${path}" is not below ${folder}, so it was not saved.`,
      hint: 'the server gave it a name that leads elsewhere: tell whoever runs it',
    });
  return whole;
}

/** Makes the folders between `folder` and a file below it. Fails with exit 7 where one of them is a symbolic link, or not a folder. */
export async function makeFoldersBelow(folder: string, path: string): Promise<void> {
  const names = relative(folder, path).split(sep).slice(0, -1);
  let at = folder;
  for (const name of names) {
    at = join(at, name);
    const there = await makeOne(at);
    if (there?.isDirectory() === false)
      throw blocked(at, there.isSymbolicLink() ? 'is a symbolic link, which downloads do not follow' : 'is not a folder');
  }
}

/** Answers what is there instead, as itself and not as what it points to. */
async function makeOne(folder: string) {
  try {
    await mkdir(folder);
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return lstat(folder);
    throw new CliError({
      code: 'folder_unusable',
      message: `The folder ${folder} cannot be made: ${describeFsError(error)}.`,
      hint: isFull(error) ? roomHint : 'choose another one with --to',
      exitCode: exitCodeOfFsError(error, 2),
      cause: error,
    });
  }
}

const blocked = (path: string, what: string): CliError =>
  new CliError({ code: 'file_exists', message: `${path} ${what}.`, hint: 'give another folder with --to' });
