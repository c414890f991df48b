import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type Config,
  configFolder,
  type Profile,
  readConfig,
  writeConfig,
} from '../../config/config.ts';
import { defaultBaseUrl, findProfile, type KeySource } from '../../config/connection.ts';
import { keyFileWarning, nonOwnerMode } from '../../config/permissions.ts';
import { parseKey } from '../../config/secrets.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import type { Input } from '../../framework/command.ts';
import { decodeText } from '../../input/decode.ts';
import { readPiped } from '../../input/input.ts';
import { resultView } from '../../output/view.ts';
import { askSecret } from '../../prompts/prompts.ts';
import { quote, sanitize } from '../../terminal/text.ts';
import { applyProtectionFlags, describeProtection } from '../connection/profile.ts';

export const loginView = resultView('sign-in', [
  'profile',
  'baseUrl',
  'team',
  'keyName',
  'scopes',
  'expiresAt',
  'production',
  'readOnly',
  'abilities',
]);

export async function login(context: Context, { options }: Input): Promise<void> {
  const { io, settings, output, styles } = context;
  // Report a broken configuration before prompting for a key.
  const config = readConfig(io);
  const wanted = settings.profileName?.value ?? config.currentProfile ?? 'default';
  const address = settings.baseUrl?.value ?? findProfile(config, wanted)?.baseUrl ?? defaultBaseUrl;
  const source = await readKeySource(context, options, address);

  const [
    { connect },
    { findKey },
    { introduce },
    { rememberTeam },
    { abilitiesValue, describeAbilities },
  ] = await Promise.all([
    import('../../framework/connect.ts'),
    import('../../config/key.ts'),
    import('../connection/identity.ts'),
    import('../connection/origin.ts'),
    import('../connection/abilities.ts'),
  ]);
  const key = await findKey(
    io,
    { value: source, origin: '--key-command' },
    settings.keyCommandTimeoutMs,
  );
  const client = await connect(io, settings, { baseUrl: address, key });
  const { identity, abilities } = await introduce(client).finally(() => client.close());
  const { baseUrl } = client.transport;
  const name = settings.profileName?.value ?? chooseProfileName(config, wanted, baseUrl);
  const known = findProfile(config, name);
  const profile: Profile = {
    baseUrl,
    ...('command' in source ? { keyCommand: source.command } : { key }),
    ...applyProtectionFlags(options, known),
    ...(known?.settings ? { settings: known.settings } : {}),
    abilities,
  };
  // Read again: another command may have written while the prompt was open.
  await writeConfig(io, {
    currentProfile: name,
    profiles: { ...readConfig(io).profiles, [name]: profile },
  });

  const { team = null, keyName = null, scopes = null, expiresAt = null } = identity ?? {};
  rememberTeam(io, { server: baseUrl, key: source }, team);
  const value = {
    profile: name,
    baseUrl,
    team,
    keyName,
    scopes,
    expiresAt,
    production: profile.production === true,
    readOnly: profile.readOnly === true,
    abilities: abilitiesValue(abilities),
  };
  const where = team
    ? `${styles.strong(sanitize(team.name))} at ${baseUrl}`
    : styles.strong(baseUrl);
  const as = [`profile ${sanitize(name)}`, describeProtection(profile)].filter(Boolean).join(', ');
  const [announces, operations] = describeAbilities(abilities);
  await output.styled(
    value,
    [
      `${styles.success('Signed in')} to ${where} (${as}).`,
      styles.dim(`The server announces ${announces}.`),
      styles.dim(`It has ${operations}.`),
    ].join('\n'),
  );
  if (known && known.baseUrl !== baseUrl)
    context.note(`The profile ${name} was for ${known.baseUrl} before.`);
  const { currentProfile: before } = config;
  if (before !== undefined && before !== name && findProfile(config, before))
    context.note(
      `The current profile is now ${name}. Go back with \`cs profiles use ${quote(before)}\`.`,
    );
  const openKey = options.keyFile === undefined ? undefined : keyFileWarning(io, options.keyFile);
  if (openKey) context.warn(openKey);
  const folder = configFolder(io);
  if (nonOwnerMode(io, folder)) {
    context.warn(
      `Other users of this machine can read ${folder}. Fix it with \`chmod 700 ${quote(folder)}\`.`,
    );
  }
  if (!identity)
    context.note(
      "This server doesn't report the scopes of a key: a request that it refuses names the missing one.",
    );
}

/** Another server gets a profile of its own, so that signing in never overwrites a key. */
function chooseProfileName(config: Config, wanted: string, baseUrl: string): string {
  const known = findProfile(config, wanted);
  return known === undefined || known.baseUrl === baseUrl
    ? wanted
    : baseUrl.replace(/^https?:\/\//, '');
}

async function readKeySource(
  context: Context,
  options: Input['options'],
  baseUrl: string,
): Promise<KeySource> {
  if (options.keyCommand !== undefined) return { command: options.keyCommand.trim() };
  const key = parseKey(await readKey(context, options, baseUrl));
  if (key === '') throw usage('The key is empty.', 'a key looks like csk_….…');
  return { key };
}

async function readKey(
  context: Context,
  options: Input['options'],
  baseUrl: string,
): Promise<string> {
  if (options.withKey) return readPiped(context, '--with-key');
  if (options.keyFile !== undefined) {
    const path = resolve(context.io.cwd, options.keyFile);
    const bytes = await readFile(path).catch((error: unknown) => {
      throw usage(
        `Couldn't read the key file ${path}: ${describeFsError(error)}.`,
        'check the path and its permissions',
      );
    });
    return decodeText(bytes, { name: `The key file ${path}` });
  }
  if (!context.interactive)
    throw usage(
      'Missing key.',
      'give it on stdin with --with-key, in a file with --key-file, or with --key-command',
    );
  return askSecret(context, `API key for ${baseUrl}`);
}
