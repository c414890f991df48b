/** The command tree as plain data: what help, completion, the reference and the man pages are made of. */
import type { Argument, Command, Option } from 'commander';
import type { ResourceName } from '../../contract/contract.ts';
import { examplesOf, operationsOf } from '../command.ts';
import { isGlobal } from '../flags.ts';

export interface FlagInfo {
  /** `--status`, without what it takes. */
  readonly long: string;
  /** `-o`. */
  readonly short?: string;
  /** As help shows it: `-o, --output <format>`. */
  readonly form: string;
  readonly about: string;
  /** Whether it takes a value: always, or perhaps. */
  readonly value?: 'required' | 'optional';
  readonly choices?: readonly string[];
  /** The resource whose records the value names. */
  readonly names?: ResourceName;
  /** On every command. */
  readonly global?: true;
}

export interface ArgumentInfo {
  readonly name: string;
  readonly about: string;
  readonly required: boolean;
  readonly variadic: boolean;
  readonly choices?: readonly string[];
  readonly names?: ResourceName;
}

export interface CommandInfo {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly about: string;
  /** The heading it stands under in the help of the command above. */
  readonly group?: string;
  readonly arguments: readonly ArgumentInfo[];
  readonly flags: readonly FlagInfo[];
  readonly examples: readonly string[];
  /** The operations of the contract that it exists for, such as `cars.create`. */
  readonly operations: readonly string[];
  readonly commands: readonly CommandInfo[];
}

const naming = new WeakMap<Option | Argument, ResourceName>();

/** Says that a flag's or an argument's value names a record, so that completion can offer the names. */
export function namesRecords<T extends Option | Argument>(taker: T, resource: ResourceName): T {
  naming.set(taker, resource);
  return taker;
}

/** A command with everything below it. */
export function describeCommand(command: Command): CommandInfo {
  return {
    name: command.name(),
    aliases: command.aliases(),
    summary: command.summary(),
    about: command.description() || command.summary(),
    group: command.helpGroup() || undefined,
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      about: argument.description,
      required: argument.required,
      variadic: argument.variadic,
      choices: argument.argChoices,
      names: naming.get(argument),
    })),
    flags: command.options
      .filter(({ hidden, long }) => !hidden && long)
      .map((option) => ({
        long: option.long as string,
        short: option.short,
        form: option.flags,
        about: option.description,
        value: option.required ? 'required' : option.optional ? 'optional' : undefined,
        choices: option.argChoices,
        names: naming.get(option),
        global: isGlobal(option) || undefined,
      })),
    examples: examplesOf(command),
    operations: operationsOf(command),
    commands: command.commands.map(describeCommand),
  };
}
