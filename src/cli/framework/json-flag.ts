/**
 * `--json` alone is every field, `--json=id,year` these. Commander would take the next word as the
 * fields, also the car in `cs cars get --json Greta`, so a bare `--json` gets an empty value before
 * it parses the line.
 */

/** Where `--json` stands alone. Words after `--` aren't flags. */
function bareFlags(argv: readonly string[]): number[] {
  const end = argv.indexOf('--');
  return argv.flatMap((word, at) => (word === '--json' && (end < 0 || at < end) ? [at] : []));
}

export function bareJsonFlags(argv: readonly string[]): string[] {
  const bare = bareFlags(argv);
  return argv.map((word, at) => (bare.includes(at) ? '--json=' : word));
}

/** A hint for a word after `--json` that the command doesn't take. */
export const fieldsHint = (
  argv: readonly string[],
  word: string | undefined,
): string | undefined =>
  bareFlags(argv).some((at) => argv[at + 1] === word)
    ? `to select a field, write --json=${word}`
    : undefined;
