/** Where the description of the commands comes from: the live tree, or what the build wrote down of it. */
import type { CommandInfo, FlagInfo } from './manifest.ts';

export interface TopicInfo {
  readonly name: string;
  readonly summary: string;
}

export interface Tree {
  /** `cs` itself. Its commands are told without what is below them. */
  root(): Promise<CommandInfo>;
  /** A first word, by its name, with everything below it. */
  family(name: string): Promise<CommandInfo>;
  /** What `cs help` explains beside the commands. */
  topics(): Promise<readonly TopicInfo[]>;
}

interface StoredRoot {
  readonly root: CommandInfo;
  readonly topics: readonly TopicInfo[];
}

/** The tree as texts by name: `root`, and one for each first word, so that nobody waits for the others. */
export async function storeTree(tree: Tree): Promise<Record<string, string>> {
  const root = await tree.root();
  const stored: StoredRoot = { root, topics: await tree.topics() };
  const families = await Promise.all(
    root.commands.map(async ({ name }) => [name, JSON.stringify(withoutGlobals(await tree.family(name)))] as const),
  );
  return { root: JSON.stringify(stored), ...Object.fromEntries(families) };
}

/** The tree that `storeTree` has made texts of. Loads neither commands nor contract. */
export function storedTree(read: (name: string) => string): Tree {
  let kept: StoredRoot | undefined;
  const stored = (): StoredRoot => {
    kept ??= JSON.parse(read('root')) as StoredRoot;
    return kept;
  };
  return {
    root: async () => stored().root,
    topics: async () => stored().topics,
    family: async (name) =>
      withGlobals(
        JSON.parse(read(name)),
        stored().root.flags.filter(({ global }) => global),
      ),
  };
}

/** They stand on every command, and would be most of what is read. */
function withoutGlobals(command: CommandInfo): CommandInfo {
  return { ...command, flags: command.flags.filter(({ global }) => !global), commands: command.commands.map(withoutGlobals) };
}

/** A flag of the command's own with the same name wins, as in `addGlobalFlags`. */
function withGlobals(command: CommandInfo, globals: readonly FlagInfo[]): CommandInfo {
  const taken = new Set(command.flags.flatMap(({ long, short }) => [long, short]));
  const free = globals.filter(({ long, short }) => !taken.has(long) && !(short && taken.has(short)));
  return { ...command, flags: [...command.flags, ...free], commands: command.commands.map((below) => withGlobals(below, globals)) };
}
