/** Errors for requests without an answer. */
import { type ErrorPlace, NetworkError, type NetworkErrorCode } from './errors.ts';

/** A request that failed below HTTP. */
export interface Failure extends ErrorPlace {
  /** The server's origin, such as `http://127.0.0.1:8787`. */
  origin: string;
  /** Whether part of the request may have reached the server. */
  reached: boolean;
  proxied: boolean;
  cause: unknown;
}

/** No connection, or a broken one. */
export function connectionError(failure: Failure): NetworkError {
  const { origin, method, path, reached, cause } = failure;
  const code = codeOf(failure);
  const proxy = failure.proxied ? ' (a proxy is set)' : '';
  const message =
    code === 'connection_lost'
      ? `the connection to ${origin}${proxy} broke before the answer was complete: ${reasonOf(cause)}`
      : code === 'tls_failed'
        ? `no secure connection to ${origin}${proxy}: ${reasonOf(cause)}`
        : `couldn't reach ${origin}${proxy}: ${reasonOf(cause)}`;
  return new NetworkError(message, { code, method, path, unknownOutcome: reached && method !== 'GET', cause });
}

/** No complete answer in time. */
export function timeoutError(failure: Omit<Failure, 'cause'> & { timeoutMs: number }): NetworkError {
  const { origin, method, path, reached, timeoutMs } = failure;
  const what = reached ? 'no complete answer from' : 'no connection to';
  return new NetworkError(`${what} ${origin} within ${timeoutMs / 1000} s`, {
    code: 'timeout',
    method,
    path,
    unknownOutcome: reached && method !== 'GET',
  });
}

/** The key would be sent unencrypted. */
export function unsafeAddressError(origin: string, place: ErrorPlace): NetworkError {
  return new NetworkError(`${origin} isn't encrypted, so the key wasn't sent`, {
    ...place,
    code: 'unsafe_address',
    unknownOutcome: false,
  });
}

function codeOf({ cause, reached }: Failure): NetworkErrorCode {
  const code = systemCode(cause);
  if (code in certificateReasons || /^(ERR_SSL_|ERR_TLS_|CERT_|UND_ERR_PRX_TLS|EPROTO$)/.test(code)) return 'tls_failed';
  if (reached) return code === 'UND_ERR_BODY_TIMEOUT' ? 'timeout' : 'connection_lost';
  return code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' ? 'timeout' : 'connection_failed';
}

function reasonOf(cause: unknown): string {
  const code = systemCode(cause);
  const known = reasons[code] ?? certificateReasons[code];
  if (known) return known;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (isProxyRefusal(cause)) return 'the proxy requires a sign-in (407)';
  if (isPlainText(cause)) return "the server doesn't use TLS on this port";
  if (code.startsWith('HPE_')) return "the answer isn't HTTP";
  return message || code || 'unknown reason';
}

/** undici has no class and no code for a proxy's 407, only two messages. */
export const isProxyRefusal = (cause: unknown) => cause instanceof Error && /\(407\)/.test(cause.message) && /proxy/i.test(cause.message);

/** The server answered the TLS handshake with something else, most often plain HTTP. */
export const isPlainText = (cause: unknown): boolean => /^(ERR_SSL_|EPROTO$)/.test(systemCode(cause));

function systemCode(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return '';
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return 'cause' in cause ? systemCode(cause.cause) : '';
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed',
  UND_ERR_SOCKET: 'closed by the other side',
  UND_ERR_BODY_TIMEOUT: 'no more data arrived in time',
  UND_ERR_HEADERS_OVERFLOW: 'its headers are larger than 16 KiB',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ETIMEDOUT: 'no connection in time',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no DNS server answers',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  EACCES: "this machine doesn't allow the connection",
};

const certificateReasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: "this machine doesn't trust the authority of its certificate",
  UNABLE_TO_GET_ISSUER_CERT: "this machine doesn't trust the authority of its certificate",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "this machine doesn't trust the authority of its certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "this machine doesn't trust the authority of its certificate",
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: "its certificate isn't valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};
