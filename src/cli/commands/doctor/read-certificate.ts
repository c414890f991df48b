/** Reads the certificate of a server, and everything that is wrong with it, on a connection that sends no request. Node alone. */
import type { X509Certificate } from 'node:crypto';
import { type CertificateFault, faultOf } from '../../errors/certificate-fault.ts';

export interface ServerCertificate {
  /** Names of the owner and of the issuer, a line each: `CN=car-storage.test`. */
  readonly subject: string;
  readonly issuer: string;
  readonly from: Date;
  readonly to: Date;
  /** `TLSv1.3` */
  readonly protocol: string | null;
  /** Its host names and addresses; at most five. */
  readonly names: readonly string[];
  /** Empty for a certificate that is trusted. */
  readonly faults: readonly CertificateFault[];
}

interface Reading {
  /** Additional trusted certificates, as PEM. */
  readonly ca?: string | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Undefined where the server can't be reached, or doesn't speak TLS. */
export async function readCertificate(
  url: URL,
  { ca, timeoutMs, signal }: Reading,
): Promise<ServerCertificate | undefined> {
  const [{ connect, getCACertificates }, { isIP }, { X509Certificate }] = await Promise.all([
    import('node:tls'),
    import('node:net'),
    import('node:crypto'),
  ]);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const trusted = [
    ...getCACertificates('default'),
    ...(ca === undefined ? [] : certificatesIn(ca)),
  ];
  const { promise: connected, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({
    host,
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    servername: isIP(host) ? undefined : host,
    ca: trusted,
    // To read untrusted certificates too.
    rejectUnauthorized: false,
  });
  const stop = () => socket.destroy();
  signal?.addEventListener('abort', stop, { once: true });
  socket.setTimeout(timeoutMs, stop);
  socket.on('secureConnect', () => resolve(true));
  socket.on('error', () => resolve(false));
  socket.on('close', () => resolve(false));
  try {
    if (signal?.aborted || !(await connected)) return undefined;
    const certificate = socket.getPeerX509Certificate();
    if (!certificate) return undefined;
    const isFor =
      (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
    const first = socket.authorized ? undefined : faultOf(String(socket.authorizationError));
    const roots = () => trusted.map((pem) => new X509Certificate(pem));
    return {
      ...{ subject: certificate.subject, issuer: certificate.issuer },
      ...{ from: new Date(certificate.validFrom), to: new Date(certificate.validTo) },
      protocol: socket.getProtocol(),
      names: namesOfCertificate(certificate.subjectAltName),
      faults:
        first === undefined
          ? []
          : faultsOf({
              certificate,
              first,
              isFor,
              isTrusted: () => isTrusted(chainOf(certificate), roots()),
            }),
    };
  } finally {
    signal?.removeEventListener('abort', stop);
    socket.destroy();
  }
}

export const certificatesIn = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];

/** `car-storage.test` and `127.0.0.1` of `DNS:car-storage.test, IP Address:127.0.0.1`; at most five. */
function namesOfCertificate(subjectAltName = ''): string[] {
  const names = Array.from(
    subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s]+)/g),
    ([, name]) => name as string,
  );
  return names.length > 5 ? [...names.slice(0, 5), '…'] : names;
}

interface Checked {
  readonly certificate: X509Certificate;
  /** The only fault that OpenSSL tells. */
  readonly first: CertificateFault;
  readonly isFor: boolean;
  readonly isTrusted: () => boolean;
}

function faultsOf({ certificate, first, isFor, isTrusted }: Checked): CertificateFault[] {
  const isSelfSigned = certificate.issuer === certificate.subject;
  const hidesTrust = first === 'expired' || first === 'not_yet_valid';
  const untrusted =
    hidesTrust && !isTrusted() ? ([isSelfSigned ? 'self_signed' : 'unknown_issuer'] as const) : [];
  const faults: CertificateFault[] = [
    ...untrusted,
    first,
    ...(isFor ? [] : ['other_name' as const]),
  ];
  return [...new Set(faults)];
}

/** With the issuers that came with it, or that this machine knows. The last one is its own issuer. */
function chainOf(first: X509Certificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  const isNew = (one: X509Certificate) =>
    !chain.some(({ fingerprint256 }) => fingerprint256 === one.fingerprint256);
  for (let one: X509Certificate | undefined = first; one && isNew(one); one = one.issuerCertificate)
    chain.push(one);
  return chain;
}

const isTrusted = (chain: readonly X509Certificate[], roots: readonly X509Certificate[]): boolean =>
  chain.some((one) =>
    roots.some(
      (root) =>
        one.fingerprint256 === root.fingerprint256 ||
        (one.checkIssued(root) && one.verify(root.publicKey)),
    ),
  );
