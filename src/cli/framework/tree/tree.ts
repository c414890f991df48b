/** The source of the description of the commands: the live tree, or the one stored by the build. */
import type { CommandInfo, FlagInfo } from './manifest.ts';

export interface TopicInfo {
  readonly name: string;
  readonly summary: string;
}

export interface Tree {
  /** `cs` itself; its commands without their subcommands. */
  root(): Promise<CommandInfo>;
  /** A command by its first word, with its subcommands. */
  family(name: string): Promise<CommandInfo>;
  /** The help topics. */
  topics(): Promise<readonly TopicInfo[]>;
}

interface StoredRoot {
  readonly root: CommandInfo;
  readonly topics: readonly TopicInfo[];
}

/** Serializes the tree: `root`, and one text per first word, so that each is loaded alone. */
export async function storeTree(tree: Tree): Promise<Record<string, string>> {
  const root = await tree.root();
  const stored: StoredRoot = { root, topics: await tree.topics() };
  const families = await Promise.all(
    root.commands.map(
      async ({ name }) =>
        [name, JSON.stringify(removeGlobalFlags(await tree.family(name)))] as const,
    ),
  );
  return { root: JSON.stringify(stored), ...Object.fromEntries(families) };
}

/** Reads the texts of `storeTree`, without loading commands or contract. */
export function storedTree(read: (name: string) => string): Tree {
  let root: StoredRoot | undefined;
  const load = (): StoredRoot => {
    root ??= JSON.parse(read('root')) as StoredRoot;
    return root;
  };
  return {
    root: async () => load().root,
    topics: async () => load().topics,
    family: async (name) =>
      restoreGlobalFlags(
        JSON.parse(read(name)),
        load().root.flags.filter(({ global }) => global),
      ),
  };
}

/** Global flags are the same for every command and would make up most of the file. */
function removeGlobalFlags(command: CommandInfo): CommandInfo {
  return {
    ...command,
    flags: command.flags.filter(({ global }) => !global),
    commands: command.commands.map(removeGlobalFlags),
  };
}

/** The command's own flag of the same name wins, as in `addGlobalFlags`. */
function restoreGlobalFlags(command: CommandInfo, globals: readonly FlagInfo[]): CommandInfo {
  const taken = new Set(command.flags.flatMap(({ long, short }) => [long, short]));
  const free = globals.filter(
    ({ long, short }) => !taken.has(long) && !(short && taken.has(short)),
  );
  return {
    ...command,
    flags: [...command.flags, ...free],
    commands: command.commands.map((below) => restoreGlobalFlags(below, globals)),
  };
}

/** The chains of a command and all its subcommands, in the order of the help. */
export function commandChains(chain: readonly CommandInfo[]): (readonly CommandInfo[])[] {
  const commands = chain.at(-1)?.commands ?? [];
  return [chain, ...commands.flatMap((below) => commandChains([...chain, below]))];
}
