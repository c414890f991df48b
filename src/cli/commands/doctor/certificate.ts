/** Reads the server's certificate on a connection that sends no request. */
import { isIP } from 'node:net';
import { connect, getCACertificates } from 'node:tls';
import { expiryWarningMs, formatDuration } from '../connection/server-clock.ts';
import { ok, problem, skipped, warning } from './finding.ts';
import type { Finding } from './shape.ts';

const name = 'certificate';

const trust = 'if you are sure that it is the right server, trust its certificate with --ca-file';

interface Dates {
  readonly validFrom: string;
  readonly validTo: string;
}

/** By Node's code for a refused certificate (documentation of tls, "X509 certificate error codes"). The last one is for every other code. */
const faults: readonly (readonly [code: RegExp, found: (dates: Dates) => string, hint: string])[] =
  [
    [/^DEPTH_ZERO_SELF_SIGNED/, () => 'self-signed, and not trusted on this machine', trust],
    [
      /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)|CERT_UNTRUSTED)/,
      () => "issued by an authority that this machine doesn't trust",
      trust,
    ],
    [
      /^CERT_HAS_EXPIRED$/,
      ({ validTo }) => `expired on ${dayOf(new Date(validTo))}`,
      "ask the operator of the server to renew it, or check this machine's clock",
    ],
    [
      /^CERT_NOT_YET_VALID$/,
      ({ validFrom }) => `not valid before ${dayOf(new Date(validFrom))}`,
      "check this machine's clock",
    ],
    [/^CERT_REVOKED$/, () => 'revoked', 'ask the operator of the server for a new one'],
    [
      /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
      () => 'issued for another host name',
      'use a host name of the certificate with --base-url, or ask the operator of the server',
    ],
    [/^/, () => "can't be used for a server", 'ask the operator of the server for another one'],
  ];

const handshakeTimeoutMs = 5_000;

/** `ca`: additional trusted certificates (PEM). The check `server` reports a server without a connection. */
export async function checkCertificate(
  url: URL,
  { ca, now }: { ca: string | undefined; now: Date },
): Promise<Finding> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const { promise: connected, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({
    host,
    port: Number(url.port || 443),
    servername: isIP(host) ? undefined : host,
    ca: [...getCACertificates('default'), ...(ca === undefined ? [] : [ca])],
    // To read untrusted certificates too.
    rejectUnauthorized: false,
  });
  socket.setTimeout(handshakeTimeoutMs, () => socket.destroy());
  socket.on('secureConnect', () => resolve(true));
  socket.on('error', () => resolve(false));
  socket.on('close', () => resolve(false));
  try {
    const certificate = (await connected) ? socket.getPeerX509Certificate() : undefined;
    if (!certificate) return skipped(name, 'skipped (no TLS connection)');
    const { subject, issuer, validTo, subjectAltName = '' } = certificate;
    const end = new Date(validTo);
    const by = issuer === subject ? 'itself' : nameIn(issuer);
    const lines = [`for ${nameIn(subject)}, issued by ${by}, ${socket.getProtocol()}`];
    if (!socket.authorized) {
      const code = String(socket.authorizationError);
      const [, found, hint] = faults.find(([codes]) => codes.test(code)) as (typeof faults)[number];
      const names = subjectAltName.replaceAll(/DNS:|IP Address:/g, '');
      return problem(name, found(certificate), 9, {
        lines: names === '' ? lines : [...lines, `host names: ${names}`],
        hint,
      });
    }
    const left = end.getTime() - now.getTime();
    if (left >= expiryWarningMs) return ok(name, `trusted until ${dayOf(end)}`, { lines });
    const found =
      left > 0
        ? `trusted, expires in ${formatDuration(left)}, on ${dayOf(end)}`
        : `expired on ${dayOf(end)} according to this machine's clock`;
    return warning(name, found, { lines, hint: 'ask the operator of the server to renew it' });
  } finally {
    socket.destroy();
  }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The common name, or the whole subject. */
const nameIn = (subject: string): string =>
  /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');
