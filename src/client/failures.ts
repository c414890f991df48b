/** Errors for requests without an answer. */
import { type ErrorPlace, NetworkError, type NetworkErrorCode } from './errors.ts';

/** A request that failed below HTTP. */
export interface Failure extends ErrorPlace {
  /** The server's origin, such as `http://127.0.0.1:8787`. */
  origin: string;
  /** Whether part of the request may have reached the server. */
  reached: boolean;
  /** The proxy of the request, without a password. */
  proxy: string | undefined;
  cause: unknown;
}

/** No connection, or a broken one. */
export function connectionError(failure: Failure): NetworkError {
  const { method, path, proxy, reached, cause } = failure;
  const code = codeOf(failure);
  const unknownOutcome = reached && method !== 'GET';
  const text = `${whatFailed(failure, code)}: ${reasonOf(cause)}`;
  return new NetworkError(text, { code, method, path, proxy, unknownOutcome, cause });
}

function whatFailed({ origin, proxy, cause }: Failure, code: NetworkErrorCode): string {
  const target = `${origin}${throughProxy(proxy)}`;
  if (code === 'connection_lost')
    return `the connection to ${target} broke before the answer was complete`;
  if (proxy !== undefined && firstHopCodes.has(systemCode(cause)))
    return `couldn't reach the proxy ${proxy}, which is set for ${origin}`;
  // Nothing tells whether the proxy or the server has no TLS.
  if (proxy?.startsWith('https:') && code === 'tls_failed')
    return `no secure connection to the proxy ${proxy} or ${origin}`;
  return code === 'tls_failed' ? `no secure connection to ${target}` : `couldn't reach ${target}`;
}

const throughProxy = (proxy: string | undefined): string =>
  proxy === undefined ? '' : ` through the proxy ${proxy}`;

/** No complete answer in time. */
export function timeoutError(
  failure: Omit<Failure, 'cause'> & { timeoutMs: number },
): NetworkError {
  const { origin, method, path, proxy, reached, timeoutMs } = failure;
  const what = reached ? 'no complete answer from' : 'no connection to';
  const text = `${what} ${origin}${throughProxy(proxy)} within ${timeoutMs / 1000} s`;
  const unknownOutcome = reached && method !== 'GET';
  return new NetworkError(text, { code: 'timeout', method, path, proxy, unknownOutcome });
}

/** The key would be sent unencrypted. */
export function unsafeAddressError(origin: string, place: ErrorPlace): NetworkError {
  const text = `${origin} isn't encrypted, so the key wasn't sent`;
  return new NetworkError(text, { ...place, code: 'unsafe_address', unknownOutcome: false });
}

function codeOf({ cause, reached }: Failure): NetworkErrorCode {
  const code = systemCode(cause);
  if (faultOf(code) || /^(ERR_SSL_|ERR_TLS_|UND_ERR_PRX_TLS|EPROTO$)/.test(code))
    return 'tls_failed';
  if (reached) return code === 'UND_ERR_BODY_TIMEOUT' ? 'timeout' : 'connection_lost';
  return code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT'
    ? 'timeout'
    : 'connection_failed';
}

/** In a few words, after a colon. */
export function reasonOf(cause: unknown): string {
  const code = systemCode(cause);
  const known = reasons[code];
  if (known) return known;
  const message = cause instanceof Error ? cause.message : String(cause);
  const fault = faultOf(code);
  if (fault) {
    const { subjectaltname } = (cause as { cert?: { subjectaltname?: string } }).cert ?? {};
    const names = fault === 'other_name' ? namesOfCertificate(subjectaltname).join(', ') : '';
    const detail = fault === 'unusable' ? message : names;
    return `its certificate ${certificateReasons[fault]}${detail && ` (${detail})`}`;
  }
  const status = proxyStatus(cause);
  if (status !== undefined)
    return status === '407' ? 'the proxy requires a sign-in (407)' : `the proxy answered ${status}`;
  if (tlsFailureOf(cause) === 'no_tls') return "the server doesn't use TLS on this port";
  if (tlsFailureOf(cause) === 'handshake')
    return `the TLS handshake failed (${(cause as { reason?: string }).reason ?? message})`;
  if (code.startsWith('HPE_')) return "the answer isn't HTTP";
  return message || code || 'unknown reason';
}

/** No more bytes of a stream within the time-out of the call. */
export class SilentBodyError extends Error {
  readonly code = 'UND_ERR_BODY_TIMEOUT';

  constructor() {
    super('no more data arrived in time');
  }
}

/** `no_tls`: https to a port without TLS, most often plain http. `handshake`: both use TLS, but differently. */
export type TlsFailure = 'no_tls' | 'handshake' | 'certificate';

export function tlsFailureOf(cause: unknown): TlsFailure {
  const code = systemCode(cause);
  if (!/^(ERR_SSL_|EPROTO$)/.test(code)) return 'certificate';
  // How OpenSSL names an answer that isn't a TLS record.
  const isPlain = /wrong.version.number|packet.length.too.long/i;
  return isPlain.test(`${code} ${(cause as Error).message}`) ? 'no_tls' : 'handshake';
}

/** `car-storage.test` and `127.0.0.1` of `DNS:car-storage.test, IP Address:127.0.0.1`; at most five. */
export function namesOfCertificate(subjectAltName = ''): string[] {
  const names = Array.from(
    subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s]+)/g),
    ([, name]) => name as string,
  );
  return names.length > 5 ? [...names.slice(0, 5), '…'] : names;
}

/** undici has no class and no code for a proxy that refuses a request, only two messages. */
const proxyStatus = (cause: unknown): string | undefined =>
  cause instanceof Error
    ? /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(cause.message)?.[1]
    : undefined;
export const isProxyRefusal = (cause: unknown): boolean => proxyStatus(cause) !== undefined;

export function systemCode(cause: unknown): string {
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
  UND_ERR_PRX_CONN: 'closed by the proxy',
  ETIMEDOUT: 'no connection in time',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no DNS server answers',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  EACCES: "this machine doesn't allow the connection",
};

/** A connection to the first host, which is the proxy where one is set. */
const firstHopCodes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EACCES'],
  'UND_ERR_PRX_CONN',
]);

/** `unusable`: OpenSSL tells why, such as a certificate of an authority that may not issue any. */
export type CertificateFault =
  | 'self_signed'
  | 'unknown_issuer'
  | 'expired'
  | 'not_yet_valid'
  | 'revoked'
  | 'unusable'
  | 'other_name';

const certificateReasons: Readonly<Record<CertificateFault, string>> = {
  self_signed: 'is self-signed',
  unknown_issuer: "was issued by an authority that this machine doesn't trust",
  expired: 'has expired',
  not_yet_valid: "isn't valid yet",
  revoked: 'was revoked',
  unusable: "can't be used",
  other_name: 'is for another host name',
};

/** What Node's code for a refused certificate means (documentation of tls, "X509 certificate error codes"); undefined for any other code. */
export const faultOf = (code: string): CertificateFault | undefined =>
  certificateFaults[code] ?? (otherFaults.test(code) ? 'unusable' : undefined);

const certificateFaults: Readonly<Record<string, CertificateFault>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown_issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown_issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown_issuer',
  CERT_UNTRUSTED: 'unknown_issuer',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not_yet_valid',
  CERT_REVOKED: 'revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'other_name',
  HOSTNAME_MISMATCH: 'other_name',
};
const otherFaults =
  /^(CERT_|CRL_|ERROR_IN_C(ERT|RL)_|UNABLE_TO_(GET|DE)|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|UNSPECIFIED$)/;
