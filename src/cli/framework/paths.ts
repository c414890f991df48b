/**
 * Addresses in place of paths. A folder of that name would be made, with the password of the address in it, so they are refused, and
 * only their scheme is told. `./` in front makes a path of one.
 */
import { type CliError, usage } from '../errors/exit.ts';
import type { Command, Suggestions } from './command.ts';
import { isPath, placeholderOf } from './tree/placeholder.ts';

/** The error of the first address that was typed, if there is any. */
export function addressError(command: Command, words: readonly unknown[]): CliError | undefined {
  const options = chainOf(command).flatMap((at) =>
    at.options.map((option) => {
      const placeholder = placeholderOf(option.flags);
      const given = at.getOptionValue(option.attributeName());
      return { name: `${option.long} ${placeholder}`, placeholder, given, ...option.suggestions };
    }),
  );
  const args = command.registeredArguments.map((argument, index) => {
    const placeholder = `<${argument.name()}${argument.variadic ? '...' : ''}>`;
    return { name: placeholder, placeholder, given: words[index], ...argument.suggestions };
  });
  for (const { name, placeholder, given, ...suggestions } of [...options, ...args]) {
    if (!isPath(placeholder) || hasOtherValues(suggestions)) continue;
    const refused = [given].flat().map((value) => notAPath(name, value));
    const first = refused.find((error) => error !== undefined);
    if (first) return first;
  }
  return undefined;
}

/** The error of an address as the value of `name`, which names the schemes that it takes: `--to <folder|postgres://…>`. */
export function notAPath(name: string, value: unknown): CliError | undefined {
  const scheme = typeof value === 'string' && /^\s*([a-z][a-z\d+.-]+:\/\/)/i.exec(value)?.[1];
  return scheme && !name.includes(scheme.toLowerCase())
    ? usage(
        `${name.split(' ', 1)[0]}: ${scheme} addresses aren't supported.`,
        `use a path on this machine: ${name}`,
      )
    : undefined;
}

/** Names of records, and paths of the interface. */
const hasOtherValues = ({ names, offersAfter }: Suggestions): boolean =>
  names !== undefined || offersAfter !== undefined;

const chainOf = (command: Command): Command[] =>
  command.parent ? [...chainOf(command.parent), command] : [command];
