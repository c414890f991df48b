/** The server's certificate, looked at on a connection over which nothing is sent. */
import { connect, getCACertificates, type TLSSocket } from 'node:tls';
import { nearEndMs, spanText } from '../connection/server-clock.ts';
import type { Place } from './address.ts';
import { type Finding, ok, problem, skipped, warning } from './finding.ts';

const limitMs = 5_000;

/** `ca`: PEM of certificates that are trusted too. A server that cannot be reached is told by the check of the server. */
export async function checkCertificate({ url, proxy }: Place, { ca, now }: { ca: string | undefined; now: Date }): Promise<Finding> {
  const name = 'certificate';
  if (proxy !== undefined) return skipped(name, 'not looked at through a proxy');
  const socket = await shakeHands(url, ca);
  if (socket === undefined) return skipped(name, 'no secure connection to look at');
  const { authorized, authorizationError } = socket;
  const raw = socket.getPeerX509Certificate();
  const protocol = socket.getProtocol();
  socket.destroy();
  if (raw === undefined) return problem(name, 'the server shows none', 9, { hint: 'ask the operator of the server' });
  const lines = [`of ${subjectOf(raw.subject)}, from ${raw.issuer === raw.subject ? 'itself' : subjectOf(raw.issuer)}, ${protocol}`];
  const end = new Date(raw.validTo);
  const day = end.toISOString().slice(0, 10);
  if (!authorized) {
    const [why, hint] = reasonOf(String(authorizationError), day, new Date(raw.validFrom));
    return problem(name, why, 9, { lines, hint });
  }
  const left = end.getTime() - now.getTime();
  if (left < nearEndMs) {
    const found = left > 0 ? `trusted, and ends in ${spanText(left)}, on ${day}` : `ended on ${day} by the clock of this machine`;
    return warning(name, found, { lines, hint: 'tell the operator of the server to renew it' });
  }
  return ok(name, `trusted until ${day}`, { lines });
}

function shakeHands(url: URL, ca: string | undefined): Promise<TLSSocket | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(url.port || 443),
      servername: /^[\d.]+$|:/.test(host) ? undefined : host,
      ca: ca === undefined ? undefined : [...getCACertificates('default'), ca],
      // So that a certificate that is refused can be looked at, too; nothing is sent over this connection.
      rejectUnauthorized: false,
    });
    socket.setTimeout(limitMs, () => socket.destroy());
    socket.on('secureConnect', () => resolve(socket));
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => resolve(undefined));
  });
}

function reasonOf(code: string, end: string, start: Date): [string, string] {
  const trust = 'when you know it to be right, trust it with --ca-file';
  if (code === 'CERT_HAS_EXPIRED') return [`it ended on ${end}`, 'the operator must renew it, unless the clock here is wrong'];
  if (code === 'CERT_NOT_YET_VALID') return [`it begins on ${start.toISOString().slice(0, 10)}`, 'is the clock of this machine right?'];
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') return ['the server signed it itself, and it is not trusted here', trust];
  if (code.startsWith('ERR_TLS_CERT_ALTNAME')) return ['it is for another host name', 'check the address with --base-url'];
  return ['it comes from an authority that is not trusted here', trust];
}

/** The common name, or else all that it says. */
const subjectOf = (subject: string): string => /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');
