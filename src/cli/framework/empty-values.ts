/**
 * An empty value of a flag is most often a shell variable that nobody set. Where it can't mean anything, it must not pass for a flag that
 * wasn't given: `--session ""` would read the photos of every session.
 */
import type { CliError } from '../errors/exit.ts';
import { usage } from '../errors/exit.ts';
import type { Command, Option } from './command.ts';

/** Free text and lists can be empty: `--notes ""`, `--tags ""`. */
const canBeEmpty = /<(text|[^>]*,…)>$/;

/** The error of the first empty value that was typed, if there is any. */
export function emptyValue(command: Command): CliError | undefined {
  for (let at: Command | null = command; at; at = at.parent) {
    const { options } = at;
    const empty = options.find((option) => isEmpty(at as Command, option));
    if (empty) return usage(`${empty.long} is empty.`, hintFor(empty, options));
  }
  return undefined;
}

function isEmpty(command: Command, option: Option): boolean {
  const name = option.attributeName();
  if (
    !option.required ||
    canBeEmpty.test(option.flags) ||
    command.getOptionValueSource(name) !== 'cli'
  )
    return false;
  return [command.getOptionValue(name)]
    .flat()
    .some((value) => typeof value === 'string' && value.trim() === '');
}

function hintFor({ long, isField }: Option, options: readonly Option[]): string {
  const clears = isField && options.some((option) => option.long === '--clear');
  return clears
    ? `to empty the field, write --clear ${long?.slice(2)}`
    : 'leave it out, or give a value';
}
