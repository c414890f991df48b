/** The wire, over undici: one request out, one answer back, and whether the request may have left. */
import type { Dispatcher } from 'undici';
import type { Address } from './address.ts';
import { UsageError } from './errors.ts';
import { isProxyRefusal } from './failures.ts';

export interface ConnectionOptions {
  address: Address;
  /** Certificates, as PEM, that are trusted beside those that Node.js trusts. */
  ca?: string;
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case, are looked up. */
  env: Readonly<Record<string, string | undefined>>;
}

export interface WireRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string;
  /** Milliseconds without a byte after which the body of an answer is given up; 0 for never. */
  silenceMs: number;
  signal: AbortSignal;
}

export type WireAnswer = Pick<Dispatcher.ResponseData, 'headers' | 'body'> & { status: number };
/** `reached`: some of the request may have come to the server. False is certain, true is not. */
export type Sent = { answer: WireAnswer } | { error: unknown; reached: boolean };

export interface Connection {
  /** Of the server, such as `http://127.0.0.1:8787`. */
  readonly origin: string;
  readonly proxied: boolean;
  send(request: WireRequest): Promise<Sent>;
  /** Ends every connection; what is still under way fails. */
  close(): Promise<void>;
}

/** @throws UsageError `invalid_ca` or `invalid_proxy`, when the first request is sent */
export function openConnection(options: ConnectionOptions): Connection {
  const proxies = proxiesOf(options);
  let dispatcher: Promise<Dispatcher> | undefined;

  return {
    origin: options.address.origin,
    proxied: proxies !== undefined,
    async send(request) {
      dispatcher ??= createDispatcher(options, proxies);
      return exchange(await dispatcher, request);
    },
    async close() {
      // Where no dispatcher could be made there is nothing to end.
      const opened = await dispatcher?.catch(() => undefined);
      await opened?.destroy();
    },
  };
}

async function exchange(dispatcher: Dispatcher, request: WireRequest): Promise<Sent> {
  let reached = false;
  // undici starts a request when a connection stands, immediately before its first byte is written.
  const noticing = dispatcher.compose((dispatch) => (options, handler) => {
    const start = handler.onRequestStart;
    handler.onRequestStart = (controller, context) => {
      reached = !request.signal.aborted;
      start?.call(handler, controller, context);
    };
    return dispatch(options, handler);
  });
  try {
    const { statusCode, headers, body } = await orAborted(
      noticing.request({
        origin: request.url.origin,
        path: request.url.pathname + request.url.search,
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers,
        body: request.body,
        signal: request.signal,
        headersTimeout: 0,
        bodyTimeout: request.silenceMs,
      }),
      request.signal,
    );
    return { answer: { status: statusCode, headers, body } };
  } catch (error) {
    // A proxy that turns a request away has not passed it on.
    return { error, reached: reached && !isProxyRefusal(error) };
  }
}

/** undici looks at the signal only once it has a connection; a person who gives up should not wait for that. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    // Else a signal that outlives the request would keep its answer in memory.
    signal.removeEventListener('abort', stop);
  }
}

interface Proxies {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

function proxiesOf({ address, env }: ConnectionOptions): Proxies | undefined {
  // What is meant for this machine stays on it: a proxy elsewhere would be handed the key unencrypted, and could not reach it anyway.
  if (address.loopback) return undefined;
  const read = (name: string) => env[name] || env[name.toUpperCase()] || '';
  const httpProxy = withScheme(read('http_proxy'));
  const httpsProxy = withScheme(read('https_proxy'));
  return httpProxy || httpsProxy ? { httpProxy, httpsProxy, noProxy: read('no_proxy') } : undefined;
}

/** `proxy.example.com:3128` is how many people write it. */
const withScheme = (proxy: string) => (proxy === '' || proxy.includes('://') ? proxy : `http://${proxy}`);

async function createDispatcher({ address, ca }: ConnectionOptions, proxies: Proxies | undefined): Promise<Dispatcher> {
  // Loaded by the first request: a command that sends none shouldn't wait for it.
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  const tls = ca === undefined ? {} : { secureContext: await trusting(ca) };
  // With one request on a connection at a time it is known what a broken connection has interrupted.
  // The limit that failures.ts names, and the stable parser, whatever the environment says.
  const common = { allowH2: false, pipelining: 1, maxHeaderSize: 16 * 1024, useMilo: false };
  if (proxies === undefined) return new Agent({ ...common, connect: tls });
  try {
    return new EnvHttpProxyAgent({ ...common, ...proxies, connect: tls, ...(ca !== undefined && { requestTls: tls, proxyTls: tls }) });
  } catch (cause) {
    throw new UsageError(`the proxy set for ${address.origin} is not a URL; it should look like http://proxy.example.com:3128`, {
      code: 'invalid_proxy',
      cause,
    });
  }
}

async function trusting(ca: string) {
  const [{ X509Certificate }, { createSecureContext, getCACertificates }] = await Promise.all([import('node:crypto'), import('node:tls')]);
  try {
    const certificates = ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [''];
    // TLS itself passes over what it cannot read in silence, and then trusts less than was asked for.
    for (const certificate of certificates) new X509Certificate(certificate);
    return createSecureContext({ ca: [...getCACertificates('default'), ...certificates] });
  } catch (cause) {
    throw new UsageError('the certificates to trust cannot be read; they must be PEM text, which begins with -----BEGIN CERTIFICATE-----', {
      code: 'invalid_ca',
      cause,
    });
  }
}
