/**
 * When to retry, and after how long. Pure functions: clock and random number are arguments.
 * All of it is our decision; the specification mentions neither rate limits nor retries.
 */
import { ApiError, type CarStorageError, NetworkError, ProtocolError } from './errors.ts';

const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
const firstDelay = 500;
const longestDelay = 8_000;
/** The longest wait that a server can ask for, in seconds. */
export const longestRetryAfter = 60;

/** `if_idempotent`: only where the server recognises a repeat, since the first try may have been carried out. */
export type MayRetry = 'no' | 'yes' | 'if_idempotent';

/** Whether a failed request may be retried. A POST is assumed to carry its Idempotency-Key. */
export function mayRetry(method: string, error: CarStorageError): MayRetry {
  if (!isTemporary(error)) return 'no';
  return method === 'POST' && error.unknownOutcome ? 'if_idempotent' : 'yes';
}

function isTemporary(error: CarStorageError): boolean {
  // An untrusted certificate stays untrusted.
  if (error instanceof NetworkError)
    return error.code !== 'tls_failed' && error.code !== 'unsafe_address';
  // An endless answer would only be read up to the limit again.
  if (error.code === 'answer_too_large') return false;
  return (
    (error instanceof ApiError || error instanceof ProtocolError) &&
    retriedStatuses.has(error.status)
  );
}

/**
 * Whether a write with this status may still have been carried out. Not after 429, nor after 503 with a Retry-After: the server
 * refused on purpose, while gateways also send a bare 503 after a connection behind them broke. Nor after 501 and 507. Some gateways use
 * 408 in place of 504.
 */
export function isAmbiguous(status: number, retryAfter: number | undefined): boolean {
  if (status === 503) return retryAfter === undefined;
  return status === 408 || (status >= 500 && status !== 501 && status !== 507);
}

/**
 * Whether a refusal also proves that an earlier try of the same call wasn't carried out. A POST is only retried where the server
 * knows the Idempotency-Key: there, an earlier success would have been repeated instead of refused. 401 and 403 come before that key is
 * checked. For PATCH and DELETE nothing remembers the first try: a 404 may be its success.
 */
export const rulesOutEarlierTry = (method: string, status: number): boolean =>
  method === 'POST' && status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);

/**
 * Milliseconds to wait after failed try number `attempt` (from 1): random up to a bound that doubles each time, so that many clients
 * don't return together. A wait requested by the server gets up to one first delay on top.
 */
export function delayAfter(
  attempt: number,
  { retryAfter, random }: { retryAfter?: number | undefined; random: () => number },
): number {
  const ms =
    retryAfter === undefined
      ? random() * Math.min(longestDelay, firstDelay * 2 ** (attempt - 1))
      : Math.min(retryAfter, longestRetryAfter) * 1000 + random() * firstDelay;
  return Math.round(ms);
}

/** Seconds from now in a Retry-After header, a number or a date; nothing for other text. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  // Only HTTP's date format: Date.parse would read "-5" as a year.
  const date = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
