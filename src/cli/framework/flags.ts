/** The flags that many commands share, and the parsers of flag values. */

import { InvalidArgumentError } from 'commander';
import { type FlagWithVariable, withVariable } from '../config/flag-variables.ts';
import { colorChoices, formats } from '../config/setting-list.ts';
import { type Command, Option } from './command.ts';

const globalGroup = 'Global flags';

/** On every command, before and after the noun. */
const globalFlags: readonly [form: string, about: string, choices?: readonly string[]][] = [
  ['-o, --output <format>', 'table, json, ndjson, csv, tsv, yaml or id; a table on a terminal, JSON otherwise', formats],
  ['--json [fields]', 'JSON, with these fields of the records or with all'],
  ['--jq <program>', 'JSON, and of it what this jq program answers; it sees every page of a list'],
  ['--columns <names>', 'columns of table, csv and tsv, in this order'],
  ['--no-pager', 'write a long result at once'],
  ['-y, --yes', 'answer questions with yes'],
  ['--no-input', 'never ask; a missing value is an error'],
  ['-q, --quiet', 'no notes on stderr'],
  ['-v, --verbose', 'show requests on stderr, secrets removed'],
  ['--profile <name>', 'use the server and key of this profile'],
  ['--base-url <url>', 'address of the server'],
  ['--timeout <seconds>', 'time for one request'],
  ['--retries <count>', 'how often a request is tried again'],
  ['--ca-file <file>', 'trust the certificates in this PEM file too'],
  ['--allow-insecure-http', 'send the key over plain http to another machine'],
  ['--color <when>', 'auto, always or never', colorChoices],
];

/** The same ones for every command: a command line goes by several, and to make them takes time. */
let made: readonly Option[] | undefined;

export function addGlobalFlags(command: Command): void {
  made ??= globalFlags.map(([form, about, choices]) => {
    const option = new Option(form, about).helpGroup(globalGroup);
    // A flag of its own: `--no-input` is not the opposite of `--input`, which gives a body.
    option.negate = false;
    // For completion; what is none of them is told with the other settings.
    option.argChoices = choices && [...choices];
    return option;
  });
  for (const option of made)
    if (!command.options.some((own) => own.long === option.long || (own.short && own.short === option.short))) command.addOption(option);
}

export const isGlobal = (option: Option): boolean => option.helpGroupHeading === globalGroup;

/** `--dry-run`, on every command that writes. */
export function addWriteFlags(command: Command): Command {
  return addWithVariable(command.markAsWrite(), '--dry-run', '-n, --dry-run', 'show the request and send nothing');
}

/** `--idempotency-key`, on every command that creates. */
export function addCreateFlags(command: Command): Command {
  const about = 'a repeat with the same key does not create twice';
  return addWithVariable(addWriteFlags(command), '--idempotency-key', '--idempotency-key <text>', about);
}

export function addListFlags(command: Command): Command {
  addAllFlag(command, 'every record, not one page');
  addWithVariable(command, '--limit', '--limit <count>', 'records per page, 1 to 200');
  addWithVariable(command, '--page', '--page <number>', 'page, counted from 1');
  addWithVariable(command, '--updated-after', '--updated-after <when>', 'only what changed at or after this time');
  return addIdsFlag(command, 'only these records; - reads ids from stdin');
}

/** `--all`, where it means every page of a list. */
export const addAllFlag = (command: Command, about: string): Command => addWithVariable(command, '--all', '--all', about);

/** `--ids`, on every command that takes several records. */
export const addIdsFlag = (command: Command, about = 'these records; - reads ids from stdin'): Command =>
  addWithVariable(command, '--ids', '--ids <a,b|->', about);

/** A flag that a variable of the environment gives as well. */
function addWithVariable(command: Command, flag: FlagWithVariable, form: string, about: string): Command {
  return command.addOption(withVariable(new Option(form, about), flag));
}

export function wholeNumber(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}

/** For a flag that can be given several times. */
export const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];
