/** An error with another message and hint. */
import { CliError, type Names, sameCode } from './exit.ts';
import { exitCodeOf } from './exit-code.ts';
import { reportOf, sentence } from './report.ts';

export const reasonOf = (error: unknown, stopped?: boolean): string =>
  stopped ? 'Stopped while sending.' : sentence(reportOf(error).message);

interface Words {
  readonly message: string;
  readonly hint: string;
  readonly names?: Names | undefined;
  /** (default: those of the cause) */
  readonly details?: unknown;
}

/** The same code, status and exit code with another message and hint. */
export function wrapFailure(cause: unknown, words: Words): CliError {
  const { code, details } = reportOf(cause);
  return new CliError({
    code: sameCode(code),
    details,
    ...words,
    exitCode: exitCodeOf(cause),
    cause,
  });
}
