/** What applies to a run: flag, then environment, then profile, then default. */
import { type Config, type Profile, readConfig } from './config.ts';
import { CliError, usage } from './exit.ts';
import type { Io } from './io.ts';
import type { ColorChoice } from './paint.ts';
import { nearest, quote } from './text.ts';

const formats = ['table', 'json', 'ndjson', 'id'] as const;
export type Format = (typeof formats)[number];

export const defaultBaseUrl = 'http://127.0.0.1:8787';

/** A value with where it came from: `flag --base-url`, `environment CS_BASE_URL`, `profile main`, `default`. */
export interface Setting<T> {
  readonly value: T;
  readonly origin: string;
}

interface Connection {
  /** The profile in use, when there is one. */
  readonly profile: Setting<string | undefined>;
  readonly baseUrl: Setting<string>;
  readonly key: Setting<string | undefined>;
  /** Why a key that a profile holds is not used. */
  readonly withheld?: string;
}

export interface Settings {
  readonly output: Format;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly yes: boolean;
  readonly noInput: boolean;
  readonly color: ColorChoice;
  /** Milliseconds for one request. */
  readonly timeoutMs: number | undefined;
  readonly retries: number | undefined;
  readonly caFile: Setting<string> | undefined;
  readonly allowInsecureHttp: Setting<true> | undefined;
  /** `--profile` or CS_PROFILE as given. */
  readonly profileName: Setting<string> | undefined;
  readonly baseUrl: Setting<string> | undefined;
  /** Reads the configuration file, so a broken one is told only to commands that need it. */
  connection(): Connection;
}

/** The global flags as commander gives them; everything optional, since a wrong command line must also be reported. */
export interface GlobalOptions {
  output?: string;
  json?: boolean;
  yes?: boolean;
  input?: unknown;
  quiet?: boolean;
  verbose?: boolean;
  profile?: string;
  baseUrl?: string;
  timeout?: string;
  retries?: string;
  caFile?: string;
  color?: string;
  allowInsecureHttp?: boolean;
}

/** What decides the shape of an error, read without failing: also a wrong command line is reported in the right form. */
export function outputFormat(io: Io, options: GlobalOptions): Format {
  const wanted = options.json ? 'json' : (options.output ?? io.env.CS_OUTPUT);
  return formats.find((format) => format === wanted) ?? (io.stdoutIsTerminal ? 'table' : 'json');
}

export function colorChoice(io: Io, options: GlobalOptions): ColorChoice {
  const wanted = options.color ?? io.env.CS_COLOR;
  return wanted === 'always' || wanted === 'never' ? wanted : 'auto';
}

export function resolveSettings(io: Io, options: GlobalOptions): Settings {
  const { env } = io;
  oneOf(formats, options.output, '--output');
  if (options.output === undefined && !options.json) oneOf(formats, env.CS_OUTPUT, 'CS_OUTPUT');
  if (options.json && options.output !== undefined && options.output !== 'json')
    throw usage(`--json and --output ${options.output} exclude each other.`, 'leave one of them out');
  oneOf(['auto', 'always', 'never'], options.color, '--color');
  if (options.color === undefined) oneOf(['auto', 'always', 'never'], env.CS_COLOR, 'CS_COLOR');

  const profileName = given(options.profile, '--profile', env.CS_PROFILE, 'CS_PROFILE');
  const baseUrl = given(options.baseUrl, '--base-url', env.CS_BASE_URL, 'CS_BASE_URL');
  if (baseUrl) checkAddress(baseUrl.value, baseUrl.origin);
  const timeout = given(options.timeout, '--timeout', env.CS_TIMEOUT, 'CS_TIMEOUT');
  const retries = given(options.retries, '--retries', env.CS_RETRIES, 'CS_RETRIES');

  return {
    output: outputFormat(io, options),
    quiet: options.quiet ?? truthy(env.CS_QUIET),
    verbose: options.verbose ?? truthy(env.CS_VERBOSE),
    yes: options.yes ?? truthy(env.CS_YES),
    noInput: options.input === false || truthy(env.CS_NO_INPUT),
    color: colorChoice(io, options),
    timeoutMs: timeout && milliseconds(timeout),
    retries: retries && wholeRetries(retries),
    caFile: given(options.caFile, '--ca-file', env.CS_CA_FILE, 'CS_CA_FILE'),
    allowInsecureHttp: allowed(options.allowInsecureHttp, env.CS_ALLOW_INSECURE_HTTP),
    profileName,
    baseUrl,
    connection: () => connect(io, profileName, baseUrl),
  };
}

