/** Reads the server's certificate on a connection that sends no request. */
import { isIP } from 'node:net';
import { connect, getCACertificates } from 'node:tls';
import { expiryWarningMs, formatDuration } from '../connection/server-clock.ts';
import { ok, problem, skipped, warning } from './finding.ts';
import type { Finding } from './shape.ts';

const name = 'certificate';
const handshakeTimeoutMs = 5_000;
const renew = 'ask the operator of the server to renew it';

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
    const day = end.toISOString().slice(0, 10);
    const by = issuer === subject ? 'itself' : nameIn(issuer);
    const lines = [`for ${nameIn(subject)}, issued by ${by}, ${socket.getProtocol()}`];
    if (!socket.authorized) {
      const names = subjectAltName.replaceAll(/DNS:|IP Address:/g, '');
      const [found, hint] = faultOf(String(socket.authorizationError), { day, by });
      lines.push(`host names: ${names || 'none'}`);
      return problem(name, found, { exitCode: 9, lines, hint });
    }
    const left = end.getTime() - now.getTime();
    if (left >= expiryWarningMs) return ok(name, `trusted until ${day}`, { lines });
    const found = `trusted, expires in ${formatDuration(left)}, on ${day}`;
    return warning(name, found, { lines, hint: renew });
  } finally {
    socket.destroy();
  }
}

/** By Node's code for a refused certificate (documentation of tls, "X509 certificate error codes"). */
function faultOf(
  code: string,
  { day, by }: { day: string; by: string },
): [found: string, hint: string] {
  if (code === 'CERT_HAS_EXPIRED')
    return [`expired on ${day}`, `${renew}, or check this machine's clock`];
  if (/ALTNAME|HOSTNAME/.test(code))
    return ['issued for another host name', 'use a host name of the certificate with --base-url'];
  const found =
    by === 'itself'
      ? 'self-signed, and not trusted on this machine'
      : /^(UNABLE_TO_(GET|VERIFY)|SELF_SIGNED)/.test(code)
        ? "its issuer isn't trusted on this machine"
        : `refused: ${code}`;
  return [
    found,
    'if you are sure that it is the right server, trust its certificate with --ca-file',
  ];
}

/** The common name, or the whole subject. */
const nameIn = (subject: string): string =>
  /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');
