/** The command tree as plain data, for help, completion, the reference and the man pages. */

import { columnName } from '../../output/view.ts';
import type { Command, Need, Suggestions } from '../command.ts';
import { isGlobal } from '../flags.ts';

interface Completable extends Suggestions {
  /** The valid values. */
  readonly choices?: readonly string[];
}

export interface FlagInfo extends Completable {
  /** `--status`. */
  readonly long: string;
  /** `-o`. */
  readonly short?: string;
  /** As in help: `-o, --output <format>`. */
  readonly form: string;
  readonly about: string;
  /** Whether its value is required or optional; undefined for none. */
  readonly value?: 'required' | 'optional';
  /** Accepted by every command. */
  readonly global?: true;
  /** Its environment variable, for flags that aren't settings. */
  readonly variable?: string;
}

export interface ArgumentInfo extends Completable {
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
  /** Its heading in the help of the parent command. */
  readonly group?: string;
  readonly arguments: readonly ArgumentInfo[];
  readonly flags: readonly FlagInfo[];
  readonly examples: readonly string[];
  /** The operations of the contract that it implements, such as `cars.create`. */
  readonly operations: readonly string[];
  /** What it needs beyond its operations and beyond the specification. */
  readonly needs?: readonly Need[];
  /** The fields that --json selects from, if known. */
  readonly fields?: readonly string[];
  /** The columns of the table, which --columns accepts besides fields. */
  readonly columns?: readonly string[];
  readonly commands: readonly CommandInfo[];
}

/** Describes a command and its subcommands. */
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
        form: option.form,
        about: option.description,
        value: option.required ? 'required' : option.optional ? 'optional' : undefined,
        choices: option.argChoices,
        ...option.suggestions,
        global: isGlobal(option) || undefined,
        variable: option.variable,
      })),
    examples: command.exampleLines,
    operations: command.operations,
    needs: command.needed.length > 0 ? command.needed : undefined,
    fields: result?.fields,
    columns: result?.columns.map(columnName),
    commands: command.commands.map(describeCommand),
  };
}
