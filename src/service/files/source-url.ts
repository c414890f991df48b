import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ApiProblem } from '../problem.ts';
import { tooLarge } from './file-kinds.ts';

const redirectLimit = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

export interface SourceOptions {
  /** Largest download in bytes; more is `photo_too_large`. */
  limit: number;
  /** Timeout for everything: names, redirects, body. In milliseconds (default: 10,000). */
  timeoutMs?: number;
  /** Whether plain http is allowed. */
  allowHttp?: boolean;
  /** For tests and demos: allowed loopback and private addresses; `true` for all. */
  allowPrivate?: boolean | readonly string[];
  /** Allowed ports (default: 80 and 443). */
  ports?: readonly number[];
  /** Resolves a host name (default: DNS). */
  lookup?: (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Certificate authorities in PEM (default: the well-known ones). */
  ca?: string;
}

/**
 * Downloads a `sourceUrl` like a stranger on the public internet, so that nobody can read the service's own network through it
 * (SSRF). Every hop is checked, and only checked addresses are dialled. Throws `source_url_blocked` if the URL's text alone rules
 * it out, `photo_too_large`, and `source_url_failed` for everything that depends on the network, always in the same words: callers
 * must not be able to probe it.
 */
export async function fetchSource(url: string, options: SourceOptions): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? 10_000);
  let target: URL | undefined;
  try {
    target = new URL(url);
    checkText(target, options);
    for (let hop = 0; hop <= redirectLimit; hop++) {
      const addresses = await findAddresses(target, options, signal);
      const answer = await ask(target, addresses, options, signal);
      if (answer instanceof Uint8Array) return answer;
      target = answer;
      checkRedirect(target, options);
    }
    throw new Error('too many redirects');
  } catch (error) {
    if (error instanceof Blocked) throw blocked(error, target);
    if (error instanceof ApiProblem) throw error;
    throw failed(error, target);
  }
}

/** Throws `Blocked` if the URL's text alone rules it out. */
function checkText(target: URL, options: SourceOptions): void {
  if (target.protocol !== 'https:' && !(options.allowHttp && target.protocol === 'http:')) {
    throw new Blocked(
      options.allowHttp ? 'must start with https:// or http://' : 'must start with https://',
    );
  }
  if (target.username || target.password)
    throw new Blocked('must not contain a user name or password');
  const port = target.port === '' ? (target.protocol === 'https:' ? 443 : 80) : Number(target.port);
  if (!(options.ports ?? [80, 443]).includes(port)) throw new Blocked('must use port 80 or 443');
  const addresses = writtenAddresses(target) ?? [];
  if (!addresses.every((address) => mayDial(address, options.allowPrivate)))
    throw new Blocked('must lead to a public address');
}

/** A redirect's target is a server's answer, which the caller must not learn. */
function checkRedirect(target: URL, options: SourceOptions): void {
  try {
    checkText(target, options);
  } catch (error) {
    throw new Error(`redirect: ${(error as Error).message}`, { cause: error });
  }
}

/** The addresses of a target, all of them checked. */
async function findAddresses(
  target: URL,
  options: SourceOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const addresses =
    writtenAddresses(target) ?? (await (options.lookup ?? lookUp)(target.hostname, signal));
  signal.throwIfAborted();
  if (addresses.length === 0) throw new Error('no address');
  // One forbidden address is enough: the owner of the name must not choose which one is dialled.
  if (!addresses.every((address) => mayDial(address, options.allowPrivate)))
    throw new Error("leads to an address that isn't public");
  return addresses;
}

/** Addresses written in the URL itself. The URL parser has already normalised 0x7f.1, 2130706433 and the like. */
function writtenAddresses({ hostname }: URL): string[] | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return [host];
  // Never resolved by DNS (RFC 6761).
  return /(^|\.)localhost\.?$/.test(host) ? ['127.0.0.1', '::1'] : undefined;
}

