/** The checks that ask the server: its address, its answer, its state, its clock, and the key. */
import { type Address, parseAddress } from '../../../client/address.ts';
import type { Client } from '../../../client/client.ts';
import { proxiesFor, withoutPassword } from '../../../client/connection.ts';
import { ApiError, CarStorageError, NetworkError, ProtocolError } from '../../../client/errors.ts';
import { scopes } from '../../../contract/scopes.ts';
import { keyPrefix } from '../../config/describe-key.ts';
import { isObject } from '../../input/plain-object.ts';
import { localTime } from '../../input/when.ts';
import type { Io } from '../../terminal/io.ts';
import type { Identity } from '../connection/identity.ts';
import {
  describeSkew,
  expiryWarningMs,
  formatDuration,
  maxSkewMs,
  type ServerClock,
} from '../connection/server-clock.ts';
import { errorFinding, note, ok, problem, skipped, warning } from './finding.ts';
import type { Finding } from './shape.ts';

/** Without an address where no request can be sent. `proxy`: its address without a password. */
export function checkAddress(
  io: Io,
  baseUrl: string,
  allowInsecureHttp: boolean,
): { findings: Finding[]; address?: Address; proxy?: string | undefined } {
  const address = parseAddress(baseUrl);
  const set = proxiesFor({ address, env: io.env }).proxy;
  const proxy = set && withoutPassword(set);
  const proxyFinding = ok('proxy', proxy === undefined ? 'none' : `${proxy}, from the environment`);
  if (address.encrypted || address.loopback || allowInsecureHttp)
    return { findings: [ok('address', address.origin), proxyFinding], address, proxy };
  const refused = problem(
    'address',
    `${address.origin} isn't encrypted, so cs sends no key there`,
    { exitCode: 9, hint: 'use https, or allow it with --allow-insecure-http' },
  );
  return { findings: [refused, proxyFinding] };
}

/** For plain http: loopback, or allowed with --allow-insecure-http. */
export const unencryptedFinding = ({ loopback }: Address): Finding =>
  loopback
    ? ok('certificate', 'not needed: the server is on this machine')
    : warning('certificate', 'none: the key travels unencrypted (--allow-insecure-http)', {
        hint: 'use https if the server supports it',
      });

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
  }: { lastResponseMs: () => number; certificateReported: boolean },
): Promise<ServerCheck> {
  const name = 'server';
  const answered = () => ok(name, `answered in ${lastResponseMs()} ms`);
  try {
    const { body } = await client.transport.request({
      method: 'GET',
      path: '/openapi.json',
      anonymous: true,
    });
    return { finding: answered(), reachable: true, description: body };
  } catch (error) {
    if (error instanceof NetworkError && error.code === 'tls_failed' && certificateReported)
      return { finding: skipped(name, 'skipped (its certificate is refused)'), reachable: false };
    const isAnswer = error instanceof ApiError || error instanceof ProtocolError;
    if (!isAnswer || error.status >= 500 || error.status === 429)
      return { finding: errorFinding(name, error, client.transport.baseUrl), reachable: false };
    if (error instanceof ApiError || error.status >= 400)
      return { finding: answered(), reachable: true };
    // An HTML page or a redirect: either no API description, or another kind of server. The check of the key shows which.
    const found = `answered in ${lastResponseMs()} ms, but not like a car storage service`;
    return {
      finding: warning(name, found, { hint: 'check the address with --base-url' }),
      reachable: true,
    };
  }
}

/** From `/readyz`, which the specification doesn't have: a server without it is fine. */
export async function checkReadiness(client: Client): Promise<Finding> {
  const name = 'readiness';
  const notReported = skipped(name, "the server doesn't report its readiness");
  const request = { method: 'GET', path: '/readyz', outsideInterface: true } as const;
  let body: unknown;
  try {
    ({ body } = await client.transport.request(request));
  } catch (error) {
    if (!(error instanceof CarStorageError)) throw error;
    // An error in the form of the API comes from the service; a page comes from a gateway.
    return error instanceof ApiError && error.status === 503
      ? errorFinding(name, error, client.transport.baseUrl)
      : notReported;
  }
  if (!isObject(body) || body.status !== 'ready') return notReported;
  const lines = (Array.isArray(body.warnings) ? body.warnings : [])
    .map((one) => (isObject(one) ? (one.message ?? one.code) : one))
    .filter((text) => typeof text === 'string');
  return lines.length > 0
    ? warning(name, 'the server is ready, with a warning', {
        lines,
        hint: 'tell the operator of the server',
      })
    : ok(name, 'the server is ready');
}

export function checkClock(clock: ServerClock | undefined): Finding {
  const name = 'clock';
  if (!clock) return skipped(name, "the server doesn't report its time");
  const found = `the server is ${describeSkew(clock)}`;
  return Math.abs(clock.skewMs) > maxSkewMs
    ? warning(name, found, {
        hint: "correct this machine's clock, or tell the operator: the service refuses times in its future",
      })
    : ok(name, found);
}

export function acceptedKey(
  { team, keyName, expiresAt }: Partial<Identity>,
  key: string,
  now: Date,
): Finding {
  const owner = [keyName, keyPrefix(key), team && `team ${team.name}`].filter(Boolean).join(' ');
  const left = typeof expiresAt === 'string' ? Date.parse(expiresAt) - now.getTime() : Number.NaN;
  if (left < expiryWarningMs)
    return warning('key', `accepted, ${owner}; expires in ${formatDuration(Math.max(0, left))}`, {
      hint: 'ask for a new one and sign in with `cs auth login`',
    });
  const expiry = typeof expiresAt === 'string' ? `, until ${localTime(expiresAt)}` : '';
  return ok('key', `accepted, ${owner}${expiry}`);
}

export function checkScopes(identity: Identity | undefined): Finding {
  const name = 'scopes';
  if (!identity)
    return note(name, "the server doesn't report the scopes of a key", {
      unknown: 'which scopes the key has',
    });
  const held = identity.scopes;
  const missing = scopes.filter((scope) => !held.includes(scope));
  return missing.length === 0
    ? ok(name, 'all')
    : note(name, `${held.length} of ${scopes.length}`, {
        lines: [`missing: ${missing.join(', ')}`],
        hint: 'ask the operator for a key with more scopes (`cs admin key create`)',
      });
}
