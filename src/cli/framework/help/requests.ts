/** Answers requests for help, topics and the version without loading a command. */

import { configurationProblem } from '../../config/connection.ts';
import { colorChoice, resolveSettings, type Settings } from '../../config/settings.ts';
import { ClosedPipe } from '../../errors/ended-run.ts';
import { type CliError, type ExitCode, usage } from '../../errors/exit.ts';
import { type Io, write } from '../../terminal/io.ts';
import { stylesFor } from '../../terminal/style.ts';
import { nearest } from '../../terminal/text.ts';
import { commandPath, type Line, lineOptions, readLine } from '../tree/line.ts';
import type { Tree } from '../tree/tree.ts';
import { version } from '../version.ts';
import { renderHelp } from './help.ts';

/** Returns the exit code, or undefined where the line requests none of them. */
export async function answerHelpRequest(
  argv: readonly string[],
  io: Io,
  tree: Tree,
): Promise<ExitCode | undefined> {
  const code = await answer(argv, io, tree);
  // Help works with an invalid configuration, and warns that commands will fail.
  const problem = code === 0 ? configurationProblem(io) : undefined;
  if (problem) await write(io.stderr, `${problem}\n`);
  return code;
}

async function answer(argv: readonly string[], io: Io, tree: Tree): Promise<ExitCode | undefined> {
  const beforeEnd = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  try {
    if (beforeEnd.includes('--version') && (await comesFirst('--version', beforeEnd, tree))) {
      await write(io.stdout, `${version}\n`);
      return 0;
    }
    const words = beforeEnd.filter((word) => word !== '--help' && word !== '-h');
    const requested = argv.length === 0 || words.length < beforeEnd.length;
    if (words.includes('help') && (await comesFirst('help', words, tree)))
      return await showHelpFor(words, io, tree);
    const line = await readLine(tree, words);
    // `cs cars help`: only a command can follow here, so the word can't be the name of a record.
    if (line.unknown === 'help') return await showHelp({ ...line, unknown: undefined }, io, tree);
    return requested ? await showHelp(line, io, tree) : undefined;
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    const { reportError } = await import('../report-error.ts');
    return reportError(error, io, { options: lineOptions(await readLine(tree, beforeEnd)) });
  }
}

/** Whether only flags come before a word. */
async function comesFirst(word: string, words: readonly string[], tree: Tree): Promise<boolean> {
  const { chain, args, pendingFlag, unknown } = await readLine(
    tree,
    words.slice(0, words.indexOf(word)),
  );
  return chain.length === 1 && args.length === 0 && !pendingFlag && unknown === undefined;
}

/** `cs help cars list` is `cs cars list --help`. */
async function showHelpFor(words: readonly string[], io: Io, tree: Tree): Promise<ExitCode> {
  const at = words.indexOf('help');
  // `cs help help` is `cs help`.
  const rest = words.slice(at + 1).filter((word, index) => index > 0 || word !== 'help');
  return showHelp(await readLine(tree, [...words.slice(0, at), ...rest]), io, tree);
}

/** `cs help exit-codes` and `cs exit-codes --help` show a topic. */
async function showHelp(line: Line, io: Io, tree: Tree): Promise<ExitCode> {
  const known = await tree.topics();
  if (line.chain.length === 1 && known.some(({ name }) => name === line.unknown)) {
    const [{ topics }, { renderPage }] = await Promise.all([
      import('./topics.ts'),
      import('./topics/page.ts'),
    ]);
    await showPage(
      renderPage(topics[line.unknown as string]?.parts() ?? [], widthOf(io)),
      io,
      line,
    );
    return 0;
  }
  if (line.unknown !== undefined) throw unknownCommand(line, line.unknown, known);
  const styles = await stylesFor(io, 'stdout', colorChoice(io, lineOptions(line)));
  await showPage(renderHelp(line.chain, { width: widthOf(io), styles, topics: known }), io, line);
  return 0;
}

function unknownCommand(
  { chain }: Line,
  word: string,
  topics: readonly { name: string }[],
): CliError {
  const known = (chain.at(-1)?.commands ?? []).flatMap(({ name, aliases }) => [name, ...aliases]);
  const [close] = nearest(
    word,
    chain.length === 1 ? [...known, ...topics.map(({ name }) => name)] : known,
  );
  const what = chain.length === 1 ? 'command or topic' : 'command';
  return usage(
    `Unknown ${what} "${word}".`,
    close ? `did you mean ${close}?` : `\`${commandPath(chain)} --help\` lists the commands`,
  );
}

/** Long pages go through the pager, as long results do. */
async function showPage(text: string, io: Io, line: Line): Promise<void> {
  const lines = io.stdoutIsTerminal ? text.split('\n').length : 0;
  if (lines <= (io.rows ?? 24)) return write(io.stdout, text);
  const { createPrinter } = await import('../../output/pager.ts');
  let settings: Pick<Settings, 'pager' | 'noInput'>;
  try {
    settings = resolveSettings(io, lineOptions(line));
  } catch {
    // Help works with invalid settings.
    settings = { pager: undefined, noInput: true };
  }
  const printer = createPrinter(io, settings);
  await printer.print(text);
  await printer.done();
}

const widthOf = ({ columns = 80 }: Io): number => columns;
