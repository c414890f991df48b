import { ApiError } from '../../../client/errors.ts';
import { CliError, type ErrorCode, type Names } from '../../errors/exit.ts';
import { reportOf, wrapFailure } from '../../errors/report.ts';
import { isObject } from '../../input/plain-object.ts';
import { localMoment } from '../../input/when.ts';

interface Told {
  readonly details?: unknown;
  readonly names?: Names;
  /** The answer of the server that it is about. */
  readonly cause?: unknown;
}

/** The error for a request that is refused before it is sent, with the code that the service would answer. */
export function refusal(
  code: ErrorCode,
  message: string,
  hint: string,
  { details, names, cause }: Told = {},
): CliError {
  return new CliError({
    code,
    message: `${message} Nothing was stored.`,
    hint,
    details,
    names,
    cause,
  });
}

/** `: pick_up at 2026-03-01 14:30:05 with the key Counter 2`, as far as the details of a refusal tell. */
export function causeOf(change: unknown): string {
  if (!isObject(change) || typeof change.at !== 'string') return '';
  const what = change.activityType ?? change.kind;
  const by = typeof change.key === 'string' ? ` with the key ${change.key}` : '';
  return typeof what === 'string' ? `: ${what} at ${localMoment(change.at)}${by}` : '';
}

/** The server's refusal of a time, in the time zone of this machine: its own words name times in UTC. Undefined for another error. */
export function asRefusedTime(error: unknown): CliError | undefined {
  if (!(error instanceof ApiError) || !isObject(error.details)) return undefined;
  const { at, latest, now } = error.details;
  const why =
    error.code === 'occurred_at_conflict' && typeof at === 'string' && typeof latest === 'string'
      ? `${localMoment(at)} is before the latest parking change of this car or spot, at ${localMoment(latest)}.`
      : error.code === 'occurred_at_in_future' && typeof at === 'string' && typeof now === 'string'
        ? `${localMoment(at)} is in the future: the server's time is ${localMoment(now)}.`
        : undefined;
  return why === undefined
    ? undefined
    : wrapFailure(error, {
        message: `${why} Nothing was stored.`,
        hint: reportOf(error).hint ?? '',
      });
}
