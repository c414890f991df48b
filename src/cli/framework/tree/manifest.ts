/** The command tree as plain data: what help, completion, the reference and the man pages are made of. */
import type { Argument, Command, Option } from 'commander';
import type { ResourceName } from '../../../contract/contract.ts';
import { variableOf } from '../../config/flag-variables.ts';
import { columnName } from '../../output/view.ts';
import { examplesOf, operationsOf, resultOf } from '../command.ts';
import { isGlobal } from '../flags.ts';

/** What stands behind a word that is completed. */
interface Completed {
  /** The values there are; others are refused. */
  readonly choices?: readonly string[];
  /** The resource whose records the value names, or the profiles. */
  readonly names?: Named;
  /** Those records lie below the ones that the arguments before it name. */
  readonly within?: true;
  /** Values worth offering, where the command itself judges what it is given. */
  readonly offers?: readonly string[];
  /** The same, by the word before. */
  readonly offersAfter?: Readonly<Record<string, readonly string[]>>;
  /** Words before it after which it names a file. */
  readonly filesAfter?: readonly string[];
}

export type Named = ResourceName | 'profiles';

export interface FlagInfo extends Completed {
  /** `--status`, without what it takes. */
  readonly long: string;
  /** `-o`. */
  readonly short?: string;
  /** As help shows it: `-o, --output <format>`. */
  readonly form: string;
  readonly about: string;
  /** Whether it takes a value: always, or perhaps. */
  readonly value?: 'required' | 'optional';
  /** On every command. */
  readonly global?: true;
  /** The variable of the environment that gives it too, where it is no setting. */
  readonly variable?: string;
}

export interface ArgumentInfo extends Completed {
  readonly name: string;
  readonly about: string;
  readonly required: boolean;
  readonly variadic: boolean;
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
  /** What --json picks from, where that is known. */
  readonly fields?: readonly string[];
  /** The columns of the table, which --columns takes beside the fields. */
  readonly columns?: readonly string[];
  readonly commands: readonly CommandInfo[];
}

const completed = new WeakMap<Option | Argument, Completed>();

/**
 * Says that a flag's or an argument's value names a record or a profile, so that completion can offer the names. `within`: the records
 * lie below those that the arguments before it name.
 */
export function namesRecords<T extends Option | Argument>(taker: T, names: Named, { within = false } = {}): T {
  completed.set(taker, { names, within: within || undefined });
  return taker;
}

/** Says which values are worth offering; with `offersAfter` by the word before, where there is one, and files after some of these. */
export function offering<T extends Option | Argument>(
  taker: T,
  offers: readonly string[],
  offersAfter?: Readonly<Record<string, readonly string[]>>,
  filesAfter?: readonly string[],
): T {
  completed.set(taker, { offers, offersAfter, filesAfter });
  return taker;
}

const needed = new WeakSet<Argument>();

/** Says that an argument cannot be left out although one before it can, which commander does not know: the command sees to it. */
export function neededBehindOptional(argument: Argument): Argument {
  needed.add(argument);
  return argument;
}

const isNeeded = (argument: Argument): boolean => needed.has(argument);

/** A command with everything below it. */
export function describeCommand(command: Command): CommandInfo {
  const result = resultOf(command);
  return {
    name: command.name(),
    aliases: command.aliases(),
    summary: command.summary(),
    about: command.description() || command.summary(),
    group: command.helpGroup() || undefined,
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      about: argument.description,
      required: argument.required || isNeeded(argument),
      variadic: argument.variadic,
      choices: argument.argChoices,
      ...completed.get(argument),
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
        ...completed.get(option),
        global: isGlobal(option) || undefined,
        variable: variableOf(option)?.variable,
      })),
    examples: examplesOf(command),
    operations: operationsOf(command),
    fields: result?.fields,
    columns: result?.columns.map(columnName),
    commands: command.commands.map(describeCommand),
  };
}
