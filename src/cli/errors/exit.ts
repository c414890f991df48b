/** The one module that maps what went wrong to an exit code. */
import { ApiError, NetworkError, ProtocolError, UnsteadyListError, UsageError } from '../../client/errors.ts';
import { Interrupted, UnprintedResult, UnwrittenResult } from '../terminal/io.ts';
import { PhotoFileError } from './photo-file.ts';

/** Every exit code with its meaning, as `cs help exit-codes` prints it. */
export const exitCodes = {
  0: 'done, also an empty list',
  1: 'a bug, or something unexpected',
  2: 'usage: an unknown command or flag, a missing value, a configuration that cannot be read',
  3: 'validation refused, here or by the server (422, and whatever else it refuses as it stands)',
  4: 'not signed in, or the key is refused (401)',
  5: 'not allowed (403)',
  6: 'not found (404)',
  7: 'conflict: another record, or the present state of this one, stands in the way',
  8: 'rate limited, after all waits (429)',
  9: 'network, TLS, timeout, or an answer that is not of this service',
  10: 'server error (5xx)',
  11: 'partial: some items failed, listed in the result',
  12: 'change or drift found, when asked for',
  13: 'the person declined',
  14: 'ambiguous name',
  15: 'stored, but the result could not be printed: do not run it again',
  130: 'stopped by SIGINT (Ctrl-C)',
  143: 'stopped by SIGTERM, SIGHUP or SIGBREAK',
} as const;

export type ExitCode = keyof typeof exitCodes;

/** A failure that a command found itself. `message` says what and why, `hint` what to do next. */
export class CliError extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;
  readonly details: unknown;

  constructor(failure: { code: string; message: string; exitCode: ExitCode; hint?: string; details?: unknown; cause?: unknown }) {
    super(failure.message, { cause: failure.cause });
    this.name = 'CliError';
    this.code = failure.code;
    this.exitCode = failure.exitCode;
    this.hint = failure.hint;
    this.details = failure.details ?? null;
  }
}

/** The command line cannot be understood, or lacks what only a person could be asked for. Exit 2. */
export const usage = (message: string, hint: string): CliError => new CliError({ code: 'usage', message, hint, exitCode: 2 });

/** A question was answered with no. Exit 13. */
export const declined = (message = 'Nothing was changed.'): CliError => new CliError({ code: 'declined', message, exitCode: 13 });

/** 422 codes that are no fault of the input: it would have been accepted had the records stood otherwise. */
const conflicts = new Set([
  'duplicate',
  'resource_in_use',
  'parking_spot_occupied',
  'parking_zone_full',
  'parking_inactive',
  'not_parked',
  'occurred_at_conflict',
  'invalid_transition',
  'event_type_inactive',
  'car_archived',
  'car_parked',
  'location_inactive',
  'session_closed',
  'form_closed',
  'event_full',
  'rsvp_closed',
  'campaign_locked',
  'idempotency_key_reused',
]);

/** Every other 4xx is a request that was refused as it stood. */
const byStatus: Readonly<Record<number, ExitCode>> = {
  401: 4,
  402: 5,
  403: 5,
  404: 6,
  // Of a proxy on the way, which is a matter of the network.
  407: 9,
  408: 9,
  409: 7,
  410: 6,
  412: 7,
  423: 7,
  429: 8,
  451: 5,
};

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof Interrupted) return error.signal === 'SIGINT' ? 130 : 143;
  if (error instanceof UnwrittenResult) return error.exitCode;
  // Where something was stored, `failure.ts` makes it exit 15.
  if (error instanceof UnprintedResult) return exitCodeOf(error.cause);
  if (error instanceof ApiError) return codeOfAnswer(error.status, error.code);
  if (error instanceof NetworkError || error instanceof UnsteadyListError) return 9;
  if (error instanceof UsageError) return error.code === 'invalid_key' ? 4 : 2;
  if (error instanceof PhotoFileError) return 3;
  // A gateway's page says by its status what it means; any other answer is not of this service.
  if (error instanceof ProtocolError) return isFailure(error) ? codeOfAnswer(error.status, error.code) : 9;
  // Ctrl-C while a question waits: the prompt reads the key itself, so no signal comes.
  if (error instanceof Error && error.name === 'ExitPromptError') return 130;
  return 1;
}

/** What any other server answers when it is asked for a path of this interface: most likely the address is wrong. */
const elsewhere: ReadonlySet<number> = new Set([404, 405, 410]);
/** An answer that is not of this interface, and yet tells that a server, or a gateway in front of it, refused the request or could not do it. */
export const isFailure = ({ status, code }: ProtocolError): boolean =>
  code !== 'answer_too_large' && status >= 400 && !elsewhere.has(status);

/** The exit code of an answer, or of what is refused here because the service would answer it. */
export function codeOfAnswer(status: number, code: string): ExitCode {
  if (status >= 500) return 10;
  if (status === 422 && conflicts.has(code)) return 7;
  return byStatus[status] ?? (status >= 400 ? 3 : 1);
}
