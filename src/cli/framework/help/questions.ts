/** What is answered without a command: help, topics and the version. */

import { brokenConfiguration } from '../../config/connection.ts';
import { resolveSettings, type Settings } from '../../config/settings.ts';
import { type CliError, type ExitCode, usage } from '../../errors/exit.ts';
import { ClosedPipe, type Io, write } from '../../terminal/io.ts';
import { nearest } from '../../terminal/text.ts';
import { globalOptionsOf, type Line, pathOf, readLine } from '../tree/line.ts';
import type { Tree } from '../tree/tree.ts';
import { version } from '../version.ts';
import { helpOf } from './help.ts';

/** Answers help, version and topics; nothing when the line asks for none of them. */
export async function answerQuestion(argv: readonly string[], io: Io, tree: Tree): Promise<ExitCode | undefined> {
  const code = await answer(argv, io, tree);
  // No answer hangs on the configuration; whoever asks learns all the same that the next command will not run with it.
  const broken = code === 0 ? brokenConfiguration(io) : undefined;
  if (broken) await write(io.stderr, `${broken}\n`);
  return code;
}

async function answer(argv: readonly string[], io: Io, tree: Tree): Promise<ExitCode | undefined> {
  const sure = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  try {
    if (sure.includes('--version') && (await isFirst('--version', sure, tree))) {
      await write(io.stdout, `${version}\n`);
      return 0;
    }
    const words = sure.filter((word) => word !== '--help' && word !== '-h');
    const asked = argv.length === 0 || words.length < sure.length;
    if (words.includes('help') && (await isFirst('help', words, tree))) return await explain(words, io, tree);
    const line = await readLine(tree, words);
    // `cs cars help`: where only a command can follow, the word is no record's name.
    if (line.unknown === 'help') return await showHelp({ ...line, unknown: undefined }, io, tree);
    return asked ? await showHelp(line, io, tree) : undefined;
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    const { reportError } = await import('../../errors/report.ts');
    return reportError(error, io, { options: globalOptionsOf(await readLine(tree, sure)) });
  }
}

/** Whether nothing but flags stands before a word. */
async function isFirst(word: string, words: readonly string[], tree: Tree): Promise<boolean> {
  const { chain, args, waiting, unknown } = await readLine(tree, words.slice(0, words.indexOf(word)));
  return chain.length === 1 && args.length === 0 && !waiting && unknown === undefined;
}

/** `cs help cars list` is `cs cars list --help`; `cs help exit-codes` is a topic. */
async function explain(words: readonly string[], io: Io, tree: Tree): Promise<ExitCode> {
  const at = words.indexOf('help');
  // Help of the help is the help.
  const rest = words.slice(at + 1).filter((word, index) => index > 0 || word !== 'help');
  const line = await readLine(tree, [...words.slice(0, at), ...rest]);
  const topic = (await tree.topics()).find(({ name }) => name === line.unknown);
  if (!topic) return showHelp(line, io, tree);
  const [{ topics }, { wrapPage }] = await Promise.all([import('./topics.ts'), import('./topics/page.ts')]);
  await show(wrapPage(topics[topic.name]?.text() ?? '', widthOf(io)), io, line);
  return 0;
}

async function showHelp(line: Line, io: Io, tree: Tree): Promise<ExitCode> {
  const topics = await tree.topics();
  if (line.unknown !== undefined) throw unknownWord(line, line.unknown, topics);
  // The version needs no colours.
  const { lineStyle } = await import('./style.ts');
  await show(helpOf(line.chain, { width: widthOf(io), paint: lineStyle(io, line), topics }), io, line);
  return 0;
}

function unknownWord({ chain }: Line, word: string, topics: readonly { name: string }[]): CliError {
  const known = (chain.at(-1)?.commands ?? []).flatMap(({ name, aliases }) => [name, ...aliases]);
  const [close] = nearest(word, chain.length === 1 ? [...known, ...topics.map(({ name }) => name)] : known);
  const what = chain.length === 1 ? 'command or topic' : 'command';
  return usage(`Unknown ${what} '${word}'.`, close ? `did you mean ${close}?` : `\`${pathOf(chain)} --help\` shows what there is`);
}

/** A page that is longer than the terminal goes through the pager, as every long result does. */
async function show(text: string, io: Io, line: Line): Promise<void> {
  const lines = io.stdoutIsTerminal ? text.split('\n').length : 0;
  if (lines <= (io.rows ?? 24)) return write(io.stdout, text);
  const { createPrinter } = await import('../../output/pager.ts');
  let settings: Pick<Settings, 'pager' | 'noInput'>;
  try {
    settings = resolveSettings(io, globalOptionsOf(line));
  } catch {
    // Help is told whatever is wrong with them.
    settings = { pager: undefined, noInput: true };
  }
  const printer = createPrinter(io, settings);
  await printer.print(text);
  await printer.done();
}

const widthOf = ({ columns = 80 }: Io): number => columns;
