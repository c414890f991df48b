/** One process at a time runs a command line: two that look at the journal at once would both find nothing unfinished. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { makeFolder } from '../../input/make-folder.ts';
import { type Lock, lockBeside } from '../files/lock.ts';
import { type CommandName, journalFolder } from './entry.ts';

interface Line {
  readonly command: CommandName;
  readonly words: string;
  /** Without a car, two people may well run the same line at once. */
  readonly namesCar: boolean;
}

/**
 * Taken before the journal is read, and held until the run ends. A script is refused while another process has it; a person is told.
 * Undefined then, and where no lock can be written: what is wrong with the folder is told when the journal is read or written.
 */
export async function lockLine(
  context: Context,
  { command, words, namesCar }: Line,
): Promise<Lock | undefined> {
  const folder = journalFolder(context.io);
  const name = createHash('sha256')
    .update(JSON.stringify([command, words]))
    .digest('hex')
    .slice(0, 32);
  let lock: Lock | undefined;
  try {
    makeFolder(folder, 0o700);
    lock = await lockBeside(join(folder, name));
  } catch {
    return undefined;
  }
  if (lock || (!namesCar && context.interactive)) return lock;
  if (!context.interactive || context.settings.yes)
    throw new CliError({
      code: 'already_running',
      message: 'Another process runs the same command. Nothing was sent.',
      hint: 'wait for it, then look at `cs pending list`',
    });
  context.warn(
    'The same command for the same car is already open in another window on this computer. If it is the same work, press Ctrl-C here and go on in that window, or it is stored twice.',
  );
  return undefined;
}
