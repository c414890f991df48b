/**
 * A command: commander's `Command` with the data of `cs` as typed members.
 *
 * A module in `commands/` exports one `CommandBuilder`, named like the command. It receives an
 * empty command (name, summary and alias come from the catalogue) and adds arguments, flags,
 * sub-commands and handlers:
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
 * A handler returns nothing for exit code 0, or a code of `errors/exit.ts`; it throws everything
 * else (`CliError`, the client's errors), and one place renders it. `tree/live-tree.ts` adds the
 * global flags (-o, --json, -y, -q, -v, --profile …) to every command.
 */
import * as commander from 'commander';
import type { ResourceName } from '../../contract/contract.ts';
import { choiceProblem, invalidValue } from '../config/setting-list.ts';
import type { Context } from '../context.ts';
import { type ExitCode, usage } from '../errors/exit.ts';
import type { View } from '../output/view.ts';

export type CommandBuilder = (command: Command) => void;

export interface Input {
  /** Positional arguments in order; a variadic one is a list of strings. */
  // biome-ignore lint/suspicious/noExplicitAny: commander passes what the declared parsers returned
  readonly args: any[];
  /**
   * Flags by attribute name: `--license-plate` is `licensePlate`. The global ones are in
   * `context.settings`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly options: Record<string, any>;
  readonly command: Command;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return value succeeded
export type Handler = (context: Context, input: Input) => Promise<ExitCode | void>;
/** Runs a handler with its context; the program sets it on its root command. */
type Runner = (handler: Handler, input: Input) => Promise<void>;
type WritesWhen = (words: readonly unknown[], options: Input['options']) => boolean;

/** What completion suggests for the value of a flag or an argument. */
export interface Suggestions {
  /** Names of records of this resource, or of profiles. */
  readonly names?: Named;
  /** Only records that belong to those of the arguments before. */
  readonly within?: true;
  /** Common values; the command validates the value itself. */
  readonly offers?: readonly string[];
  /** Common values, or files, by the word before. */
  readonly offersAfter?: Readonly<Record<string, readonly string[] | 'files'>>;
}

export type Named = ResourceName | 'profiles';

/** A command line that commander refuses, with its code; `usage-error.ts` has the words. */
export class RefusedLine extends Error {
  readonly code: string;
  readonly command: Command;

  constructor(code: string, command: Command) {
    super(code);
    this.code = code;
    this.command = command;
  }
}

export class Option extends commander.Option {
  suggestions: Suggestions = {};
  /** The environment variable of the flag. */
  variable: string | undefined;
  /** As help shows it. */
  form = this.flags;
  /** Its value goes into a field of a record. */
  isField = false;
  /** Attribute names of the options that can't stand beside it. */
  readonly excluded: string[] = [];

  /** A parser throws the problem with a value as an `InvalidArgumentError`. */
  override argParser<T>(parse: (value: string, previous: T) => T): this {
    return super.argParser<T>((value, previous) => {
      try {
        return parse(value, previous);
      } catch (error) {
        if (!(error instanceof commander.InvalidArgumentError)) throw error;
        throw usage(`${this.long}: "${value}" ${error.message}`, `write it as ${this.flags}`);
      }
    });
  }

  override conflicts(names: string | string[]): this {
    this.excluded.push(...[names].flat());
    return super.conflicts(names);
  }

  override choices(values: readonly string[]): this {
    this.argChoices = [...values];
    return this.argParser((value) => requireChoice(values, value, String(this.long)));
  }
}

export class Argument extends commander.Argument {
  suggestions: Suggestions = {};
  /**
   * Required although an argument before it is optional. Commander doesn't support that, so the
   * command checks it.
   */
  requiredAfterOptional = false;

  override choices(values: readonly string[]): this {
    this.argChoices = [...values];
    return this.argParser((value) => requireChoice(values, value, this.name()));
  }
}

function requireChoice(values: readonly string[], value: string, name: string): string {
  const problem = choiceProblem(values, value);
  if (problem) throw invalidValue(name, value, problem);
  return value;
}

/**
 * Completion suggests names of records or profiles; with `within` only records that belong to those
 * of the arguments before.
 */
export function suggestRecords<T extends Option | Argument>(
  parameter: T,
  names: Named,
  { within = false } = {},
): T {
  parameter.suggestions = { names, within: within || undefined };
  return parameter;
}

/** Completion suggests these values; `offersAfter` the word before. */
export function suggestValues<T extends Option | Argument>(
  parameter: T,
  offers: readonly string[],
  offersAfter?: Suggestions['offersAfter'],
): T {
  parameter.suggestions = { offers, offersAfter };
  return parameter;
}

export function requiredAfterOptional(argument: Argument): Argument {
  argument.requiredAfterOptional = true;
  return argument;
}

/** A part of the interface beyond the specification, which another server may lack. */
export interface Need {
  /**
   * An operation (`eventSessions.list`), a field of a record (`templates.lastUsedAt`), a
   * precondition (`If-Parked-In`), or a path (`GET /openapi.json`).
   */
  readonly part: string;
  /** What the command does without it. */
  readonly otherwise: string;
}

export class Command extends commander.Command {
  declare readonly commands: readonly Command[];
  declare readonly options: readonly Option[];
  declare readonly registeredArguments: readonly Argument[];
  declare parent: Command | null;

