/** What can come next on a command line, for the completion of shells. */
import type { Command, Option } from 'commander';

export interface Candidate {
  readonly value: string;
  readonly about: string;
}

/**
 * The commands, flags or values that can stand where the last word is, as far as it is typed.
 * Nothing where files or free text belong: the shell completes files then.
 */
export function candidatesFor(root: Command, words: readonly string[]): Candidate[] {
  const partial = words.at(-1) ?? '';
  let command = root;
  let waiting: Option | undefined;
  for (const word of words.slice(0, -1)) {
    if (waiting) waiting = undefined;
    else if (word.startsWith('-')) waiting = valued(flagNamed(command, word));
    else if (command.commands.length > 0) {
      const below = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
      if (!below) return [];
      command = below;
    }
  }
  const fitting = waiting
    ? valuesOf(waiting)
    : partial.startsWith('-')
      ? flagsOf(command)
      : [...commandsOf(command), ...argumentsOf(command)];
  return fitting.filter(({ value }) => value.startsWith(partial));
}

const valued = (option: Option | undefined) => (option && (option.required || option.optional) ? option : undefined);
const valuesOf = ({ argChoices = [] }: Option): Candidate[] => argChoices.map((value) => ({ value, about: '' }));

/** The flags of a command and of those above it; the innermost wins. */
function optionsOf(command: Command): Option[] {
  const chain: Command[] = [];
  for (let at: Command | null = command; at; at = at.parent) chain.push(at);
  const seen = new Set<string>();
  return chain.flatMap(({ options }) => options.filter(({ long, hidden }) => long && !hidden && !seen.has(long) && seen.add(long)));
}

const flagNamed = (command: Command, word: string) => optionsOf(command).find(({ long, short }) => word === long || word === short);

function flagsOf(command: Command): Candidate[] {
  return [
    ...optionsOf(command).map(({ long, description }) => ({ value: long as string, about: description })),
    { value: '--help', about: 'show help' },
  ];
}

const commandsOf = (command: Command): Candidate[] =>
  command.commands.map((below) => ({ value: below.name(), about: below.summary() || below.description() }));

const argumentsOf = ({ registeredArguments }: Command): Candidate[] =>
  registeredArguments.flatMap(({ argChoices = [], description }) => argChoices.map((value) => ({ value, about: description })));
