/** Reads the server's certificate on a connection that sends no request. */
import type { CertificateFault } from '../../errors/certificate-fault.ts';
import { certificateHint } from '../../errors/hints.ts';
import { expiryWarningMs, formatDuration } from '../connection/server-clock.ts';
import type { Endpoint } from './address.ts';
import { ok, problem, skipped, warning } from './finding.ts';
import { readCertificate } from './read-certificate.ts';
import type { Finding } from './shape.ts';

const handshakeTimeoutMs = 5_000;

/** `ca`: additional trusted certificates (PEM). An unreachable server is reported by the check `server`. */
export async function checkCertificate(
  { url, proxy }: Endpoint,
  { ca, now }: { ca: string | undefined; now: Date },
): Promise<Finding> {
  const name = 'certificate';
  if (proxy !== undefined) return skipped(name, 'skipped (connected through a proxy)');
  const found = await readCertificate(url, { ca, timeoutMs: handshakeTimeoutMs });
  if (found === undefined) return skipped(name, 'skipped (no TLS connection)');
  const { subject, issuer, from: start, to: end, faults, names, protocol } = found;
  const lines = [
    `for ${nameIn(subject)}, issued by ${issuer === subject ? 'itself' : nameIn(issuer)}, ${protocol}`,
  ];
  if (faults.length > 0) {
    const why = faults
      .map((fault) => describe(fault, { start: dayOf(start), end: dayOf(end) }))
      .join(', and ');
    return problem(name, why, 9, {
      lines: names.length > 0 ? [...lines, `host names: ${names.join(', ')}`] : lines,
      hint: certificateHint(faults),
    });
  }
  const left = end.getTime() - now.getTime();
  if (left < expiryWarningMs) {
    const found =
      left > 0
        ? `trusted, expires in ${formatDuration(left)}, on ${dayOf(end)}`
        : `expired on ${dayOf(end)} according to this machine's clock`;
    return warning(name, found, { lines, hint: 'ask the operator of the server to renew it' });
  }
  return ok(name, `trusted until ${dayOf(end)}`, { lines });
}

/** Whether the port answers a TLS handshake. Not asked through a proxy. */
export const usesTls = async ({ url, proxy }: Endpoint): Promise<boolean> =>
  proxy === undefined &&
  (await readCertificate(url, { timeoutMs: handshakeTimeoutMs })) !== undefined;

function describe(fault: CertificateFault, { start, end }: { start: string; end: string }): string {
  const words: Readonly<Record<CertificateFault, string>> = {
    self_signed: 'self-signed, and not trusted on this machine',
    unknown_issuer: "issued by an authority that this machine doesn't trust",
    expired: `expired on ${end}`,
    not_yet_valid: `not valid before ${start}`,
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
