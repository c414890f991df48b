/** Parses a command line, loads the typed family of commands, and runs the command. */

import type { GlobalOptions } from '../config/setting-list.ts';
import { resolveSettings, type Settings } from '../config/settings.ts';
import type { Context, WriteCheck } from '../context.ts';
import { ClosedPipe } from '../errors/ended-run.ts';
import { type ExitCode, usage } from '../errors/exit.ts';
import type { FindLabels } from '../output/output.ts';
import type { Io } from '../terminal/io.ts';
import { Command, type Handler, type Input, RefusedLine } from './command.ts';
import { createContext } from './create-context.ts';

import { addGlobalFlags, applyVariables, isSetting } from './flags.ts';
import { bareJsonFlags } from './json-flag.ts';
import { refuseValues } from './line-values.ts';
import { type FindHint, reportError } from './report-error.ts';
import {
  type Catalogue,
  createProgram,
  finishSetup,
  loadFamily,
  treeOf,
} from './tree/live-tree.ts';
import { usageError } from './usage-error.ts';
import { unknownVariables } from './variables.ts';

/** What commands bring along, above the framework. */
export interface Parts {
  readonly catalogue: Catalogue;
  /** Rules for the writes of every command. */
  readonly writeChecks: readonly (() => Promise<WriteCheck>)[];
  readonly findLabels: (context: Context) => FindLabels;
  readonly findHint: FindHint;
  /**
   * Called after a command whose key came from a key command: nothing else runs that for the names
   * that somebody wants.
   */
  readonly refreshNames: (io: Io, settings: Settings) => Promise<void>;
}

/** Never throws; errors are reported on stderr. */
export async function execute(
  argv: readonly string[],
  io: Io,
  { catalogue, writeChecks, findLabels, findHint, refreshNames }: Parts,
): Promise<ExitCode> {
  const early = scan(bareJsonFlags(argv));
  let code: ExitCode = 0;
  let running: Command | undefined;
  const run = async (handler: Handler, input: Input): Promise<void> => {
    const { args, command } = input;
    running = command;
    refuseValues(command, args);
    const unknown = unknownVariables(io.env);
    if (unknown.length > 0 && command.refusesUnknownVariables)
      throw usage(
        unknown.join(' '),
        'correct the name, or unset it; `cs help environment` lists the variables',
      );
    const settings = resolveSettings(io, globalOptions(command), {
      tolerant: command.toleratesEnvironment,
    });
    const { context, close, usedKeyCommand } = await createContext(io, settings, {
      writeChecks,
      findLabels,
      bulk: command.worksInBulk,
    });
    let succeeded = false;
    try {
      const variables = applyVariables(command, args, io);
      // A forgotten variable would look like a completed write.
      if (variables.includes('CS_DRY_RUN'))
        context.note('CS_DRY_RUN is set: writes are shown, not sent.');
      // In a script, a failed command prints nothing but its error object on stderr.
      const noteUnknown = () => {
        for (const text of unknown) context.note(text);
      };
      if (io.stderrIsTerminal) noteUnknown();
      // Refuse before prompting.
      if (command.wouldWrite(args)) context.writes.expect();
      await context.output.prepare(command.result);
      code = (await handler(context, { ...input, options: command.opts() })) ?? 0;
      succeeded = true;
      if (!io.stderrIsTerminal) noteUnknown();
    } catch (error) {
      // A refused write is the cause, whatever error the command made of it.
      throw context.writes.refusal ?? error;
    } finally {
      if (io.run.notes.length > 0) (await import('./tell-notes.ts')).tellNotes(context, succeeded);
      await close();
    }
    if (code === 0 && settings.find('update-url'))
      (await import('./update-notice.ts')).tellUpdate(context);
    if (code === 0 && usedKeyCommand() && !io.signal.aborted)
      await refreshNames(io, context.settings);
  };

  try {
    const program = createProgram(catalogue);
    program.runner = run;
    program.hook('preSubcommand', (_, below) => finishSetup(below as Command));
    const [first] = early.words;
    if (first !== undefined) await loadFamily(catalogue, program, first);
    finishTyped(program, early.words);
    await program.parseAsync(bareJsonFlags(argv), { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof ClosedPipe && !io.signal.aborted) return 0;
    // For a person, an incomplete command shows its help; in a script it is an error.
    if (
      error instanceof RefusedLine &&
      error.code === 'commander.help' &&
      (io.stdoutIsTerminal || early.words.length === 0)
    ) {
      const { answerHelpRequest } = await import('./help/requests.ts');
      return (await answerHelpRequest([...argv, '--help'], io, treeOf(catalogue))) ?? 0;
    }
    const cause = error instanceof RefusedLine ? usageError(error, argv) : error;
    return reportError(cause, io, {
      options: running ? globalOptions(running) : early.options,
      flagOf: (field) => running?.flagFor(field),
      findHint,
      operations: running?.operations,
    });
  }
}

/** The global flags of a command line, for errors outside of a command. */
export const scanGlobalOptions = (argv: readonly string[]): GlobalOptions =>
  scan(bareJsonFlags(argv)).options;

/** The global flags and the words of a command line, before its command is loaded. */
function scan(argv: readonly string[]): { options: GlobalOptions; words: string[] } {
  const scanner = new Command('cs').allowUnknownOption().allowExcessArguments().helpOption(false);
  addGlobalFlags(scanner);
  try {
    const { operands, unknown } = scanner.parseOptions([...argv]);
    // A word after an unknown flag may be its value, so only the words before it count.
    return {
      options: scanner.opts(),
      words:
        unknown.length > 0 && operands.length === 0
          ? unknown.filter((word) => !word.startsWith('-'))
          : operands,
    };
  } catch {
    return { options: scanner.opts(), words: argv.filter((word) => !word.startsWith('-')) };
  }
}

/**
 * The settings given as flags of a command and its parents; the innermost wins. A field flag of the
 * same name, such as a car's colour, doesn't count.
 */
function globalOptions(command: Command): GlobalOptions {
  const chain: Command[] = [];
  for (let at: Command | null = command; at; at = at.parent) chain.unshift(at);
  const options: Record<string, unknown> = {};
  for (const at of chain) {
    for (const option of at.options.filter(isSetting)) {
      const value = at.getOptionValue(option.attributeName());
      if (value !== undefined) options[option.attributeName()] = value;
    }
  }
  return options;
}

/** Completes the commands that the words lead to. */
function finishTyped(program: Command, words: readonly string[]): void {
  let at: Command | undefined = program;
  for (const word of words) {
    at = at.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (!at) return;
    finishSetup(at);
  }
}
