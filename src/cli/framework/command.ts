/**
 * A command: commander's `Command` with what `cs` knows of it beyond commander, as typed members.
 *
 * A module in `commands/` exports one `CommandBuilder`, named like the command. It receives an empty command (name, summary and alias
 * come from the catalogue) and adds arguments, flags, sub-commands and handlers:
 *
 * ```ts
 * export const serve: CommandBuilder = (command) => {
 *   command
 *     .argument('[folder]', 'Where the data lives.')
 *     .option('--port <number>', 'Port to listen on.', wholeNumber)
 *     .examples(['cs serve --port 0'])
 *     .handle(async (context, { args: [folder], options: { port } }) => {
 *       context.note('Starting …');                              // stderr, silent with --quiet
 *       await context.output.value({ url }, `Ready at ${url}`);  // stdout: JSON for a pipe, the text for a person
 *     });
 * };
 * ```
 *
 * A handler returns nothing for exit code 0, or a code of `errors/exit.ts`; it throws everything else (`CliError`, the client's
 * errors), and one place renders it. `tree/live-tree.ts` adds the global flags (-o, --json, -y, -q, -v, --profile …) to every command.
 */
import * as commander from 'commander';
import type { ResourceName } from '../../contract/contract.ts';
import type { ExitCode } from '../errors/exit.ts';
import type { View } from '../output/view.ts';
import type { Context } from './context.ts';

export type CommandBuilder = (command: Command) => void;

export interface Input {
  /** Positional arguments in order; a variadic one is a list of strings. */
  // biome-ignore lint/suspicious/noExplicitAny: commander passes what the declared parsers returned
  readonly args: any[];
  /** Flags by attribute name: `--license-plate` is `licensePlate`. The global ones are in `context.settings`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly options: Record<string, any>;
  readonly command: Command;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return value succeeded
export type Handler = (context: Context, input: Input) => Promise<ExitCode | void>;
/** Runs a handler with its context; the program sets it on its root command. */
type Runner = (handler: Handler, input: Input) => Promise<void>;
type WritesWhen = (words: readonly unknown[], options: Input['options']) => boolean;

/** What completion offers for the value of a flag or an argument. */
export interface Suggestions {
  /** The resource whose records the value names, or the profiles. */
  readonly names?: Named;
  /** Those records belong to the ones that the arguments before it name. */
  readonly within?: true;
  /** Values worth offering, where the command itself judges what it is given. */
  readonly offers?: readonly string[];
  /** The same, by the word before. */
  readonly offersAfter?: Readonly<Record<string, readonly string[]>>;
  /** Words before it after which it names a file. */
  readonly filesAfter?: readonly string[];
}

export type Named = ResourceName | 'profiles';

export class Option extends commander.Option {
  suggestions: Suggestions = {};
  /** The environment variable that gives the flag too. */
  variable: string | undefined;
}

export class Argument extends commander.Argument {
  suggestions: Suggestions = {};
  /** Required although an argument before it is optional, which commander does not know; the command checks it. */
  requiredAfterOptional = false;
}

/**
 * The value names a record or a profile, so that completion can offer the names. `within`: the records belong to those that the
 * arguments before it name.
 */
export function suggestRecords<T extends Option | Argument>(taker: T, names: Named, { within = false } = {}): T {
  taker.suggestions = { names, within: within || undefined };
  return taker;
}

/** The values are worth offering; with `offersAfter` by the word before, where there is one, and files after `filesAfter`. */
export function suggestValues<T extends Option | Argument>(
  taker: T,
  offers: readonly string[],
  offersAfter?: Readonly<Record<string, readonly string[]>>,
  filesAfter?: readonly string[],
): T {
  taker.suggestions = { offers, offersAfter, filesAfter };
  return taker;
}

export function requiredAfterOptional(argument: Argument): Argument {
  argument.requiredAfterOptional = true;
  return argument;
}

export class Command extends commander.Command {
  declare readonly commands: readonly Command[];
  declare readonly options: readonly Option[];
  declare readonly registeredArguments: readonly Argument[];
  declare parent: Command | null;

