/** The exit code of any error. */
import { ApiError, NetworkError, ProtocolError, UnsteadyListError, UsageError } from '../../client/errors.ts';
import { codeInfo, isServiceCode } from './codes.ts';
import { Interrupted, UnprintedResult, UnwrittenResult } from './ended-run.ts';
import { CliError, type ExitCode } from './exit.ts';

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof Interrupted) return error.signal === 'SIGINT' ? 130 : 143;
  if (error instanceof UnwrittenResult) return error.exitCode;
  // Where something was stored, `report.ts` makes it exit 15.
  if (error instanceof UnprintedResult) return exitCodeOf(error.cause);
  if (error instanceof ApiError) return exitCodeOfAnswer(error.status, error.code);
  if (error instanceof NetworkError || error instanceof UnsteadyListError) return 9;
  if (error instanceof UsageError) return error.code === 'invalid_key' ? 4 : 2;
  // The status of a gateway's page tells what went wrong; any other page comes from another service.
  if (error instanceof ProtocolError) return isFailure(error) ? exitCodeOfAnswer(error.status, error.code) : 9;
  // Ctrl-C in a prompt: inquirer reads the key itself, so there is no signal.
  if (error instanceof Error && error.name === 'ExitPromptError') return 130;
  return 1;
}

/** Servers of other interfaces answer unknown paths with these, so most likely the address is wrong. */
const unknownPath: ReadonlySet<number> = new Set([404, 405, 410]);
/** Whether an answer outside of this interface still tells that the server, or a gateway in front of it, refused the request or failed. */
export const isFailure = ({ status, code }: ProtocolError): boolean =>
  code !== 'answer_too_large' && status >= 400 && !unknownPath.has(status);

const byStatus: Readonly<Record<number, ExitCode>> = {
  401: 4,
  402: 5,
  403: 5,
  404: 6,
  // From a proxy, so a network problem.
  407: 9,
  408: 9,
  409: 7,
  410: 6,
  412: 7,
  423: 7,
  429: 8,
  451: 5,
};

/** By status, since a server may choose its own codes. 422 is a conflict or invalid input, which only the code tells apart. */
export function exitCodeOfAnswer(status: number, code: string): ExitCode {
  if (status >= 500) return 10;
  if (status === 422 && isServiceCode(code) && codeInfo(code)?.exit === 7) return 7;
  return byStatus[status] ?? (status >= 400 ? 3 : 1);
}
