/** The exit code of any error. */
import { ApiError, CarStorageError, ProtocolError } from '../../client/errors.ts';
import { exitCodeOfStatus } from './codes/status.ts';
import { codeInfo, codes, exitCodesOf, isServiceCode } from './codes.ts';
import { Interrupted, UnprintedResult, UnwrittenResult } from './ended-run.ts';
import { CliError, type ExitCode } from './exit.ts';

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof Interrupted) return error.signal === 'SIGINT' ? 130 : 143;
  if (error instanceof UnwrittenResult) return error.exitCode;
  // Where something was stored, `report.ts` makes it exit 15.
  if (error instanceof UnprintedResult) return exitCodeOf(error.cause);
  if (error instanceof CarStorageError && error.code === 'operation_missing')
    return exitCodeOfCode(error.code);
  if (error instanceof ApiError) return exitCodeOfAnswer(error.status, error.code);
  // The status of a gateway's page tells what went wrong; any other page comes from another service.
  if (error instanceof ProtocolError && isFailure(error)) return exitCodeOfStatus(error.status);
  if (error instanceof CarStorageError) return exitCodeOfCode(error.code);
  // Ctrl-C in a prompt: inquirer reads the key itself, so there is no signal.
  if (error instanceof Error && error.name === 'ExitPromptError') return 130;
  return 1;
}

function exitCodeOfCode(code: string): ExitCode {
  const info = codeInfo(code);
  return info ? exitCodesOf(info)[0] : 1;
}

/** Servers of other interfaces answer unknown paths with these, so most likely the address is wrong. */
const unknownPath: ReadonlySet<number> = new Set([404, 405, 410]);
/** Whether an answer outside of this interface still tells that the server, or a gateway in front of it, refused the request or failed. */
export const isFailure = ({ status, code }: ProtocolError): boolean =>
  code !== 'answer_too_large' &&
  code !== 'operation_missing' &&
  status >= 400 &&
  !unknownPath.has(status);

/** By status, since a server may choose its own codes. 422 is a conflict or invalid input, which only the code tells apart. */
export function exitCodeOfAnswer(status: number, code: string): ExitCode {
  return status === 422 && isServiceCode(code) && codes[code].exit === 7
    ? 7
    : exitCodeOfStatus(status);
}
