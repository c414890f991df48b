/** Reads a command line by the description of the commands, without knowing what they do. */

import type { GlobalOptions } from '../../config/setting-list.ts';
import type { CommandInfo, FlagInfo } from './manifest.ts';
import type { Tree } from './tree.ts';

export interface Line {
  /** The commands that the words lead to: `cs` first, each below the one before. */
  readonly chain: readonly CommandInfo[];
  /** What follows the last command and is no flag, in order. */
  readonly args: readonly string[];
  /** The flags that were given, by their long name, with their value when they take one; the last one wins. */
  readonly flags: ReadonlyMap<string, string | true>;
  /** The flag whose value comes next. */
  readonly waiting?: FlagInfo;
  /** A word that stands where a command should, and is none. */
  readonly unknown?: string;
  /** A `--` came: no flag can follow. */
  readonly ended: boolean;
}

export async function readLine(tree: Tree, words: readonly string[]): Promise<Line> {
  const chain = [await tree.root()];
  const args: string[] = [];
  const flags = new Map<string, string | true>();
  let waiting: FlagInfo | undefined;
  let ended = false;
  for (const word of words) {
    const command = chain.at(-1) as CommandInfo;
    // A value that need not be given is none where the next command stands: `cs --json cars list`.
    const optional = waiting?.value === 'optional' && (word.startsWith('-') || (args.length === 0 && commandNamed(command, word)));
    if (waiting && !optional) {
      flags.set(waiting.long, word);
      waiting = undefined;
      continue;
    }
    waiting = undefined;
    if (ended || !word.startsWith('-') || word === '-') {
      const below = args.length === 0 && !ended ? commandNamed(command, word) : undefined;
      if (below) chain.push(chain.length === 1 ? await tree.family(below.name) : below);
      else if (command.commands.length > 0 && command.arguments.length === 0) return { chain, args, flags, unknown: word, ended };
      else args.push(word);
    } else if (word === '--') ended = true;
    else {
      const [name = '', value] = splitOnce(word, '=');
      const flag = flagNamed(chain, name);
      if (flag) flags.set(flag.long, (flag.value && value) ?? true);
      if (flag?.value && value === undefined) waiting = flag;
    }
  }
  return { chain, args, flags, waiting, ended };
}

export const commandNamed = (command: CommandInfo, word: string): CommandInfo | undefined =>
  command.commands.find(({ name, aliases }) => name === word || aliases.includes(word));

/** The flags of a command and of those above it; the innermost wins. */
export function flagsOf(chain: readonly CommandInfo[]): FlagInfo[] {
  const seen = new Set<string>();
  return chain.toReversed().flatMap(({ flags }) => flags.filter(({ long }) => !seen.has(long) && seen.add(long)));
}

const flagNamed = (chain: readonly CommandInfo[], word: string): FlagInfo | undefined =>
  flagsOf(chain).find(({ long, short }) => long === word || short === word);

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** `cs cars events`. */
export const pathOf = (chain: readonly CommandInfo[]): string => chain.map(({ name }) => name).join(' ');

/** The global flags of a line, as far as they decide about the connection and the looks. */
export function globalOptionsOf({ flags }: Line): GlobalOptions {
  const text = (name: string) => {
    const value = flags.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    profile: text('--profile'),
    baseUrl: text('--base-url'),
    caFile: text('--ca-file'),
    timeout: text('--timeout'),
    json: flags.has('--json') || undefined,
    noPager: flags.has('--no-pager') || undefined,
    noInput: flags.has('--no-input') || undefined,
    color: text('--color'),
    output: text('--output'),
    allowInsecureHttp: flags.has('--allow-insecure-http') || undefined,
  };
}
