/** The format, fields, columns, jq program and pager of a result. */
import { usage } from '../errors/exit.ts';
import { columnFormats, type Format, formatNames, formats } from '../output/formats.ts';
import type { OutputSettings } from '../output/settings.ts';
import type { Io } from '../terminal/io.ts';
import type { GlobalOptions, Setting } from './setting-list.ts';
import { checkChoice, truthy } from './setting-list.ts';

/** Finds the value of a setting in environment and profile, by the name of its variable. */
export type SettingLookup = (variable: string) => Setting<string> | undefined;

const isJson = (name: string | undefined): boolean =>
  formats.find((format) => format.name === name)?.json ?? false;
const takesColumns = (name: string): boolean => columnFormats.some((format) => format === name);

/** Never fails, so that a wrong command line is reported in the requested format. */
export function outputFormat(io: Io, options: GlobalOptions, lookUp: SettingLookup): Format {
  const json = isJson(options.output) ? options.output : 'json';
  const wanted = requestsJson(options)
    ? json
    : (options.output ?? lookUp('CS_OUTPUT')?.value ?? (impliesJson(lookUp) ? 'json' : undefined));
  return (
    formatNames.find((format) => format === wanted) ?? (io.stdoutIsTerminal ? 'table' : 'json')
  );
}

const requestsJson = ({ json, jq }: GlobalOptions): boolean =>
  (json !== undefined && json !== false) || jq !== undefined;
const impliesJson = (lookUp: SettingLookup): boolean =>
  lookUp('CS_JSON') !== undefined || lookUp('CS_JQ') !== undefined;

/** Exit 2 for conflicting flags and for an unknown format. */
export function readOutputSettings(
  io: Io,
  options: GlobalOptions,
  lookUp: SettingLookup,
): OutputSettings {
  const { output, json, jq, columns } = options;
  checkChoice(formatNames, output, '--output');
  if (output === undefined && !requestsJson(options))
    checkChoice(formatNames, io.env.CS_OUTPUT, 'CS_OUTPUT');
  if (output !== undefined && !isJson(output) && requestsJson(options)) {
    const flag = jq === undefined ? '--json' : '--jq';
    const instead = takesColumns(output)
      ? 'leave one of them out; --columns selects what these formats show'
      : 'leave one of them out';
    throw usage(`${flag} and --output ${output} can't be used together.`, instead);
  }
  const format = outputFormat(io, options, lookUp);
  const named = (flag: string | true | undefined, name: string, variable: string) => {
    const given =
      typeof flag === 'string'
        ? { value: flag, origin: name }
        : flag === undefined
          ? variableOf(lookUp(variable))
          : undefined;
    return given && listOf(given);
  };
  return {
    output: format,
    fields: isJson(format)
      ? named(json === false ? undefined : json, '--json', 'CS_JSON')
      : undefined,
    // A flag counts in any format, to refuse it; a variable is for the formats that take it.
    columns:
      takesColumns(format) || columns !== undefined
        ? named(columns, '--columns', 'CS_COLUMNS')
        : undefined,
    jq: isJson(format)
      ? jq === undefined
        ? variableOf(lookUp('CS_JQ'))
        : { value: jq, origin: '--jq' }
      : undefined,
    csvRaw: options.csvRaw || truthy(lookUp('CS_CSV_RAW')?.value),
    pager:
      options.noPager || truthy(lookUp('CS_NO_PAGER')?.value) ? undefined : pagerOf(io, lookUp),
  };
}

/** The origin is the bare name of the variable, as that of a flag is the flag. */
const variableOf = (setting: Setting<string> | undefined): Setting<string> | undefined =>
  setting && { ...setting, origin: setting.origin.replace(/^environment /, '') };

/** Names separated by commas. Undefined where none is given, which means all. */
function listOf({ value, origin }: Setting<string>): Setting<readonly string[]> | undefined {
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  return names.length === 0 ? undefined : { value: [...new Set(names)], origin };
}

/** An empty variable or `cat` turns the pager off. */
function pagerOf({ env }: Io, lookUp: SettingLookup): string | undefined {
  const command = env.CS_PAGER === '' ? '' : (lookUp('CS_PAGER')?.value ?? env.PAGER ?? 'less');
  return ['', 'cat'].includes(command.trim()) ? undefined : command.trim();
}
