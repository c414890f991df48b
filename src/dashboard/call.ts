/** Requests to the service, with the session's cookie. */
import type { Issue, ProblemBody } from '../contract/problems.ts';
import { signInAgain } from './sign-in-again.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An answer that isn't a success, or none at all (`unreachable`). */
export class CallError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: unknown;

  constructor(
    message: string,
    { code, status = 0, details = null }: { code: string; status?: number; details?: unknown },
  ) {
    super(message);
    this.name = 'CallError';
    this.code = code;
    this.status = status;
    this.details = details;
  }

  /** How long the service asks to wait; 0 where it doesn't say. */
  get retryAfterMs(): number {
    const { retryAfter } = (this.details ?? {}) as { retryAfter?: unknown };
    return typeof retryAfter === 'number' && retryAfter > 0 ? Math.min(retryAfter, 3600) * 1000 : 0;
  }

  /** The sentence at a field of the form. */
  issueOf(field: string): string | undefined {
    const { issues } = (this.details ?? {}) as { issues?: readonly Issue[] };
    const isRefused = refusals.some(
      ([codes, fields]) => codes.test(this.code) && fields.includes(field),
    );
    return (
      issues?.find(({ path }) => path === field)?.message ??
      (isRefused ? this.message.replace(/\.$/, '') : undefined)
    );
  }
}

/** Refusals that are about a field. */
const refusals: readonly (readonly [codes: RegExp, fields: readonly string[]])[] = [
  [/^parking_(spot|zone|inactive|required|not)/, ['parkingSpotId', 'parkingZoneId']],
  [/^occurred_at/, ['occurredAt', 'startedAt']],
  [/^(session_mismatch|invalid_transition)$/, ['appointmentId', 'startAt']],
  [/^event_type/, ['activityType']],
];

export interface CallOptions {
  readonly body?: object | undefined;
  /** A repeat with the same key makes nothing twice. */
  readonly idempotencyKey?: string | undefined;
  /** The place where the car must be; `none` for nowhere. */
  readonly ifParkedIn?: string | undefined;
  /** Without a session it fails: nobody signs in to sign out. */
  readonly isSignOut?: boolean;
}

/** A reading over a dead connection would wait for minutes, and later ones for it. */
const readMs = 15_000;

/**
 * The answer's JSON. Without a session the form to sign in replaces the page, and the request goes on after it: what was typed stays.
 * @throws CallError
 */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const { body, idempotencyKey, ifParkedIn, isSignOut } = options;
  const hasBody = method !== 'GET';
  const send = () =>
    fetch(`/dashboard/${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...(ifParkedIn && { 'if-parked-in': ifParkedIn }),
      },
      ...(hasBody && { body: JSON.stringify(body ?? {}) }),
      credentials: 'same-origin',
      // Goes on when the page is left.
      keepalive: method === 'DELETE',
      cache: 'no-store',
      ...(!hasBody && { signal: AbortSignal.timeout(readMs) }),
    });
  for (;;) {
    let response: Response;
    let answer: unknown;
    try {
      response = await send();
      answer = await response.json();
    } catch (error) {
      if (error instanceof SyntaxError)
        throw new CallError('The answer is not from this service. Is a proxy in between?', {
          code: 'no_json',
        });
      throw new CallError(
        "The service can't be reached. Nothing is lost: try again when it is back.",
        { code: 'unreachable' },
      );
    }
    if (response.ok) return answer as T;
    const problem = problemOf(response.status, answer);
    if (problem.code !== 'sign_in_required' || isSignOut) throw problem;
    await signInAgain(problem.details);
  }
}

function problemOf(status: number, answer: unknown): CallError {
  const { error, code, details } = (answer ?? {}) as Partial<ProblemBody>;
  const message = typeof error === 'string' ? error : `The service answered ${status}`;
  return new CallError(`${message.replace(/\.$/, '')}.`, {
    code: typeof code === 'string' ? code : 'unknown',
    status,
    details,
  });
}

/** `randomUUID` is missing over plain http. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
