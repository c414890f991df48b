import { CliError, type ErrorCode } from '../../errors/exit.ts';
import { isObject } from '../../input/plain-object.ts';
import { localTime } from '../../input/when.ts';

/** The error for a request that is refused before it is sent, with the code that the service would answer. */
export function refusal(code: ErrorCode, message: string, hint: string, details?: unknown): CliError {
  return new CliError({ code, message: `${message} Nothing was stored.`, hint, details });
}

/** `: pick_up at 2026-03-01 14:30 with the key Counter 2`, as far as the details of a refusal tell. */
export function causeOf(change: unknown): string {
  if (!isObject(change) || typeof change.at !== 'string') return '';
  const what = change.activityType ?? change.kind;
  const by = typeof change.key === 'string' ? ` with the key ${change.key}` : '';
  return typeof what === 'string' ? `: ${what} at ${localTime(change.at)}${by}` : '';
}
