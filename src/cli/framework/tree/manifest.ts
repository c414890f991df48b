/** The command tree as plain data: what help, completion, the reference and the man pages are made of. */

import { columnName } from '../../output/view.ts';
import type { Command, Suggestions } from '../command.ts';
import { isGlobal } from '../flags.ts';

interface Completed extends Suggestions {
  /** The valid values; others are refused. */
  readonly choices?: readonly string[];
}

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

/** A command with everything below it. */
export function describeCommand(command: Command): CommandInfo {
  const result = command.result;
  return {
    name: command.name(),
    aliases: command.aliases(),
    summary: command.summary(),
    about: command.description() || command.summary(),
    group: command.helpGroup() || undefined,
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      about: argument.description,
      required: argument.required || argument.requiredAfterOptional,
      variadic: argument.variadic,
      choices: argument.argChoices,
      ...argument.suggestions,
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
        ...option.suggestions,
        global: isGlobal(option) || undefined,
        variable: option.variable,
      })),
    examples: command.exampleLines,
    operations: command.operations,
    fields: result?.fields,
    columns: result?.columns.map(columnName),
    commands: command.commands.map(describeCommand),
  };
}
