/** Commander's messages as ours: `error:` left out, in the words of every other message, with the next step as the hint. */

import type { CommanderError } from 'commander';
import type { Command } from '../framework/command.ts';
import { followsJsonFlag } from '../framework/json-flag.ts';
import { joinList, nearest, pluralize } from '../terminal/text.ts';
import { type CliError, usage } from './exit.ts';

/** `command`: the one that was typed, as far as it could be found. */
export function usageError(error: CommanderError, command: Command, argv: readonly string[]): CliError {
  const path = command.path;
  const help = `\`${path} --help\` shows what it takes`;
  if (error.code === 'commander.help') {
    const names = command.commands.map((below) => below.name());
    return usage(`${path} needs a command: ${names.join(', ')}.`, `\`${path} --help\` explains them`);
  }
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  if (error.code === 'commander.missingMandatoryOptionValue') return flagsMissing(command, help);
  if (error.code === 'commander.optionMissingArgument') return valueMissing(first, help);
  if (error.code === 'commander.excessArguments') {
    const taken = command.registeredArguments.length;
    const most = taken === 0 ? 'none' : pluralize(taken, 'word', 'words');
    if (command.takesSecrets) return usage(`${path} takes no arguments.`, secretHint);
    const more = command.args.slice(taken).map((word) => `"${word}"`);
    return usage(
      `${more.join(' ')} ${more.length === 1 ? 'is' : 'are'} too many: ${path} takes ${most}.`,
      `quote a name that has spaces; ${help}`,
    );
  }
  if (error.code === 'commander.unknownOption') return flagUnknown(first, rest, help);
  const unknown = /^unknown command '(.*)'$/.exec(first)?.[1];
  if (unknown !== undefined && followsJsonFlag(argv, unknown))
    return usage(`Unknown command '${unknown}'.`, `if it is a field, write --json=${unknown}, or --json after the command`);
  const suggestion = unknown === undefined ? /^\((.*)\)$/.exec(rest.join(' ').trim())?.[1] : closeCommand(unknown, command);
  const message = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.?$/, '.');
  return usage(message, (suggestion ?? closeChoice(first))?.replace(/^Did/, 'did') ?? help);
}

const secretHint =
  'it asks for the key, or reads it: --with-key from stdin, --key-file from a file, --key-command from a helper. Revoke a key that was typed here: your shell may keep it in its history';

/** By its name alone: what follows `=`, or the letter of a short flag, may be a secret. */
function flagUnknown(message: string, suggestion: readonly string[], help: string): CliError {
  const [, flag = ''] = /'(--[^=']*|-.)/.exec(message) ?? [];
  const [, close] = /^\((.*)\)$/.exec(suggestion.join(' ').trim()) ?? [];
  return usage(`Unknown option '${flag}'.`, close?.replace(/^Did/, 'did') ?? help);
}

/** All that a command cannot do without and was not given, so that nobody learns of them one by one. */
function flagsMissing(command: Command, help: string): CliError {
  const lacking = command.options.filter((option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined);
  const names = joinList(lacking.map(({ long, flags }) => long ?? flags));
  const forms = joinList(lacking.map(({ flags }) => flags));
  return usage(`${names} ${lacking.length === 1 ? 'is' : 'are'} missing.`, `give ${forms}; ${help}`);
}

/** `option '-q, --quiet <text>' argument missing`. */
function valueMissing(message: string, help: string): CliError {
  const [, form = ''] = /'(.*)'/.exec(message) ?? [];
  const [, flag = form, value = 'value'] = /(--[\w-]+)(?: (\S+))?/.exec(form) ?? [];
  return usage(`${flag} needs a value: ${flag} ${value}.`, help);
}

/** By its own name, where its other one is as close. */
function closeCommand(word: string, { commands }: Command): string | undefined {
  const known = commands.flatMap((below) => [below.name(), ...below.aliases()].map((name) => ({ name, command: below })));
  const [close] = nearest(
    word,
    known.map(({ name }) => name),
  );
  const found = known.find(({ name }) => name === close)?.command.name();
  return found && `did you mean ${found}?`;
}

/** The value that was perhaps meant, where commander lists those there are. */
function closeChoice(message: string): string | undefined {
  const found = /'([^']*)' is invalid.* Allowed choices are (.*?)\.?$/.exec(message);
  const [close] = found ? nearest(found[1] ?? '', (found[2] ?? '').split(', ')) : [];
  return close && `did you mean ${close}?`;
}
