/** Which server, which key, and what may be done there: flag, then environment, then profile, then default. */

import { CliError } from '../errors/exit.ts';
import type { Io } from '../terminal/io.ts';
import { nearest, quote, sanitize } from '../terminal/text.ts';
import { type Config, type Profile, readConfig } from './config.ts';
import { withoutSecrets } from './key-argument.ts';
import type { Setting } from './setting-list.ts';

export const defaultBaseUrl = 'http://127.0.0.1:8787';

/** Where a key is to be had. Only `key` is one already; the others are read when a request needs it. */
export type KeySource = { readonly key: string } | { readonly file: string } | { readonly command: string };

export interface Connection {
  /** The profile in use, when there is one. */
  readonly profile: Setting<string | undefined>;
  readonly baseUrl: Setting<string>;
  readonly key: Setting<KeySource | undefined>;
  /** Why a key that a profile holds is not used. */
  readonly withheld?: string;
  /** What the profile says of writes: `production` asks before, `readOnly` refuses them. */
  readonly production: boolean;
  readonly readOnly: boolean;
}

type Given = Setting<string> | undefined;

/** Reads the configuration file unless the environment says everything. */
export function findConnection(io: Io, profileName: Given, baseUrl: Given): Connection {
  const key = keyOfEnvironment(io);
  const nothing = { value: undefined, origin: 'default' };
  const unmarked = { production: false, readOnly: false };
  // Both given: the file is not looked at, so a script with both does not depend on it.
  if (key && baseUrl && !profileName) return { profile: nothing, baseUrl, key, ...unmarked };

  const config = readConfig(io);
  const name = profileName ?? (config.currentProfile === undefined ? undefined : { value: config.currentProfile, origin: 'configuration' });
  const profile = name && profileOf(config, name);
  const origin = `profile ${name?.value}`;
  const address = baseUrl ?? (profile ? { value: profile.baseUrl, origin } : { value: defaultBaseUrl, origin: 'default' });
  const marks = profile ? { production: profile.production === true, readOnly: profile.readOnly === true } : unmarked;
  const shared = { profile: name ?? nothing, baseUrl: address, ...marks };
  if (key) return { ...shared, key };
  if (!profile) return { ...shared, key: nothing };
  // A key is never carried to another server than the one it was stored for.
  if (new URL(profile.baseUrl).origin !== new URL(address.value).origin) {
    const withheld = `The key of the profile "${name.value}" belongs to ${profile.baseUrl} and is not sent to ${address.value}.`;
    return { ...shared, key: nothing, withheld };
  }
  return { ...shared, key: { value: keyOfProfile(profile), origin } };
}

/** Whether the environment and the flags name server and key, so that no profile is in use. */
export const needsNoProfile = (io: Io, profileName: unknown, baseUrl: unknown): boolean =>
  profileName === undefined && baseUrl !== undefined && keyOfEnvironment(io) !== undefined;

/**
 * What is wrong with the configuration, as one line, for what works without it and says so. Nothing where it is good, where there is
 * none, and where the environment says everything, so that no command looks at it.
 */
export function brokenConfiguration(io: Io): string | undefined {
  if (needsNoProfile(io, io.env.CS_PROFILE || undefined, io.env.CS_BASE_URL || undefined)) return undefined;
  try {
    readConfig(io);
    return undefined;
  } catch (error) {
    return sanitize(`${(error as Error).message} \`cs doctor\` tells what to do.`);
  }
}

function keyOfEnvironment({ env }: Io): Setting<KeySource> | undefined {
  const [key, file, command] = [env.CS_API_KEY?.trim(), env.CS_KEY_FILE, env.CS_KEY_COMMAND];
  if (key) return { value: { key }, origin: 'environment CS_API_KEY' };
  if (file) return { value: { file }, origin: 'environment CS_KEY_FILE' };
  if (command) return { value: { command }, origin: 'environment CS_KEY_COMMAND' };
  return undefined;
}

export const keyOfProfile = ({ key, keyCommand }: Profile): KeySource =>
  keyCommand === undefined ? { key: key ?? '' } : { command: keyCommand };

function profileOf(config: Config, name: Setting<string>): Profile {
  const profile = findProfile(config, name.value);
  if (profile) return profile;
  const [close] = nearest(name.value, Object.keys(config.profiles));
  throw new CliError({
    code: 'unknown_profile',
    message: `There is no profile "${name.value}" (${name.origin}).`,
    hint: close ? `did you mean \`--profile ${close}\`?` : howToMake(name.value),
    exitCode: 2,
  });
}

/** The profile that a command is about, and not one that it is to use. Exit 2 for one cause: 6 is for what a server does not have. */
export function namedProfile(config: Config, name: string): Profile {
  const profile = findProfile(config, name);
  if (profile) return profile;
  const [close] = nearest(name, Object.keys(config.profiles));
  throw new CliError({
    code: 'unknown_profile',
    message: `There is no profile "${name}".`,
    hint: close ? `did you mean ${close}?` : howToMake(name),
    exitCode: 2,
  });
}

export const findProfile = ({ profiles }: Config, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

const howToMake = (name: string) => `\`cs profiles list\` shows them; \`cs auth login --profile ${quote(name)}\` makes it`;

/** The part of a key that may be shown. */
export const keyPrefix = (key: string): string => (key.includes('.') ? `${key.slice(0, key.indexOf('.'))}.…` : '…');

/** A key as it may be shown before it is read: its prefix, or where it comes from. */
export function shownKey(source: KeySource): string {
  if ('key' in source) return keyPrefix(source.key);
  return 'file' in source ? `file ${source.file}` : `command ${withoutSecrets(source.command)}`;
}
