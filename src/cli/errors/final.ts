/** Whether a failed request can still succeed, or was refused for good. */
import { ApiError, CarStorageError, NetworkError, ProtocolError } from '../../client/errors.ts';
import { type ExitCode, isRefusal } from './codes.ts';
import { CliError } from './exit.ts';
import { reportOf } from './report.ts';

interface Failure {
  readonly code: string;
  readonly exitCode: ExitCode;
  /** It may have been carried out. */
  readonly unknownOutcome: boolean;
}

/** Codes of this machine, not of the server, with the exit code of a refusal. */
const ownTrouble: ReadonlySet<string> = new Set([
  'outcome_unknown',
  'state_unusable',
  'already_running',
]);

/**
 * Nothing was stored, and the same request would be refused again. After any other failure, another
 * try could store it.
 */
export const isFinal = ({ code, exitCode, unknownOutcome }: Failure): boolean =>
  !unknownOutcome && !ownTrouble.has(code) && (isRefusal(exitCode) || code === 'operation_missing');

/** The same of an error that was thrown. */
export const isFinalError = (error: unknown): boolean =>
  isFinal({ ...reportOf(error), unknownOutcome: isUncertain(error) });

/** Whether the request may have been carried out although it failed. */
export const isUncertain = (error: unknown): boolean =>
  error instanceof CliError
    ? isUncertain(error.cause)
    : error instanceof CarStorageError && error.unknownOutcome;

const lost: ReadonlySet<string> = new Set(['connection_failed', 'connection_lost', 'timeout']);

/**
 * Whether another try may succeed once the server is back: it can't be reached, or a gateway in
 * front of it says so.
 */
export function isServerAway(error: unknown): boolean {
  if (error instanceof NetworkError) return lost.has(error.code);
  return (error instanceof ApiError || error instanceof ProtocolError) && error.status >= 502;
}
