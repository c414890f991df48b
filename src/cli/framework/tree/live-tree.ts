/** The commands as commander knows them, and their description read off them. What stands behind a first word is loaded when it is asked for. */

import { catalogue, type Entry } from '../../commands/catalogue.ts';
import { Command } from '../command.ts';
import { addGlobalFlags } from '../flags.ts';
import { describeCommand } from './manifest.ts';
import type { Tree } from './tree.ts';

/** `cs` with every first word, none of them filled. Help and version are answered before commander sees them. */
export function newProgram(): Command {
  const program = new Command('cs')
    .description('Car storage from the terminal: cars, parking, events and photos.')
    .option('--version', 'show the version')
    .helpOption(false)
    .helpCommand(false)
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} });
  addGlobalFlags(program);
  program.examples(['cs dropoff', 'cs cars list --status stored', 'cs parking spots list --available', 'cs auth login']);
  for (const entry of catalogue) addEntry(program, entry);
  return program;
}

/** Loads what stands behind a first word and puts it in its place. Nothing when there is none of that name. */
export async function loadFamily(program: Command, word: string): Promise<Command | undefined> {
  const entry = catalogue.find(({ name, alias }) => name === word || alias === word);
  const command = entry && program.commands.find((below) => below.name() === entry.name);
  if (!command) return undefined;
  (await entry.load())(command);
  return command;
}

/** Gives a command what it has left until later, and what all have. Before it is parsed or described; once. */
export function finishSetup(command: Command): void {
  if (!command.completeSetup()) return;
  addGlobalFlags(command);
  command.helpOption(false).helpCommand(false).allowExcessArguments(false);
  if (command.commands.length > 0) command.enablePositionalOptions();
}

function completeFamily(command: Command): Command {
  finishSetup(command);
  command.commands.forEach(completeFamily);
  return command;
}

export const liveTree: Tree = {
  root: async () => describeCommand(newProgram()),
  async family(name) {
    const command = await loadFamily(newProgram(), name);
    if (!command) throw new Error(`There is no command ${name}.`);
    return describeCommand(completeFamily(command));
  },
  async topics() {
    const { topics } = await import('../help/topics.ts');
    return Object.entries(topics).map(([name, { summary }]) => ({ name, summary }));
  },
};

function addEntry(program: Command, { name, alias, summary, group }: Entry): void {
  const command = program.command(name).summary(summary).description(`${summary}.`).helpGroup(group);
  if (alias) command.alias(alias);
}
