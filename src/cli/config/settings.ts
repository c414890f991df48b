/** What applies to a run: flag, then environment, then profile, then default. */

import { usage } from '../errors/exit.ts';
import type { Io } from '../terminal/io.ts';
import type { ColorChoice } from '../terminal/style.ts';
import { readConfig } from './config.ts';
import { type Connection, findConnection, findProfile, needsNoProfile } from './connection.ts';
import { outputFormat as formatOf, type OutputSettings, readOutputSettings } from './output-settings.ts';
import {
  colorChoices,
  type Format,
  type GlobalOptions,
  notATime,
  notRetries,
  readRetries,
  readTime,
  refuseUnlisted,
  type Setting,
  type SettingInfo,
  settingList,
  truthy,
} from './setting-list.ts';

export interface Settings extends OutputSettings {
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly yes: boolean;
  readonly noInput: boolean;
  readonly color: ColorChoice;
  /** Milliseconds for one request. */
  readonly timeoutMs: number | undefined;
  readonly retries: number | undefined;
  /** Milliseconds for the command that gives the key. */
  readonly keyCommandTimeoutMs: number;
  readonly caFile: Setting<string> | undefined;
  readonly allowInsecureHttp: Setting<true> | undefined;
  /** `--profile` or CS_PROFILE as given. */
  readonly profileName: Setting<string> | undefined;
  readonly baseUrl: Setting<string> | undefined;
  /** Reads the configuration file, so a broken one is told only to commands that need it. */
  connection(): Connection;
  /** What a flag, the environment or the profile says of a setting, by its name in `cs config`; nothing where the default holds. */
  find(name: string): Setting<string> | undefined;
}

/** What decides the shape of an error, read without failing: also a wrong command line is reported in the right form. */
export const outputFormat = (io: Io, options: GlobalOptions): Format => formatOf(io, options, settingsBelow(io, options));

export function colorChoice(io: Io, options: GlobalOptions): ColorChoice {
  const wanted = options.color ?? settingsBelow(io, options)('CS_COLOR')?.value;
  return wanted === 'always' || wanted === 'never' ? wanted : 'auto';
}

export function resolveSettings(io: Io, options: GlobalOptions): Settings {
  const { env } = io;
  refuseUnlisted(colorChoices, options.color, '--color');
  if (options.color === undefined) refuseUnlisted(colorChoices, env.CS_COLOR, 'CS_COLOR');

  const below = settingsBelow(io, options);
  const given = (flag: string | undefined, flagName: string, variable: string): Setting<string> | undefined =>
    flag === undefined ? below(variable) : { value: flag, origin: `flag ${flagName}` };
  const switched = (flag: boolean | undefined, variable: string): boolean => flag ?? truthy(below(variable)?.value);
  const profileName = given(options.profile, '--profile', 'CS_PROFILE');
  const baseUrl = given(options.baseUrl, '--base-url', 'CS_BASE_URL');
  if (baseUrl) checkAddress(baseUrl.value, baseUrl.origin);
  const timeout = given(options.timeout, '--timeout', 'CS_TIMEOUT');
  const retries = given(options.retries, '--retries', 'CS_RETRIES');
  const keyCommandTimeout = given(undefined, '', 'CS_KEY_COMMAND_TIMEOUT');
  const insecure = options.allowInsecureHttp
    ? { value: 'yes', origin: 'flag --allow-insecure-http' }
    : given(undefined, '', 'CS_ALLOW_INSECURE_HTTP');

  return {
    ...readOutputSettings(io, options, below),
    quiet: switched(options.quiet, 'CS_QUIET'),
    verbose: switched(options.verbose, 'CS_VERBOSE'),
    yes: switched(options.yes, 'CS_YES'),
    noInput: switched(options.noInput, 'CS_NO_INPUT'),
    color: colorChoice(io, options),
    timeoutMs: timeout && milliseconds(timeout),
    retries: retries && wholeRetries(retries),
    keyCommandTimeoutMs: keyCommandTimeout ? milliseconds(keyCommandTimeout) : 60_000,
    caFile: given(options.caFile, '--ca-file', 'CS_CA_FILE'),
    allowInsecureHttp: insecure && truthy(insecure.value) ? { value: true, origin: insecure.origin } : undefined,
    profileName,
    baseUrl,
    connection: () => findConnection(io, profileName, baseUrl),
    find: (name) => {
      const info = settingList.find((one) => one.name === name);
      return info && (flagValue(info, options) ?? below(info.variable));
    },
  };
}

function flagValue({ name, flag }: SettingInfo, options: GlobalOptions): Setting<string> | undefined {
  if (name === 'output' && options.output === undefined && options.json !== undefined) return { value: 'json', origin: 'flag --json' };
  if (name === 'output' && options.output === undefined && options.jq !== undefined) return { value: 'json', origin: 'flag --jq' };
  const value = options[camel(name) as keyof GlobalOptions];
  if (flag === undefined || value === undefined) return undefined;
  return { value: value === true ? 'yes' : String(value), origin: `flag ${flag}` };
}

const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * What the environment, and below it the profile in use, says of a setting, by the name of its variable. Never fails: a file that
 * cannot be read is told to the commands that need it, and a value that this version does not know is left out (`cs doctor` tells).
 */
export function settingsBelow(
  io: Io,
  options: Pick<GlobalOptions, 'profile' | 'baseUrl'>,
): (variable: string) => Setting<string> | undefined {
  const stored = storedSettings(io, options);
  return (variable) => {
    const value = io.env[variable];
    return value === undefined || value === '' ? stored.get(variable) : { value, origin: `environment ${variable}` };
  };
}

function storedSettings(io: Io, options: Pick<GlobalOptions, 'profile' | 'baseUrl'>): ReadonlyMap<string, Setting<string>> {
  const named = options.profile ?? (io.env.CS_PROFILE || undefined);
  if (needsNoProfile(io, named, options.baseUrl ?? (io.env.CS_BASE_URL || undefined))) return new Map();
  try {
    const config = readConfig(io);
    const name = named ?? config.currentProfile;
    const { settings = {} } = (name !== undefined && findProfile(config, name)) || {};
    return new Map(
      settingList.flatMap(({ name: setting, variable, check }) => {
        const value = Object.hasOwn(settings, setting) ? settings[setting] : undefined;
        return value === undefined || !check || check(value) ? [] : [[variable, { value, origin: `profile ${name}` }]];
      }),
    );
  } catch {
    return new Map();
  }
}

function checkAddress(value: string, origin: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw usage(`"${value}" (${origin}) is not the address of a server.`, 'write it like https://cars.example.com');
  if (url.username || url.password)
    throw usage(`The address (${origin}) holds a user name or password, which are not used.`, 'leave them out');
  return url;
}

function milliseconds({ value, origin }: Setting<string>): number {
  const time = readTime(value);
  if (time === undefined) throw usage(`"${value}" (${origin}) ${notATime.what}.`, notATime.hint);
  return time;
}

function wholeRetries({ value, origin }: Setting<string>): number {
  const retries = readRetries(value);
  if (retries === undefined) throw usage(`"${value}" (${origin}) ${notRetries.what}.`, notRetries.hint);
  return retries;
}
