/** Every check of `cs doctor`; later ones need earlier ones. */

import type { Abilities } from '../../../client/abilities.ts';
import { type Connection, defaultBaseUrl } from '../../config/connection.ts';
import { keyPrefix } from '../../config/describe-key.ts';
import type { Context } from '../../context.ts';
import { keepAbilities } from '../../framework/abilities.ts';
import { findServer } from '../../framework/create-context.ts';
import { version } from '../../framework/version.ts';
import { localTime } from '../../input/when.ts';
import type { Identity } from '../connection/identity.ts';
import {
  expiryWarningMs,
  formatDuration,
  readServerClock,
  type ServerClock,
} from '../connection/server-clock.ts';
import { checkAddress, unencryptedFinding } from './address.ts';
import { errorFinding, ok, skipped, warning } from './finding.ts';
import {
  checkClock,
  checkReadiness,
  checkServer,
  type Readiness,
  type ServerCheck,
} from './server.ts';
import type { Drift, Finding } from './shape.ts';
import { checkConfiguration, checkDataFolder, checkSettings } from './this-machine.ts';

interface DoctorReport {
  readonly baseUrl: string;
  readonly profile: string | null;
  readonly findings: readonly Finding[];
  /** Null if the server has no API description, or wasn't server. */
  readonly drift: Drift | null;
}

/** Defaults that keep a hanging server from blocking the other checks. */
const requestMs = 5_000;
const keyCommandMs = 20_000;
/** Skipped if the server can't be server. */
const serverChecks = ['readiness', 'clock', 'key', 'scopes', 'interface', 'abilities', 'commands'];

export async function runChecks(context: Context): Promise<DoctorReport> {
  const { io, settings } = context;
  const { finding, connection } = checkSettings(context);
  const baseUrl = connection?.baseUrl.value ?? settings.baseUrl?.value ?? defaultBaseUrl;
  const findings: Finding[] = [
    ok('version', `cs ${version}, Node.js ${io.node}`),
    checkConfiguration(io),
    ...(await checkDataFolder(io)),
    finding,
  ];
  const done = (drift: Drift | null = null): DoctorReport => ({
    baseUrl,
    profile: connection?.profile.value ?? null,
    findings,
    drift,
  });
  const skipAll = (names: readonly string[]) =>
    names.map((name) => skipped(name, 'skipped (needs the checks above)'));

  const { findings: addressFindings, endpoint } = await checkAddress(
    io,
    baseUrl,
    settings.allowInsecureHttp !== undefined,
  );
  findings.push(...addressFindings);
  if (!endpoint) {
    findings.push(...skipAll(['certificate', 'server', ...serverChecks]));
    return done();
  }
  const { connect, readCertificates } = await import('../../framework/connect.ts');
  let ca: string | undefined;
  try {
    ca = settings.caFile && (await readCertificates(io, settings.caFile));
  } catch (error) {
    findings.push(errorFinding('certificate', error), ...skipAll(['server', ...serverChecks]));
    return done();
  }
  const { checkCertificate, usesTls } = await import('./certificate.ts');
  const certificate = endpoint.address.encrypted
    ? await checkCertificate(endpoint, { ca, now: io.now() })
    : unencryptedFinding(endpoint.address);
  findings.push(certificate);

  let clock: ServerClock | undefined;
  let lastResponseMs = 0;
  const limitedSettings = {
    ...settings,
    timeoutMs: settings.timeoutMs ?? requestMs,
    retries: settings.retries ?? 0,
  };
  const onAttempt = (event: Parameters<typeof readServerClock>[0]) => {
    clock ??= readServerClock(event, io.now());
    lastResponseMs = event.ms;
  };
  const anonymous = await connect(io, limitedSettings, { baseUrl, onAttempt });
  let server: ServerCheck;
  let readiness: Readiness | undefined;
  try {
    server = await checkServer(anonymous, {
      lastResponseMs: () => lastResponseMs,
      certificateReported: certificate.state === 'problem',
      usesTls: async () => !endpoint.address.encrypted && usesTls(endpoint),
    });
    if (server.reachable) readiness = await checkReadiness(anonymous);
  } finally {
    await anonymous.close();
  }
  findings.push(server.finding);
  if (!readiness) {
    findings.push(...skipAll(serverChecks));
    return done();
  }
  findings.push(readiness.finding, checkClock(clock, readiness.clockLeadMs));
  const key = await checkKey(context, limitedSettings, connection);
  findings.push(...key.findings);
  const [{ checkDescription }, { checkAbilities }, { abilitiesIn }] = await Promise.all([
    import('./interface.ts'),
    import('./abilities.ts'),
    import('../../../client/abilities.ts'),
  ]);
  const described = await checkDescription(server.description);
  const abilities = key.abilities ?? { ...abilitiesIn(server.description), team: null };
  const needs = (await io.run.commandNeeds?.()) ?? [];
  findings.push(described.finding, ...checkAbilities(abilities, needs, key.missing));
  return done(described.drift);
}

interface KeyCheck {
  readonly findings: readonly Finding[];
  /** Operations that the server answered not to have: `GET /contacts`. */
  readonly missing: readonly string[];
  /** Undefined without an accepted key. */
  readonly abilities?: Abilities;
}

async function checkKey(
  context: Context,
  limitedSettings: Context['settings'],
  connection: Connection | undefined,
): Promise<KeyCheck> {
  const { io } = context;
  const name = 'key';
  const unknown = skipped('scopes', 'skipped (needs an accepted key)');
  if (!connection)
    return {
      findings: [skipped(name, 'unknown: the configuration is broken'), unknown],
      missing: [],
    };
  const [{ connect }, { identify }, { checkScopes }, { readAbilities }] = await Promise.all([
    import('../../framework/connect.ts'),
    import('../connection/identity.ts'),
    import('./scopes.ts'),
    import('../../../client/abilities.ts'),
  ]);
  try {
    const server = await findServer(io, {
      ...limitedSettings,
      keyCommandTimeoutMs: Math.min(limitedSettings.keyCommandTimeoutMs, keyCommandMs),
    });
    const client = await connect(io, limitedSettings, server);
    const [identity, abilities] = await identify(client)
      .then(async (known) => [known, await readAbilities(client.transport)] as const)
      .finally(() => client.close());
    await keepAbilities(io, connection, abilities);
    const findings = [acceptedKey(identity, server.key, io.now()), checkScopes(identity)];
    return { findings, abilities, missing: identity.missing.map(({ operation }) => operation) };
  } catch (error) {
    io.signal.throwIfAborted();
    return {
      findings: [errorFinding(name, error, connection.baseUrl.value), unknown],
      missing: [],
    };
  }
}

function acceptedKey({ team, keyName, expiresAt }: Identity, key: string, now: Date): Finding {
  const owner = [keyName, keyPrefix(key), team && `team ${team.name}`].filter(Boolean).join(' ');
  const left = typeof expiresAt === 'string' ? Date.parse(expiresAt) - now.getTime() : Number.NaN;
  if (left < expiryWarningMs)
    return warning('key', `accepted, ${owner}; expires in ${formatDuration(Math.max(0, left))}`, {
      hint: 'ask for a new one and sign in with `cs auth login`',
    });
  const expiry = typeof expiresAt === 'string' ? `, until ${localTime(expiresAt)}` : '';
  return ok('key', `accepted, ${owner}${expiry}`);
}
