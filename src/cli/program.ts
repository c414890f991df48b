/** From a command line to an exit code. Only the family that was typed is loaded. */
import { Command, CommanderError } from 'commander';
import { examples, flagFor, type On } from './command.ts';
import { catalogue, type Entry } from './commands/catalogue.ts';
import { createContext } from './context.ts';
import { type CliError, type ExitCode, exitCodeOf, exitCodes, usage } from './exit.ts';
import { addGlobalFlags, isGlobal } from './flags.ts';
import { commandPath, formatHelp } from './help.ts';
import { ClosedPipe, type Io, write } from './io.ts';
import { coloured, type Paint, paintFor } from './paint.ts';
import { colorChoice, type GlobalOptions, outputFormat, resolveSettings } from './settings.ts';
import { version } from './version.ts';

/** Runs `cs` with the words after its name. Never throws; what went wrong has been told on stderr. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  if (argv[0] === '__complete') return completeWords(argv.slice(1), io);
  const early = scan(argv);
  const paint = paintFor(io, 'stdout', colorChoice(io, early.options));
  let code: ExitCode = 0;
  let running: Command | undefined;
  let typed: Command | undefined;
  const pending: string[] = [];
  const on: On =
    (handler) =>
    async (...received) => {
      const command = received.at(-1) as Command;
      running = command;
      const { context, close } = createContext(io, resolveSettings(io, globalOptions(command)));
      try {
        code = (await handler(context, { args: received.slice(0, -2), options: command.opts(), command })) ?? 0;
      } finally {
        await close();
      }
    };

  try {
    const program = rootCommand(io, paint, pending);
    const words = await prepare(program, argv, early.words, on);
    typed = descend(program, early.words);
    await program.parseAsync(words, { from: 'user' }).finally(() => flush(io, pending));
    return code;
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return await fail(error instanceof CommanderError ? usageError(error, running ?? typed ?? new Command('cs')) : error, running);
  }

  async function fail(error: unknown, command: Command | undefined): Promise<ExitCode> {
    // Whatever a command threw when it was stopped, being stopped is what happened.
    const cause = io.signal.aborted && exitCodeOf(error) < 128 ? io.signal.reason : error;
    const { errorJson, errorText, reportOf } = await import('./render/error.ts');
    const options = command ? globalOptions(command) : early.options;
    const format = outputFormat(io, options);
    const errorContext = {
      baseUrl: addressOf(io, options),
      flagOf: (field: string) => command && flagFor(command, field),
      width: io.stderrIsTerminal ? (io.columns ?? 80) : undefined,
    };
    const report = reportOf(cause, errorContext);
    const machine = format === 'json' || format === 'ndjson';
    const stderrPaint = paintFor(io, 'stderr', colorChoice(io, options));
    try {
      await write(io.stderr, machine ? errorJson(report) : errorText(report, stderrPaint, errorContext));
      if (options.verbose && cause instanceof Error) await write(io.stderr, `${cause.stack}\n`);
    } catch {
      // Nobody is left to tell; the exit code still says it.
    }
    return report.exitCode;
  }
}

/** What can be known of a command line before the commands are: its global flags and its words. */
function scan(argv: readonly string[]): { options: GlobalOptions; words: string[] } {
  const scout = new Command('cs')
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  addGlobalFlags(scout);
  try {
    const { operands, unknown } = scout.parseOptions([...argv]);
    // What follows an unknown flag may be its value or a word; only the words before it are sure.
    return {
      options: scout.opts(),
      words: unknown.length > 0 && operands.length === 0 ? unknown.filter((word) => !word.startsWith('-')) : operands,
    };
  } catch {
    return { options: scout.opts(), words: argv.filter((word) => !word.startsWith('-')) };
  }
}

function rootCommand(io: Io, paint: Paint, pending: string[]): Command {
  const program = new Command('cs')
    .description('Car storage from the terminal: cars, parking, events and photos.')
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .exitOverride()
    .enablePositionalOptions()
    .configureHelp({ formatHelp: (command, helper) => formatHelp(command, helper, paint) })
    .configureOutput({
      writeOut: (text) => void pending.push(text),
      writeErr: () => {},
      getOutHelpWidth: () => io.columns ?? 80,
      getOutHasColors: () => coloured(io, 'stdout', 'auto'),
    });
  addGlobalFlags(program);
  examples(program, ['cs dropoff', 'cs cars list --status stored', 'cs parking spots list --available', 'cs auth login']);
  return program;
}

