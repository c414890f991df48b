/** Flags that many commands share, and parsers of flag values. */

import { InvalidArgumentError } from 'commander';
import { attachVariable, type FlagWithVariable } from '../config/flag-variables.ts';
import { colorChoices } from '../config/setting-list.ts';
import { columnFormats, formatNames } from '../output/formats.ts';
import { joinList } from '../terminal/text.ts';
import { type Command, Option } from './command.ts';

const globalGroup = 'Global flags';

/** On every command, before and after the noun. */
const globalFlags: readonly [form: string, about: string, choices?: readonly string[]][] = [
  ['-o, --output <format>', `${joinList(formatNames, 'or')} (default: table on a terminal, otherwise json)`, formatNames],
  ['--json [fields]', 'JSON with these fields (default: all)'],
  ['--jq <program>', 'filter the JSON with a jq program; reads every page of a list'],
  ['--columns <names>', `columns of ${joinList(columnFormats)}, in order`],
  ['--csv-raw', 'leave formulas in csv as they are'],
  ['--no-pager', "don't use a pager"],
  ['-y, --yes', 'answer yes to all prompts'],
  ['--no-input', 'never prompt; missing values are errors'],
  ['-q, --quiet', 'only errors and warnings on stderr'],
  ['-v, --verbose', 'show requests on stderr, without secrets'],
  ['--profile <name>', 'use the server and key of this profile'],
  ['--base-url <url>', 'server address'],
  ['--timeout <seconds>', 'timeout of a request (default: 30)'],
  ['--retries <count>', 'number of retries (default: 3)'],
  ['--ca-file <file>', 'also trust the certificates in this PEM file'],
  ['--allow-insecure-http', 'allow sending the key over plain http'],
  ['--color <when>', 'auto, always or never (default: auto)', colorChoices],
];

/** Shared by all commands, because creating them takes time. */
let globalOptions: readonly Option[] | undefined;

export function addGlobalFlags(command: Command): void {
  globalOptions ??= globalFlags.map(([form, about, choices]) => {
    const option = new Option(form, about).helpGroup(globalGroup);
    // Not a negation: `--input` is another flag.
    option.negate = false;
    // For completion; the settings validate the value.
    option.argChoices = choices && [...choices];
    return option;
  });
  for (const option of globalOptions)
    if (!command.options.some((own) => own.long === option.long || (own.short && own.short === option.short))) command.addOption(option);
}

export const isGlobal = (option: Option): boolean => option.helpGroupHeading === globalGroup;

/** `--dry-run`, on every command that writes. */
export function addWriteFlags(command: Command): Command {
  return addFlagWithVariable(command.markAsWrite(), '--dry-run', '-n, --dry-run', 'show the request, send nothing');
}

/** `--idempotency-key`, on every command that creates. */
export function addCreateFlags(command: Command): Command {
  const about = 'key that makes a repeated create safe';
  return addFlagWithVariable(addWriteFlags(command), '--idempotency-key', '--idempotency-key <text>', about);
}

export function addListFlags(command: Command): Command {
  addAllFlag(command, 'all records, not one page');
  addFlagWithVariable(command, '--limit', '--limit <count>', 'records per page, 1 to 200');
  addFlagWithVariable(command, '--page', '--page <number>', 'page number, from 1');
  addFlagWithVariable(command, '--updated-after', '--updated-after <when>', 'only records changed at or after this time');
  return addIdsFlag(command, 'only these records; - reads ids from stdin');
}

/** `--all`: every page of a list. */
export const addAllFlag = (command: Command, about: string): Command => addFlagWithVariable(command, '--all', '--all', about);

/** `--ids`, on every command that takes several records. */
export const addIdsFlag = (command: Command, about = 'these records; - reads ids from stdin'): Command =>
  addFlagWithVariable(command, '--ids', '--ids <a,b|->', about);

/** A flag that can also be set by its environment variable. */
function addFlagWithVariable(command: Command, flag: FlagWithVariable, form: string, about: string): Command {
  return command.addOption(attachVariable(new Option(form, about), flag));
}

export function wholeNumber(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}

/** For a repeatable flag. */
export const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];
