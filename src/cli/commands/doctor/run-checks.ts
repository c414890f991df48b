/** Every check of `cs doctor`; later ones need earlier ones. */
import { type Abilities, abilitiesIn } from '../../../client/abilities.ts';
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
import {
  acceptedKey,
  checkAddress,
  checkClock,
  checkReadiness,
  checkScopes,
  checkServer,
  unencryptedFinding,
} from './server.ts';
import type { Drift, Finding } from './shape.ts';
import { checkConfiguration, checkSettings } from './this-machine.ts';

interface DoctorReport {
  readonly baseUrl: string;
  readonly profile: string | null;
  readonly findings: readonly Finding[];
  /** Null if the server has no API description, or couldn't be asked. */
  readonly drift: Drift | null;
}

/** Defaults that keep a hanging server from blocking the other checks. */
const requestMs = 5_000;
const keyCommandMs = 20_000;
const allChecks = [
  'version',
  'configuration',
  'settings',
  'address',
  'proxy',
  'certificate',
  'server',
  'readiness',
  'clock',
  'key',
  'scopes',
  'interface',
  'abilities',
  'commands',
];

export async function runChecks(context: Context): Promise<DoctorReport> {
  const { io, settings } = context;
  const { finding, connection } = checkSettings(context);
  const baseUrl = connection?.baseUrl.value ?? settings.baseUrl?.value ?? defaultBaseUrl;
  const findings: Finding[] = [
    ok('version', `cs ${version}, Node.js ${io.node}`),
    checkConfiguration(io),
    finding,
  ];
  const drift = await checkConnection(context, { baseUrl, connection, findings });
  const skip = (name: string) => skipped(name, 'skipped (needs the checks above)');
  return {
    baseUrl,
    profile: connection?.profile.value ?? null,
    findings: [...findings, ...allChecks.slice(findings.length).map(skip)],
    drift,
  };
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
  const {
    findings: found,
    address,
    proxy,
  } = checkAddress(io, baseUrl, settings.allowInsecureHttp !== undefined);
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
    ? unencryptedFinding(address)
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
  const onAttempt = (event: Parameters<typeof readServerClock>[0]) => {
    clock ??= readServerClock(event, io.now());
    lastResponseMs = event.ms;
  };
  const anonymous = await connect(io, limited, { baseUrl, onAttempt });
  let description: unknown;
  try {
    const server = await checkServer(anonymous, {
      lastResponseMs: () => lastResponseMs,
      certificateReported: certificate.state === 'problem',
    });
    findings.push(server.finding);
    if (!server.reachable) return null;
    description = server.description;
    findings.push(await checkReadiness(anonymous), checkClock(clock));
  } finally {
    await anonymous.close();
  }
  const key = await checkKey(context, limited, connection);
  const abilities = key.abilities ?? { ...abilitiesIn(description), team: null };
  const drift = driftOf(abilities);
  const needs = (await io.run.commandNeeds?.()) ?? [];
  findings.push(...key.findings, ...checkInterface(abilities, drift, needs));
  return drift;
}

/** `abilities`: undefined without an accepted key. */
async function checkKey(
  { io }: Context,
  limited: Context['settings'],
  connection: Connection | undefined,
): Promise<{ findings: Finding[]; abilities?: Abilities }> {
  const unknown = skipped('scopes', 'skipped (needs an accepted key)');
  if (!connection)
    return { findings: [skipped('key', 'unknown: the configuration is broken'), unknown] };
  try {
    const server = await findServer(io, {
      ...limited,
      keyCommandTimeoutMs: Math.min(limited.keyCommandTimeoutMs, keyCommandMs),
    });
    const client = await connect(io, limited, server);
    const { identity, abilities } = await introduce(client).finally(() => client.close());
    await keepAbilities(io, connection, abilities);
    return {
      findings: [acceptedKey(identity ?? {}, server.key, io.now()), checkScopes(identity)],
      abilities,
    };
  } catch (error) {
    io.signal.throwIfAborted();
    return { findings: [errorFinding('key', error, connection.baseUrl.value), unknown] };
  }
}
