/** Errors for requests without an answer. */
import { networkReasons } from '../contract/network-reasons.ts';
import { type ErrorPlace, NetworkError, type NetworkErrorCode } from './errors.ts';

/** A request that failed below HTTP. */
export interface Failure extends ErrorPlace {
  /** The server's origin, such as `http://127.0.0.1:8787`. */
  origin: string;
  /** Whether part of the request may have reached the server. */
  reached: boolean;
  /** The proxy of the request, without a password. */
  proxy: string | undefined;
}

/** No connection, or a broken one. */
export function connectionError(failure: Failure & { cause: unknown }): NetworkError {
  const { cause } = failure;
  const target = targetOf(failure);
  // A proxy that refuses a request doesn't forward it.
  const reached = failure.reached && proxyStatus(cause) === undefined;
  const code = codeOf(cause, reached);
  const what =
    code === 'connection_lost'
      ? `the connection to ${target} broke before the answer was complete`
      : code === 'tls_failed'
        ? `no secure connection to ${target}`
        : `couldn't reach ${target}`;
  return errorOf(`${what}: ${reasonOf(cause)}`, code, { ...failure, reached });
}

/** No complete answer in time. */
export function timeoutError(failure: Failure & { timeoutMs: number }): NetworkError {
  const what = failure.reached ? 'no complete answer from' : 'no connection to';
  const text = `${what} ${targetOf(failure)} within ${failure.timeoutMs / 1000} s`;
  return errorOf(text, 'timeout', failure);
}

const targetOf = ({ origin, proxy }: Failure): string =>
  proxy === undefined ? origin : `${origin} through the proxy ${proxy}`;

const errorOf = (
  message: string,
  code: NetworkErrorCode,
  { method, path, proxy, reached, cause }: Failure & { cause?: unknown },
) =>
  new NetworkError(message, {
    code,
    method,
    path,
    proxy,
    cause,
    unknownOutcome: reached && method !== 'GET',
  });

function codeOf(cause: unknown, reached: boolean): NetworkErrorCode {
  if (tlsFailureOf(cause)) return 'tls_failed';
  if (reached) return 'connection_lost';
  return /TIMEOUT|ETIMEDOUT/.test(systemCode(cause)) ? 'timeout' : 'connection_failed';
}

/** In a few words, after a colon. */
export function reasonOf(cause: unknown): string {
  const code = systemCode(cause);
  // Without Node's advice about its own flags.
  const [message] = String(cause instanceof Error ? cause.message : cause).split('; if the', 1);
  const status = proxyStatus(cause);
  if (status === '407') return 'the proxy requires a sign-in (407)';
  if (status !== undefined) return `the proxy answered ${status}`;
  if (tlsFailureOf(cause) === 'no_tls') return "the server doesn't use TLS on this port";
  return reasons[code] ?? (code.startsWith('HPE_') ? "the answer isn't HTTP" : message || code);
}

/** `no_tls`: https to a port without TLS, most often plain http. `handshake`: both use TLS, but differently. */
export type TlsFailure = 'no_tls' | 'handshake' | 'certificate';

/** By Node's codes (documentation of tls, "X509 certificate error codes") and those of OpenSSL. */
export function tlsFailureOf(cause: unknown): TlsFailure | undefined {
  const code = systemCode(cause);
  if (certificateCodes.test(code)) return 'certificate';
  if (!/^(ERR_SSL_|UND_ERR_PRX_TLS|EPROTO$)/.test(code)) return undefined;
  // How OpenSSL names an answer that isn't a TLS record.
  const isPlain = /wrong.version.number|packet.length.too.long/i;
  return isPlain.test(`${code} ${(cause as Error).message}`) ? 'no_tls' : 'handshake';
}

const certificateCodes =
  /^(CERT_|CRL_|ERR_TLS_|ERROR_IN_C|UNABLE_TO_(GET|DE|VERIFY)|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_|INVALID_(CA|PURPOSE)$|PATH_LENGTH|UNSPECIFIED$)/;

/** undici has no class and no code for a proxy that refuses a request, only two messages. */
const proxyStatus = (cause: unknown): string | undefined =>
  cause instanceof Error
    ? /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(cause.message)?.[1]
    : undefined;

function systemCode(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return '';
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return 'cause' in cause ? systemCode(cause.cause) : '';
}

const reasons: Readonly<Record<string, string>> = {
  ...networkReasons,
  // Of a server that can't listen.
  EADDRINUSE: 'the port is taken',
  EADDRNOTAVAIL: "this machine doesn't have the address",
  EACCES: 'permission is denied',
};
