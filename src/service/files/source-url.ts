import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ApiProblem } from '../problem.ts';
import { tooLarge } from './file-kinds.ts';

const redirectLimit = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

export interface SourceOptions {
  /** Most bytes that are read; more is `photo_too_large`. */
  limit: number;
  /** For everything together: names, redirects, body. In milliseconds, 10,000 unless given. */
  timeoutMs?: number;
  /** Whether plain http is fetched too. */
  allowHttp?: boolean;
  /** For tests and demonstrations: loopback and private addresses that are fetched from; `true` for all of them. */
  allowPrivate?: boolean | readonly string[];
  /** Ports that are dialled; 80 and 443 unless given. */
  ports?: readonly number[];
  /** The addresses of a host name; asks DNS unless given. */
  lookup?: (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Certificate authorities in PEM; the well-known ones unless given. */
  ca?: string;
}

/**
 * Fetches the bytes behind a `sourceUrl` as a stranger on the public internet would see them, so that nobody reads
 * the service's own network through it. Every hop is checked in full and dials only addresses that were checked.
 * Throws `source_url_blocked` for an address whose text alone says that it is never fetched, `photo_too_large`, and `source_url_failed`
 * for all that is found out by asking: in the same words whatever happened, or callers could find out which names exist in the network.
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

/** Throws `Blocked` for a target that is never dialled, as its text shows. */
function checkText(target: URL, options: SourceOptions): void {
  if (target.protocol !== 'https:' && !(options.allowHttp && target.protocol === 'http:')) {
    throw new Blocked(options.allowHttp ? 'must start with https:// or http://' : 'must start with https://');
  }
  if (target.username || target.password) throw new Blocked('must not carry a user name or password');
  const port = target.port === '' ? (target.protocol === 'https:' ? 443 : 80) : Number(target.port);
  if (!(options.ports ?? [80, 443]).includes(port)) throw new Blocked('must not name a port other than 80 and 443');
  const addresses = writtenAddresses(target) ?? [];
  if (!addresses.every((address) => mayDial(address, options.allowPrivate))) throw new Blocked('must lead to a public address');
}

/** Where a redirect leads is an answer of a server, which is not told. */
function checkRedirect(target: URL, options: SourceOptions): void {
  try {
    checkText(target, options);
  } catch (error) {
    throw new Error(`redirect: ${(error as Error).message}`, { cause: error });
  }
}

/** The addresses that may be dialled for a target, all of them checked. */
async function findAddresses(target: URL, options: SourceOptions, signal: AbortSignal): Promise<readonly string[]> {
  const addresses = writtenAddresses(target) ?? (await (options.lookup ?? lookUp)(target.hostname, signal));
  signal.throwIfAborted();
  if (addresses.length === 0) throw new Error('no address');
  // One bad address is enough: which of them is dialled is not for the owner of the name to decide.
  if (!addresses.every((address) => mayDial(address, options.allowPrivate))) throw new Error('leads to an address that is not public');
  return addresses;
}

/** The addresses that the text of a target names without a lookup. URL has already turned 0x7f.1, 2130706433 and the like into the usual form. */
function writtenAddresses({ hostname }: URL): string[] | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return [host];
  // Never a question for DNS (RFC 6761).
  return /(^|\.)localhost\.?$/.test(host) ? ['127.0.0.1', '::1'] : undefined;
}

function mayDial(address: string, allowPrivate: SourceOptions['allowPrivate']): boolean {
  if (isPublic(address)) return true;
  return isPrivate(address) && (allowPrivate === true || (Array.isArray(allowPrivate) && allowPrivate.includes(address)));
}

/**
 * Asks DNS itself, not the system's `getaddrinfo`: that one holds a thread of the pool which file access needs too,
 * and cannot be stopped, so a few slow name servers could keep the service from storing anything.
 */
async function lookUp(hostname: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return found.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** One request over a connection of its own: the bytes, or where it is sent on to. */
async function ask(target: URL, addresses: readonly string[], options: SourceOptions, signal: AbortSignal): Promise<Uint8Array | URL> {
  const { Agent, request } = await import('undici');
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  // An Agent of our own takes no notice of proxies in the environment; this one knows no other names than those checked.
  const dispatcher = new Agent({
    allowH2: false,
    connect: { ca: options.ca, autoSelectFamily: true, lookup: (_host, _options, found) => found(null, pinned) },
  });
  try {
    const response = await request(target, {
      dispatcher,
      signal,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'car-storage' },
    });
    const { location, 'content-encoding': encoding } = response.headers;
    if (redirects.has(response.statusCode) && typeof location === 'string') return new URL(location, target);
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    // Asked for without one: unpacking is where a few bytes become many.
    if (encoding !== undefined && encoding !== 'identity') throw new Error('encoded');
    return await readUpTo(options.limit, response.body, Number(response.headers['content-length'] ?? 0));
  } finally {
    await dispatcher.destroy();
  }
}

/** Counts what arrives: what was announced is a claim, good only for refusing at once. */
async function readUpTo(limit: number, body: AsyncIterable<Uint8Array>, announced: number): Promise<Uint8Array> {
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

/** What a target breaks, as a rule that it `must` keep. */
class Blocked extends Error {}

/** With what the answer does not tell and the log does: where it came to an end, and why. */
export class SourceUrlProblem extends ApiProblem {
  readonly attempt: { readonly url: string | undefined; readonly cause: string };

  constructor(code: 'source_url_blocked' | 'source_url_failed', message: string, cause: unknown, target: URL | undefined) {
    super(code, message, { field: 'sourceUrl' });
    this.cause = cause;
    this.attempt = { url: target && withoutSecrets(target), cause: reasonOf(cause) };
  }
}

function blocked(cause: Blocked, target: URL | undefined): ApiProblem {
  const message = `The service does not fetch from that address: sourceUrl ${cause.message}`;
  return new SourceUrlProblem('source_url_blocked', message, cause, target);
}

function failed(cause: unknown, target: URL | undefined): ApiProblem {
  const message =
    'The bytes could not be fetched from sourceUrl. It must answer anyone with 200 and just them, within 10 seconds and 3 redirects; or send them in base64';
  return new SourceUrlProblem('source_url_failed', message, cause, target);
}

/** Signed addresses carry what opens them in their query, and others in a user name. Of a data: address nothing but its kind is left. */
function withoutSecrets({ protocol, host, pathname }: URL): string {
  return host ? `${protocol}//${host}${pathname}` : protocol;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  return [code, cause.message].filter((part) => part && part !== 'Error').join(': ');
}

/** The part of IPv6 from which public addresses are given out; ipaddr.js calls everything that it has no name for unicast. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is reachable by everyone and by no one in particular: global unicast.
 * Every special range is out: this host, private, link-local (cloud metadata), shared, documentation, benchmarking, multicast,
 * reserved. So are the IPv6 forms that carry an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo), whichever it is:
 * a relay could take them anywhere. `address` is an IP literal without brackets; text that is none is not public.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(publicIpv6);
}

/** Whether an address is of this machine or of a private network, the only ones that a test or a demonstration opens up. */
export function isPrivate(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.parse(address).range());
}
