/** The end of a run that a person left once the server was away: its entry is kept, also where nothing was stored yet. */
import { CliError, sameCode } from '../../errors/exit.ts';
import { isUncertain } from '../../errors/final.ts';
import { exitCodeOf, reportOf, sentence } from '../../errors/report.ts';

export class LeftForLater extends CliError {
  constructor(error: unknown, resume: string) {
    const { code, message, details } = reportOf(error);
    const cause = error instanceof CliError ? error.cause : error;
    super({
      code: sameCode(code),
      message: isUncertain(cause) ? message : `${sentence(message)} Nothing was stored yet.`,
      hint: `finish it with \`${resume}\``,
      details,
      exitCode: exitCodeOf(error),
      cause,
    });
  }
}