function mayDial(address: string, allowPrivate: SourceOptions['allowPrivate']): boolean {
  if (isPublic(address)) return true;
  return (
    isPrivate(address) &&
    (allowPrivate === true || (Array.isArray(allowPrivate) && allowPrivate.includes(address)))
  );
}

/**
 * Queries DNS directly. `getaddrinfo` can't be cancelled and blocks a thread of the pool that file access uses, so a few slow name
 * servers could stop all uploads.
 */
async function lookUp(hostname: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const found = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    return found.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** One request over its own connection: the bytes, or the target of a redirect. */
async function ask(
  target: URL,
  addresses: readonly string[],
  options: SourceOptions,
  signal: AbortSignal,
): Promise<Uint8Array | URL> {
  const { Agent, request } = await import('undici');
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  // Ignores proxies in the environment, and resolves only to the checked addresses.
  const dispatcher = new Agent({
    allowH2: false,
    connect: {
      ca: options.ca,
      autoSelectFamily: true,
      lookup: (_host, _options, found) => found(null, pinned),
    },
  });
  try {
    const response = await request(target, {
      dispatcher,
      signal,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'car-storage' },
    });
    const { location, 'content-encoding': encoding } = response.headers;
    if (redirects.has(response.statusCode) && typeof location === 'string')
      return new URL(location, target);
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    // Not requested: decompression could turn a few bytes into many.
    if (encoding !== undefined && encoding !== 'identity') throw new Error('encoded');
    return await readUpTo(
      options.limit,
      response.body,
      Number(response.headers['content-length'] ?? 0),
    );
  } finally {
    await dispatcher.destroy();
  }
}

/** Counts the received bytes. The announced length is only used to refuse early. */
async function readUpTo(
  limit: number,
  body: AsyncIterable<Uint8Array>,
  announced: number,
): Promise<Uint8Array> {
  if (announced > limit) throw tooLarge(announced, limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw tooLarge(null, limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** A rule that the target breaks: `must …`. */
class Blocked extends Error {}

/** Carries what only the log may show: the URL where it ended, and the cause. */
export class SourceUrlProblem extends ApiProblem {
  readonly attempt: { readonly url: string | undefined; readonly cause: string };

  constructor(
    code: 'source_url_blocked' | 'source_url_failed',
    message: string,
    cause: unknown,
    target: URL | undefined,
  ) {
    super(code, message, { field: 'sourceUrl' });
    this.cause = cause;
    this.attempt = { url: target && withoutSecrets(target), cause: reasonOf(cause) };
  }
}

function blocked(cause: Blocked, target: URL | undefined): ApiProblem {
  const message = `The service doesn't download from this address: sourceUrl ${cause.message}`;
  return new SourceUrlProblem('source_url_blocked', message, cause, target);
}

function failed(cause: unknown, target: URL | undefined): ApiProblem {
  const message =
    "Couldn't download sourceUrl. It must answer everyone with 200 and the bytes alone, within 10 seconds and 3 redirects. Or send the bytes in base64";
  return new SourceUrlProblem('source_url_failed', message, cause, target);
}

/** Without query and user name, which can contain secrets. A data: URL is reduced to its scheme. */
function withoutSecrets({ protocol, host, pathname }: URL): string {
  return host ? `${protocol}//${host}${pathname}` : protocol;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  return [code, cause.message].filter((part) => part && part !== 'Error').join(': ');
}

/** The public part of IPv6. ipaddr.js calls every unnamed range unicast. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is global unicast. Excludes all special ranges: this host, private, link-local (cloud metadata), shared,
 * documentation, benchmarking, multicast, reserved. Also excludes IPv6 forms of IPv4 addresses (mapped, compatible, NAT64, 6to4,
 * Teredo), which a relay could send anywhere. Invalid text isn't public.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(publicIpv6);
}

/** Whether an address is loopback or private; tests and demos can allow these. */
export function isPrivate(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.parse(address).range());
}
