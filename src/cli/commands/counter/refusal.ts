import { CliError, codeOfAnswer, type ExitCode } from '../../errors/exit.ts';

/** A refusal of this side: what was asked for would be refused by the service, so it was not sent. `exitCode` is for a code that only this side has. */
export function refusal(
  code: string,
  message: string,
  hint: string,
  { exitCode = codeOfAnswer(422, code), details }: { exitCode?: ExitCode; details?: unknown } = {},
): CliError {
  return new CliError({ code, message: `${message} Nothing was stored.`, hint, exitCode, details });
}