/** Answers a shell that asks what can come next: a line each, value and explanation parted by a tab. Silent whatever goes wrong. */
async function completeWords(words: readonly string[], io: Io): Promise<ExitCode> {
  try {
    const program = rootCommand(io, paintFor(io, 'stdout', 'never'), []);
    const typed = words.slice(0, -1);
    await prepare(program, typed, scan(typed).words, () => async () => {});
    const { candidatesFor } = await import('./complete.ts');
    await write(
      io.stdout,
      candidatesFor(program, words)
        .map(({ value, about }) => `${value}\t${about}\n`)
        .join(''),
    );
  } catch {
    // A shell in the middle of a line is no place for an error.
  }
  return 0;
}

/** Puts the commands into the tree, the typed one filled, and answers the words to parse. */
async function prepare(program: Command, argv: readonly string[], words: readonly string[], on: On): Promise<readonly string[]> {
  const asksHelp = words[0] === 'help';
  const typed = asksHelp ? words[1] : words[0];
  if (asksHelp && typed === 'exit-codes') return exitCodesTopic(program, argv);
  for (const entry of catalogue) {
    const command = newCommand(program, entry);
    if (typed !== undefined && (entry.name === typed || entry.alias === typed)) {
      (await entry.load())(command, on);
      complete(command);
    }
  }
  // A bare `cs` is a question, and is answered.
  if (argv.length === 0) return ['--help'];
  // `cs help cars list` is `cs cars list --help`.
  return asksHelp ? [...words.slice(1), '--help'] : argv;
}

function newCommand(program: Command, { name, alias, summary, group }: Entry): Command {
  const command = program.command(name).summary(summary).description(`${summary}.`).helpGroup(group);
  return alias ? command.alias(alias) : command;
}

/** Gives every command below what all have. */
function complete(command: Command): void {
  addGlobalFlags(command);
  command.helpOption('-h, --help', 'show help').helpCommand(false).allowExcessArguments(false);
  if (command.commands.length > 0) {
    command.enablePositionalOptions();
  }
  for (const below of command.commands) complete(below);
}

function exitCodesTopic(program: Command, argv: readonly string[]): readonly string[] {
  const lines = Object.entries(exitCodes).map(([code, meaning]) => `${code.padStart(5)}  ${meaning}`);
  program
    .command('help')
    .argument('[topic]')
    .action(() => program.configureOutput().writeOut?.(`EXIT CODES\n${lines.join('\n')}\n`));
  return argv;
}

/** The global flags of a command and of those above it; the innermost wins. A field of the same name, such as a car's colour, is none. */
function globalOptions(command: Command): GlobalOptions {
  const chain: Command[] = [];
  for (let at: Command | null = command; at; at = at.parent) chain.unshift(at);
  const options: Record<string, unknown> = {};
  for (const at of chain) {
    for (const option of at.options.filter(isGlobal)) {
      const value = at.getOptionValue(option.attributeName());
      if (value !== undefined) options[option.attributeName()] = value;
    }
  }
  return options;
}

function addressOf(io: Io, options: GlobalOptions): string | undefined {
  try {
    return resolveSettings(io, options).connection().baseUrl.value;
  } catch {
    return undefined;
  }
}

async function flush(io: Io, pending: string[]): Promise<void> {
  for (const text of pending.splice(0)) await write(io.stdout, text);
}

/** The command that the words lead to, as far as they do. */
function descend(program: Command, words: readonly string[]): Command {
  let at = program;
  for (const word of words) {
    const below = at.commands.find((command) => command.name() === word || command.aliases().includes(word));
    if (!below) break;
    at = below;
  }
  return at;
}

/** Commander's messages as ours: `error:` left out, the suggestion as the hint. */
function usageError(error: CommanderError, command: Command): CliError {
  const path = commandPath(command);
  if (error.code === 'commander.help') {
    const names = command.commands.map((below) => below.name());
    return usage(`${path} needs a command: ${names.join(', ')}.`, `\`${path} --help\` explains them`);
  }
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = /^\((.*)\)$/.exec(rest.join(' ').trim())?.[1];
  const message = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.?$/, '.');
  return usage(message, suggestion?.replace(/^Did/, 'did') ?? `\`${path} --help\` shows what it takes`);
}