function connect(io: Io, profileName: Setting<string> | undefined, baseUrl: Setting<string> | undefined): Connection {
  const envKey = io.env.CS_API_KEY?.trim();
  const key = envKey ? { value: envKey, origin: 'environment CS_API_KEY' } : undefined;
  // Both given: the file is not looked at, so a script with both does not depend on it.
  if (key && baseUrl && !profileName) return { profile: { value: undefined, origin: 'default' }, baseUrl, key };

  const config = readConfig(io);
  const name = profileName ?? (config.currentProfile === undefined ? undefined : { value: config.currentProfile, origin: 'configuration' });
  const profile = name && profileOf(config, name);
  const origin = `profile ${name?.value}`;
  const address = baseUrl ?? (profile ? { value: profile.baseUrl, origin } : { value: defaultBaseUrl, origin: 'default' });
  const shared = { profile: name ?? { value: undefined, origin: 'default' }, baseUrl: address };
  if (key) return { ...shared, key };
  if (!profile) return { ...shared, key: { value: undefined, origin: 'default' } };
  // A key is never carried to another server than the one it was stored for.
  if (new URL(profile.baseUrl).origin !== new URL(address.value).origin) {
    const withheld = `The key of the profile "${name.value}" belongs to ${profile.baseUrl} and is not sent to ${address.value}.`;
    return { ...shared, key: { value: undefined, origin: 'default' }, withheld };
  }
  return { ...shared, key: { value: profile.key, origin } };
}

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

/** The profile that a command is about, and not one that it is to use. Exit 6. */
export function namedProfile(config: Config, name: string): Profile {
  const profile = findProfile(config, name);
  if (profile) return profile;
  const [close] = nearest(name, Object.keys(config.profiles));
  throw new CliError({
    code: 'unknown_profile',
    message: `There is no profile "${name}".`,
    hint: close ? `did you mean ${close}?` : howToMake(name),
    exitCode: 6,
  });
}

const findProfile = ({ profiles }: Config, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

const howToMake = (name: string) => `\`cs profiles list\` shows them; \`cs auth login --profile ${quote(name)}\` makes it`;

/** The part of a key that may be shown. */
export const keyPrefix = (key: string): string => (key.includes('.') ? `${key.slice(0, key.indexOf('.'))}.…` : '…');

function checkAddress(value: string, origin: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw usage(`"${value}" (${origin}) is not the address of a server.`, 'write it like https://cars.example.com');
  if (url.username || url.password)
    throw usage(`The address (${origin}) holds a user name or password, which are not used.`, 'leave them out');
  return url;
}

function given(
  flag: string | undefined,
  flagName: string,
  variable: string | undefined,
  variableName: string,
): Setting<string> | undefined {
  if (flag !== undefined) return { value: flag, origin: `flag ${flagName}` };
  if (variable !== undefined && variable !== '') return { value: variable, origin: `environment ${variableName}` };
  return undefined;
}

function allowed(flag: boolean | undefined, variable: string | undefined): Setting<true> | undefined {
  if (flag) return { value: true, origin: 'flag --allow-insecure-http' };
  return truthy(variable) ? { value: true, origin: 'environment CS_ALLOW_INSECURE_HTTP' } : undefined;
}

const truthy = (value: string | undefined): boolean => value !== undefined && !['', '0', 'false', 'no'].includes(value.toLowerCase());

function oneOf(allowed: readonly string[], value: string | undefined, name: string): void {
  if (value === undefined || value === '' || allowed.includes(value)) return;
  const [close] = nearest(value, allowed);
  throw usage(`"${value}" is not a value of ${name}.`, close ? `did you mean ${close}?` : `choose one of ${allowed.join(', ')}`);
}

/** `30` and `30s` are seconds; `500ms` is milliseconds. */
function milliseconds({ value, origin }: Setting<string>): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(value);
  const factor = { ms: 1, s: 1_000, m: 60_000 }[match?.[2] ?? 's'] as number;
  const total = Math.round(Number(match?.[1]) * factor);
  if (!match || total < 1 || total > 86_400_000) throw usage(`"${value}" (${origin}) is not a time: write seconds, such as 30.`);
  return total;
}

function wholeRetries({ value, origin }: Setting<string>): number {
  if (!/^\d{1,2}$/.test(value)) throw usage(`"${value}" (${origin}) is not a number of retries: write 0 to 99.`);
  return Number(value);
}
