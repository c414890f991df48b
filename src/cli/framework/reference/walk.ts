import type { CommandInfo } from '../tree/manifest.ts';

/** The chain itself and those of everything below it, in the order of the help. */
export function everyBelow(chain: readonly CommandInfo[]): (readonly CommandInfo[])[] {
  const commands = chain.at(-1)?.commands ?? [];
  return [chain, ...commands.flatMap((below) => everyBelow([...chain, below]))];
}
