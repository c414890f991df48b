/** Writes to the journal once something was sent. */
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { reportOf } from '../../errors/report.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import type { Work } from '../../state/work.ts';

/** What was sent can't be noted: the journal takes nothing more. */
export class Unnoted extends CliError {}

/** The file's own hint names another folder, in which the same line would be sent as new work: stored twice. */
export function noteSent(
  context: Context,
  { id, what }: Pick<Work, 'id' | 'what'>,
  stored: 'is stored' | 'may be stored',
  note: () => void,
): void {
  try {
    note();
  } catch (error) {
    const resume = nextCommand(['pending', 'resume', id], connectionFlags(context));
    throw new Unnoted({
      code: 'file_unusable',
      // Not that of the file: exit 7 says that nothing was stored.
      exitCode: 1,
      message: `The ${what} was sent and ${stored}, but this couldn't be noted. ${reportOf(error).message}`,
      hint: `free disk space, or end what locks the file; then finish it with \`${resume}\`, or run the same line again. Don't change CS_STATE_DIR: it would be stored twice`,
      cause: error,
    });
  }
}
