/** Parses a command line, loads the family that was typed, and runs the command. */

import { CommanderError } from 'commander';
import { applyVariables } from '../config/flag-variables.ts';
import { closeOpenFiles } from '../config/open-files.ts';
import type { GlobalOptions } from '../config/setting-list.ts';
import { resolveSettings } from '../config/settings.ts';
import { type ExitCode, exitCodeOf } from '../errors/exit.ts';
import { reportError } from '../errors/report.ts';
import { usageError } from '../errors/usage.ts';
import { ClosedPipe, type Io } from '../terminal/io.ts';
import { Command, type Handler, type Input } from './command.ts';
import { createContext } from './create-context.ts';
import { addGlobalFlags, isGlobal } from './flags.ts';
import { withBareJson, withSettledJson } from './json-flag.ts';
import { ledgerOf } from './ledger.ts';
import { finishSetup, liveTree, loadFamily, newProgram } from './tree/live-tree.ts';

/** Never throws; what went wrong has been told on stderr. */
export async function execute(argv: readonly string[], io: Io): Promise<ExitCode> {
  const early = scan(withBareJson(argv));
  let code: ExitCode = 0;
  let running: Command | undefined;
  let typed: Command | undefined;
  const run = async (handler: Handler, input: Input): Promise<void> => {
    const { args, command } = input;
    running = command;
    const resolve = command.toleratesEnvironment ? (await import('../config/tolerant.ts')).tolerantSettings : resolveSettings;
    const { context, close, usedKeyCommand } = createContext(io, resolve(io, globalOptions(command)));
    try {
      const variables = applyVariables(command, args, io);
      // Whoever forgot it would take what is shown for done.
      if (variables.includes('CS_DRY_RUN')) context.note('CS_DRY_RUN is set, so nothing is sent that writes.');
      // doctor tells of them in its report; what fails in a script has one object on stderr and nothing else.
      const tellOpenFiles = () => {
        if (!command.toleratesEnvironment) for (const text of closeOpenFiles(io)) context.note(text);
      };
      if (io.stderrIsTerminal) tellOpenFiles();
      // Nobody should answer questions in vain.
      if (command.wouldWrite(args)) context.writes.refuseReadOnly();
      await context.output.prepare(command.result);
      code = (await handler(context, { ...input, options: command.opts() })) ?? 0;
      // Whatever a command made of it, that a write was not let through is what happened.
      const { refusal } = context.writes;
      if (refusal && code !== exitCodeOf(refusal)) throw refusal;
      if (!io.stderrIsTerminal) tellOpenFiles();
    } catch (error) {
      throw context.writes.refusal ?? error;
    } finally {
      if (ledgerOf(io).replayed.length > 0) context.warn((await import('./replayed.ts')).replayNote(io));
      await close();
    }
    // Completion never runs a key command, so the names that a Tab wanted are read now that the command has finished.
    if (code === 0 && usedKeyCommand() && !io.signal.aborted)
      await (await import('./completion/refresh-names.ts')).refreshAsked(io, context.settings);
  };

  try {
    const program = newProgram();
    program.runner = run;
    program.hook('preSubcommand', (_, below) => finishSetup(below as Command));
    const [first] = early.words;
    if (first !== undefined) await loadFamily(program, first);
    typed = descend(program, early.words);
    await program.parseAsync(withSettledJson(argv, typed), { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof ClosedPipe && !io.signal.aborted) return 0;
    // A person who typed the beginning of a command wants to see how it can go on; a script has made a mistake.
    if (error instanceof CommanderError && error.code === 'commander.help' && (io.stdoutIsTerminal || early.words.length === 0)) {
      const { answerQuestion } = await import('./help/questions.ts');
      return (await answerQuestion([...argv, '--help'], io, liveTree)) ?? 0;
    }
    const cause = error instanceof CommanderError ? usageError(error, running ?? typed ?? new Command('cs'), argv) : error;
    return reportError(cause, io, {
      options: running ? globalOptions(running) : early.options,
      flagOf: (field) => running?.flagFor(field),
    });
  }
}

/** The global flags of a command line, for whoever must tell of a failure while nobody knows how far the command came. */
export const globalOptionsIn = (argv: readonly string[]): GlobalOptions => scan(withBareJson(argv)).options;

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
    finishSetup(below);
    at = below;
  }
  return at;
}
