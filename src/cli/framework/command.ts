/**
 * The shape of a command.
 *
 * A module in `commands/` exports one constant of type `Fill`, named like the command. It receives an empty commander
 * `Command` (name, summary and alias are set from the catalogue) and fills in arguments, flags, sub-commands and actions:
 *
 * ```ts
 * export const serve: Fill = (command, on) => {
 *   command
 *     .argument('[folder]', 'Where the data lives.')
 *     .option('--port <number>', 'Port to listen on.', wholeNumber)
 *     .action(on(async (context, { args: [folder], options: { port } }) => {
 *       context.note('Starting …');                              // stderr, silent with --quiet
 *       await context.output.value({ url }, `Ready at ${url}`);  // stdout: JSON for a pipe, the text for a person
 *     }));
 *   examples(command, ['cs serve --port 0']);
 * };
 * ```
 *
 * A handler touches nothing but its context: no `process`, no `console`. It answers nothing for exit code 0, or a code of
 * `exit.ts`; everything else is thrown (`CliError`, the client's errors) and rendered and mapped in one place.
 * The global flags (-o, --json, -y, -q, -v, --profile …) are added to every command by `framework/tree/live-tree.ts`.
 */
import type { Argument, Command } from 'commander';
import type { Client } from '../../client/client.ts';
import type { Settings } from '../config/settings.ts';
import type { Writes } from '../config/writes.ts';
import type { ExitCode } from '../errors/exit.ts';
import type { Output } from '../output/output.ts';
import type { View } from '../output/view.ts';
import type { Io } from '../terminal/io.ts';
import type { Paint } from '../terminal/style.ts';
import type { CampaignStarts } from './campaign-start.ts';

export interface Context {
  readonly io: Io;
  readonly settings: Settings;
  /** Writes the result to stdout, as the person or script asked for it. */
  readonly output: Output;
  /** Styles for text on stderr and on a terminal's stdout; they do nothing where colour is off. */
  readonly paint: Paint;
  /** Whether questions may be asked: stdin and stderr are a terminal, stdin was not read to its end, and --no-input was not given. */
  readonly interactive: boolean;
  /** The client of the chosen server, with the key. Fails with exit 4 when there is no key. The same one each time. */
  client(): Promise<Client>;
  /** What the profile says of writes. The client heeds it by itself. */
  readonly writes: Writes;
  /** Which campaigns a person agreed to start. The client heeds it by itself. */
  readonly campaignStarts: CampaignStarts;
  /** One line for a person, on stderr; server text in it is made safe. Nothing with --quiet. */
  note(text: string): void;
  /** Like a note, but also with --quiet: something is not as it should be. */
  warn(text: string): void;
}

export interface Input {
  /** Positional arguments in order; a variadic one is a list of strings. */
  // biome-ignore lint/suspicious/noExplicitAny: commander hands over what the declared parsers made
  readonly args: any[];
  /** Flags by attribute name: `--license-plate` is `licensePlate`. The global ones are in `context.settings`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly options: Record<string, any>;
  readonly command: Command;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that ends without a word has succeeded
export type Handler = (context: Context, input: Input) => Promise<ExitCode | void>;
/** Makes a commander action of a handler. */
export type On = (handler: Handler) => (...args: unknown[]) => Promise<void>;
export type Fill = (command: Command, on: On) => void;

const shown = new WeakMap<Command, readonly string[]>();

/** Examples for the help of a command, one command line each; a line starting with `#` is a remark. */
export function examples(command: Command, lines: readonly string[]): void {
  shown.set(command, lines);
}

export const examplesOf = (command: Command): readonly string[] => shown.get(command) ?? [];

const unfilled = new WeakMap<Command, () => void>();

/** Leaves arguments and flags until the command is known to be the one that was typed: a family has many, and each takes its time. */
export function fillLater(command: Command, fill: () => void): void {
  unfilled.set(command, fill);
}

/** What was left until later; once. */
export function takeFill(command: Command): (() => void) | undefined {
  const fill = unfilled.get(command);
  unfilled.delete(command);
  return fill;
}

const named = new WeakMap<Command, Readonly<Record<string, string>>>();

/** Tells which flag stands for a field whose name it does not have: `{ parkingSpotId: '--spot' }`. Errors name the flag. */
export function nameFlags(command: Command, flags: Readonly<Record<string, string>>): void {
  named.set(command, { ...named.get(command), ...flags });
}

/** The flag of this command that gives a field, or `undefined`. */
export function flagFor(command: Command, field: string): string | undefined {
  return named.get(command)?.[field] ?? command.options.find((option) => option.attributeName() === field && !option.negate)?.long;
}

const performed = new WeakMap<Command, readonly string[]>();

/** Says for which operations of the contract a command exists: `cars.create`. A test holds that every operation has one. */
export function performs(command: Command, ...operations: string[]): Command {
  performed.set(command, operations);
  return command;
}

export const operationsOf = (command: Command): readonly string[] => performed.get(command) ?? [];

type WritesWhen = (words: readonly unknown[], options: Input['options']) => boolean;
const writing = new WeakMap<Command, WritesWhen>();

/** Says that a command is there to write, perhaps only with some arguments or flags: a read-only profile refuses it before anything is asked or read. */
export function setsOutToWrite(command: Command, when: WritesWhen = () => true): Command {
  writing.set(command, when);
  return command;
}

/** Whether a command would write with these arguments, and is not asked only to show what it would send. */
export const wouldWrite = (command: Command, words: readonly unknown[]): boolean =>
  command.opts().dryRun !== true && writing.get(command)?.(words, command.opts()) === true;

const results = new WeakMap<Command, View>();

/**
 * Says what a command prints, so that --json and --columns are checked before anything is done. Every command that changes something
 * says so; a test holds that. One that knows it only from its arguments calls `context.output.prepare` itself.
 */
export function prints(command: Command, view: View): Command {
  results.set(command, view);
  return command;
}

/** What a command prints, where that is known. */
export const resultOf = (command: Command): View | undefined => results.get(command);

const ending = new WeakMap<Command, (word: string) => boolean>();

/** Says after which words a command takes no more, although it has arguments left: `cs api /cars`. */
export function takesNoneAfter(command: Command, last: (word: string) => boolean): void {
  ending.set(command, last);
}

/** The arguments that a command takes when it is given these words. */
export function takenBy(command: Command, words: readonly string[]): readonly Argument[] {
  const { registeredArguments: all } = command;
  const last = ending.get(command);
  const at = last ? words.findIndex(last) : -1;
  return at < 0 ? all : all.slice(0, at + 1);
}

const tolerant = new WeakSet<Command>();

/** Says that a command works also where variables of the environment hold what cannot be used, to tell of them. */
export function toleratesEnvironment(command: Command): Command {
  tolerant.add(command);
  return command;
}

export const isTolerant = (command: Command): boolean => tolerant.has(command);

const secretive = new WeakSet<Command>();

/** Says that people may type a secret after this command: what it does not understand is not repeated. */
export function expectsSecrets(command: Command): Command {
  secretive.add(command);
  return command;
}

export const takesSecrets = (command: Command): boolean => secretive.has(command);

/** The words that lead to a command: `cs cars events list`. */
export function commandPath(command: Command): string {
  const words: string[] = [];
  for (let at: Command | null = command; at; at = at.parent) words.unshift(at.name());
  return words.join(' ');
}
