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
  return new NetworkError(`${whatFailed(failure, code)}: ${reasonOf(cause)}`, {
    code,
    method,
    path,
    proxy,
    unknownOutcome: reached && method !== 'GET',
    cause,
  });
}

function whatFailed({ origin, proxy, cause }: Failure, code: NetworkErrorCode): string {
  const target = `${origin}${throughProxy(proxy)}`;
  if (code === 'connection_lost')
    return `the connection to ${target} broke before the answer was complete`;
  if (proxy !== undefined && isOfFirstHop(cause))
    return `couldn't reach the proxy ${proxy}, which is set for ${origin}`;
  // Nothing tells whether the proxy or the server has no TLS.
  if (proxy?.startsWith('https:') && code === 'tls_failed')
    return `no secure connection to the proxy ${proxy} or ${origin}`;
  return code === 'tls_failed' && tlsFailureOf(cause) !== 'tls_port'
    ? `no secure connection to ${target}`
    : `couldn't reach ${target}`;
}

const throughProxy = (proxy: string | undefined): string =>
  proxy === undefined ? '' : ` through the proxy ${proxy}`;

/** No complete answer in time. */
export function timeoutError(
  failure: Omit<Failure, 'cause'> & { timeoutMs: number },
): NetworkError {
  const { origin, method, path, proxy, reached, timeoutMs } = failure;
  const what = reached ? 'no complete answer from' : 'no connection to';
  return new NetworkError(`${what} ${origin}${throughProxy(proxy)} within ${timeoutMs / 1000} s`, {
    code: 'timeout',
    method,
    path,
    proxy,
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
  if (
    faultOf(code) ||
    cause instanceof TlsPortError ||
    /^(ERR_SSL_|ERR_TLS_|UND_ERR_PRX_TLS|EPROTO$)/.test(code)
  )
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
  if (faultOf(code)) return certificateReason(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  const status = proxyStatus(cause);
  if (status !== undefined)
    return status === 407 ? 'the proxy requires a sign-in (407)' : `the proxy answered ${status}`;
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

/** The server speaks TLS on the port of an http address. */
export class TlsPortError extends Error {
  constructor() {
    super('the server uses TLS on this port');
  }
}

/**
 * `no_tls`: https to a port without TLS, most often plain http. `tls_port`: http to a port with TLS. `handshake`: both use TLS, but
 * differently. Otherwise the certificate is refused.
 */
export type TlsFailure = 'no_tls' | 'handshake' | 'tls_port' | 'certificate';

export function tlsFailureOf(cause: unknown): TlsFailure {
  if (cause instanceof TlsPortError) return 'tls_port';
  const code = systemCode(cause);
  if (/^(ERR_SSL_|EPROTO$)/.test(code))
    return withoutTls.test(`${code} ${(cause as Error).message}`) ? 'no_tls' : 'handshake';
  return 'certificate';
}

/** How OpenSSL names an answer that isn't a TLS record. */
const withoutTls = /wrong.version.number|packet.length.too.long/i;

/** `car-storage.test` and `127.0.0.1` of `DNS:car-storage.test, IP Address:127.0.0.1`; at most five. */
export function namesOfCertificate(subjectAltName: string | undefined): string[] {
  const names = Array.from(
    (subjectAltName ?? '').matchAll(/(?:DNS|IP Address):([^,\s]+)/g),
    ([, name]) => name as string,
  );
  return names.length > 5 ? [...names.slice(0, 5), '…'] : names;
}

/** undici has no class and no code for a proxy that refuses a request, only two messages. */
function proxyStatus(cause: unknown): number | undefined {
  const [, status] =
    (cause instanceof Error &&
      /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(cause.message)) ||
    [];
  return status === undefined ? undefined : Number(status);
}

export const isProxyRefusal = (cause: unknown): boolean => proxyStatus(cause) !== undefined;

/** A connection to the first host, which is the proxy where one is set. */
const isOfFirstHop = (cause: unknown): boolean => firstHopCodes.has(systemCode(cause));

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
  UND_ERR_PRX_CONN: 'closed by the proxy',
  ETIMEDOUT: 'no connection in time',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no DNS server answers',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  EACCES: "this machine doesn't allow the connection",
};

const firstHopCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EACCES',
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

/** What Node's code for a refused certificate means; undefined for any other code. */
export const faultOf = (code: string): CertificateFault | undefined => certificateFaults[code];

/** A certificate that was refused, and everything that is wrong with it: the error of a connection has the first fault alone. */
export class CertificateError extends Error {
  readonly code: string;
  readonly faults: readonly CertificateFault[];
  readonly names: readonly string[];

  constructor(cause: unknown, { faults, names }: Pick<CertificateError, 'faults' | 'names'>) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.code = systemCode(cause);
    this.faults = faults;
    this.names = names;
  }
}

/** Whether a connection failed because the certificate was refused. */
export const isCertificateFailure = (cause: unknown): boolean =>
  faultOf(systemCode(cause)) !== undefined;

/** Everything that is known to be wrong with the certificate, in the order of the sentence. */
export function certificateFaultsOf(cause: unknown): readonly CertificateFault[] {
  if (cause instanceof CertificateError) return cause.faults;
  const fault = faultOf(systemCode(cause));
  return fault ? [fault] : [];
}

function certificateReason(cause: unknown): string {
  const names =
    cause instanceof CertificateError
      ? cause.names
      : namesOfCertificate(
          (cause as { cert?: { subjectaltname?: string } } | null)?.cert?.subjectaltname,
        );
  const words: Readonly<Record<CertificateFault, string>> = {
    self_signed: 'is self-signed',
    unknown_issuer: "was issued by an authority that this machine doesn't trust",
    expired: 'has expired',
    not_yet_valid: "isn't valid yet",
    revoked: 'was revoked',
    unusable: `can't be used (${cause instanceof Error ? cause.message : cause})`,
    other_name: `is for another host name${names.length > 0 ? ` (${names.join(', ')})` : ''}`,
  };
  const parts = certificateFaultsOf(cause).map((fault) => words[fault]);
  return `its certificate ${[parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ')}`;
}

/** The codes of Node for a refused certificate (documentation of tls, "X509 certificate error codes"). */
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
  ...Object.fromEntries(
    [
      ...[
        'CERT_CHAIN_TOO_LONG',
        'CERT_REJECTED',
        'CERT_SIGNATURE_FAILURE',
        'CRL_HAS_EXPIRED',
        'CRL_NOT_YET_VALID',
        'CRL_SIGNATURE_FAILURE',
      ],
      ...[
        'ERROR_IN_CERT_NOT_AFTER_FIELD',
        'ERROR_IN_CERT_NOT_BEFORE_FIELD',
        'ERROR_IN_CRL_LAST_UPDATE_FIELD',
      ],
      ...[
        'ERROR_IN_CRL_NEXT_UPDATE_FIELD',
        'INVALID_CA',
        'INVALID_PURPOSE',
        'PATH_LENGTH_EXCEEDED',
        'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
      ],
      ...[
        'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
        'UNABLE_TO_DECRYPT_CRL_SIGNATURE',
        'UNABLE_TO_GET_CRL',
        'UNSPECIFIED',
      ],
    ].map((code) => [code, 'unusable'] as const),
  ),
};