  /** Command lines for the help; a line starting with `#` is a remark. */
  exampleLines: readonly string[] = [];
  /** The operations of the contract that this command implements: `cars.create`. A test holds that every operation has a command. */
  operations: readonly string[] = [];
  /** What the command prints, where that is known before it runs. */
  result: View | undefined;
  /** It runs although environment variables hold unusable values, and reports them. */
  toleratesEnvironment = false;
  /** People may type a secret after it, so an error repeats nothing that was typed. */
  takesSecrets = false;
  /** Set on the root command alone. */
  runner: Runner | undefined;

  #setup: (() => void) | undefined;
  #complete = false;
  #flagNames: Readonly<Record<string, string>> = {};
  #writesWhen: WritesWhen = () => false;
  #isLastWord: ((word: string) => boolean) | undefined;

  override createCommand(name?: string): Command {
    return new Command(name);
  }

  override createOption(flags: string, description?: string): Option {
    return new Option(flags, description);
  }

  override createArgument(name: string, description?: string): Argument {
    return new Argument(name, description);
  }

  /** The words that lead to the command: `cs cars events list`. */
  get path(): string {
    return this.parent ? `${this.parent.path} ${this.name()}` : this.name();
  }

  handle(handler: Handler): this {
    return this.action((...received: unknown[]) => {
      let root: Command = this;
      while (root.parent) root = root.parent;
      return root.runner?.(handler, { args: received.slice(0, -2), options: this.opts(), command: this });
    });
  }

  examples(lines: readonly string[]): this {
    this.exampleLines = lines;
    return this;
  }

  /** Postpones arguments and flags until the command is known to be the one that was typed: a family has many, and each costs time. */
  deferSetup(setup: () => void): this {
    this.#setup = setup;
    return this;
  }

  /** Runs the postponed setup. Returns whether this was the first call. */
  completeSetup(): boolean {
    if (this.#complete) return false;
    this.#complete = true;
    this.#setup?.();
    return true;
  }

  /** Names the flags of fields that are called otherwise: `{ parkingSpotId: '--spot' }`. Errors name the flag. */
  nameFlags(flags: Readonly<Record<string, string>>): this {
    this.#flagNames = { ...this.#flagNames, ...flags };
    return this;
  }

  /** The flag that gives a field, or `undefined`. */
  flagFor(field: string): string | undefined {
    return this.#flagNames[field] ?? this.options.find((option) => option.attributeName() === field && !option.negate)?.long;
  }

  implementsOperation(...operations: readonly string[]): this {
    this.operations = operations;
    return this;
  }

  /** Marks a command that writes, perhaps only with some arguments or flags: a read-only profile refuses it before any prompt or read. */
  markAsWrite(when: WritesWhen = () => true): this {
    this.#writesWhen = when;
    return this;
  }

  /** Whether the command would write with these arguments; never with --dry-run. */
  wouldWrite(words: readonly unknown[]): boolean {
    return this.opts().dryRun !== true && this.#writesWhen(words, this.opts());
  }

  /**
   * Declares what the command prints, so that --json and --columns are checked before anything is done. Every command that changes
   * something declares it; a test holds that. A command that knows it only from its arguments calls `context.output.prepare` itself.
   */
  declareOutput(view: View): this {
    this.result = view;
    return this;
  }

  /** Words after which the command takes no more, although it has arguments left: `cs api /cars`. */
  endArgumentsAfter(isLast: (word: string) => boolean): this {
    this.#isLastWord = isLast;
    return this;
  }

  /** The arguments that the command takes when it is given these words. */
  takenArguments(words: readonly string[]): readonly Argument[] {
    const at = this.#isLastWord ? words.findIndex(this.#isLastWord) : -1;
    return at < 0 ? this.registeredArguments : this.registeredArguments.slice(0, at + 1);
  }

  tolerateEnvironment(): this {
    this.toleratesEnvironment = true;
    return this;
  }

  expectSecrets(): this {
    this.takesSecrets = true;
    return this;
  }
}
