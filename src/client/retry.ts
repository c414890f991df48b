/**
 * When a request is sent again, and after how long. Pure functions: the clock and the dice are given.
 * All of it is our decision; the specification names neither rate limits nor retries.
 */
import { ApiError, type CarStorageError, NetworkError, ProtocolError } from './errors.ts';

const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
const firstDelay = 500;
const longestDelay = 8_000;
/** The longest wait, in seconds, that a server can ask for and get. */
export const longestRetryAfter = 60;

/** `if_idempotent`: only where a repeat is known to be recognised, since the first may have been carried out. */
export type Verdict = 'no' | 'yes' | 'if_idempotent';

/** Whether a request that failed may be sent again. A POST is taken to carry its Idempotency-Key. */
export function judge(method: string, error: CarStorageError): Verdict {
  if (!isPassing(error)) return 'no';
  return method === 'POST' && error.unknownOutcome ? 'if_idempotent' : 'yes';
}

function isPassing(error: CarStorageError): boolean {
  // A certificate that was refused is refused the next second, too.
  if (error instanceof NetworkError) return error.code !== 'tls_failed' && error.code !== 'unsafe_address';
  // Nor does a server that does not stop: it would only be read that far again.
  if (error.code === 'answer_too_large') return false;
  return (error instanceof ApiError || error instanceof ProtocolError) && retriedStatuses.has(error.status);
}

/**
 * Whether a write that was answered with this status may have been carried out all the same.
 * 429 says that it was not. So does 503 with a Retry-After: whoever names a time has turned the request away on purpose,
 * while gateways answer a bare 503 also when the connection behind them broke half way. 408 should mean that the request never
 * arrived in full, but some gateways use it where 504 belongs.
 */
export function isAmbiguous(status: number, retryAfter: number | undefined): boolean {
  if (status === 503) return retryAfter === undefined;
  return status === 408 || status >= 500;
}

/**
 * Whether a refusal also settles what became of an earlier try of the same call.
 * A POST is repeated after such a try only where its Idempotency-Key is known, and there a try that was carried out would have been
 * answered again instead of refused. 401 and 403 come before the key is looked at. For PATCH and DELETE nothing remembers the first
 * try: a 404 may well be its success.
 */
export function settles(method: string, status: number): boolean {
  return method === 'POST' && status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
}

/**
 * Milliseconds to wait after the failed try number `attempt` (from 1): anything from nothing to a bound that doubles each time,
 * so that many clients do not come back together. After the wait that a server asked for, up to one first delay is added.
 */
export function delayAfter(attempt: number, options: { retryAfter?: number; random: () => number }): number {
  if (options.retryAfter !== undefined) {
    return Math.round(Math.min(options.retryAfter, longestRetryAfter) * 1000 + options.random() * firstDelay);
  }
  return Math.round(options.random() * Math.min(longestDelay, firstDelay * 2 ** (attempt - 1)));
}

/** Seconds that a failed answer asked to wait. */
export const retryAfterOf = (error: CarStorageError) =>
  error instanceof ApiError || error instanceof ProtocolError ? error.retryAfter : undefined;

/** Seconds from now that a Retry-After header names, as a number or as a date; nothing when it is neither. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  // Only the form that HTTP prescribes: Date.parse would also read "-5" as a year.
  const date = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
