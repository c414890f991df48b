import { scopes } from '../../../contract/scopes.ts';
import { keyPrefix } from '../../config/describe-key.ts';
import type { Context } from '../../context.ts';
import { findServer } from '../../framework/create-context.ts';
import { localTime } from '../../input/when.ts';
import { labelled } from '../../output/labelled.ts';
import { abilitiesValue, describeAbilities } from '../connection/abilities.ts';
import type { Identity } from '../connection/identity.ts';
import { describeProtection } from '../connection/profile.ts';
import {
  describeSkew,
  expiryWarningMs,
  formatDuration,
  maxSkewMs,
  readServerClock,
  type ServerClock,
} from '../connection/server-clock.ts';

export async function status(context: Context): Promise<void> {
  const { io, settings, output, warn } = context;
  const connection = settings.connection();
  const { profile, baseUrl, key, production, readOnly } = connection;
  const server = await findServer(io, settings);
  const [{ connect }, { identify }, { rememberTeam }] = await Promise.all([
    import('../../framework/connect.ts'),
    import('../connection/identity.ts'),
    import('../connection/origin.ts'),
  ]);
  let clock: ServerClock | undefined;
  const client = await connect(io, settings, {
    ...server,
    onAttempt: (event) => {
      clock ??= readServerClock(event, io.now());
    },
  });
  const identity: Partial<Identity> = (await identify(client).finally(() => client.close())) ?? {};
  rememberTeam(io, { server: client.transport.baseUrl, key: key.value }, identity.team ?? null);
  const shown = keyPrefix(server.key);
  const keyCommand = key.value && 'command' in key.value ? key.value.command : null;
  const value = {
    baseUrl: baseUrl.value,
    profile: profile.value ?? null,
    production,
    readOnly,
    key: shown,
    keyCommand,
    keyName: identity.keyName ?? null,
    team: identity.team ?? null,
    scopes: identity.scopes ?? null,
    abilities: server.abilities ? abilitiesValue(server.abilities) : null,
    expiresAt: identity.expiresAt ?? null,
    serverTime: clock?.time ?? null,
    clockSkewMs: clock?.skewMs ?? null,
    origins: { baseUrl: baseUrl.origin, profile: profile.origin, key: key.origin },
  };
  const keyOrigin = keyCommand === null ? key.origin : `${key.origin}: ${keyCommand}`;
  const named = [profile.value, describeProtection(connection)].filter(Boolean).join(', ');
  const abilities = server.abilities
    ? describeAbilities(server.abilities)
    : ['not asked yet: `cs doctor` asks the server and keeps the answer'];
  await output.styled(
    value,
    labelled(context, [
      ['Server', `${baseUrl.value} (${baseUrl.origin})`],
      ['Profile', profile.value === undefined ? undefined : `${named} (${profile.origin})`],
      ['Team', identity.team?.name ?? 'not reported by this server'],
      ['Key', `${[identity.keyName, shown].filter(Boolean).join('  ')} (${keyOrigin})`],
      ['Expires', expiryText(identity, io.now())],
      ['Clock', clock && describeSkew(clock)],
      ['Offers', abilities],
      ['Scopes', scopeLines(identity.scopes)],
    ]),
  );
  const left = timeLeft(identity, io.now());
  if (left !== undefined && left < expiryWarningMs)
    warn(
      `The key expires in ${formatDuration(left)}. Ask for a new one and sign in with \`cs auth login\`.`,
    );
  if (clock && Math.abs(clock.skewMs) > maxSkewMs)
    warn(`The server's clock is ${describeSkew(clock)}. Run \`cs doctor\` for details.`);
}

function expiryText(identity: Partial<Identity>, now: Date): string {
  const { expiresAt } = identity;
  if (expiresAt === undefined) return 'not reported by this server';
  if (expiresAt === null) return 'never';
  const left = timeLeft(identity, now);
  return left !== undefined && left < expiryWarningMs
    ? `${localTime(expiresAt)}, in ${formatDuration(left)}`
    : localTime(expiresAt);
}

/** Milliseconds until the key expires. */
function timeLeft({ expiresAt }: Partial<Identity>, now: Date): number | undefined {
  const end = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  return Number.isNaN(end) ? undefined : Math.max(0, end - now.getTime());
}

/** One line per subject: `cars  read, write`. */
function scopeLines(held: readonly string[] | undefined): string[] {
  if (!held)
    return ['not reported by this server: a request that it refuses names the missing one'];
  if (held.length === 0) return ['none'];
  if (scopes.every((scope) => held.includes(scope))) return ['all'];
  const rightsBySubject = new Map<string, string[]>();
  for (const scope of held) {
    const [right = '', subject = scope] = scope.split(':');
    rightsBySubject.set(subject, [...(rightsBySubject.get(subject) ?? []), right]);
  }
  const widest = Math.max(...Array.from(rightsBySubject.keys(), (subject) => subject.length));
  return Array.from(
    rightsBySubject,
    ([subject, list]) => `${subject.padEnd(widest)}  ${list.join(', ')}`,
  );
}
