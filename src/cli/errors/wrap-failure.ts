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
}

/** The same code, status, details and exit code with another message and hint. */
export function wrapFailure(cause: unknown, words: Words): CliError {
  const { code, details } = reportOf(cause);
  return new CliError({
    code: sameCode(code),
    ...words,
    details,
    exitCode: exitCodeOf(cause),
    cause,
  });
}
