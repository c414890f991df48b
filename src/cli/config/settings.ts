/** Resolves the settings of a run. Order: flag, environment, profile, default. */

import { usage } from '../errors/exit.ts';
import type { Format } from '../output/formats.ts';
import type { OutputSettings } from '../output/settings.ts';
import type { Io } from '../terminal/io.ts';
import type { ColorChoice } from '../terminal/style.ts';
import { readConfig } from './config.ts';
import { type Connection, connectionIsGiven, findConnection, findProfile } from './connection.ts';
import {
  readOutputSettings,
  outputFormat as resolveFormat,
  type SettingLookup,
} from './output-settings.ts';
import {
  checkChoice,
  checkFieldName,
  checkYesNo,
  colorChoices,
  type GlobalOptions,
  parseDuration,
  parseRetries,
  retriesProblem,
  type Setting,
  type SettingInfo,
  settingList,
  timeProblem,
  truthy,
} from './setting-list.ts';

export interface Settings extends OutputSettings {
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly yes: boolean;
  readonly noInput: boolean;
  readonly color: ColorChoice;
  /** The timeout of a request. */
  readonly timeoutMs: number | undefined;
  readonly retries: number | undefined;
  /** The timeout of the key command. */
  readonly keyCommandTimeoutMs: number;
  readonly caFile: Setting<string> | undefined;
  readonly allowInsecureHttp: Setting<true> | undefined;
  /** The field of a request with the bytes of a photo. */
  readonly photoField: string;
  /** `--profile` or CS_PROFILE. */
  readonly profileName: Setting<string> | undefined;
  readonly baseUrl: Setting<string> | undefined;
  /** Reads the configuration file, so only commands that need it fail for an invalid one. */
  connection(): Connection;
  /** The value of a setting by its name in `cs config`; undefined for the default. */
  find(name: string): Setting<string> | undefined;
}

/** Never fails, so that a wrong command line is reported in the requested format. */
export const outputFormat = (io: Io, options: GlobalOptions): Format =>
  resolveFormat(io, options, createSettingLookup(io, options));

export function colorChoice(io: Io, options: GlobalOptions): ColorChoice {
  const wanted = options.color ?? createSettingLookup(io, options)('CS_COLOR')?.value;
  return wanted === 'always' || wanted === 'never' ? wanted : 'auto';
}

export function resolveSettings(io: Io, options: GlobalOptions): Settings {
  const { env } = io;
  checkChoice(colorChoices, options.color, '--color');
  if (options.color === undefined) checkChoice(colorChoices, env.CS_COLOR, 'CS_COLOR');
  for (const info of settingList)
    if (isSwitch(info) && flagValue(info, options) === undefined)
      checkSwitch(info, env[info.variable]);

  const lookUp = createSettingLookup(io, options);
  const resolve = (
    flag: string | undefined,
    flagName: string,
    variable: string,
  ): Setting<string> | undefined =>
    flag === undefined ? lookUp(variable) : { value: flag, origin: `flag ${flagName}` };
  const resolveSwitch = (flag: boolean | undefined, variable: string): boolean =>
    flag ?? truthy(lookUp(variable)?.value);
  const profileName = resolve(options.profile, '--profile', 'CS_PROFILE');
  const baseUrl = resolve(options.baseUrl, '--base-url', 'CS_BASE_URL');
  if (baseUrl) checkBaseUrl(baseUrl.value, baseUrl.origin);
  const timeout = resolve(options.timeout, '--timeout', 'CS_TIMEOUT');
  const retries = resolve(options.retries, '--retries', 'CS_RETRIES');
  const keyCommandTimeout = resolve(undefined, '', 'CS_KEY_COMMAND_TIMEOUT');
  const photoField = resolve(options.photoField, '--photo-field', 'CS_PHOTO_FIELD');
  const insecure = options.allowInsecureHttp
    ? { value: 'yes', origin: 'flag --allow-insecure-http' }
    : resolve(undefined, '', 'CS_ALLOW_INSECURE_HTTP');

  return {
    ...readOutputSettings(io, options, lookUp),
    quiet: resolveSwitch(options.quiet, 'CS_QUIET'),
    verbose: resolveSwitch(options.verbose, 'CS_VERBOSE'),
    yes: resolveSwitch(options.yes, 'CS_YES'),
    noInput: resolveSwitch(options.noInput, 'CS_NO_INPUT'),
    color: colorChoice(io, options),
    timeoutMs: timeout && toMilliseconds(timeout),
    retries: retries && toRetries(retries),
    keyCommandTimeoutMs: keyCommandTimeout ? toMilliseconds(keyCommandTimeout) : 60_000,
    caFile: resolve(options.caFile, '--ca-file', 'CS_CA_FILE'),
    allowInsecureHttp:
      insecure && truthy(insecure.value) ? { value: true, origin: insecure.origin } : undefined,
    photoField: photoField ? toFieldName(photoField) : 'base64',
    profileName,
    baseUrl,
    connection: () => findConnection(io, profileName, baseUrl),
    find: (name) => {
      const info = settingList.find((one) => one.name === name);
      return info && (flagValue(info, options) ?? lookUp(info.variable));
    },
  };
}

