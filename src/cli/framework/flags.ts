/** Flags that many commands share, and parsers of flag values. */

import { InvalidArgumentError } from 'commander';
import { type SettingInfo, settingList } from '../config/setting-list.ts';
import { usage } from '../errors/exit.ts';
import { joinList } from '../terminal/text.ts';
import { type Command, Option } from './command.ts';
import { type FlagVariable, type FlagWithVariable, flagVariables } from './flag-variables.ts';

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
  for (const flag of ['--all', '--limit', '--page', '--updated-after'] as const)
    addFlagWithVariable(command, flag);
  return addIdsFlag(command, 'only these records; - reads ids from stdin');
}

/** `--all`: every page of a list. */
export const addAllFlag = (command: Command, about: string): Command =>
  addFlagWithVariable(command, '--all', about);

/** `--ids`, on every command that takes several records. */
export const addIdsFlag = (command: Command, about?: string): Command =>
  addFlagWithVariable(command, '--ids', about);

/** A flag that can also be set by its environment variable. */
export function addFlagWithVariable(
  command: Command,
  flag: FlagWithVariable,
  about?: string,
): Command {
  const known = flagVariables.find((one) => one.flag === flag) as FlagVariable;
  const option = new Option(formOf(known), about ?? known.about);
  option.variable = known.variable;
  return command.addOption(option);
}

export function wholeNumber(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError("isn't a whole number.");
  return Number(value);
}

/** A size such as `50GB`, in bytes: a megabyte is 1,000,000 of them, as in every size that `cs` shows. */
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
