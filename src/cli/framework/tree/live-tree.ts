/**
 * The tree of commander's commands and its description. A family of commands is loaded when it is
 * needed.
 */

import { memoize } from '../../../contract/memoize.ts';
import { Command, type CommandBuilder } from '../command.ts';
import { addGlobalFlags } from '../flags.ts';
import { describeCommand } from './manifest.ts';
import type { Tree } from './tree.ts';

/** A top-level command. Its code is loaded only when it is used. */
export interface Entry {
  readonly name: string;
  /** The noun's singular. */
  readonly alias?: string;
  readonly summary: string;
  readonly group: 'Counter' | 'Facility' | 'Marketing' | 'Scripting' | 'Connection' | 'Service';
  readonly load: () => Promise<CommandBuilder>;
}

/** The top-level commands in the order of the help. */
export type Catalogue = readonly Entry[];

/**
 * `cs` with the first word of every command, empty. Help and version are answered without
 * commander.
 */
export function createProgram(catalogue: Catalogue): Command {
  const program = new Command('cs')
    .description('Car storage from the terminal: cars, parking, events and photos.')
    .option('--version', 'show the version')
    .helpOption(false)
    .helpCommand(false)
    .enablePositionalOptions();
  addGlobalFlags(program);
  program.examples([
    'cs dropoff',
    'cs cars list --status stored',
    'cs parking spots list --available',
    'cs auth login',
  ]);
  for (const entry of catalogue) addEntry(program, entry);
  return program;
}

/** Loads the commands of a first word. Undefined for an unknown word. */
export async function loadFamily(
  catalogue: Catalogue,
  program: Command,
  word: string,
): Promise<Command | undefined> {
  const entry = catalogue.find(({ name, alias }) => name === word || alias === word);
  const command = entry && program.commands.find((below) => below.name() === entry.name);
  if (!command) return undefined;
  (await entry.load())(command);
  return command;
}

/**
 * Completes a command with its postponed setup and the global flags, once, before it is parsed or
 * described.
 */
export function finishSetup(command: Command): void {
  if (!command.completeSetup()) return;
  addGlobalFlags(command);
  command.helpOption(false).helpCommand(false).allowExcessArguments(false);
  if (command.commands.length > 0) command.enablePositionalOptions();
}

function finishFamily(command: Command): Command {
  finishSetup(command);
  command.commands.forEach(finishFamily);
  return command;
}

export const treeOf = (catalogue: Catalogue): Tree => ({
  root: async () => describeCommand(createProgram(catalogue)),
  family: memoize(async (name: string) => {
    const command = await loadFamily(catalogue, createProgram(catalogue), name);
    if (!command) throw new Error(`Unknown command ${name}.`);
    return describeCommand(finishFamily(command));
  }),
  async topics() {
    const { topics } = await import('../help/topics.ts');
    return Object.entries(topics).map(([name, { summary }]) => ({ name, summary }));
  },
});

function addEntry(program: Command, { name, alias, summary, group }: Entry): void {
  const command = program
    .command(name)
    .summary(summary)
    .description(`${summary}.`)
    .helpGroup(group);
  if (alias) command.alias(alias);
}
