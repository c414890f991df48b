/** Which addresses the dashboard answers at, and which pages may write. */
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { ApiProblem } from '../problem.ts';

export interface AddressPolicy {
  /** Where people reach the service, such as https://garage.example; given where a proxy is in front of it. */
  readonly publicUrl?: URL;
  /** Passwords may travel unencrypted. */
  readonly allowInsecure?: boolean;
}

/** The origin that the browser sees. */
export function originOf(request: FastifyRequest, { publicUrl }: AddressPolicy): string {
  return publicUrl && request.host === publicUrl.host
    ? publicUrl.origin
    : `${request.protocol}://${request.host}`;
}

/** Whether a cookie may be kept to https. */
export const isEncrypted = (request: FastifyRequest, policy: AddressPolicy): boolean =>
  originOf(request, policy).startsWith('https:');

/**
 * 403 unless the way to the browser is encrypted, or doesn't leave this machine. The name of the host counts too: a page of another site
 * can point its own name at this machine.
 */
export function requireSafeAddress(request: FastifyRequest, policy: AddressPolicy): void {
  if (policy.allowInsecure || isEncrypted(request, policy)) return;
  if (isLoopback(request.hostname) && isLoopback(request.socket.remoteAddress ?? '')) return;
  throw new ApiProblem(
    'insecure_address',
    policy.publicUrl
      ? `The dashboard is at ${policy.publicUrl.origin}, and this request is for ${request.host}. ${passHost}`
      : `Passwords would travel unencrypted to ${request.host}. Reach the dashboard over https, and start the service with --public-url https://…; or open it on the machine itself`,
  );
}

const passHost = 'A proxy in front of the service must pass the Host header on as it came';

function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  if (address === 'localhost') return true;
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** 403 for a write that a page of another site may have sent. A browser says where a write comes from, one way or the other. */
export function requireSameOrigin(request: FastifyRequest, policy: AddressPolicy): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const refused = () =>
    new ApiProblem('origin_refused', 'The request comes from a page of another site');
  const { 'sec-fetch-site': site, origin, 'content-type': type = '' } = request.headers;
  // A form of another site can't send this type.
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new ApiProblem('unsupported_media_type', 'The body must be application/json');
  if (site !== undefined && site !== 'same-origin') throw refused();
  // Browsers leave Sec-Fetch-Site out over http to other machines.
  if (site === undefined && origin === undefined) throw refused();
  if (origin === undefined || origin === originOf(request, policy)) return;
  if (origin !== policy.publicUrl?.origin) throw refused();
  throw new ApiProblem(
    'origin_refused',
    `The page is at ${origin}, and this request is for ${request.host}. ${passHost}`,
  );
}
