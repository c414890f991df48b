/** Resolves the settings of a run. Order: flag, environment, profile, default. */

import { usage } from '../errors/exit.ts';
import { listIn } from '../input/list.ts';
import { columnFormats, type Format, formatNames, isJsonFormat } from '../output/formats.ts';
import type { OutputSettings } from '../output/settings.ts';
import type { Io } from '../terminal/io.ts';
import type { ColorChoice } from '../terminal/style.ts';
import { type Config, readConfig } from './config.ts';
import { type Connection, connectionIsGiven, findConnection, findProfile } from './connection.ts';
import {
  attributeOf,
  type GlobalOptions,
  invalidValue,
  parseDuration,
  problemOf,
  type Setting,
  type SettingInfo,
  settingList,
  settingNamed,
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
  find: Find;
}

type Find = (name: string) => Setting<string> | undefined;

/**
 * Exit 2 for an invalid value of a flag or a variable; a `tolerant` command ignores those of
 * variables.
 */
export function resolveSettings(
  io: Io,
  options: GlobalOptions,
  { tolerant = false } = {},
): Settings {
  const wrong = tolerant ? invalidVariables(io).map(({ variable }) => variable) : [];
  const find = createFind(io, options, wrong);
  for (const info of settingList) checkSetting(io, info, find(info.name));
  const text = (name: string) => find(name)?.value;
  const isOn = (name: string) => truthy(text(name));
  const time = (name: string) => parseDuration(text(name) ?? '');
  const retries = text('retries');
  const insecure = find('allow-insecure-http');
  const [profileName, baseUrl] = [find('profile'), find('base-url')];
  return {
    ...outputSettings(io, options, find),
    quiet: isOn('quiet'),
    verbose: isOn('verbose'),
    yes: isOn('yes'),
    noInput: isOn('no-input'),
    color: colorOf(find),
    timeoutMs: time('timeout'),
    retries: retries === undefined ? undefined : Number(retries),
    keyCommandTimeoutMs: time('key-command-timeout') ?? 60_000,
    caFile: find('ca-file'),
    allowInsecureHttp:
      insecure && truthy(insecure.value) ? { ...insecure, value: true } : undefined,
    photoField: text('photo-field') ?? 'base64',
    profileName,
    baseUrl,
    connection: () => findConnection(io, profileName, baseUrl),
    find,
  };
}

/** The errors of all invalid variables, for commands that report them. */
export const invalidVariableErrors = (io: Io): unknown[] =>
  invalidVariables(io).map(({ error }) => error);

/** Never fails, so that a wrong command line is reported in the requested format. */
export const outputFormat = (io: Io, options: GlobalOptions): Format =>
  formatOf(io, options, createFind(io, options));

/** Never fails. */
export const colorChoice = (io: Io, options: GlobalOptions): ColorChoice =>
  colorOf(createFind(io, options));

function colorOf(find: Find): ColorChoice {
  const wanted = find('color')?.value;
  return wanted === 'always' || wanted === 'never' ? wanted : 'auto';
}

function invalidVariables(io: Io): { variable: string; error: unknown }[] {
  return settingList.flatMap((info) => {
    const { variable } = info;
    const value = io.env[variable];
    const problem = value ? problemOf(info, value, io.now()) : undefined;
    return problem ? [{ variable, error: invalidValue(variable, value as string, problem) }] : [];
  });
}

/** A value of a profile is valid: `createFind` ignores others. */
function checkSetting(io: Io, info: SettingInfo, found: Setting<string> | undefined): void {
  const problem = found && problemOf(info, found.value, io.now());
  if (problem) throw invalidValue(bareName(found.origin), found.value, problem);
}

/** `--limit` of `flag --limit`. */
const bareName = (origin: string): string => origin.replace(/^(flag|environment) /, '');

/**
 * Looks settings up by name. Never fails: an unreadable file is reported by commands that need it,
 * and a value in a profile that this version doesn't support is ignored (`cs doctor` reports it).
 */
