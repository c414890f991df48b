import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { scopes } from '../../contract/scopes.ts';
import { type Context, examples, type Fill, type Input } from '../command.ts';
import { readConfig, writeConfig } from '../config.ts';
import { CliError, usage } from '../exit.ts';
import { readStdin } from '../io.ts';
import { askSecret } from '../question.ts';
import { defaultBaseUrl, keyPrefix } from '../settings.ts';
import { sanitize } from '../text.ts';
import { localTime } from '../when.ts';

export const auth: Fill = (command, on) => {
  const loginCommand = command
    .command('login')
    .summary('Sign in to a server')
    .description(
      'Sign in to a server: the key is checked, then stored in a profile. It is asked for, or read from stdin or a file; a key never stands on a command line.',
    )
    .option('--with-key', 'read the key from stdin')
    .option('--key-file <file>', 'read the key from a file')
    .action(on(login));
  examples(loginCommand, [
    'cs auth login',
    'cs auth login --base-url https://cars.example.com --profile work',
    'cs auth login --with-key < key.txt',
  ]);

  const logoutCommand = command
    .command('logout')
    .summary('Forget the key of a profile')
    .description('Forget a profile with its key. The key itself stays good until it is revoked.')
    .action(on(logout));
  examples(logoutCommand, ['cs auth logout', 'cs auth logout --profile work']);

  const statusCommand = command
    .command('status')
    .summary('See who you are, and where that is set')
    .description('See the server, the team and what the key may do, and where each value comes from. Exit 4 when the key is refused.')
    .action(on(status));
  examples(statusCommand, ['cs auth status', 'cs auth status --json']);
  examples(command, ['cs auth login', 'cs auth status']);
};

async function login(context: Context, { options }: Input): Promise<void> {
  const { io, settings, output, paint } = context;
  // A configuration that cannot be used is told before a key is asked for.
  const config = readConfig(io);
  const name = settings.profileName?.value ?? config.currentProfile ?? 'default';
  const known = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
  const baseUrl = settings.baseUrl?.value ?? known?.baseUrl ?? defaultBaseUrl;
  const key = await givenKey(context, options, baseUrl);

  const { connect } = await import('../connect.ts');
  const client = await connect(io, settings, { baseUrl, key });
  const me = await client.me.get().finally(() => client.close());
  await writeConfig(io, { currentProfile: name, profiles: { ...config.profiles, [name]: { baseUrl: client.transport.baseUrl, key } } });

  const value = {
    profile: name,
    baseUrl: client.transport.baseUrl,
    team: me.team,
    keyName: me.keyName,
    scopes: me.scopes,
    expiresAt: me.expiresAt,
  };
  await output.painted(
    value,
    `${paint.good('Signed in')} to ${paint.strong(sanitize(me.team.name))} at ${client.transport.baseUrl} (profile ${sanitize(name)}).`,
  );
}

async function givenKey(context: Context, options: Input['options'], baseUrl: string): Promise<string> {
  if (options.withKey && options.keyFile !== undefined)
    throw usage('--with-key and --key-file exclude each other.', 'leave one of them out');
  const key = (await readKey(context, options, baseUrl)).trim();
  if (key === '') throw usage('The key is empty.', 'a key looks like csk_….…');
  return key;
}

async function readKey(context: Context, options: Input['options'], baseUrl: string): Promise<string> {
  if (options.withKey) return readStdin(context.io);
  if (options.keyFile !== undefined) {
    const path = resolve(context.io.cwd, options.keyFile);
    return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw usage(`The key file ${path} cannot be read: ${error.code}.`, 'check the path and its permissions');
    });
  }
  if (!context.interactive) throw usage('A key is missing.', 'give it on stdin with --with-key, or in a file with --key-file');
  return askSecret(context, `API key for ${baseUrl}`);
}

async function logout({ io, settings, output, warn }: Context): Promise<void> {
  const config = readConfig(io);
  const name = settings.profileName?.value ?? config.currentProfile;
  if (name === undefined || !Object.hasOwn(config.profiles, name))
    throw new CliError({
      code: 'unknown_profile',
      message: name === undefined ? 'You are not signed in.' : `There is no profile "${name}".`,
      hint: '`cs profiles list` shows them',
      exitCode: name === undefined ? 4 : 2,
    });
  const { [name]: removed, ...profiles } = config.profiles;
  await writeConfig(io, { currentProfile: config.currentProfile === name ? undefined : config.currentProfile, profiles });
  await output.value({ profile: name, baseUrl: removed?.baseUrl, signedOut: true }, `Signed out of ${removed?.baseUrl} (profile ${name}).`);
  if (io.env.CS_API_KEY) warn('CS_API_KEY is still set, so its key is used.');
}

async function status(context: Context): Promise<void> {
  const { settings, output, paint } = context;
  const { profile, baseUrl, key } = settings.connection();
  const client = await context.client();
  const me = await client.me.get();
  const shownKey = keyPrefix(key.value ?? '');
  const value = {
    baseUrl: baseUrl.value,
    profile: profile.value ?? null,
    key: shownKey,
    keyName: me.keyName,
    team: me.team,
    scopes: me.scopes,
    expiresAt: me.expiresAt,
    origins: { baseUrl: baseUrl.origin, profile: profile.origin, key: key.origin },
  };
  const lines: [string, string, string?][] = [
    ['Server', baseUrl.value, baseUrl.origin],
    ...(profile.value === undefined ? [] : [['Profile', profile.value, profile.origin] as [string, string, string]]),
    ['Team', me.team.name],
    ['Key', `${me.keyName}  ${shownKey}`, key.origin],
    ['Expires', me.expiresAt === null ? 'never' : localTime(me.expiresAt)],
    ...scopeLines(me.scopes).map((line, index): [string, string] => [index === 0 ? 'May' : '', line]),
  ];
  const text = lines.map(([name, shown, origin]) => {
    const from = origin ? `  ${paint.dim(`(${sanitize(origin)})`)}` : '';
    return `${paint.dim(name.padEnd(9))}${sanitize(shown)}${from}`;
  });
  await output.painted(value, text.join('\n'));
}

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
