/**
 * The server, the key and the write protection of a run. Order: flag, environment, profile,
 * default.
 */

import { usage } from '../errors/exit.ts';
import type { Io } from '../terminal/io.ts';
import { nearest, quote, sanitize } from '../terminal/text.ts';
import { type Config, type Profile, readConfig, writeConfig } from './config.ts';
import type { Setting } from './setting-list.ts';

export const defaultBaseUrl = 'http://127.0.0.1:8787';

/** Where a key comes from. Files and commands are read when a request needs the key. */
export type KeySource =
  | { readonly key: string }
  | { readonly file: string }
  | { readonly command: string };

export interface Connection {
  /** The profile in use, if any. */
  readonly profile: Setting<string | undefined>;
  readonly baseUrl: Setting<string>;
  readonly key: Setting<KeySource | undefined>;
  /** Why the key of the profile isn't used. */
  readonly keyRefusal?: string;
  /**
   * The write protection of the profile: `production` needs a confirmation, `readOnly` refuses
   * writes.
   */
  readonly production: boolean;
  readonly readOnly: boolean;
  /** What the server of the profile announced of itself, where its key is used. */
  readonly abilities?: unknown;
}

type Given = Setting<string> | undefined;

/** Reads the configuration file, except where flags and environment give both server and key. */
export function findConnection(io: Io, profileName: Given, baseUrl: Given): Connection {
  const key = environmentKey(io);
  const unset = { value: undefined, origin: 'default' };
  const unprotected = { production: false, readOnly: false };
  // A script that gives both doesn't depend on the file.
  if (key && baseUrl && !profileName) return { profile: unset, baseUrl, key, ...unprotected };

  const config = readConfig(io);
  const name =
    profileName ??
    (config.currentProfile === undefined
      ? undefined
      : { value: config.currentProfile, origin: 'configuration' });
  const profile = name && requireProfile(config, name.value, name.origin);
  const origin = `profile ${name?.value}`;
  const address =
    baseUrl ??
    (profile ? { value: profile.baseUrl, origin } : { value: defaultBaseUrl, origin: 'default' });
  const protection = profile
    ? { production: profile.production === true, readOnly: profile.readOnly === true }
    : unprotected;
  const shared = { profile: name ?? unset, baseUrl: address, ...protection };
  if (key) return { ...shared, key };
  if (!profile) return { ...shared, key: unset };
  // A key is only sent to the server that it was stored for.
  if (new URL(profile.baseUrl).origin !== new URL(address.value).origin) {
    const keyRefusal = `The key of the profile "${name.value}" belongs to ${profile.baseUrl} and isn't sent to ${address.value}.`;
    return { ...shared, key: unset, keyRefusal };
  }
  const { abilities } = profile;
  return { ...shared, key: { value: profileKeySource(profile), origin }, abilities };
}

/** Whether flags and environment give both server and key, so that no profile is in use. */
export const connectionIsGiven = (io: Io, profileName: unknown, baseUrl: unknown): boolean =>
  profileName === undefined && baseUrl !== undefined && environmentKey(io) !== undefined;

/**
 * The problem with the configuration on one line, for commands that work without it. Undefined
 * where no command would read it.
 */
export function configurationProblem(io: Io): string | undefined {
  if (connectionIsGiven(io, io.env.CS_PROFILE || undefined, io.env.CS_BASE_URL || undefined))
    return undefined;
  try {
    readConfig(io);
    return undefined;
  } catch (error) {
    return sanitize(`${(error as Error).message} Run \`cs doctor\` for help.`);
  }
}

function environmentKey({ env }: Io): Setting<KeySource> | undefined {
  const [key, file, command] = [env.CS_API_KEY?.trim(), env.CS_KEY_FILE, env.CS_KEY_COMMAND];
  if (key) return { value: { key }, origin: 'environment CS_API_KEY' };
  if (file) return { value: { file }, origin: 'environment CS_KEY_FILE' };
  if (command) return { value: { command }, origin: 'environment CS_KEY_COMMAND' };
  return undefined;
}

export const profileKeySource = ({ key, keyCommand }: Profile): KeySource =>
  keyCommand === undefined ? { key: key ?? '' } : { command: keyCommand };

/**
 * Exit 2 where it doesn't exist, since 6 is for records that a server doesn't have. `origin`: of
 * the profile in use.
 */
export function requireProfile(config: Config, name: string, origin?: string): Profile {
  const profile = findProfile(config, name);
  if (profile) return profile;
  const [close] = nearest(name, Object.keys(config.profiles));
  const given = origin ? `\`--profile ${close}\`` : close;
  throw usage(
    `Profile "${name}" not found${origin ? ` (${origin})` : ''}.`,
    close ? `did you mean ${given}?` : createHint(name),
  );
}

export const findProfile = ({ profiles }: Config, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

type StoredSettings = Readonly<Record<string, string>>;

/** Changes the settings of a profile. */
export async function changeSettings(
  io: Io,
  profile: string,
  changed: (settings: StoredSettings) => StoredSettings,
): Promise<void> {
  const config = readConfig(io);
  const { settings: before = {}, ...others } = requireProfile(config, profile);
  const settings = changed(before);
  const stored = Object.keys(settings).length > 0 ? { ...others, settings } : others;
  await writeConfig(io, { ...config, profiles: { ...config.profiles, [profile]: stored } });
}

const createHint = (name: string) =>
  `\`cs profiles list\` lists them; create it with \`cs auth login --profile ${quote(name)}\``;
