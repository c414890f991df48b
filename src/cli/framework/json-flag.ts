/**
 * `--json [fields]`: whether the word after it is its fields. Commander would take any word, so that in `cs cars get --json Greta`
 * the car would be gone. Here the word is the fields only when it is nothing else that the command takes.
 */

import { nearest } from '../terminal/text.ts';
import { Command } from './command.ts';

/** The command line with every `--json` bare, for a look at the words before the command is known. */
export const withBareJson = (argv: readonly string[]): string[] => argv.map((word, index) => (isJson(argv, index) ? '--json=' : word));

/** The command line with `--json=…` wherever fields follow, so that nothing is left to be guessed. */
export function withSettledJson(argv: readonly string[], command: Command): string[] {
  const settled: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] as string;
    const next = argv[index + 1];
    if (!isJson(argv, index)) settled.push(word);
    else if (next === undefined || next.startsWith('-') || !areFields(argv, index + 1, command)) settled.push('--json=');
    else {
      settled.push(`--json=${next}`);
      index += 1;
    }
  }
  return settled;
}

/** Whether a word that is no command follows `--json`, as in `cs --json id cars list`: before the command is known it is no field. */
export const followsJson = (argv: readonly string[], word: string): boolean =>
  argv.some((next, index) => next === word && index > 0 && isJson(argv, index - 1));

/** What stands after `--` is no flag. */
function isJson(argv: readonly string[], index: number): boolean {
  const end = argv.indexOf('--');
  return argv[index] === '--json' && (end < 0 || index < end);
}

function areFields(argv: readonly string[], index: number, command: Command): boolean {
  const word = argv[index] as string;
  const depth = pathOf(command).length - 1;
  const before = operandsIn(argv.slice(0, index), command);
  // A word that leads to the command, as in `cs --json cars list`.
  if (before.length < depth || command.commands.length > 0) return false;
  const names = word.split(',').map((name) => name.trim());
  if (!names.every((name) => /^[A-Za-z_][\w.]*$/.test(name))) return false;
  const known = command.result?.fields ?? [];
  if (names.length > 1 || names.every((name) => known.includes(name.split('.')[0] as string))) return true;
  const given = operandsIn(argv.toSpliced(index, 1), command).length - depth;
  const taken = command.takenArguments(before.slice(depth));
  const full = !taken.some(({ variadic }) => variadic) && given >= taken.length;
  // A slip of the pen is told as one, where the command has what it needs without it.
  return full || (given >= Math.max(1, taken.filter(({ required }) => required).length) && nearest(word, known, 2).length > 0);
}

function pathOf(command: Command): Command[] {
  const path: Command[] = [];
  for (let at: Command | null = command; at; at = at.parent) path.unshift(at);
  return path;
}

/** The words that are neither flags nor values of flags. */
function operandsIn(argv: readonly string[], command: Command): readonly string[] {
  const scout = new Command()
    .allowUnknownOption()
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  for (const option of pathOf(command).flatMap(({ options }) => options))
    if (!scout.options.some(({ long, short }) => long === option.long || (short !== undefined && short === option.short)))
      scout.addOption(option);
  try {
    return scout.parseOptions(withBareJson(argv)).operands;
  } catch {
    // A value that its flag refuses: that is told when the line is parsed.
    return argv;
  }
}
