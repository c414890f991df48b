/**
 * Values that a command line can't mean, refused before the command runs. An empty one is most
 * often a shell variable that nobody set: `--session ""` would read the photos of every session. An
 * address in place of a path would become a folder of that name, with the password of the address
 * in it.
 */
import { usage } from '../errors/exit.ts';
import type { Command, Option, Suggestions } from './command.ts';
import { isPath, placeholderOf } from './tree/placeholder.ts';

/** Exit 2 for the first of them. `words` are the arguments. */
export function refuseValues(command: Command, words: readonly unknown[]): void {
  const chain = chainOf(command);
  for (const at of chain)
    for (const option of at.options)
      if (isEmpty(at, option)) throw usage(`${option.long} is empty.`, hintFor(option, at.options));
  for (const at of chain)
    for (const option of at.options) {
      const placeholder = placeholderOf(option.flags);
      const value = at.getOptionValue(option.attributeName());
      refuseAddresses(`${option.long} ${placeholder}`, placeholder, value, option.suggestions);
    }
  command.registeredArguments.forEach((argument, index) => {
    const placeholder = `<${argument.name()}${argument.variadic ? '...' : ''}>`;
    refuseAddresses(placeholder, placeholder, words[index], argument.suggestions);
  });
}

const chainOf = (command: Command): Command[] =>
  command.parent ? [...chainOf(command.parent), command] : [command];

/** Free text and lists can be empty: `--notes ""`, `--tags ""`. */
const canBeEmpty = /<(text|[^>]*,…)>$/;

function isEmpty(command: Command, option: Option): boolean {
  const name = option.attributeName();
  if (!option.required || canBeEmpty.test(option.flags)) return false;
  if (command.getOptionValueSource(name) !== 'cli') return false;
  const values = [command.getOptionValue(name)].flat();
  return values.some((value) => typeof value === 'string' && value.trim() === '');
}

const hintFor = ({ long, isField }: Option, options: readonly Option[]): string =>
  isField && options.some((option) => option.long === '--clear')
    ? `to empty the field, write --clear ${long?.slice(2)}`
    : 'leave it out, or give a value';

/**
 * Values that aren't paths, such as names of records and paths of the interface, are left alone.
 */
function refuseAddresses(
  name: string,
  placeholder: string,
  values: unknown,
  { names, offersAfter }: Suggestions,
): void {
  if (!isPath(placeholder) || names !== undefined || offersAfter !== undefined) return;
  for (const value of [values].flat()) refuseAddress(name, value);
}

/**
 * Exit 2 for an address as the value of `name`, which names the schemes that it takes: `--to
 * <folder|postgres://…>`. Only the scheme is told.
 */
export function refuseAddress(name: string, value: unknown): void {
  const scheme = typeof value === 'string' && /^\s*([a-z][a-z\d+.-]+:\/\/)/i.exec(value)?.[1];
  if (scheme && !name.includes(scheme.toLowerCase()))
    throw usage(
      `${name.split(' ', 1)[0]}: ${scheme} addresses aren't supported.`,
      `use a path on this machine: ${name}${scheme.startsWith('postgres') ? '; `cs sync` mirrors records into a database' : ''}`,
    );
}
