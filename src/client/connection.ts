/** One request and its answer over undici. */
import type { Dispatcher } from 'undici';
import type { Address } from './address.ts';
import { UsageError } from './errors.ts';

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
  body?: string | Uint8Array<ArrayBuffer> | undefined;
  /** Ends the request, and its answer while that is read. */
  signal: AbortSignal;
  /** Called before the first byte is sent. Without a call, nothing has reached the server. */
  onStart: () => void;
}

/** The headers of an answer. Names in lower case; a repeated header is a list. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

// Without types of undici: programs see these types, and undici is bundled, not installed.
export interface WireAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface Connection {
  /** The server's origin, such as `http://127.0.0.1:8787`. */
  readonly origin: string;
  /** The proxy that is set for it, without a password. Undefined where NO_PROXY has hosts, which may leave it out. */
  readonly proxy: string | undefined;
  send(request: WireRequest): Promise<WireAnswer>;
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
      await (await dispatcher?.catch(() => undefined))?.destroy();
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

async function exchange(
  dispatcher: Dispatcher,
  { method, url, headers, body, signal, onStart }: WireRequest,
): Promise<WireAnswer> {
  // undici starts a request on an open connection, right before it writes the first byte.
  const observed = dispatcher.compose((dispatch) => (options, handler) => {
    const start = handler.onRequestStart;
    handler.onRequestStart = (controller, context) => {
      if (!signal.aborted) onStart();
      start?.call(handler, controller, context);
    };
    return dispatch(options, handler);
  });
  const answer = observed.request({
    origin: url.origin,
    path: url.pathname + url.search,
    body,
    signal,
    method: method as Dispatcher.HttpMethod,
    // A body that a gateway compresses would damage a photo.
    headers: { 'accept-encoding': 'identity', ...headers },
    // The client has its own.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // undici checks the signal only after it has a connection; a person who cancels should not wait for that.
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const { statusCode, headers, body } = await Promise.race([answer, aborted]);
    return { status: statusCode, headers, body };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function createDispatcher({ address, ca, env }: ConnectionOptions): Promise<Dispatcher> {
  // Loaded by the first request, since many commands send none.
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  const { httpProxy, httpsProxy, noProxy } = proxiesFor({ address, env });
  const tls = ca === undefined ? {} : { ca: await trusted(ca) };
  // With one request per connection, a broken connection has interrupted exactly one request.
  const base = { allowH2: false, connect: tls };
  if (httpProxy === '' && httpsProxy === '') return new Agent(base);
  try {
    const proxies = { httpProxy, httpsProxy, noProxy };
    return new EnvHttpProxyAgent({ ...base, ...proxies, requestTls: tls, proxyTls: tls });
  } catch (cause) {
    const text = `the proxy set for ${address.origin} isn't a URL; it should look like http://proxy.example.com:3128`;
    throw new UsageError(text, { code: 'invalid_proxy', cause });
  }
}

/** TLS silently skips unreadable certificates and would then trust fewer than requested. */
async function trusted(ca: string): Promise<string[]> {
  const [{ X509Certificate }, { getCACertificates }] = await Promise.all([
    import('node:crypto'),
    import('node:tls'),
  ]);
  const found = ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [''];
  try {
    for (const certificate of found) new X509Certificate(certificate);
  } catch (cause) {
    const text =
      "couldn't read the additional certificates; they must be PEM text, which starts with -----BEGIN CERTIFICATE-----";
    throw new UsageError(text, { code: 'invalid_ca', cause });
  }
  return [...getCACertificates('default'), ...found];
}
