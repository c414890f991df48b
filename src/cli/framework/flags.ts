/** Flags that many commands share, and parsers of flag values. */

import { InvalidArgumentError } from 'commander';
import {
  type FlagVariable,
  flagVariables,
  invalidValue,
  problemOf,
  type SettingInfo,
  settingList,
  truthy,
} from '../config/setting-list.ts';
import { usage } from '../errors/exit.ts';
import type { Io } from '../terminal/io.ts';
import { joinList } from '../terminal/text.ts';
import { type Command, Option } from './command.ts';

const globalGroup = 'Global flags';

/** Shared by all commands, because creating them takes time. */
let globalOptions: readonly Option[] | undefined;

/** The settings with a flag, on every command, before and after the noun. */
export function addGlobalFlags(command: Command): void {
  globalOptions ??= settingList.flatMap(({ flag, ofSomeCommands, ...setting }) =>
    flag && !ofSomeCommands ? [globalOption({ flag, ...setting })] : [],
  );
  for (const option of globalOptions)
    if (
      !command.options.some(
        (own) => own.long === option.long || (own.short && own.short === option.short),
      )
    )
      command.addOption(option);
}

function globalOption({
  about,
  defaultText,
  values,
  ...setting
}: SettingInfo & { readonly flag: string }): Option {
  const choices = setting.value && values;
  const described = choices ? `${about}: ${joinList(choices, 'or')}` : about;
  const hasDefault = !['', 'no', 'none'].includes(defaultText);
  const option = new Option(
    formOf(setting),
    hasDefault ? `${described} (default: ${defaultText})` : described,
  ).helpGroup(globalGroup);
  // The word after --json is an argument.
  option.form = option.form.replace(' [', '[=');
  // Not a negation: `--input` is another flag.
  option.negate = false;
  // For completion; the settings validate the value.
  if (choices) option.argChoices = [...choices];
  return option;
}

/** As commander and help write it: `-o, --output <format>`. */
const formOf = ({ flag, short, value }: Pick<FlagVariable, 'flag' | 'short' | 'value'>): string =>
  `${short ? `${short}, ` : ''}${flag}${value ? ` ${value}` : ''}`;

/** Whether the settings resolve its value. */
export const isSetting = (option: Option): boolean =>
  isGlobal(option) ||
  settingList.some(({ flag, ofSomeCommands }) => ofSomeCommands && flag === option.long);

export const isGlobal = (option: Option): boolean => option.helpGroupHeading === globalGroup;

/** `--dry-run`, on every command that writes. */
export const addWriteFlags = (command: Command): Command =>
  addFlagWithVariable(command.markAsWrite(), '--dry-run');

/** `--idempotency-key`, on every command that creates. */
export const addCreateFlags = (command: Command): Command =>
  addFlagWithVariable(addWriteFlags(command), '--idempotency-key');

export function addListFlags(command: Command): Command {
  for (const flag of ['--all', '--limit', '--page', '--updated-after'])
    addFlagWithVariable(command, flag);
  command.onlyOneOf('all', 'page');
  return addIdsFlag(command, 'only these records; - reads ids from stdin');
}

/** `--all`: every page of a list. */
export const addAllFlag = (command: Command, about: string): Command =>
  addFlagWithVariable(command, '--all', about);

/** `--ids`, on every command that takes several records. */
export const addIdsFlag = (command: Command, about?: string): Command =>
  addFlagWithVariable(command, '--ids', about);

/** A flag that can also be set by its environment variable. */
export function addFlagWithVariable(command: Command, flag: string, about?: string): Command {
  const known = flagVariables.find((one) => one.flag === flag) as FlagVariable;
  const option = new Option(formOf(known), about ?? known.about);
  option.variable = known.variable;
  return command.addOption(option);
}

/**
 * Sets flags that weren't typed from the environment and returns the names of the variables used.
 * Exit 2 for an invalid value, typed or not, and for two variables that conflict.
 */
export function applyVariables(
  command: Command,
  words: readonly unknown[],
  { env, now }: Pick<Io, 'env' | 'now'>,
): string[] {
  const check = (info: FlagVariable, value: unknown, name: string) => {
    const problem = typeof value === 'string' ? problemOf(info, value, now()) : undefined;
    if (problem) throw invalidValue(name, value as string, problem);
  };
  // A copy of the typed flags, because the loop adds to the options.
  const typed = { ...command.opts() };
  const used: FlagVariable[] = [];
  for (const option of command.options) {
    const info = flagVariables.find(({ variable }) => variable === option.variable);
    if (!info) continue;
    const { flag, variable, overriddenBy = [] } = info;
    const attribute = option.attributeName();
    const value = env[variable];
    check(info, typed[attribute], flag);
    if (!value || typed[attribute] !== undefined) continue;
    check(info, value, variable);
    if (!info.value && !truthy(value)) continue;
    if (overriddenBy.some((other) => typed[other] !== undefined)) continue;
    const readsStdin = value === '-' && Object.values(typed).includes('-');
    if (flag === '--ids' && (readsStdin || namesRecords(command, words))) continue;
    const other = used.find((one) => overriddenBy.includes(one.flag.slice(2)));
    if (other)
      throw usage(`${other.variable} and ${variable} can't be used together.`, 'unset one of them');
    used.push(info);
    command.setOptionValueWithSource(attribute, info.value ? value : true, 'env');
  }
  return used.map(({ variable }) => variable);
}

/** Whether records are given as arguments: the variadic argument is always the last one. */
function namesRecords(command: Command, words: readonly unknown[]): boolean {
  const last = command.registeredArguments.length - 1;
  const given = words[last];
  return (
    command.registeredArguments[last]?.variadic === true && Array.isArray(given) && given.length > 0
  );
}

export function wholeNumber(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError("isn't a whole number.");
  return Number(value);
}

/**
 * A size such as `50GB`, in bytes: a megabyte is 1,000,000 of them, as in every size that `cs`
 * shows.
 */
export function readSize(text: string, name: string): number {
  const [, number, unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?) ?([kmg])b$/i.exec(text.trim()) ?? [];
  if (number === undefined)
    throw usage(`"${text}" (${name}) isn't a size.`, 'write it like 500MB or 50GB');
  return Math.round(Number(number) * 1000 ** ('kmg'.indexOf(unit.toLowerCase()) + 1));
}

/** For a repeatable flag. */
export const collect = (value: string, before: string[] | undefined): string[] => [
  ...(before ?? []),
  value,
];
