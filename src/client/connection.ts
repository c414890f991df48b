/** One request and its answer over undici, and whether the request may have reached the server. */
import type { Dispatcher } from 'undici';
import type { Address } from './address.ts';
import { UsageError } from './errors.ts';
import { isProxyRefusal } from './failures.ts';

export interface ConnectionOptions {
  address: Address;
  /** Additional trusted certificates, as PEM. */
  ca?: string | undefined;
  /** The environment with HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in upper or lower case. */
  env: Readonly<Record<string, string | undefined>>;
}

export interface WireRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
  /** Idle timeout of an answer's body, in milliseconds; 0 switches it off. */
  silenceMs: number;
  signal: AbortSignal;
}

/** The headers of an answer. Names in lower case; a repeated header is a list. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

// Without types of undici: programs see these types, and undici is bundled, not installed.
export interface WireAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: AsyncIterable<Uint8Array>;
  /** Whether a compressed body was unpacked on the way. */
  readonly isUnpacked?: boolean;
  /** Drops the body without reading it, and frees the connection. */
  discard(): Promise<void>;
}
/** `reached`: part of the request may have reached the server. False is certain. */
export type Sent = { answer: WireAnswer } | { error: unknown; reached: boolean };

export interface Connection {
  /** The server's origin, such as `http://127.0.0.1:8787`. */
  readonly origin: string;
  /** The proxy that is set for it, without a password. Undefined where NO_PROXY has hosts, which may leave it out. */
  readonly proxy: string | undefined;
  send(request: WireRequest): Promise<Sent>;
  /** Closes every connection; open requests fail. */
  close(): Promise<void>;
}

/** @throws UsageError `invalid_ca` or `invalid_proxy`, at the first request */
export function openConnection(options: ConnectionOptions): Connection {
  const { noProxy, proxy } = proxiesFor(options);
  let dispatcher: Promise<Dispatcher> | undefined;
  return {
    origin: options.address.origin,
    proxy: noProxy === '' ? proxy && withoutPassword(proxy) : undefined,
    async send(request) {
      dispatcher ??= createDispatcher(options);
      return exchange(await dispatcher, request);
    },
    async close() {
      // Without a dispatcher there is nothing to close.
      const opened = await dispatcher?.catch(() => undefined);
      await opened?.destroy();
    },
  };
}

/** Requests to this machine bypass every proxy: it would get the key unencrypted, and couldn't reach this machine. */
export function proxiesFor({ address, env }: Pick<ConnectionOptions, 'address' | 'env'>) {
  const read = (name: string) =>
    (!address.loopback && (env[name] || env[name.toUpperCase()])) || '';
  // Many people write `proxy.example.com:3128`.
  const url = (text: string) => (text === '' || text.includes('://') ? text : `http://${text}`);
  const [httpProxy, httpsProxy] = [url(read('http_proxy')), url(read('https_proxy'))];
  const proxy = (address.encrypted && httpsProxy) || httpProxy || undefined;
  return { httpProxy, httpsProxy, noProxy: read('no_proxy'), proxy };
}

export function withoutPassword(proxy: string): string {
  const url = URL.parse(proxy);
  return url ? `${url.protocol}//${url.host}` : 'an invalid URL';
}

async function exchange(dispatcher: Dispatcher, request: WireRequest): Promise<Sent> {
  let reached = false;
  // undici starts a request on an open connection, right before it writes the first byte.
  const observed = dispatcher.compose((dispatch) => (options, handler) => {
    // undici's own wrapper, DecoratorHandler, is deprecated.
    const start = handler.onRequestStart;
    handler.onRequestStart = (controller, context) => {
      reached = !request.signal.aborted;
      start?.call(handler, controller, context);
    };
    return dispatch(options, handler);
  });
  try {
    const { statusCode, headers, body } = await orAborted(
      observed.request({
        origin: request.url.origin,
        path: request.url.pathname + request.url.search,
        method: request.method as Dispatcher.HttpMethod,
        headers: { 'accept-encoding': 'identity', ...request.headers },
        body: request.body,
        signal: request.signal,
        headersTimeout: 0,
        bodyTimeout: request.silenceMs,
      }),
      request.signal,
    );
    return { answer: { status: statusCode, headers, body, discard: () => body.dump() } };
  } catch (error) {
    // A proxy that refuses a request doesn't forward it.
    return { error, reached: reached && !isProxyRefusal(error) };
  }
}

/** undici checks the signal only after it has a connection; a person who cancels should not wait for that. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    // Otherwise a long-lived signal keeps the answer in memory.
    signal.removeEventListener('abort', stop);
  }
}

async function createDispatcher(options: ConnectionOptions): Promise<Dispatcher> {
  // Loaded by the first request, since many commands send none.
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  const { ca, address } = options;
  const tls = ca === undefined ? {} : { secureContext: await createTrust(ca) };
  // With one request per connection, a broken connection has interrupted exactly one request.
  // The limit that failures.ts names, and the stable parser, independent of the environment.
  const common = { allowH2: false, pipelining: 1, maxHeaderSize: 16 * 1024, useMilo: false };
  const { httpProxy, httpsProxy, noProxy } = proxiesFor(options);
  const base = { ...common, connect: tls };
  if (httpProxy === '' && httpsProxy === '') return new Agent(base);
  const trust = ca === undefined ? {} : { requestTls: tls, proxyTls: tls };
  try {
    const proxies = { httpProxy, httpsProxy, noProxy };
    return new EnvHttpProxyAgent({ ...base, ...trust, ...proxies });
  } catch (cause) {
    const text = `the proxy set for ${address.origin} isn't a URL; it should look like http://proxy.example.com:3128`;
    throw new UsageError(text, { code: 'invalid_proxy', cause });
  }
}

export const certificatesIn = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];

async function createTrust(ca: string) {
  const [{ X509Certificate }, { createSecureContext, getCACertificates }] = await Promise.all([
    import('node:crypto'),
    import('node:tls'),
  ]);
  try {
    const found = certificatesIn(ca);
    const certificates = found.length > 0 ? found : [''];
    // TLS silently skips unreadable certificates and would then trust fewer than requested.
    for (const certificate of certificates) new X509Certificate(certificate);
    return createSecureContext({ ca: [...getCACertificates('default'), ...certificates] });
  } catch (cause) {
    const text =
      "couldn't read the additional certificates; they must be PEM text, which starts with -----BEGIN CERTIFICATE-----";
    throw new UsageError(text, { code: 'invalid_ca', cause });
  }
}