function createFind(io: Io, options: GlobalOptions, ignored: readonly string[] = []): Find {
  let profile: ReturnType<typeof storedSettings> | undefined;
  return (name) => {
    const info = settingNamed(name) as SettingInfo;
    const { variable, stored } = info;
    const typed = flagValue(info, options);
    if (typed) return typed;
    const value = io.env[variable];
    if (value && !ignored.includes(variable)) return { value, origin: `environment ${variable}` };
    if (!stored) return undefined;
    profile ??= storedSettings(io, options);
    const kept = profile.settings[name];
    return kept === undefined || problemOf(info, kept, io.now())
      ? undefined
      : { value: kept, origin: `profile ${profile.name}` };
  };
}

function flagValue(
  { name, flag }: SettingInfo,
  options: GlobalOptions,
): Setting<string> | undefined {
  if (name === 'output' && options.output === undefined && requestsJson(options))
    return { value: 'json', origin: `flag ${options.json === undefined ? '--jq' : '--json'}` };
  const value = options[attributeOf(name) as keyof GlobalOptions];
  if (!flag || value === undefined) return undefined;
  const text = value === true ? (name === 'json' ? '' : 'yes') : String(value);
  return { value: text, origin: `flag ${flag}` };
}

/** None while flags and environment give the connection, or where the file can't be read. */
function storedSettings(
  io: Io,
  options: GlobalOptions,
): { name: string | undefined; settings: Readonly<Record<string, string>> } {
  const named = options.profile ?? (io.env.CS_PROFILE || undefined);
  let config: Config = { profiles: {} };
  if (!connectionIsGiven(io, named, options.baseUrl ?? (io.env.CS_BASE_URL || undefined))) {
    try {
      config = readConfig(io);
    } catch {
      // As above.
    }
  }
  const name = named ?? config.currentProfile;
  const { settings = {} } = (name !== undefined && findProfile(config, name)) || {};
  return { name, settings };
}

const requestsJson = ({ json, jq }: GlobalOptions): boolean =>
  json !== undefined || jq !== undefined;
const isJson = (name: string | undefined): boolean =>
  formatNames.some((format) => format === name && isJsonFormat(format));

function formatOf(io: Io, options: GlobalOptions, find: Find): Format {
  const wanted =
    requestsJson(options) && !isJson(options.output)
      ? 'json'
      : (find('output')?.value ?? (find('json') || find('jq') ? 'json' : undefined));
  return (
    formatNames.find((format) => format === wanted) ?? (io.stdoutIsTerminal ? 'table' : 'json')
  );
}

/** Exit 2 for conflicting flags. */
function outputSettings(io: Io, options: GlobalOptions, find: Find): OutputSettings {
  const { output } = options;
  if (output !== undefined && !isJson(output) && requestsJson(options)) {
    const takesColumns = columnFormats.some((format) => format === output);
    throw usage(
      `${options.jq === undefined ? '--json' : '--jq'} and --output ${output} can't be used together.`,
      `leave one of them out${takesColumns ? '; --columns selects what these formats show' : ''}`,
    );
  }
  const format = formatOf(io, options, find);
  // A flag counts in any format, to refuse it; a variable is for the formats that take it.
  const columnsCount =
    options.columns !== undefined || columnFormats.some((known) => known === format);
  const jq = isJson(format) ? find('jq') : undefined;
  return {
    output: format,
    fields: isJson(format) ? listOf(find('json')) : undefined,
    columns: columnsCount ? listOf(find('columns')) : undefined,
    jq: jq && { ...jq, origin: bareName(jq.origin) },
    csvRaw: truthy(find('csv-raw')?.value),
    pager: pagerOf(io, find),
  };
}

/** Names separated by commas. Undefined where none is given, which means all. */
function listOf(found: Setting<string> | undefined): Setting<readonly string[]> | undefined {
  const names = listIn(found?.value ?? '');
  return found && names.length > 0
    ? { value: [...new Set(names)], origin: bareName(found.origin) }
    : undefined;
}

/** An empty variable or `cat` turns the pager off. */
function pagerOf({ env }: Io, find: Find): string | undefined {
  const command = env.CS_PAGER === '' ? '' : (find('pager')?.value ?? env.PAGER ?? 'less');
  return ['', 'cat'].includes(command.trim()) ? undefined : command.trim();
}
