/** Parses a command line with the description of the commands, without loading them. */

import { attributeOf, type GlobalOptions, settingList } from '../../config/setting-list.ts';
import type { CommandInfo, FlagInfo } from './manifest.ts';
import type { Tree } from './tree.ts';

export interface Line {
  /** The commands of the line, from `cs` down. */
  readonly chain: readonly CommandInfo[];
  /** The arguments after the last command. */
  readonly args: readonly string[];
  /** Flags by long name, with their value if they take one; the last one wins. */
  readonly flags: ReadonlyMap<string, string | true>;
  /** The flag that the next word is the value of. */
  readonly pendingFlag?: FlagInfo;
  /** An unknown word in place of a command. */
  readonly unknown?: string;
  /** After `--`, no more flags can follow. */
  readonly flagsEnded: boolean;
}

export async function readLine(tree: Tree, words: readonly string[]): Promise<Line> {
  const chain = [await tree.root()];
  const args: string[] = [];
  const flags = new Map<string, string | true>();
  let pendingFlag: FlagInfo | undefined;
  let flagsEnded = false;
  for (const word of words) {
    const command = chain.at(-1) as CommandInfo;
    if (pendingFlag && (pendingFlag.value === 'required' || !word.startsWith('-'))) {
      flags.set(pendingFlag.long, word);
      pendingFlag = undefined;
      continue;
    }
    pendingFlag = undefined;
    if (flagsEnded || !word.startsWith('-') || word === '-') {
      const below = args.length === 0 && !flagsEnded ? findSubcommand(command, word) : undefined;
      if (below) chain.push(chain.length === 1 ? await tree.family(below.name) : below);
      else if (command.commands.length > 0 && command.arguments.length === 0)
        return { chain, args, flags, unknown: word, flagsEnded };
      else args.push(word);
    } else if (word === '--') flagsEnded = true;
    else {
      const [name = '', value] = splitAtFirst(word, '=');
      const flag = findFlag(chain, name);
      if (flag) flags.set(flag.long, (flag.value && value) ?? true);
      if (flag?.value && value === undefined && !flag.form.includes('[=')) pendingFlag = flag;
    }
  }
  return { chain, args, flags, pendingFlag, flagsEnded };
}

export const findSubcommand = (command: CommandInfo, word: string): CommandInfo | undefined =>
  command.commands.find(({ name, aliases }) => name === word || aliases.includes(word));

/** The flags of a command and its parents; the innermost wins. */
export function flagsInScope(chain: readonly CommandInfo[]): FlagInfo[] {
  const seen = new Set<string>();
  return chain
    .toReversed()
    .flatMap(({ flags }) => flags.filter(({ long }) => !seen.has(long) && seen.add(long)));
}

const findFlag = (chain: readonly CommandInfo[], word: string): FlagInfo | undefined =>
  flagsInScope(chain).find(({ long, short }) => long === word || short === word);

function splitAtFirst(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** `cs cars events`. */
export const commandPath = (chain: readonly CommandInfo[]): string =>
  chain.map(({ name }) => name).join(' ');

/** The settings that a line gives. */
export const lineOptions = ({ flags }: Line): GlobalOptions =>
  Object.fromEntries(
    settingList.flatMap(({ name, flag = '', value }) => {
      const given = flags.get(flag);
      // A flag without the value that it needs.
      const isUnusable = given === undefined || (given === true && value?.startsWith('<'));
      return isUnusable ? [] : [[attributeOf(name), given]];
    }),
  );
