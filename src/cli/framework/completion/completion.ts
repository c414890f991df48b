/**
 * Answers completion requests of shells. Never reports errors, because they would garble the line
 * being typed.
 */

import type { ExitCode } from '../../errors/exit.ts';
import type { Candidate } from '../../state/names.ts';
import { type Io, write } from '../../terminal/io.ts';
import { sanitize } from '../../terminal/text.ts';
import type { Tree } from '../tree/tree.ts';
import { complete, type FindNames } from './complete.ts';
import { insertText, readShellLine } from './shell-line.ts';

/**
 * `__complete WORD…`: one candidate per line, its description after a tab. The line `files` tells
 * the shell to add files. `__complete-line LINE BREAKS`, for bash, prints texts to insert; the
 * first line is `files` or `words`.
 */
export async function answerCompletion(
  question: string,
  given: readonly string[],
  io: Io,
  tree: Tree,
): Promise<ExitCode> {
  try {
    await write(
      io.stdout,
      question === '__complete-line'
        ? await completeForBash(given, io, tree)
        : await completeWords(given, io, tree),
    );
  } catch {
    // Never reported, as above.
  }
  return 0;
}

async function completeWords(words: readonly string[], io: Io, tree: Tree): Promise<string> {
  const { candidates, files } = await complete(tree, words, lazyNames(io));
  return [
    ...candidates.filter(printable).map(({ value, about }) => `${value}\t${oneLine(about)}`),
    ...(files ? ['files'] : []),
    '',
  ]
    .join('\n')
    .replace(/^\n$/, '');
}

async function completeForBash(
  [text = '', breaks = '']: readonly string[],
  io: Io,
  tree: Tree,
): Promise<string> {
  const line = readShellLine(text);
  const { candidates, files } = await complete(tree, line.words, lazyNames(io));
  const inserted = candidates.filter(printable).map(({ value }) => insertText(value, line, breaks));
  return `${[files ? 'files' : 'words', ...inserted].join('\n')}\n`;
}

/** Names with line breaks or other control characters can't be typed. */
const printable = ({ value }: Candidate): boolean => sanitize(value) === value;
const oneLine = (text: string): string => sanitize(text.replace(/\p{Cc}+/gu, ' ').trim());

/** Loads the code for names when a name is completed. */
const lazyNames =
  (io: Io): FindNames =>
  async (resource, line, within) => {
    const { cachedNames } = await import('./cached-names.ts');
    return cachedNames(io, resource, line, within);
  };
