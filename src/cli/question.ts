/** Questions to the person at the terminal, on stderr. Without one, what was not given is an error and never a wait. */
import type { Context } from './command.ts';
import { declined, usage } from './exit.ts';
import { fold } from './names/matching.ts';
import { quote, sanitize } from './text.ts';

export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  readonly description?: string;
}

/** What prompts need to ask on this terminal. */
export const promptOptions = ({ io }: Context) => ({ input: io.stdin, output: io.stderr, signal: io.signal });

/**
 * Goes on when the answer is yes, or with --yes; fails with exit 13 on no.
 * Without a terminal the flag must be given: exit 2. On a production profile it is the one question of the command.
 * `local`: it is not about a write to the server, so the profile does not matter.
 */
export async function confirm(context: Context, message: string, { local = false }: { local?: boolean } = {}): Promise<void> {
  const named = local ? message : context.writes.naming(message);
  if (context.settings.yes) return;
  if (!context.interactive) throw usage(`${message.replace(/\?$/, '')}: this needs a yes.`, 'give --yes to go on without being asked');
  const { confirm: ask } = await import('@inquirer/prompts');
  if (!(await ask({ message: sanitize(named), default: false }, promptOptions(context)))) throw declined();
  if (!local) context.writes.agree();
}

/** The question of a profile that is marked production; no unless it is answered with yes. */
export async function askToWrite(context: Context, message: string): Promise<boolean> {
  const { confirm: ask } = await import('@inquirer/prompts');
  return ask({ message: sanitize(message), default: false }, promptOptions(context));
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
    if (matches(given)) return;
    throw usage(
      `--confirm ${given} does not match: it would be ${expected}. Nothing was done.`,
      `look again, then give --confirm ${expected}`,
    );
  }
  if (!context.interactive) throw usage(`${what}: this needs --confirm.`, `give --confirm ${quote(expected)} to go on without being asked`);
  const { input } = await import('@inquirer/prompts');
  const typed = await input({ message: sanitize(`${what}? Type ${expected} to go on:`) }, promptOptions(context));
  if (!matches(typed)) throw declined();
  context.writes.agree();
}

/** A value that must be there: asked for on a terminal, otherwise exit 2 with the name of the flag. */
export async function askText(context: Context, { flag, message }: { flag: string; message: string }): Promise<string> {
  if (!context.interactive) throw missing([flag]);
  const { input } = await import('@inquirer/prompts');
  return input({ message, required: true }, promptOptions(context));
}

export async function askChoice<T>(context: Context, message: string, choices: readonly Choice<T>[]): Promise<T> {
  const { select } = await import('@inquirer/prompts');
  const safe = choices.map((choice) => ({ ...choice, name: sanitize(choice.name) }));
  return select({ message: sanitize(message), choices: safe, pageSize: 12 }, promptOptions(context));
}

/** A secret, not shown while it is typed. */
export async function askSecret(context: Context, message: string): Promise<string> {
  const { password } = await import('@inquirer/prompts');
  return password({ message, mask: '•' }, promptOptions(context));
}

export function missing(flags: readonly string[]) {
  const names = flags.join(', ');
  return usage(`${names} ${flags.length === 1 ? 'is' : 'are'} missing.`, `give ${names}; on a terminal you would be asked`);
}
