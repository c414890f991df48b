/**
 * From a command line to an exit code. Help, the version and completion are answered from the description of the commands;
 * only a command that runs is loaded, with its family and what it needs.
 */

import { holdsKey, keyArgument } from './config/key-argument.ts';
import type { ExitCode } from './errors/exit.ts';
import { answerQuestion } from './framework/help/questions.ts';
import type { Tree } from './framework/tree/tree.ts';
import type { Io } from './terminal/io.ts';

/**
 * Runs `cs` with the words after its name. Never throws; what went wrong has been told on stderr.
 * `stored` is what a build wrote down of the commands; without it they are described as they are.
 */
export async function run(argv: readonly string[], io: Io, stored?: Tree): Promise<ExitCode> {
  const tree = async () => stored ?? (await import('./framework/tree/live-tree.ts')).liveTree;
  const [first = ''] = argv;
  if (holdsKey(argv)) {
    // A line that is being typed is no place for an error, and its words would reach a cache and the server.
    if (first.startsWith('__complete')) return 0;
    const [{ reportError }, { globalOptionsIn }] = await Promise.all([import('./errors/report.ts'), import('./framework/execute.ts')]);
    return reportError(keyArgument(argv), io, { options: globalOptionsIn(argv) });
  }
  if (first.startsWith('__complete')) {
    const { answerShell } = await import('./framework/completion/completion.ts');
    return answerShell(first, argv.slice(1), io, await tree());
  }
  if (mayAsk(argv)) {
    const code = await answerQuestion(argv, io, await tree());
    if (code !== undefined) return code;
  }
  const { execute } = await import('./framework/execute.ts');
  return execute(argv, io);
}

const asking: ReadonlySet<string> = new Set(['--help', '-h', 'help', '--version']);
/** A quick look, so that a command that runs does not wait for the description of others. A bare `cs` is a question too. */
const mayAsk = (argv: readonly string[]): boolean => argv.length === 0 || argv.some((word) => asking.has(word));
