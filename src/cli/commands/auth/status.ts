import { scopes } from '../../../contract/scopes.ts';
import { keyPrefix } from '../../config/connection.ts';
import type { Context } from '../../framework/context.ts';
import { findServer } from '../../framework/create-context.ts';
import { localTime } from '../../input/when.ts';
import { breakWords, sanitize } from '../../terminal/text.ts';
import type { Identity } from '../connection/identity.ts';
import { marksText } from '../connection/profile.ts';
import { clockOf, nearEndMs, type ServerClock, skewText, spanText, toleratedSkewMs } from '../connection/server-clock.ts';

export async function status(context: Context): Promise<void> {
  const { io, settings, output, warn } = context;
  const connection = settings.connection();
  const { profile, baseUrl, key, production, readOnly } = connection;
  const server = await findServer(io, settings);
  const [{ connect }, { identify }] = await Promise.all([import('../../framework/connect.ts'), import('../connection/identity.ts')]);
  let clock: ServerClock | undefined;
  const client = await connect(io, settings, {
    ...server,
    onAttempt: (event) => {
      clock ??= clockOf(event, io.now());
    },
  });
  const identity = await identify(client).finally(() => client.close());
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
    scopes: identity.scopes,
    scopesFrom: identity.from,
    unknownScopes: identity.unknownScopes,
    expiresAt: identity.expiresAt ?? null,
    serverTime: clock?.time ?? null,
    clockSkewMs: clock?.skewMs ?? null,
    origins: { baseUrl: baseUrl.origin, profile: profile.origin, key: key.origin },
  };
  const keyOrigin = keyCommand === null ? key.origin : `${key.origin}: ${keyCommand}`;
  await output.painted(
    value,
    text(context, [
      ['Server', baseUrl.value, baseUrl.origin],
      ...(profile.value === undefined
        ? []
        : [line('Profile', [profile.value, marksText(connection)].filter(Boolean).join(', '), profile.origin)]),
      ['Team', identity.team?.name ?? 'not told by this server'],
      ['Key', [identity.keyName, shown].filter(Boolean).join('  '), keyOrigin],
      ['Expires', expiryText(identity, io.now())],
      ...(clock ? [line('Clock', skewText(clock))] : []),
      ...mayLines(identity),
    ]),
  );
  const left = timeLeft(identity, io.now());
  if (left !== undefined && left < nearEndMs)
    warn(`The key expires in ${spanText(left)}: ask for a new one and sign in with \`cs auth login\`.`);
  if (clock && Math.abs(clock.skewMs) > toleratedSkewMs) warn(`The server's clock is ${skewText(clock)}: \`cs doctor\` tells more.`);
}

/** Cells that the names take. */
const column = 9;

type Line = [name: string, shown: string, origin?: string];
const line = (...parts: Line): Line => parts;

function text({ paint, io }: Context, lines: Line[]): string {
  const width = io.stdoutIsTerminal ? (io.columns ?? 80) : undefined;
  return lines
    .flatMap(([name, shown, origin]) => {
      const room = width && width - column;
      const values = breakWords(sanitize(shown), room).split('\n');
      const from = origin ? `(${sanitize(origin)})` : '';
      // Beside the value where both fit, and below it otherwise.
      const below = room !== undefined && `${values.at(-1)}  ${from}`.length > room;
      const origins = from === '' ? [] : breakWords(from, room).split('\n').map(paint.dim);
      if (!below && origins.length > 0) values.push(`${values.pop()}  ${origins.shift()}`);
      return [...values, ...origins].map((text, at) => `${paint.dim((at === 0 ? name : '').padEnd(column))}${text}`);
    })
    .join('\n');
}

function mayLines({ scopes, unknownScopes, from }: Identity): Line[] {
  const may = scopeLines(scopes).map((shown, index): Line => [index === 0 ? 'May' : '', shown]);
  if (from === 'told') return may;
  const unknownReads = unknownScopes.filter((scope) => scope.startsWith('read:')).map((scope) => scope.slice('read:'.length));
  return [
    ...may,
    ['Unknown', unknownReads.length > 0 ? `reading ${unknownReads.join(', ')}; writing anything` : 'writing anything'],
    ['', 'This server does not tell what a key may do; what it lets the key read was tried.'],
  ];
}

function expiryText(identity: Identity, now: Date): string {
  const { expiresAt } = identity;
  if (expiresAt === undefined) return 'not told by this server';
  if (expiresAt === null) return 'never';
  const left = timeLeft(identity, now);
  return left !== undefined && left < nearEndMs ? `${localTime(expiresAt)}, in ${spanText(left)}` : localTime(expiresAt);
}

/** Milliseconds until the key ends. */
function timeLeft({ expiresAt }: Identity, now: Date): number | undefined {
  const end = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  return Number.isNaN(end) ? undefined : Math.max(0, end - now.getTime());
}

/** Scopes as a person reads them. */

/** What a key may do, a line for each subject: `cars  read, write`. */
function scopeLines(held: readonly string[]): string[] {
  if (held.length === 0) return ['nothing'];
  if (scopes.every((scope) => held.includes(scope))) return ['everything'];
  const rights = new Map<string, string[]>();
  for (const scope of held) {
    const [right = '', subject = scope] = scope.split(':');
    rights.set(subject, [...(rights.get(subject) ?? []), right]);
  }
  const widest = Math.max(...Array.from(rights.keys(), (subject) => subject.length));
  return Array.from(rights, ([subject, list]) => `${subject.padEnd(widest)}  ${list.join(', ')}`);
}
