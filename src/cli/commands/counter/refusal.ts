import { CliError, type ErrorCode } from '../../errors/exit.ts';

/** The service would refuse this, so it wasn't sent. */
export function refusal(code: ErrorCode, message: string, hint: string, details?: unknown): CliError {
  return new CliError({ code, message: `${message} Nothing was stored.`, hint, details });
}