const isSwitch = ({ flag, value }: SettingInfo): boolean =>
  flag !== undefined && value === undefined;

/** A switch that means something else than it says must not count as yes. */
function checkSwitch({ variable }: SettingInfo, value: string | undefined): void {
  const problem = value === undefined || value === '' ? undefined : checkYesNo(value);
  if (problem)
    throw usage(`"${value}" (environment ${variable}) ${problem.message}.`, problem.hint);
}

function flagValue(
  { name, flag }: SettingInfo,
  options: GlobalOptions,
): Setting<string> | undefined {
  if (name === 'output' && options.output === undefined && options.json !== undefined)
    return { value: 'json', origin: 'flag --json' };
  if (name === 'output' && options.output === undefined && options.jq !== undefined)
    return { value: 'json', origin: 'flag --jq' };
  const value = options[camel(name) as keyof GlobalOptions];
  if (flag === undefined || value === undefined) return undefined;
  return { value: value === true ? 'yes' : String(value), origin: `flag ${flag}` };
}

const camel = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Looks settings up in the environment, then in the profile in use, by the name of their variable. Never fails: an unreadable file is
 * reported by commands that need it, and a value that this version doesn't support is ignored (`cs doctor` reports it).
 */
export function createSettingLookup(
  io: Io,
  options: Pick<GlobalOptions, 'profile' | 'baseUrl'>,
): SettingLookup {
  const stored = profileSettings(io, options);
  return (variable) => {
    const value = io.env[variable];
    return value === undefined || value === ''
      ? stored.get(variable)
      : { value, origin: `environment ${variable}` };
  };
}

function profileSettings(
  io: Io,
  options: Pick<GlobalOptions, 'profile' | 'baseUrl'>,
): ReadonlyMap<string, Setting<string>> {
  const named = options.profile ?? (io.env.CS_PROFILE || undefined);
  if (connectionIsGiven(io, named, options.baseUrl ?? (io.env.CS_BASE_URL || undefined)))
    return new Map();
  try {
    const config = readConfig(io);
    const name = named ?? config.currentProfile;
    const { settings = {} } = (name !== undefined && findProfile(config, name)) || {};
    return new Map(
      settingList.flatMap(({ name: setting, variable, check }) => {
        const value = Object.hasOwn(settings, setting) ? settings[setting] : undefined;
        return value === undefined || !check || check(value)
          ? []
          : [[variable, { value, origin: `profile ${name}` }]];
      }),
    );
  } catch {
    return new Map();
  }
}

function checkBaseUrl(value: string, origin: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw usage(
      `"${value}" (${origin}) isn't a server address.`,
      'write it like https://cars.example.com',
    );
  if (url.username || url.password)
    throw usage(
      `The server address (${origin}) contains a user name or password, which isn't supported.`,
      'leave them out',
    );
  return url;
}

function toMilliseconds({ value, origin }: Setting<string>): number {
  const time = parseDuration(value);
  if (time === undefined)
    throw usage(`"${value}" (${origin}) ${timeProblem.message}.`, timeProblem.hint);
  return time;
}

function toFieldName({ value, origin }: Setting<string>): string {
  const problem = checkFieldName(value);
  if (problem) throw usage(`"${value}" (${origin}) ${problem.message}.`, problem.hint);
  return value;
}

function toRetries({ value, origin }: Setting<string>): number {
  const retries = parseRetries(value);
  if (retries === undefined)
    throw usage(`"${value}" (${origin}) ${retriesProblem.message}.`, retriesProblem.hint);
  return retries;
}
