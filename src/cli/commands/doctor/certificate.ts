/** Reads the server's certificate on a connection that sends no request. */
import { isIP } from 'node:net';
import { connect, getCACertificates } from 'node:tls';
import { type CertificateFault, faultOf } from '../../errors/certificate-fault.ts';
import { certificateHint } from '../../errors/hints.ts';
import { expiryWarningMs, formatDuration } from '../connection/server-clock.ts';
import { ok, problem, skipped, warning } from './finding.ts';
import type { Finding } from './shape.ts';

const name = 'certificate';
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
      const fault = faultOf(String(socket.authorizationError)) ?? 'unusable';
      const names = subjectAltName.replaceAll(/DNS:|IP Address:/g, '');
      return problem(name, describe(fault, certificate), 9, {
        lines: names === '' ? lines : [...lines, `host names: ${names}`],
        hint: certificateHint([fault]),
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

function describe(
  fault: CertificateFault,
  { validFrom, validTo }: { validFrom: string; validTo: string },
): string {
  const words: Readonly<Record<CertificateFault, string>> = {
    self_signed: 'self-signed, and not trusted on this machine',
    unknown_issuer: "issued by an authority that this machine doesn't trust",
    expired: `expired on ${dayOf(new Date(validTo))}`,
    not_yet_valid: `not valid before ${dayOf(new Date(validFrom))}`,
    revoked: 'revoked',
    unusable: "can't be used for a server",
    other_name: 'issued for another host name',
  };
  return words[fault];
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The common name, or the whole subject. */
const nameIn = (subject: string): string =>
  /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');
