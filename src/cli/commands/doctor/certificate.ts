/** Reads the server's certificate on a connection that sends no request. */
import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, getCACertificates, type TLSSocket } from 'node:tls';
import { namesOfCertificate } from '../../../client/failures.ts';
import { expiryWarningMs, formatDuration } from '../connection/server-clock.ts';
import type { Endpoint } from './address.ts';
import { ok, problem, skipped, warning } from './finding.ts';
import type { Finding } from './shape.ts';

const handshakeTimeoutMs = 5_000;

/** `ca`: additional trusted certificates (PEM). An unreachable server is reported by the check `server`. */
export async function checkCertificate({ url, proxy }: Endpoint, { ca, now }: { ca: string | undefined; now: Date }): Promise<Finding> {
  const name = 'certificate';
  if (proxy !== undefined) return skipped(name, 'skipped (connected through a proxy)');
  const socket = await connectTls(url, ca);
  if (socket === undefined) return skipped(name, 'skipped (no TLS connection)');
  const { authorized, authorizationError } = socket;
  const raw = socket.getPeerX509Certificate();
  const protocol = socket.getProtocol();
  socket.destroy();
  if (raw === undefined) return problem(name, 'the server sent none', 9, { hint: 'ask the operator of the server' });
  const lines = [`for ${subjectOf(raw.subject)}, issued by ${raw.issuer === raw.subject ? 'itself' : subjectOf(raw.issuer)}, ${protocol}`];
  const end = new Date(raw.validTo);
  const day = end.toISOString().slice(0, 10);
  if (!authorized) {
    const [reason, hint] = reasonOf(String(authorizationError), day, new Date(raw.validFrom));
    const why = isFor(raw, hostOf(url)) || reason === forOtherName ? reason : `${reason}, and ${forOtherName}`;
    const names = namesOfCertificate(raw.subjectAltName);
    return problem(name, why, 9, { lines: names.length > 0 ? [...lines, `host names: ${names.join(', ')}`] : lines, hint });
  }
  const left = end.getTime() - now.getTime();
  if (left < expiryWarningMs) {
    const found =
      left > 0 ? `trusted, expires in ${formatDuration(left)}, on ${day}` : `expired on ${day} according to this machine's clock`;
    return warning(name, found, { lines, hint: 'ask the operator of the server to renew it' });
  }
  return ok(name, `trusted until ${day}`, { lines });
}

function connectTls(url: URL, ca: string | undefined): Promise<TLSSocket | undefined> {
  const host = hostOf(url);
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(url.port || 443),
      servername: isIP(host) ? undefined : host,
      ca: ca === undefined ? undefined : [...getCACertificates('default'), ca],
      // To read untrusted certificates too; no request is sent.
      rejectUnauthorized: false,
    });
    socket.setTimeout(handshakeTimeoutMs, () => socket.destroy());
    socket.on('secureConnect', () => resolve(socket));
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => resolve(undefined));
  });
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
const isFor = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
const forOtherName = 'issued for another host name';

function reasonOf(code: string, end: string, start: Date): [string, string] {
  const trust = 'if you are sure that it is right, trust it with --ca-file';
  if (code === 'CERT_HAS_EXPIRED') return [`expired on ${end}`, "ask the operator to renew it, or check this machine's clock"];
  if (code === 'CERT_NOT_YET_VALID') return [`not valid before ${start.toISOString().slice(0, 10)}`, "check this machine's clock"];
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') return ['self-signed, and not trusted on this machine', trust];
  if (code.startsWith('ERR_TLS_CERT_ALTNAME'))
    return [forOtherName, 'use a host name of the certificate with --base-url, or ask the operator of the server'];
  return ["issued by an authority that this machine doesn't trust", trust];
}

/** The common name, or the whole subject. */
const subjectOf = (subject: string): string => /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');
