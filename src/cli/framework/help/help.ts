/** Renders `--help` from the description of a command. */

import type { Styles } from '../../terminal/style.ts';
import { breakWords, type Entry, twoColumns } from '../../terminal/text.ts';
import { commandPath } from '../tree/line.ts';
import type { ArgumentInfo, CommandInfo, FlagInfo } from '../tree/manifest.ts';
import type { TopicInfo } from '../tree/tree.ts';

export interface HelpOptions {
  /** Columns of the terminal. */
  readonly width: number;
  readonly styles: Styles;
  readonly topics: readonly TopicInfo[];
}

const indent = '  ';

/** The help page of the last command in a chain that starts with `cs`. */
export function renderHelp(
  chain: readonly CommandInfo[],
  { width: cells, styles, topics }: HelpOptions,
): string {
  const width = Math.min(cells, 100);
  const command = chain.at(-1) as CommandInfo;
  const isRoot = chain.length === 1;
  const path = commandPath(chain);
  const parts: string[] = [wrap(command.about, width, '').join('\n')];
  const section = (title: string, lines: readonly string[]) =>
    lines.length > 0 && parts.push([styles.title(title.toUpperCase()), ...lines].join('\n'));

  section('usage', wrap(usageLine(chain), width, indent));
  section(
    'aliases',
    command.aliases.map(
      (alias) => `${indent}${[...chain.slice(0, -1).map(({ name }) => name), alias].join(' ')}`,
    ),
  );
  // One column width for all groups.
  const widest = Math.max(
    0,
    ...command.commands.map(({ name }) => name.length),
    ...(isRoot ? topics.map(({ name }) => name.length) : []),
  );
  const groups = Map.groupBy(command.commands, ({ group }) => group);
  for (const [group, commands] of groups) {
    const rows = commands.map((below): [string, string] => [
      below.name,
      below.summary || below.about,
    ]);
    section(group ? `${group} commands` : 'commands', table(rows, width, widest));
  }
  if (isRoot)
    section(
      'help topics',
      table(
        topics.map(({ name, summary }) => [name, summary]),
        width,
        widest,
      ),
    );
  const own = command.flags.filter(({ global }) => isRoot || !global);
  const flags = [...own, helpFlag].map((flag): [string, string] => [formatFlag(flag), flag.about]);
  section(isRoot ? 'global flags' : 'flags', table(flags, width));
  if (!isRoot && !isGroup(command)) {
    const shared = command.flags
      .filter(({ global }) => global)
      .map(({ short, long }) => short ?? long);
    section('global flags', wrap(`${shared.join(' ')} (see cs --help)`, width, indent));
  }
  section(
    'arguments',
    table(
      command.arguments.map((argument) => [formatArgument(argument), describeArgument(argument)]),
      width,
    ),
  );
  section(
    'examples',
    command.examples.map((line) =>
      line.startsWith('#') ? styles.dim(`${indent}${line}`) : `${indent}$ ${line}`,
    ),
  );
  section('learn more', [
    ...(command.commands.length > 0 ? [`${indent}${path} <command> --help`] : []),
    ...(isRoot
      ? [`${indent}cs help <topic>`]
      : wrap(`cs help ${topics.map(({ name }) => name).join(' | ')}`, width, indent)),
  ]);
  return `${parts.join('\n\n')}\n`;
}

/** Accepted by every command, and answered without running it. */
export const helpFlag: FlagInfo = {
  long: '--help',
  short: '-h',
  form: '-h, --help',
  about: 'show help',
};

export const formatArgument = ({ name, variadic }: ArgumentInfo): string =>
  `${name.toUpperCase()}${variadic ? '…' : ''}`;

/** Does nothing by itself. Others with commands below, such as sync, also take arguments. */
const isGroup = (command: CommandInfo): boolean =>
  command.commands.length > 0 && command.arguments.length === 0;

/** `cs cars events log CAR [flags]`. */
export function usageLine(chain: readonly CommandInfo[]): string {
  const command = chain.at(-1) as CommandInfo;
  const args = command.arguments.map((argument) =>
    argument.required ? formatArgument(argument) : `[${formatArgument(argument)}]`,
  );
  return [commandPath(chain), ...(isGroup(command) ? ['<command>'] : args), '[flags]'].join(' ');
}

/** The description, with the valid values unless it names them. */
export function describeArgument({ about, choices = [] }: ArgumentInfo): string {
  return choices.every((choice) => about.includes(choice))
    ? about
    : `${about}: ${choices.join(', ')}`;
}

// Long names line up, with or without a short one.
const formatFlag = ({ short, form }: FlagInfo): string => (short ? form : `    ${form}`);

const table = (
  rows: readonly (readonly [string, string])[],
  width: number,
  atLeast = 0,
): string[] =>
  twoColumns(
    rows.map(([term, about]): Entry => [term, (room) => wrap(about, room, '')]),
    width,
    { atLeast },
  );

const wrap = (text: string, width: number, lead: string): string[] =>
  breakWords(text, width - lead.length)
    .split('\n')
    .map((line) => lead + line);
