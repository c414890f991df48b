/** Answers a shell that asks what can come next. Silent whatever goes wrong: a line that is being typed is no place for an error. */

import type { ExitCode } from '../../errors/exit.ts';
import { type Io, write } from '../../terminal/io.ts';
import { sanitize } from '../../terminal/text.ts';
import type { Tree } from '../tree/tree.ts';
import { type Candidate, complete, type FindNames } from './complete.ts';
import { insertion, readShellLine } from './shell-line.ts';

/**
 * `__complete WORD…`: a candidate a line, with its explanation behind a tab; a line without one is `files`, where files can stand.
 * `__complete-line LINE BREAKS`, for bash, which takes texts to insert: the first line is `files` or `words`.
 * `__complete-names RESOURCE FLAGS PARENT…` reads the names of records anew, behind a person's back.
 */
export async function answerShell(question: string, given: readonly string[], io: Io, tree: Tree): Promise<ExitCode> {
  try {
    if (question === '__complete-names') {
      const { refreshInBackground } = await import('./refresh-names.ts');
      await refreshInBackground(io, given);
    } else await write(io.stdout, question === '__complete-line' ? await forBash(given, io, tree) : await forWords(given, io, tree));
  } catch {
    // As above.
  }
  return 0;
}

async function forWords(words: readonly string[], io: Io, tree: Tree): Promise<string> {
  const { candidates, files } = await complete(tree, words, namesFor(io));
  return [...candidates.filter(printable).map(({ value, about }) => `${value}\t${oneLine(about)}`), ...(files ? ['files'] : []), '']
    .join('\n')
    .replace(/^\n$/, '');
}

async function forBash([text = '', breaks = '']: readonly string[], io: Io, tree: Tree): Promise<string> {
  const line = readShellLine(text);
  const { candidates, files } = await complete(tree, line.words, namesFor(io));
  const inserted = candidates.filter(printable).map(({ value }) => insertion(value, line, breaks));
  return `${[files ? 'files' : 'words', ...inserted].join('\n')}\n`;
}

/** A name with a line break in it, or another control character, cannot be typed anyway. */
const printable = ({ value }: Candidate): boolean => sanitize(value) === value;
const oneLine = (text: string): string => sanitize(text.replace(/\p{Cc}+/gu, ' ').trim());

/** Loaded only where a name can stand. */
const namesFor =
  (io: Io): FindNames =>
  async (resource, line, within) => {
    const { knownNames } = await import('./known-names.ts');
    return knownNames(io, resource, line, within);
  };
