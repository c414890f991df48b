/**
 * What is wrong with a command line that commander refuses, and the next step. By its error code:
 * its sentences are for people.
 */

import { type CliError, usage } from '../errors/exit.ts';
import { nearest } from '../terminal/text.ts';
import type { Command, Option, RefusedLine } from './command.ts';
import { fieldsHint } from './json-flag.ts';

export function usageError({ code, command }: RefusedLine, argv: readonly string[]): CliError {
  const { path, args } = command;
  const help = `\`${path} --help\` shows its arguments and flags`;
  const names = command.commands.map((below) => below.name());
  switch (code) {
    case 'commander.help':
      return usage(
        `${path} needs a command: ${names.join(', ')}.`,
        `\`${path} --help\` explains them`,
      );
    case 'commander.unknownCommand': {
      const [word = ''] = args;
      const close = closeCommand(word, command);
      const lists = close ? `did you mean ${close}?` : `\`${path} --help\` lists the commands`;
      return usage(`Unknown command "${word}".`, fieldsHint(argv, word) ?? lists);
    }
    case 'commander.unknownOption':
      return flagUnknown(command, help);
    case 'commander.optionMissingArgument': {
      const flag = lastFlag(command, argv.at(-1) ?? '');
      return usage(`${flag?.long} needs a value: ${withoutShort(flag)}.`, help);
    }
    case 'commander.missingMandatoryOptionValue':
      return flagsMissing(command, help);
    case 'commander.missingArgument': {
      const missing = command.registeredArguments.find(
        ({ required }, index) => required && args[index] === undefined,
      );
      return usage(`Missing required argument "${missing?.name()}".`, help);
    }
    case 'commander.conflictingOption': {
      const given = command.options.filter((option) => isGiven(command, option));
      const one = given.find(({ excluded }) => given.some((other) => excludes(excluded, other)));
      const other = given.find((option) => excludes(one?.excluded ?? [], option));
      return usage(`${one?.long} and ${other?.long} can't be used together.`, help);
    }
    // Too many arguments.
    default: {
      if (command.takesSecrets) return usage(`${path} takes no arguments.`, secretHint);
      const more = args.slice(command.registeredArguments.length);
      const words = more.map((word) => `"${word}"`).join(' ');
      return usage(
        `Unexpected ${more.length === 1 ? 'argument' : 'arguments'} ${words}.`,
        fieldsHint(argv, more[0]) ?? `quote a name with spaces; ${help}`,
      );
    }
  }
}

const isGiven = (command: Command, option: Option): boolean =>
  !['default', undefined].includes(command.getOptionValueSource(option.attributeName()));

const excludes = (excluded: readonly string[], option: Option): boolean =>
  excluded.includes(option.attributeName());

const secretHint =
  'use the prompt, --with-key (stdin), --key-file or --key-command. Revoke a key that you typed here: your shell may keep it in its history';

/**
 * Names only the flag: the text after `=`, or after the letter of a short flag, may be a secret.
 */
function flagUnknown(command: Command, help: string): CliError {
  const word = command.args.find((one) => /^-(-|[^\d.])/.test(one)) ?? '';
  const [, flag = '', value] = /^(--[^=]*|-.)(=)?/s.exec(word) ?? [];
  const known = flagsOf(command);
  // commander doesn't know a flag without a value in this form.
  if (value !== undefined && known.includes(flag))
    return usage(`${flag} takes no value.`, `write ${flag} alone; ${help}`);
  const [close] = flag.startsWith('--') ? nearest(flag, known) : [];
  // The same flag belongs to a command above.
  const hint = close && close !== flag ? `did you mean ${close}?` : help;
  return usage(`Unknown flag "${flag}".`, hint);
}

const flagsOf = (command: Command): string[] =>
  optionsOf(command).flatMap(({ long }) => (long ? [long] : []));

/** The flag at the end of a line, which lacks its value: `-o`, `-yo`, `--output`. */
const lastFlag = (command: Command, word: string): Option | undefined =>
  optionsOf(command).find(
    ({ long, short }) => long === word || (!word.startsWith('--') && short === `-${word.at(-1)}`),
  );

const optionsOf = (command: Command): readonly Option[] => [
  ...command.options,
  ...(command.parent ? optionsOf(command.parent) : []),
];

/** `--output <format>` of `-o, --output <format>`. */
const withoutShort = (flag: Option | undefined): string => flag?.flags.replace(/^-\w, /, '') ?? '';

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

/** Prefers the name over an alias that is as close. */
function closeCommand(word: string, { commands }: Command): string | undefined {
  const known = commands.flatMap((below) =>
    [below.name(), ...below.aliases()].map((name) => ({ name, command: below })),
  );
  const [close] = nearest(
    word,
    known.map(({ name }) => name),
  );
  return known.find(({ name }) => name === close)?.command.name();
}
