/** All commands, read from the command tree, so that tests include new commands. */

import { catalogue, liveTree } from '../../src/cli/commands/catalogue.ts';
import type { CommandInfo } from '../../src/cli/framework/tree/manifest.ts';

export interface KnownCommand {
  /** `cars events list`. */
  readonly name: string;
  readonly words: readonly string[];
  readonly info: CommandInfo;
}

export async function everyCommand(): Promise<KnownCommand[]> {
  const families = await Promise.all(catalogue.map(({ name }) => liveTree.family(name)));
  return families.flatMap((family) => withBelow(family, []));
}

function withBelow(info: CommandInfo, above: readonly string[]): KnownCommand[] {
  const words = [...above, info.name];
  return [
    { name: words.join(' '), words, info },
    ...info.commands.flatMap((below) => withBelow(below, words)),
  ];
}

/** Commands with an action, without pure parent commands. */
export const runnable = (commands: readonly KnownCommand[]): KnownCommand[] =>
  commands.filter(({ info }) => info.commands.length === 0 || info.arguments.length > 0);

/** The command families that use the service's data directly instead of the interface. */
export const ofTheService: ReadonlySet<string> = new Set(['serve', 'demo', 'admin']);
