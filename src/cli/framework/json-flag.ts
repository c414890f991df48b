/**
 * `--json [fields]`: decides whether the next word is its value. Commander would take any word, also the car in
 * `cs cars get --json Greta`. Here the word is the value only if the command doesn't need it.
 */

import { nearest } from '../terminal/text.ts';
import { Command } from './command.ts';

/** Gives every `--json` an empty value, for scanning the words before the command is known. */
export const bareJsonFlags = (argv: readonly string[]): string[] =>
  argv.map((word, index) => (isJson(argv, index) ? '--json=' : word));

/** Attaches the fields to the flag, as `--json=…`. */
export function resolveJsonFlag(argv: readonly string[], command: Command): string[] {
  const resolved: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] as string;
    const next = argv[index + 1];
    if (!isJson(argv, index)) resolved.push(word);
    else if (next === undefined || next.startsWith('-') || !areFieldNames(argv, index + 1, command))
      resolved.push('--json=');
    else {
      resolved.push(`--json=${next}`);
      index += 1;
    }
  }
  return resolved;
}

/** Whether the word follows `--json`. Before a command, as in `cs --json id cars list`, it isn't taken as fields. */
export const followsJsonFlag = (argv: readonly string[], word: string): boolean =>
  argv.some((next, index) => next === word && index > 0 && isJson(argv, index - 1));

/** Words after `--` aren't flags. */
function isJson(argv: readonly string[], index: number): boolean {
  const end = argv.indexOf('--');
  return argv[index] === '--json' && (end < 0 || index < end);
}

function areFieldNames(argv: readonly string[], index: number, command: Command): boolean {
  const word = argv[index] as string;
  const depth = ancestors(command).length - 1;
  const before = operandsIn(argv.slice(0, index), command);
  // Part of the command, as in `cs --json cars list`.
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
  if (before.length < depth || isGroup) return false;
  const names = word.split(',').map((name) => name.trim());
  if (!names.every((name) => /^[A-Za-z_][\w.]*$/.test(name))) return false;
  const known = command.result?.fields ?? [];
  if (names.length > 1 || names.every((name) => known.includes(name.split('.')[0] as string)))
    return true;
  const given = operandsIn(argv.toSpliced(index, 1), command).length - depth;
  const taken = command.takenArguments(before.slice(depth));
  const full = !taken.some(({ variadic }) => variadic) && given >= taken.length;
  // A misspelled field is reported as one where the command has its required arguments without it.
  return (
    full ||
    (given >= Math.max(1, taken.filter(({ required }) => required).length) &&
      nearest(word, known, 2).length > 0)
  );
}

function ancestors(command: Command): Command[] {
  const path: Command[] = [];
  for (let at: Command | null = command; at; at = at.parent) path.unshift(at);
  return path;
}

/** The words that aren't flags or their values. */
function operandsIn(argv: readonly string[], command: Command): readonly string[] {
  const scanner = new Command()
    .allowUnknownOption()
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  for (const option of ancestors(command).flatMap(({ options }) => options))
    if (
      !scanner.options.some(
        ({ long, short }) =>
          long === option.long || (short !== undefined && short === option.short),
      )
    )
      scanner.addOption(option);
  try {
    return scanner.parseOptions(bareJsonFlags(argv)).operands;
  } catch {
    // An invalid flag value is reported when the line is parsed.
    return argv;
  }
}
