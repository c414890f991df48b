/** One run at a time in a folder. */
import { join } from 'node:path';
import { CliError } from '../../errors/exit.ts';
import { describeFsError, exitCodeOfFsError, isFull, roomHint } from '../../errors/file-system.ts';

/** The lock is the operating system's, taken through SQLite on a file of its own: it ends with the process, however that ends. Exit 7 when another run has it. */
export async function lockFolder(folder: string, command: string): Promise<{ release(): void }> {
  const { DatabaseSync } = await import('node:sqlite');
  let lock: InstanceType<typeof DatabaseSync> | undefined;
  try {
    lock = new DatabaseSync(join(folder, '.lock'), { timeout: 0 });
    lock.exec('begin exclusive');
    const held = lock;
    return { release: () => held.close() };
  } catch (error) {
    lock?.close();
    if (/locked/.test(String(error)))
      throw new CliError({
        code: 'folder_in_use',
        message: `Another ${command} is at work in ${folder}.`,
        hint: 'wait for it to end, or choose another folder',
        exitCode: 7,
      });
    throw new CliError({
      code: 'folder_unusable',
      message: `The folder ${folder} cannot be used: ${describeFsError(error)}.`,
      hint: isFull(error) ? roomHint : 'choose another one that you can write to',
      exitCode: exitCodeOfFsError(error, 2),
      cause: error,
    });
  }
}
