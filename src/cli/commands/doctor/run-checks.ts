/** Every check of `cs doctor`; later ones need earlier ones. */
import { abilitiesIn } from '../../../client/abilities.ts';
import { type Connection, defaultBaseUrl } from '../../config/connection.ts';
import type { Context } from '../../context.ts';
import { keepAbilities } from '../../framework/abilities.ts';
import { connect, readCertificates } from '../../framework/connect.ts';
import { findServer } from '../../framework/create-context.ts';
import { version } from '../../framework/version.ts';
import { introduce } from '../connection/identity.ts';
import { readServerClock, type ServerClock } from '../connection/server-clock.ts';
import { checkCertificate } from './certificate.ts';
import { errorFinding, ok, skipped } from './finding.ts';
import { checkInterface, driftOf } from './interface.ts';
import * as server from './server.ts';
import type { Drift, Finding } from './shape.ts';
import { checkConfiguration, checkSettings } from './this-machine.ts';

interface Checks {
  readonly baseUrl: string;
  readonly profile: string | null;
  readonly findings: readonly Finding[];
  /** Null if the server has no API description, or couldn't be asked. */
  readonly drift: Drift | null;
}

/** Defaults that keep a hanging server from blocking the other checks. */
const requestMs = 5_000;
const keyCommandMs = 20_000;
const allChecks =
  'version configuration settings address proxy certificate server readiness clock key scopes interface abilities commands';

export async function runChecks(context: Context): Promise<Checks> {
  const { io, settings } = context;
  const { finding, connection } = checkSettings(context);
  const baseUrl = connection?.baseUrl.value ?? settings.baseUrl?.value ?? defaultBaseUrl;
  const findings: Finding[] = [
    ok('version', `cs ${version}, ${io.runtime}`),
    checkConfiguration(io),
    finding,
  ];
  const drift = await checkConnection(context, { baseUrl, connection, findings });
  const left = allChecks.split(' ').slice(findings.length);
  findings.push(...left.map((name) => skipped(name, 'skipped (needs the checks above)')));
  return { baseUrl, profile: connection?.profile.value ?? null, findings, drift };
}

interface Checked {
  readonly baseUrl: string;
  readonly connection: Connection | undefined;
  readonly findings: Finding[];
}

/** Adds findings, in the order of `allChecks`, up to the first that makes the rest impossible. */
async function checkConnection(
  context: Context,
  { baseUrl, connection, findings }: Checked,
): Promise<Drift | null> {
  const { io, settings } = context;
  const allowed = settings.allowInsecureHttp !== undefined;
  const { findings: found, address, proxy } = server.checkAddress(io, baseUrl, allowed);
  findings.push(...found);
  if (!address) return null;
  let ca: string | undefined;
  try {
    ca = settings.caFile && (await readCertificates(io, settings.caFile));
  } catch (error) {
    findings.push(errorFinding('certificate', error));
    return null;
  }
  const certificate = !address.encrypted
    ? server.unencryptedFinding(address)
    : proxy === undefined
      ? await checkCertificate(new URL(address.baseUrl), { ca, now: io.now() })
      : skipped('certificate', 'skipped (connected through a proxy)');
  findings.push(certificate);

  let clock: ServerClock | undefined;
  let lastResponseMs = 0;
  const limited = {
    ...settings,
    timeoutMs: settings.timeoutMs ?? requestMs,
    retries: settings.retries ?? 0,
  };
  const anonymous = await connect(io, limited, {
    baseUrl,
    onAttempt(event) {
      clock ??= readServerClock(event, io.now());
      lastResponseMs = event.ms;
    },
  });
  let description: unknown;
  try {
    const answered = await server.checkServer(anonymous, {
      lastResponseMs: () => lastResponseMs,
      certificateReported: certificate.state === 'problem',
    });
    findings.push(answered.finding);
    if (!answered.reachable) return null;
    description = answered.description;
    findings.push(await server.checkReadiness(anonymous), server.checkClock(clock));
  } finally {
    await anonymous.close();
  }
  const announced = await checkKey(context, limited, { connection, findings });
  const abilities = announced ?? { ...abilitiesIn(description), team: null };
  const drift = driftOf(abilities);
  findings.push(...checkInterface(abilities, drift, (await io.run.commandNeeds?.()) ?? []));
  return drift;
}

/** Returns what the server announces to an accepted key. */
async function checkKey(
  { io }: Context,
  limited: Context['settings'],
  { connection, findings }: Pick<Checked, 'connection' | 'findings'>,
) {
  const failed = (finding: Finding): undefined => {
    findings.push(finding, skipped('scopes', 'skipped (needs an accepted key)'));
  };
  if (!connection) return failed(skipped('key', 'unknown: the configuration is broken'));
  try {
    const keyCommandTimeoutMs = Math.min(limited.keyCommandTimeoutMs, keyCommandMs);
    const found = await findServer(io, { ...limited, keyCommandTimeoutMs });
    const client = await connect(io, limited, found);
    const { identity, abilities } = await introduce(client).finally(() => client.close());
    await keepAbilities(io, connection, abilities);
    findings.push(
      server.acceptedKey(identity ?? {}, found.key, io.now()),
      server.checkScopes(identity),
    );
    return abilities;
  } catch (error) {
    io.signal.throwIfAborted();
    return failed(errorFinding('key', error, connection.baseUrl.value));
  }
}
