/** Questions to the person at the terminal, on stderr. Without one, what was not given is an error and never a wait. */

import { CliError, declined, usage } from '../errors/exit.ts';
import type { Context } from '../framework/context.ts';
import { fold } from '../lookup/matching.ts';
import { asciiFallback } from '../terminal/ascii.ts';
import { joinList, quote, sanitize } from '../terminal/text.ts';
import { ask, themeOf } from './theme.ts';

export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  readonly description?: string;
}

/**
 * Goes on when the answer is yes, or with --yes; fails with exit 13 on no.
 * Without a terminal the flag must be given: exit 2. On a production profile it is the one question of the command.
 * `local`: it is not about a write to the server, so the profile does not matter.
 */
export async function confirm(context: Context, message: string, { local = false }: { local?: boolean } = {}): Promise<void> {
  const named = local ? message : context.writes.naming(message);
  if (context.settings.yes) return;
  if (!context.interactive) throw usage(`${message.replace(/\?$/, '')}: this needs a yes.`, 'give --yes to go on without being asked');
  if (!(await askNoOrYes(context, named))) throw declined();
  if (!local) context.writes.agree();
}

/** The question of a profile that is marked production; no unless it is answered with yes. */
export const askToWrite = (context: Context, message: string): Promise<boolean> => askNoOrYes(context, message);

async function askNoOrYes(context: Context, message: string): Promise<boolean> {
  const { confirm: prompt } = await import('@inquirer/prompts');
  return ask(context, (options) => prompt({ message, default: false, theme: themeOf(context) }, options));
}

/**
 * For what cannot be taken back and concerns many: goes on when the count or name is repeated, as --confirm or typed; `or` is taken too.
 * Fails with exit 13 when something else is typed, and with exit 2 when --confirm does not match or is missing without a terminal.
 * A plain --yes is not enough.
 */
export async function confirmBy(
  context: Context,
  { message, expected, or, given }: { message: string; expected: string; or?: string; given: string | undefined },
): Promise<void> {
  const what = context.writes.naming(message.replace(/\?$/, ''));
  const matches = (text: string) => text.trim() === expected || (or !== undefined && fold(text) === fold(or));
  if (given !== undefined) {
    // Before the first of many is sent, and not as the failure of each.
    if (matches(given)) return context.writes.permit();
    throw usage(
      `--confirm ${given} does not match: it would be ${expected}. Nothing was done.`,
      `look again, then give --confirm ${expected}`,
    );
  }
  if (!context.interactive) throw usage(`${what}: this needs --confirm.`, `give --confirm ${quote(expected)} to go on without being asked`);
  const { input } = await import('@inquirer/prompts');
  const question = { message: `${what}? Type ${expected} to go on:`, theme: themeOf(context) };
  const typed = await ask(context, (options) => input(question, options));
  if (!matches(typed)) throw declined();
  context.writes.agree();
}

interface TextQuestion {
  /** The flag that would have given it. */
  readonly flag: string;
  readonly message: string;
  /** Stands where the answer will, until something is typed. */
  readonly hint?: string;
  /** Answers what is wrong with the text, or nothing. */
  readonly check?: (text: string) => Promise<string | undefined>;
}

/** What is wrong with an answer that cannot be read, told while it can still be mended. */
export async function whyInvalid(read: () => unknown): Promise<string | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // Of several records of that name one is chosen afterwards: a question cannot be asked within another.
    if (error.exitCode === 14) return undefined;
    // The question says already what is meant.
    const why = error.message.replace(/^[-\w]+: /, '').replace(/\.$/, '');
    return `${[why, error.hint].filter(Boolean).join(': ')}.`;
  }
}

/** A value that must be there: asked for on a terminal, otherwise exit 2 with the name of the flag. */
export async function askText(context: Context, { flag, message, hint = '', check }: TextQuestion): Promise<string> {
  if (!context.interactive) throw missing([flag]);
  const { input } = await import('@inquirer/prompts');
  const validate = async (text: string) => sanitize((await check?.(text)) ?? '') || true;
  const transformer = (text: string) => text || context.paint.dim(hint);
  return ask(context, (options) => input({ message, required: true, validate, transformer, theme: themeOf(context) }, options));
}

export async function askChoice<T>(context: Context, message: string, choices: readonly Choice<T>[]): Promise<T> {
  const { select } = await import('@inquirer/prompts');
  const safe = choices.map((choice) => ({ ...choice, name: sanitize(choice.name) }));
  return ask(context, (options) => select({ message, choices: safe, pageSize: 12, theme: themeOf(context) }, options));
}

/** A secret, not shown while it is typed. */
export async function askSecret(context: Context, message: string): Promise<string> {
  const theme = themeOf(context, { below: 'what you type is hidden · Ctrl-T shows it · Enter to go on' });
  const { password } = await import('@inquirer/prompts');
  return ask(context, (options) => password({ message, mask: asciiFallback(context.io)('•'), theme }, options));
}

/** Each is a flag, an argument, or a choice of flags such as `--spot or --zone`. Exit 2. */
export function missing(gaps: readonly string[]) {
  const several = gaps.length > 1;
  const names = joinList(gaps.map((gap) => (several && gap.includes(' or ') ? `either ${gap}` : gap)));
  return usage(`${names} ${several ? 'are' : 'is'} missing.`, `give ${names}; on a terminal you would be asked`);
}