  /** Command lines for the help. A line starting with `#` is a comment. */
  exampleLines: readonly string[] = [];
  /**
   * The operations of the contract that this command implements: `cars.create`. A test holds that
   * every operation has a command.
   */
  operations: readonly string[] = [];
  /** What it needs beyond its operations. docs/reference/other-servers.md lists it. */
  needed: readonly Need[] = [];
  /** What the command prints, if known before it runs. */
  result: View | undefined;
  /** Runs with invalid environment variables, and reports them. */
  toleratesEnvironment = false;
  /** Refuses variables that `cs` doesn't know. (default: a note) */
  refusesUnknownVariables = false;
  /** It sends many requests: near the rate limit of the key it leaves room for other runs. */
  worksInBulk = false;
  /** People may type a secret after it, so errors don't repeat its arguments. */
  takesSecrets = false;
  /** Set on the root command only. */
  runner: Runner | undefined;

  #setup: (() => void) | undefined;
  #complete = false;
  #flagNames: Readonly<Record<string, string>> = {};
  #writesWhen: WritesWhen = () => false;

  override createCommand(name?: string): Command {
    return new Command(name);
  }

  override createOption(flags: string, description?: string): Option {
    return new Option(flags, description);
  }

  override createArgument(name: string, description?: string): Argument {
    return new Argument(name, description);
  }

  override error(_: string, { code = '' }: commander.ErrorOptions = {}): never {
    throw new RefusedLine(code, this);
  }

  /** Where a command lacks its subcommand. */
  override help(): never {
    throw new RefusedLine('commander.help', this);
  }

  /** The words that lead to the command: `cs cars events list`. */
  get path(): string {
    return this.parent ? `${this.parent.path} ${this.name()}` : this.name();
  }

  handle(handler: Handler): this {
    return this.action((...received: unknown[]) => {
      let root: Command = this;
      while (root.parent) root = root.parent;
      return root.runner?.(handler, {
        args: received.slice(0, -2),
        options: this.opts(),
        command: this,
      });
    });
  }

  examples(lines: readonly string[]): this {
    this.exampleLines = lines;
    return this;
  }

  /**
   * Postpones arguments and flags until the command is known to be the typed one, because creating
   * them takes time.
   */
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

  /** Flags, by attribute, of which a line has one at most. */
  onlyOneOf(...names: readonly string[]): this {
    for (const option of this.options) {
      const at = names.indexOf(option.attributeName());
      if (at >= 0) option.conflicts(names.slice(at + 1));
    }
    return this;
  }

  /** Maps fields to flags with other names, for errors: `{ parkingSpotId: '--spot' }`. */
  nameFlags(flags: Readonly<Record<string, string>>): this {
    this.#flagNames = { ...this.#flagNames, ...flags };
    return this;
  }

  /** The flag of a field, if any. */
  flagFor(field: string): string | undefined {
    return (
      this.#flagNames[field] ??
      this.options.find((option) => option.attributeName() === field && !option.negate)?.long
    );
  }

  implementsOperation(...operations: readonly string[]): this {
    this.operations = operations;
    return this;
  }

  needs(...needed: readonly Need[]): this {
    this.needed = needed;
    return this;
  }

  /**
   * Marks a command that writes, at least with some arguments. A read-only profile refuses it
   * before any prompt or read.
   */
  markAsWrite(when: WritesWhen = () => true): this {
    this.#writesWhen = when;
    return this;
  }

  /** Whether the command would write with these arguments; never with --dry-run. */
  wouldWrite(words: readonly unknown[]): boolean {
    return this.opts().dryRun !== true && this.#writesWhen(words, this.opts());
  }

  /**
   * Declares what the command prints, so that --json and --columns are checked before it runs. A
   * test checks that every command that writes declares it. A command that only knows it from its
   * arguments calls `context.output.prepare` itself.
   */
  declareOutput(view: View): this {
    this.result = view;
    return this;
  }

  workInBulk(): this {
    this.worksInBulk = true;
    return this;
  }

  tolerateEnvironment(): this {
    this.toleratesEnvironment = true;
    return this;
  }

  refuseUnknownVariables(): this {
    this.refusesUnknownVariables = true;
    return this;
  }

  expectSecrets(): this {
    this.takesSecrets = true;
    return this;
  }
}
