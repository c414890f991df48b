/** What is wrong with a certificate that this machine refuses. */

/** `unusable`: OpenSSL tells why, such as a certificate of an authority that may not issue any. */
export type CertificateFault =
  | 'self_signed'
  | 'unknown_issuer'
  | 'expired'
  | 'not_yet_valid'
  | 'revoked'
  | 'unusable'
  | 'other_name';

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
