/** Parses a command line, loads the family that was typed, and runs the command. */
import { Command, CommanderError } from 'commander';
import { commandPath, flagFor, type On, operationsOf, viewOf } from './command.ts';
import { createContext } from './context.ts';
import { type CliError, type ExitCode, exitCodeOf, usage } from './exit.ts';
import { tellFailure } from './failure.ts';
import { addGlobalFlags, isGlobal } from './flags.ts';
import { ClosedPipe, type Io } from './io.ts';
import { withBareJson, withSettledJson } from './settings/json-flag.ts';
import { type GlobalOptions, resolveSettings } from './settings/settings.ts';
import { nearest } from './text.ts';
import { fillFamily, newProgram } from './tree/live-tree.ts';

/** Never throws; what went wrong has been told on stderr. */
export async function execute(argv: readonly string[], io: Io): Promise<ExitCode> {
  const early = scan(withBareJson(argv));
  let code: ExitCode = 0;
  let running: Command | undefined;
  let typed: Command | undefined;
  const on: On =
    (handler) =>
    async (...received) => {
      const command = received.at(-1) as Command;
      running = command;
      const { context, close } = createContext(io, resolveSettings(io, globalOptions(command)));
      try {
        // Nobody should answer questions in vain.
        if (writes(command)) context.writes.refuseReadOnly();
        await context.output.prepare(viewOf(command));
        code = (await handler(context, { args: received.slice(0, -2), options: command.opts(), command })) ?? 0;
        // Whatever a command made of it, that a write was not let through is what happened.
        const { refusal } = context.writes;
        if (refusal && code !== exitCodeOf(refusal)) throw refusal;
      } catch (error) {
        throw context.writes.refusal ?? error;
      } finally {
        await close();
      }
    };

  try {
    const program = newProgram();
    const [first] = early.words;
    if (first !== undefined) await fillFamily(program, first, on);
    typed = descend(program, early.words);
    await program.parseAsync(withSettledJson(argv, typed), { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    const cause = error instanceof CommanderError ? usageError(error, running ?? typed ?? new Command('cs')) : error;
    return tellFailure(cause, io, {
      options: running ? globalOptions(running) : early.options,
      flagOf: (field) => running && flagFor(running, field),
    });
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
  const suggestion = /^\((.*)\)$/.exec(rest.join(' ').trim())?.[1] ?? closeChoice(first);
  const message = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.?$/, '.');
  return usage(message, suggestion?.replace(/^Did/, 'did') ?? `\`${path} --help\` shows what it takes`);
}

/** The value that was perhaps meant, where commander lists those there are. */
function closeChoice(message: string): string | undefined {
  const found = /'([^']*)' is invalid.* Allowed choices are (.*?)\.?$/.exec(message);
  const [close] = found ? nearest(found[1] ?? '', (found[2] ?? '').split(', ')) : [];
  return close && `did you mean ${close}?`;
}

/** Whether a command is there to write, and is not asked only to show what it would send. */
const writes = (command: Command): boolean =>
  command.opts().dryRun !== true && operationsOf(command).some((operation) => !/\.(list|get|content)$/.test(operation));
