/**
 * What the server says of its own state, at `/readyz`. The specification has no such address, so a server without one is as good as any.
 */
import type { Client } from '../../../client/client.ts';
import { ApiError, CarStorageError } from '../../../client/errors.ts';
import { isObject } from '../../input/plain-object.ts';
import { type Finding, ok, problemOf, skipped, warning } from './finding.ts';

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
