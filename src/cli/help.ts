/** The layout of `--help`. */
import type { Command, Help, Option } from 'commander';
import { examplesOf } from './command.ts';
import { isGlobal } from './flags.ts';
import type { Paint } from './paint.ts';

const indent = '  ';

export function formatHelp(command: Command, helper: Help, paint: Paint): string {
  const width = Math.min(helper.helpWidth ?? 80, 100);
  const isRoot = command.parent === null;
  const own = helper.visibleOptions(command).filter((option) => isRoot || !isGlobal(option));
  const flags: [string, string][] = own.map((option) => [flagTerm(option), option.description]);
  const parts: string[] = [wrap(command.description() || command.summary(), width, '').join('\n')];
  const section = (title: string, lines: string[]) => lines.length > 0 && parts.push([paint.title(title), ...lines].join('\n'));

  section('USAGE', [`${indent}${usageOf(command)}`]);
  const groups = helper.groupItems([...command.commands], helper.visibleCommands(command), (item) => item.helpGroup());
  // One column width for all groups, so that the page reads as one list.
  const names = helper.visibleCommands(command).map((item) => item.name().length);
  for (const [group, items] of groups) {
    const rows = items
      .filter((item) => item.name() !== 'help')
      .map((item): [string, string] => [item.name(), item.summary() || item.description()]);
    section(group ? group.toUpperCase() : 'COMMANDS', table(rows, width, Math.max(...names)));
  }
  const args = helper
    .visibleArguments(command)
    .map((item): [string, string] => [argumentTerm(item.name(), item.variadic), item.description]);
  section('ARGUMENTS', table(args, width));
  section(isRoot ? 'GLOBAL FLAGS' : 'FLAGS', table(flags, width));
  if (!isRoot && command.commands.length === 0) {
    const shared = command.options.filter(isGlobal).map((option) => option.short ?? option.long ?? '');
    section('GLOBAL FLAGS', wrap(`${shared.join(' ')} (see cs --help)`, width, indent));
  }
  section(
    'EXAMPLES',
    examplesOf(command).map((line) => (line.startsWith('#') ? paint.dim(`${indent}${line}`) : `${indent}$ ${line}`)),
  );
  if (command.commands.length > 0) {
    const path = commandPath(command);
    section('LEARN MORE', [`${indent}${path} <command> --help`, ...(isRoot ? [`${indent}cs help exit-codes`] : [])]);
  }
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** `cs cars events list`. */
export function commandPath(command: Command): string {
  const words: string[] = [];
  for (let at: Command | null = command; at; at = at.parent) words.unshift(at.name());
  return words.join(' ');
}

const argumentTerm = (name: string, variadic: boolean): string => `${name.toUpperCase()}${variadic ? '…' : ''}`;

function usageOf(command: Command): string {
  const args = command.registeredArguments.map((argument) => {
    const term = argumentTerm(argument.name(), argument.variadic);
    return argument.required ? term : `[${term}]`;
  });
  return [commandPath(command), ...(command.commands.length > 0 ? ['<command>'] : args), '[flags]'].join(' ');
}

// Long names stand in one column, whether there is a short one or not.
const flagTerm = (option: Option): string => (option.short && option.long ? option.flags : `    ${option.flags}`);

function table(rows: [string, string][], width: number, atLeast = 0): string[] {
  const widest = Math.max(atLeast, ...rows.map(([term]) => term.length));
  return rows.flatMap(([term, about]) => {
    const lines = wrap(about, Math.max(24, width - widest - 4), '');
    return lines.map((line, index) => `${indent}${(index === 0 ? term : '').padEnd(widest)}  ${line}`.trimEnd());
  });
}

function wrap(text: string, width: number, lead: string): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line && lead.length + line.length + 1 + word.length > width) {
        lines.push(lead + line);
        line = word;
      } else line = line ? `${line} ${word}` : word;
    }
    lines.push(lead + line);
  }
  return lines;
}
