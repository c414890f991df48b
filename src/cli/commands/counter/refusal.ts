import { CliError, type ErrorCode } from '../../errors/exit.ts';

/** The error for a request that is refused before it is sent, with the code that the service would answer. */
export function refusal(code: ErrorCode, message: string, hint: string, details?: unknown): CliError {
  return new CliError({ code, message: `${message} Nothing was stored.`, hint, details });
}
