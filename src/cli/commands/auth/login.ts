import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Config, configFolder, type Profile, readConfig, writeConfig } from '../../config/config.ts';
import { defaultBaseUrl, findProfile, type KeySource } from '../../config/connection.ts';
import { keyFileWarning, nonOwnerMode } from '../../config/permissions.ts';
import { parseKey } from '../../config/secrets.ts';
import { usage } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import type { Input } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { decodeText } from '../../input/decode.ts';
import { readPiped } from '../../input/input.ts';
import { resultView } from '../../output/view.ts';
import { askSecret } from '../../prompts/prompts.ts';
import { quote, sanitize } from '../../terminal/text.ts';
import { markedBy, marksText } from '../connection/profile.ts';

/** What a sign-in answers. */
export const loginView = resultView('sign-in', [
  'profile',
  'baseUrl',
  'team',
  'keyName',
  'scopes',
  'expiresAt',
  'scopesFrom',
  'production',
  'readOnly',
]);

export async function login(context: Context, { options }: Input): Promise<void> {
  const { io, settings, output, paint } = context;
  // A configuration that cannot be used is told before a key is asked for.
  const config = readConfig(io);
  const wanted = settings.profileName?.value ?? config.currentProfile ?? 'default';
  const address = settings.baseUrl?.value ?? findProfile(config, wanted)?.baseUrl ?? defaultBaseUrl;
  const source = await givenKey(context, options, address);

  const [{ connect }, { findKey }, { identify }] = await Promise.all([
    import('../../framework/connect.ts'),
    import('../../config/key.ts'),
    import('../connection/identity.ts'),
  ]);
  const key = await findKey(io, { value: source, origin: '--key-command' }, settings.keyCommandTimeoutMs);
  const client = await connect(io, settings, { baseUrl: address, key });
  const identity = await identify(client).finally(() => client.close());
  const { baseUrl } = client.transport;
  const name = settings.profileName?.value ?? profileFor(config, wanted, baseUrl);
  const known = findProfile(config, name);
  const profile: Profile = {
    baseUrl,
    ...('command' in source ? { keyCommand: source.command } : { key }),
    ...markedBy(options, known),
    ...(known?.settings ? { settings: known.settings } : {}),
  };
  // Read anew: while a person looked for the key, another command may have written.
  await writeConfig(io, { currentProfile: name, profiles: { ...readConfig(io).profiles, [name]: profile } });

  const { team, keyName, scopes, expiresAt, from } = identity;
  const value = {
    profile: name,
    baseUrl,
    team: team ?? null,
    keyName: keyName ?? null,
    scopes,
    expiresAt: expiresAt ?? null,
    scopesFrom: from,
    production: profile.production === true,
    readOnly: profile.readOnly === true,
  };
  const where = team ? `${paint.strong(sanitize(team.name))} at ${baseUrl}` : paint.strong(baseUrl);
  const as = [`profile ${sanitize(name)}`, marksText(profile)].filter(Boolean).join(', ');
  await output.painted(value, `${paint.good('Signed in')} to ${where} (${as}).`);
  if (known && known.baseUrl !== baseUrl) context.note(`Until now the profile ${name} was of ${known.baseUrl}.`);
  const { currentProfile: before } = config;
  if (before !== undefined && before !== name && findProfile(config, before))
    context.note(`The profile ${name} is used from now on; \`cs profiles use ${quote(before)}\` goes back.`);
  const openKey = options.keyFile === undefined ? undefined : keyFileWarning(io, options.keyFile);
  if (openKey) context.warn(openKey);
  const folder = configFolder(io);
  if (nonOwnerMode(io, folder)) {
    context.warn(`Others on this machine can look into ${folder}: close it with \`chmod 700 ${quote(folder)}\`.`);
  }
  if (from === 'tried') context.note('This server does not tell what a key may do: `cs auth status` finds out what can be read.');
}

/** A profile and its key are not given up for another server that somebody happens to sign in to: that one has a profile of its own. */
function profileFor(config: Config, wanted: string, baseUrl: string): string {
  const known = findProfile(config, wanted);
  return known === undefined || known.baseUrl === baseUrl ? wanted : baseUrl.replace(/^https?:\/\//, '');
}

async function givenKey(context: Context, options: Input['options'], baseUrl: string): Promise<KeySource> {
  const given = ['withKey', 'keyFile', 'keyCommand'].filter((name) => options[name] !== undefined);
  if (given.length > 1) {
    const flags: Record<string, string> = { withKey: '--with-key', keyFile: '--key-file', keyCommand: '--key-command' };
    throw usage(`${given.map((name) => flags[name]).join(' and ')} exclude each other.`, 'leave all but one of them out');
  }
  if (options.keyCommand !== undefined) {
    const command = options.keyCommand.trim();
    if (command === '') throw usage('--key-command is empty.', `write it like ${quote('pass show cars')}`);
    return { command };
  }
  const key = parseKey(await readKey(context, options, baseUrl));
  if (key === '') throw usage('The key is empty.', 'a key looks like csk_….…');
  return { key };
}

async function readKey(context: Context, options: Input['options'], baseUrl: string): Promise<string> {
  if (options.withKey) return readPiped(context, '--with-key');
  if (options.keyFile !== undefined) {
    const path = resolve(context.io.cwd, options.keyFile);
    const bytes = await readFile(path).catch((error: unknown) => {
      throw usage(`The key file ${path} cannot be read: ${describeFsError(error)}.`, 'check the path and its permissions');
    });
    return decodeText(bytes, { name: `The key file ${path}` });
  }
  if (!context.interactive)
    throw usage('No key given.', 'give it on stdin with --with-key, in a file with --key-file, or by a command with --key-command');
  return askSecret(context, `API key for ${baseUrl}`);
}
