/** Whether the server reachable and is ready, and its clock. */
import type { Client } from '../../../client/client.ts';
import { ApiError, CarStorageError, NetworkError, ProtocolError } from '../../../client/errors.ts';
import { isObject } from '../../input/plain-object.ts';
import {
  describeSkew,
  formatDuration,
  maxSkewMs,
  type ServerClock,
} from '../connection/server-clock.ts';
import { errorFinding, ok, problem, skipped, warning } from './finding.ts';
import type { Finding } from './shape.ts';

export interface ServerCheck {
  readonly finding: Finding;
  /** Whether the other checks make sense. */
  readonly reachable: boolean;
  /** The server's API description, if it has one. */
  readonly description?: unknown;
}

/** Requests the API description, which needs no key. `certificateReported`: the refused certificate is in another finding. */
export async function checkServer(
  client: Client,
  {
    lastResponseMs,
    certificateReported,
    usesTls,
  }: {
    lastResponseMs: () => number;
    certificateReported: boolean;
    /** Whether an http address leads to a port with TLS. */
    usesTls: () => Promise<boolean>;
  },
): Promise<ServerCheck> {
  const name = 'server';
  try {
    const { body } = await client.transport.request({
      method: 'GET',
      path: '/openapi.json',
      anonymous: true,
    });
    return {
      finding: ok(name, `answered in ${lastResponseMs()} ms`),
      reachable: true,
      description: body,
    };
  } catch (error) {
    if (error instanceof NetworkError && error.code === 'tls_failed' && certificateReported)
      return { finding: skipped(name, 'skipped (its certificate is refused)'), reachable: false };
    const answered = error instanceof ApiError || error instanceof ProtocolError;
    // Servers only close a connection without TLS, or answer 400 with a page.
    const isCut = error instanceof NetworkError && error.code === 'connection_lost';
    if ((isCut || (error instanceof ProtocolError && error.status === 400)) && (await usesTls())) {
      const url = client.transport.baseUrl.replace(/^http:/, 'https:');
      const found = `couldn't reach ${client.transport.baseUrl}: the server uses TLS on this port`;
      return {
        finding: problem(name, found, 9, { hint: `use --base-url ${url}` }),
        reachable: false,
      };
    }
    if (!answered || error.status >= 500 || error.status === 429)
      return { finding: errorFinding(name, error, client.transport.baseUrl), reachable: false };
    if (error instanceof ApiError || error.status >= 400)
      return { finding: ok(name, `answered in ${lastResponseMs()} ms`), reachable: true };
    // An HTML page or a redirect: either no API description, or another kind of server. The check of the key shows which.
    const hint = 'check the address with --base-url';
    return {
      finding: warning(
        name,
        `answered in ${lastResponseMs()} ms, but not like a car storage service`,
        { hint },
      ),
      reachable: true,
    };
  }
}

/** `leadMs`: how far the server's clock is behind its latest change, if the server reports it. */
export function checkClock(clock: ServerClock | undefined, leadMs: number | undefined): Finding {
  const name = 'clock';
  const found = clock && `the server is ${describeSkew(clock)}`;
  const skewed = clock !== undefined && Math.abs(clock.skewMs) > maxSkewMs;
  const skewHint =
    "correct this machine's clock, or tell the operator: the service refuses times in its future";
  if (leadMs !== undefined) {
    const behind = `${formatDuration(leadMs)} behind its latest change`;
    return warning(name, found ? `${found}, and ${behind}` : `the server is ${behind}`, {
      lines: [
        'its clock was set back, or was wrong before; until it catches up, updatedAt is in the future',
      ],
      hint: skewed ? skewHint : 'tell the operator of the server to check its clock',
    });
  }
  if (found === undefined) return skipped(name, "the server doesn't report its time");
  return skewed ? warning(name, found, { hint: skewHint }) : ok(name, found);
}

/**
 * The server's own state, from `/readyz`. The specification doesn't have it, so a server without it is fine.
 */

export interface Readiness {
  readonly finding: Finding;
  /** How far the server's clock is behind its latest change; shown by the check `clock`. */
  readonly clockLeadMs?: number;
}

export async function checkReadiness(client: Client): Promise<Readiness> {
  const name = 'readiness';
  const notReported = { finding: skipped(name, "the server doesn't report its readiness") };
  const request = { method: 'GET', path: '/readyz', outsideInterface: true } as const;
  let body: unknown;
  try {
    ({ body } = await client.transport.request(request));
  } catch (error) {
    if (!(error instanceof CarStorageError)) throw error;
    // An error in the form of the API comes from the service; a page comes from a gateway.
    if (error instanceof ApiError && error.status === 503)
      return { finding: errorFinding(name, error, client.transport.baseUrl) };
    return notReported;
  }
  if (!isObject(body) || body.status !== 'ready') return notReported;
  const warnings = Array.isArray(body.warnings) ? body.warnings.filter(isObject) : [];
  const clockLead = warnings.find(({ code }) => code === clockCode)?.aheadMs;
  const lines = warnings
    .filter(({ code }) => code !== clockCode)
    .map(({ message, code }) => message ?? code)
    .filter((text) => typeof text === 'string');
  return {
    finding:
      lines.length > 0
        ? warning(name, 'the server is ready, with a warning', {
            lines,
            hint: 'tell the operator of the server',
          })
        : ok(name, 'the server is ready'),
    ...(isLead(clockLead) && { clockLeadMs: clockLead }),
  };
}

const clockCode = 'clock_was_ahead';
/** More than JavaScript's range of dates is nonsense. */
const maxLeadMs = 2 * 8.64e15;
const isLead = (ms: unknown): ms is number => typeof ms === 'number' && ms > 0 && ms <= maxLeadMs;
