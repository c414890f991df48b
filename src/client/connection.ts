/** One request and its answer over undici, and whether the request may have reached the server. */
import type { Readable, Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Address } from './address.ts';
import { certificatesIn, readCertificate } from './certificate.ts';
import { UsageError } from './errors.ts';
import {
  CertificateError,
  isCertificateFailure,
  isProxyRefusal,
  TlsPortError,
} from './failures.ts';
import { proxyFor, proxyOf } from './proxy.ts';
import { speaksTls } from './tls-port.ts';

export interface ConnectionOptions {
  address: Address;
  /** Additional trusted certificates, as PEM. */
  ca?: string;
  /** The environment with HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in upper or lower case. */
  env: Readonly<Record<string, string | undefined>>;
}

export interface WireRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string | Uint8Array;
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
  /** Drops the body without reading it, and frees the connection. */
  discard(): Promise<void>;
}
/** `reached`: part of the request may have reached the server. False is certain. */
export type Sent = { answer: WireAnswer } | { error: unknown; reached: boolean };

export interface Connection {
  /** The server's origin, such as `http://127.0.0.1:8787`. */
  readonly origin: string;
  /** The proxy of its requests, without a password. */
  readonly proxy: string | undefined;
  send(request: WireRequest): Promise<Sent>;
  /** Closes every connection; open requests fail. */
  close(): Promise<void>;
}

/** @throws UsageError `invalid_ca` or `invalid_proxy`, at the first request */
export function openConnection(options: ConnectionOptions): Connection {
  const { address, env } = options;
  const proxy = proxyFor(address, env);
  let dispatcher: Promise<Dispatcher> | undefined;
  /** Whether it is known which protocol the port speaks. */
  let isKnown = address.encrypted || proxy !== undefined;
  /** Tried once, for all requests that fail at the same time. */
  let isTlsPort: Promise<boolean> | undefined;

  async function withFaults(error: unknown, { url, signal }: WireRequest): Promise<unknown> {
    const found = await readCertificate(url, {
      ca: options.ca,
      timeoutMs: handshakeTimeoutMs,
      signal,
    });
    return found && found.faults.length > 0 ? new CertificateError(error, found) : error;
  }

  return {
    origin: address.origin,
    proxy,
    async send(request) {
      dispatcher ??= createDispatcher(options);
      const sent = await exchange(await dispatcher, request);
      if ('error' in sent && proxy === undefined && isCertificateFailure(sent.error))
        return { ...sent, error: await withFaults(sent.error, request) };
      if (isKnown || request.signal.aborted) return sent;
      if (!looksLikeTlsPort(sent)) {
        // A port doesn't change its protocol.
        isKnown = 'answer' in sent;
        return sent;
      }
      isTlsPort ??= speaksTls(request.url, request.signal);
      if (!(await isTlsPort)) return sent;
      if ('answer' in sent) await sent.answer.discard();
      // The server couldn't read the request.
      return { error: new TlsPortError(), reached: false };
    },
    async close() {
      // Without a dispatcher there is nothing to close.
      const opened = await dispatcher?.catch(() => undefined);
      await opened?.destroy();
    },
  };
}

const handshakeTimeoutMs = 2_000;

/** Interrupted before the answer, or refused with a page; the service answers in JSON. */
const looksLikeTlsPort = (sent: Sent): boolean =>
  'answer' in sent
    ? sent.answer.status === 400 && !/json/.test(String(sent.answer.headers['content-type']))
    : sent.reached;

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
    const { 'content-length': _, ...others } = headers;
    const plain = await decoded(body, headers['content-encoding']);
    // The length is that of the compressed body.
    return {
      answer: {
        status: statusCode,
        headers: plain === body ? headers : others,
        body: plain,
        discard: () => body.dump(),
      },
    };
  } catch (error) {
    // A proxy that refuses a request doesn't forward it.
    return { error, reached: reached && !isProxyRefusal(error) };
  }
}

/** The body as it was before the server, or a gateway in front of it, compressed it without being asked to. */
async function decoded(body: Readable, encoding: string | string[] | undefined): Promise<Readable> {
  const names = String(encoding ?? '')
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length === 0) return body;
  const [
    { pipeline },
    { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress },
  ] = await Promise.all([import('node:stream'), import('node:zlib')]);
  const decoders: Readonly<Record<string, () => Transform>> = {
    ...{
      gzip: createGunzip,
      'x-gzip': createGunzip,
      deflate: createInflate,
      br: createBrotliDecompress,
      zstd: createZstdDecompress,
    },
  };
  // The last one was applied last. An unknown one is left as it is: then the answer isn't JSON.
  return names.reverse().reduce<Readable>((from, name) => {
    const decoder = decoders[name]?.();
    // The reader gets the errors.
    return decoder ? pipeline(from, decoder, () => {}) : from;
  }, body);
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

async function createDispatcher({ address, ca, env }: ConnectionOptions): Promise<Dispatcher> {
  // Loaded by the first request, since many commands send none.
  const { Agent, ProxyAgent } = await import('undici');
  const tls = ca === undefined ? {} : { secureContext: await createTrust(ca) };
  // With one request per connection, a broken connection has interrupted exactly one request.
  // The limit that failures.ts names, and the stable parser, independent of the environment.
  const common = { allowH2: false, pipelining: 1, maxHeaderSize: 16 * 1024, useMilo: false };
  const uri = proxyOf(address, env);
  if (uri === undefined) return new Agent({ ...common, connect: tls });
  try {
    return new ProxyAgent({
      ...common,
      uri,
      connect: tls,
      ...(ca !== undefined && { requestTls: tls, proxyTls: tls }),
    });
  } catch (cause) {
    throw new UsageError(
      `the proxy set for ${address.origin} isn't a URL; it should look like http://proxy.example.com:3128`,
      {
        code: 'invalid_proxy',
        cause,
      },
    );
  }
}

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
    throw new UsageError(
      "couldn't read the additional certificates; they must be PEM text, which starts with -----BEGIN CERTIFICATE-----",
      {
        code: 'invalid_ca',
        cause,
      },
    );
  }
}
