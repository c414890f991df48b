/** Rewrites commander's messages in the words of `cs`, with the next step as the hint. */

import type { CommanderError } from 'commander';
import { type CliError, usage } from '../errors/exit.ts';
import { nearest } from '../terminal/text.ts';
import type { Command } from './command.ts';
import { followsJsonFlag } from './json-flag.ts';

/** `command`: the typed command, as far as it was found. */
export function usageError(
  error: CommanderError,
  command: Command,
  argv: readonly string[],
): CliError {
  const path = command.path;
  const help = `\`${path} --help\` shows its arguments and flags`;
  if (error.code === 'commander.help') {
    const names = command.commands.map((below) => below.name());
    return usage(
      `${path} needs a command: ${names.join(', ')}.`,
      `\`${path} --help\` explains them`,
    );
  }
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  if (error.code === 'commander.missingMandatoryOptionValue') return flagsMissing(command, help);
  if (error.code === 'commander.optionMissingArgument') return valueMissing(first, help);
  if (error.code === 'commander.excessArguments') {
    if (command.takesSecrets) return usage(`${path} takes no arguments.`, secretHint);
    const more = command.args.slice(command.registeredArguments.length).map((word) => `"${word}"`);
    const message = `Unexpected ${more.length === 1 ? 'argument' : 'arguments'} ${more.join(' ')}.`;
    return usage(message, `quote a name with spaces; ${help}`);
  }
  if (error.code === 'commander.invalidArgument') return valueInvalid(first, { path, help });
  if (error.code === 'commander.unknownOption') return flagUnknown(first, rest, { command, help });
  const unknown = /^unknown command '(.*)'$/.exec(first)?.[1];
  if (unknown !== undefined && followsJsonFlag(argv, unknown))
    return usage(
      `Unknown command "${unknown}".`,
      `if it is a field, write --json=${unknown}, or --json after the command`,
    );
  const suggestion =
    unknown === undefined
      ? /^\((.*)\)$/.exec(rest.join(' ').trim())?.[1]
      : closeCommand(unknown, command);
  const message = `${first.charAt(0).toUpperCase()}${first.slice(1)}`
    .replace(/\.?$/, '.')
    .replace(/'([^']*)'/g, '"$1"');
  const explained = unknown === undefined ? help : `\`${path} --help\` lists the commands`;
  return usage(message, suggestion?.replace(/^Did/, 'did') ?? explained);
}

const secretHint =
  'use the prompt, --with-key (stdin), --key-file or --key-command. Revoke a key that you typed here: your shell may keep it in its history';

/** Names only the flag: the text after `=`, or after the letter of a short flag, may be a secret. */
function flagUnknown(
  message: string,
  suggestion: readonly string[],
  { command, help }: { command: Command; help: string },
): CliError {
  const [, flag = '', value] = /'(--[^=']*|-.)(=)?/.exec(message) ?? [];
  // commander doesn't know a flag without a value in this form.
  if (value !== undefined && isFlagOf(command, flag))
    return usage(`${flag} takes no value.`, `write ${flag} alone; ${help}`);
  const [, close] = /^\((.*)\)$/.exec(suggestion.join(' ').trim()) ?? [];
  return usage(`Unknown flag "${flag}".`, close?.replace(/^Did/, 'did') ?? help);
}

function isFlagOf(command: Command, flag: string): boolean {
  if (command.options.some(({ long }) => long === flag)) return true;
  return command.parent !== null && isFlagOf(command.parent as Command, flag);
}

/** Names all missing required flags at once. */
function flagsMissing(command: Command, help: string): CliError {
  const missing = command.options.filter(
    (option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined,
  );
  const names = missing.map(({ long, flags }) => long ?? flags).join(', ');
  return usage(
    `Missing required ${missing.length === 1 ? 'flag' : 'flags'}: ${names}.`,
    `give ${missing.map(({ flags }) => flags).join(', ')}; ${help}`,
  );
}

/** `option '-q, --quiet <text>' argument missing`. */
function valueMissing(message: string, help: string): CliError {
  const [, form = ''] = /'(.*)'/.exec(message) ?? [];
  const [, flag = form, value = 'value'] = /(--[\w-]+)(?: (\S+))?/.exec(form) ?? [];
  return usage(`${flag} needs a value: ${flag} ${value}.`, help);
}

/** Prefers the name over an alias that is as close. */
function closeCommand(word: string, { commands }: Command): string | undefined {
  const known = commands.flatMap((below) =>
    [below.name(), ...below.aliases()].map((name) => ({ name, command: below })),
  );
  const [close] = nearest(
    word,
    known.map(({ name }) => name),
  );
  const found = known.find(({ name }) => name === close)?.command.name();
  return found && `did you mean ${found}?`;
}

/** `option '--keep <number>' argument 'x' is invalid. It must …`, `command-argument value 'x' is invalid for argument 'shell'. Allowed choices are …`. */
function valueInvalid(message: string, { path, help }: { path: string; help: string }): CliError {
  const [, named = '', value = '', rest = ''] =
    /^option '(.*?)' argument '(.*)' is invalid\. (.*)$/s.exec(message) ??
    /^command-argument (value) '(.*)' is invalid for argument '.*'\. (.*)$/s.exec(message) ??
    [];
  const name = /--[\w-]+/.exec(named)?.[0] ?? path;
  const choices = /^Allowed choices are (.*?)\.?$/.exec(rest)?.[1]?.split(', ');
  const why = choices ? `isn't one of ${choices.join(', ')}.` : rest;
  const [close] = choices ? nearest(value, choices) : [];
  return usage(`${name}: "${value}" ${why}`, close ? `did you mean ${close}?` : help);
}
