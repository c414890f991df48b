/** What is printed of a result, and how: the flags about output, the environment and the profile together. */
import { usage } from '../errors/exit.ts';
import type { Io } from '../terminal/io.ts';
import type { GlobalOptions, Setting } from './setting-list.ts';
import { type Format, formats, refuseUnlisted, truthy } from './setting-list.ts';

export interface OutputSettings {
  readonly output: Format;
  /** The fields that --json names; nothing where every field is wanted. */
  readonly fields: Setting<readonly string[]> | undefined;
  /** What --columns names: columns of the table, or fields. */
  readonly columns: Setting<readonly string[]> | undefined;
  /** The program of --jq. */
  readonly jq: Setting<string> | undefined;
  /** The command that shows long results on a terminal; nothing where there is to be none. `less` is the one that nobody chose. */
  readonly pager: string | undefined;
}

/** What the environment and the profile say, by the name of a variable. */
type Below = (variable: string) => Setting<string> | undefined;

const isJson = (format: string | undefined): boolean => format === 'json' || format === 'ndjson';
const inColumns: readonly string[] = ['table', 'csv', 'tsv'] satisfies Format[];

/** What decides the shape of an error, read without failing: also a wrong command line is reported in the right form. */
export function outputFormat(io: Io, options: GlobalOptions, below: Below): Format {
  const json = isJson(options.output) ? options.output : 'json';
  const wanted = asksJson(options) ? json : (options.output ?? below('CS_OUTPUT')?.value ?? (impliesJson(below) ? 'json' : undefined));
  return formats.find((format) => format === wanted) ?? (io.stdoutIsTerminal ? 'table' : 'json');
}

const asksJson = ({ json, jq }: GlobalOptions): boolean => (json !== undefined && json !== false) || jq !== undefined;
const impliesJson = (below: Below): boolean => below('CS_JSON') !== undefined || below('CS_JQ') !== undefined;

/** Exit 2 for flags that contradict each other, and for a format that there is not. */
export function readOutputSettings(io: Io, options: GlobalOptions, below: Below): OutputSettings {
  const { output, json, jq, columns } = options;
  refuseUnlisted(formats, output, '--output');
  if (output === undefined && !asksJson(options)) refuseUnlisted(formats, io.env.CS_OUTPUT, 'CS_OUTPUT');
  if (output !== undefined && !isJson(output) && asksJson(options)) {
    const flag = jq === undefined ? '--json' : '--jq';
    const instead = inColumns.includes(output) ? 'leave one of them out; --columns picks what these formats show' : 'leave one of them out';
    throw usage(`${flag} and --output ${output} exclude each other.`, instead);
  }
  const format = outputFormat(io, options, below);
  if (columns !== undefined && !inColumns.includes(format))
    throw usage(`--columns does not go with ${format}.`, 'add -o table, csv or tsv; --json id,createdAt picks the fields of JSON');
  const named = (flag: string | true | undefined, name: string, variable: string) => {
    const given = typeof flag === 'string' ? { value: flag, origin: name } : flag === undefined ? variableOf(below(variable)) : undefined;
    return given && listOf(given);
  };
  return {
    output: format,
    fields: isJson(format) ? named(json === false ? undefined : json, '--json', 'CS_JSON') : undefined,
    columns: inColumns.includes(format) ? named(columns, '--columns', 'CS_COLUMNS') : undefined,
    jq: isJson(format) ? (jq === undefined ? variableOf(below('CS_JQ')) : { value: jq, origin: '--jq' }) : undefined,
    pager: options.noPager || truthy(below('CS_NO_PAGER')?.value) ? undefined : pagerOf(io, below),
  };
}

/** Named by the variable alone, as a message about a flag names the flag. */
const variableOf = (setting: Setting<string> | undefined): Setting<string> | undefined =>
  setting && { ...setting, origin: setting.origin.replace(/^environment /, '') };

/** Names separated by commas; without any, all are meant. */
function listOf({ value, origin }: Setting<string>): Setting<readonly string[]> | undefined {
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  return names.length === 0 ? undefined : { value: [...new Set(names)], origin };
}

/** An empty variable says that there is to be none, and so does `cat`, which would only hand on. */
function pagerOf({ env }: Io, below: Below): string | undefined {
  const command = env.CS_PAGER === '' ? '' : (below('CS_PAGER')?.value ?? env.PAGER ?? 'less');
  return ['', 'cat'].includes(command.trim()) ? undefined : command.trim();
}
