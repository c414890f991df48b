/** Every check of `cs doctor`, in the order in which one needs the other. */

import { type Connection, defaultBaseUrl, keyPrefix } from '../../config/connection.ts';
import type { Context } from '../../framework/context.ts';
import { findServer } from '../../framework/create-context.ts';
import { version } from '../../framework/version.ts';
import { localTime } from '../../input/when.ts';
import type { Identity } from '../connection/identity.ts';
import { clockOf, nearEndMs, type ServerClock, spanText } from '../connection/server-clock.ts';
import { checkAddress, insecure } from './address.ts';
import type { Drift } from './drift.ts';
import { type Finding, ok, problemOf, skipped, warning } from './finding.ts';
import { checkClock, checkReadiness, checkServer, type Reached, type Readiness } from './server.ts';
import { checkConfiguration, checkDataFolder, checkSettings } from './this-machine.ts';

interface Examination {
  readonly baseUrl: string;
  readonly profile: string | null;
  readonly findings: readonly Finding[];
  /** Null where the server has no interface description, or was not reached. */
  readonly drift: Drift | null;
}

/** So that nothing that hangs holds the whole up; a person can give another limit. */
const requestMs = 5_000;
const keyCommandMs = 20_000;
/** What is not looked at when the server cannot be reached. */
const needServer = ['readiness', 'clock', 'key', 'scopes', 'interface', 'repeats'];

export async function examine(context: Context): Promise<Examination> {
  const { io, settings } = context;
  const { finding, connection } = checkSettings(context);
  const baseUrl = connection?.baseUrl.value ?? settings.baseUrl?.value ?? defaultBaseUrl;
  const findings: Finding[] = [
    ok('version', `cs ${version}, Node.js ${io.node}`),
    checkConfiguration(io),
    ...(await checkDataFolder(io)),
    finding,
  ];
  const done = (drift: Drift | null = null): Examination => ({ baseUrl, profile: connection?.profile.value ?? null, findings, drift });
  const unreached = (names: readonly string[]) => names.map((name) => skipped(name, 'not looked at: it needs what is above'));

  const { findings: placeFindings, place } = await checkAddress(io, baseUrl, settings.allowInsecureHttp !== undefined);
  findings.push(...placeFindings);
  if (!place) {
    findings.push(...unreached(['certificate', 'server', ...needServer]));
    return done();
  }
  const { connect, readCertificates } = await import('../../framework/connect.ts');
  let ca: string | undefined;
  try {
    ca = settings.caFile && (await readCertificates(io, settings.caFile));
  } catch (error) {
    findings.push(problemOf('certificate', error), ...unreached(['server', ...needServer]));
    return done();
  }
  const { checkCertificate } = await import('./certificate.ts');
  const certificate = place.address.encrypted ? await checkCertificate(place, { ca, now: io.now() }) : insecure(place.address);
  findings.push(certificate);

  let clock: ServerClock | undefined;
  let took = 0;
  const patient = { ...settings, timeoutMs: settings.timeoutMs ?? requestMs, retries: settings.retries ?? 0 };
  const onAttempt = (event: Parameters<typeof clockOf>[0]) => {
    clock ??= clockOf(event, io.now());
    took = event.ms;
  };
  const anonymous = await connect(io, patient, { baseUrl, onAttempt });
  let reached: Reached;
  let readiness: Readiness | undefined;
  try {
    reached = await checkServer(anonymous, { took: () => took, told: certificate.state === 'problem' });
    if (reached.answers) readiness = await checkReadiness(anonymous);
  } finally {
    await anonymous.close();
  }
  findings.push(reached.finding);
  if (!readiness) {
    findings.push(...unreached(needServer));
    return done();
  }
  findings.push(readiness.finding, checkClock(clock, readiness.clockLeadMs));
  findings.push(...(await checkKey(context, patient, connection)));
  const { checkDescription } = await import('./interface.ts');
  const described = await checkDescription(reached.description);
  findings.push(...described.findings);
  return done(described.drift);
}

async function checkKey(context: Context, patient: Context['settings'], connection: Connection | undefined): Promise<Finding[]> {
  const { io } = context;
  const name = 'key';
  const unknown = skipped('scopes', 'not looked at: it needs a key that is accepted');
  if (!connection) return [skipped(name, 'not known, since the configuration cannot be used'), unknown];
  const [{ connect }, { identify }, { checkScopes }] = await Promise.all([
    import('../../framework/connect.ts'),
    import('../connection/identity.ts'),
    import('./scopes.ts'),
  ]);
  try {
    const server = await findServer(io, { ...patient, keyCommandTimeoutMs: Math.min(patient.keyCommandTimeoutMs, keyCommandMs) });
    const client = await connect(io, patient, server);
    const identity = await identify(client).finally(() => client.close());
    return [acceptedKey(identity, server.key, io.now()), checkScopes(identity)];
  } catch (error) {
    io.signal.throwIfAborted();
    return [problemOf(name, error, connection.baseUrl.value), unknown];
  }
}

function acceptedKey({ team, keyName, expiresAt }: Identity, key: string, now: Date): Finding {
  const whose = [keyName, keyPrefix(key), team && `of ${team.name}`].filter(Boolean).join(' ');
  const left = typeof expiresAt === 'string' ? Date.parse(expiresAt) - now.getTime() : Number.NaN;
  if (left < nearEndMs)
    return warning('key', `accepted, ${whose}; it expires in ${spanText(Math.max(0, left))}`, {
      hint: 'ask for a new one and sign in with `cs auth login`',
    });
  const end = typeof expiresAt === 'string' ? `, until ${localTime(expiresAt)}` : '';
  return ok('key', `accepted, ${whose}${end}`);
}
