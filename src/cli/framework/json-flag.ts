/**
 * `--json` alone is every field, `--json=id,year` these. Commander would take the next word as the fields, also the car in
 * `cs cars get --json Greta`, so a bare `--json` gets an empty value before it parses the line.
 */
import type { Command } from './command.ts';

/** Where `--json` stands alone. Words after `--` aren't flags. */
function bareFlags(argv: readonly string[]): number[] {
  const end = argv.indexOf('--');
  return argv.flatMap((word, at) => (word === '--json' && (end < 0 || at < end) ? [at] : []));
}

export function bareJsonFlags(argv: readonly string[]): string[] {
  const bare = bareFlags(argv);
  return argv.map((word, at) => (bare.includes(at) ? '--json=' : word));
}

/** Until version 0.2: fields that the command knows, as the word after `--json`, with a warning. */
export function resolveJsonFlag(
  argv: readonly string[],
  command: Command,
): { argv: string[]; warning?: string } {
  const at = bareFlags(argv).find((index) => areFields(argv[index + 1] ?? '', command));
  if (at === undefined) return { argv: bareJsonFlags(argv) };
  const flag = `--json=${argv[at + 1]}`;
  return {
    argv: bareJsonFlags(argv.toSpliced(at, 2, flag)),
    warning: `Write ${flag}: the next version takes a word after --json as an argument.`,
  };
}

function areFields(word: string, command: Command): boolean {
  const known = command.result?.fields ?? [];
  const names = word.split(',');
  return (
    names.every((name) => /^[A-Za-z_][\w.]*$/.test(name)) &&
    !wordsOf(command).includes(word) &&
    (names.length > 1 || known.includes(word.split('.', 1)[0] as string))
  );
}

/** The names that lead to a command: `cs --json forms get` is about forms. */
const wordsOf = (command: Command | null): readonly string[] =>
  command ? [command.name(), ...command.aliases(), ...wordsOf(command.parent)] : [];

/** A hint for a word after `--json` that the command doesn't take. */
export const fieldsHint = (
  argv: readonly string[],
  word: string | undefined,
): string | undefined =>
  bareFlags(argv).some((at) => argv[at + 1] === word)
    ? `to select a field, write --json=${word}`
    : undefined;
