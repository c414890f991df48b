/** Whether the server answers, how fast, what its clock says, and its interface description. */
import type { Client } from '../../../client/client.ts';
import { ApiError, CarStorageError, NetworkError, ProtocolError } from '../../../client/errors.ts';
import { isObject } from '../../input/plain-object.ts';
import { type ServerClock, skewText, spanText, toleratedSkewMs } from '../connection/server-clock.ts';
import { type Finding, ok, problemOf, skipped, warning } from './finding.ts';

export interface Reached {
  readonly finding: Finding;
  /** Whether going on makes sense. */
  readonly answers: boolean;
  /** The server's interface description, when it has one. */
  readonly description?: unknown;
}

/** Asks for the one thing that needs no key. `took`: milliseconds of the last try. `told`: a certificate that is refused has been told. */
export async function checkServer(client: Client, { took, told }: { took: () => number; told: boolean }): Promise<Reached> {
  const name = 'server';
  try {
    const { body } = await client.transport.request({ method: 'GET', path: '/openapi.json', anonymous: true });
    return { finding: ok(name, `answered in ${took()} ms`), answers: true, description: body };
  } catch (error) {
    if (error instanceof NetworkError && error.code === 'tls_failed' && told)
      return { finding: skipped(name, 'not asked: its certificate is refused'), answers: false };
    const answered = error instanceof ApiError || error instanceof ProtocolError;
    if (!answered || error.status >= 500 || error.status === 429)
      return { finding: problemOf(name, error, client.transport.baseUrl), answers: false };
    if (error instanceof ApiError || error.status >= 400) return { finding: ok(name, `answered in ${took()} ms`), answers: true };
    // A page, or another place: perhaps it has no description, perhaps it is no car storage service. The key will tell.
    const hint = 'check the address with --base-url';
    return { finding: warning(name, `answered in ${took()} ms, but not as a car storage service does`, { hint }), answers: true };
  }
}

/** `leadMs`: milliseconds that the server's clock is behind its latest change, where the server says so. */
export function checkClock(clock: ServerClock | undefined, leadMs: number | undefined): Finding {
  const name = 'clock';
  const found = clock && `the server is ${skewText(clock)}`;
  const skewed = clock !== undefined && Math.abs(clock.skewMs) > toleratedSkewMs;
  const skewHint = 'set the clock of this machine, or tell the operator: the service refuses times in its future';
  if (leadMs !== undefined) {
    const behind = `${spanText(leadMs)} behind its latest change`;
    return warning(name, found ? `${found}, and ${behind}` : `the server is ${behind}`, {
      lines: ['its clock was set back, or was wrong before; until it catches up, updatedAt is ahead of it'],
      hint: skewed ? skewHint : 'tell the operator of the server to check its clock',
    });
  }
  if (found === undefined) return skipped(name, 'the server does not tell its time');
  return skewed ? warning(name, found, { hint: skewHint }) : ok(name, found);
}

/**
 * What the server says of its own state, at `/readyz`. The specification has no such address, so a server without one is as good as any.
 */

export interface Readiness {
  readonly finding: Finding;
  /** Milliseconds that the server's clock is behind its latest change, where it is; told with the clock. */
  readonly clockLeadMs?: number;
}

export async function checkReadiness(client: Client): Promise<Readiness> {
  const name = 'readiness';
  const notTold = { finding: skipped(name, "the server doesn't tell whether it is ready") };
  const request = { method: 'GET', path: '/readyz', outsideInterface: true } as const;
  let body: unknown;
  try {
    ({ body } = await client.transport.request(request));
  } catch (error) {
    if (!(error instanceof CarStorageError)) throw error;
    // A refusal in the form of the interface is the service's own; a gateway's page is not.
    if (error instanceof ApiError && error.status === 503) return { finding: problemOf(name, error, client.transport.baseUrl) };
    return notTold;
  }
  if (!isObject(body) || body.status !== 'ready') return notTold;
  const warnings = Array.isArray(body.warnings) ? body.warnings.filter(isObject) : [];
  const clockLead = warnings.find(({ code }) => code === clockCode)?.aheadMs;
  const lines = warnings
    .filter(({ code }) => code !== clockCode)
    .map(({ message, code }) => message ?? code)
    .filter((said) => typeof said === 'string');
  return {
    finding:
      lines.length > 0
        ? warning(name, 'the server is ready, with a warning', { lines, hint: 'pass it on to the operator of the server' })
        : ok(name, 'the server is ready'),
    ...(isLead(clockLead) && { clockLeadMs: clockLead }),
  };
}

const clockCode = 'clock_was_ahead';
/** More than between any two dates that JavaScript knows is nonsense. */
const longestMs = 2 * 8.64e15;
const isLead = (ms: unknown): ms is number => typeof ms === 'number' && ms > 0 && ms <= longestMs;
