/** A command line from flags by their attribute names. */

import type { Context } from '../../context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { flagWords } from '../../resources/create-line.ts';
import { quote } from '../../terminal/text.ts';
import { settingNames } from '../journal/command-words.ts';

/** `argument` is quoted for a shell. */
export function flagLine(
  context: Context,
  words: readonly string[],
  flags: object,
  argument?: string,
): string {
  const own = Object.entries(flags).flatMap(([name, value]) =>
    settingNames.has(name) ? [] : flagWords(name, value),
  );
  return [nextCommand(words), argument, ...[...own, ...connectionFlags(context)].map(quote)]
    .filter(Boolean)
    .join(' ');
}
